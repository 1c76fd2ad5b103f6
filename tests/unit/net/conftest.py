from __future__ import annotations

import pytest

from tests.unit.net.fakes import Table, quick_hashing
from tests.unit.support import ADA, BRAM, scene_of


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    """A game without a scene."""
    made = Table()
    quick_hashing(monkeypatch, made)
    return made


@pytest.fixture
def scene_table(monkeypatch: pytest.MonkeyPatch) -> Table:
    """A game with a scene that Ada and Bram take part in."""
    made = Table(scene_of(ADA, BRAM))
    quick_hashing(monkeypatch, made)
    return made
