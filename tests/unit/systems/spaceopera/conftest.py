from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.systems.otherspace.arena import PEOPLE
from tests.unit.systems.spaceopera.arena import Arena, furnish


@pytest.fixture(scope="session")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with people and a scene of this system, to be copied."""
    file = tmp_path_factory.mktemp("arena") / "furnished.db"
    with pytest.MonkeyPatch.context() as monkeypatch:
        arena = Arena(file, monkeypatch)
        furnish(arena)
        arena.close()
    return file


@pytest.fixture
def arena(furnished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Arena]:
    """A scene with Rhea, who referees, and Ada, Bram, Cass and Olga in it."""
    file = tmp_path / "arena.db"
    shutil.copy(furnished, file)
    there = Arena(file, monkeypatch)
    for name in PEOPLE:
        there.connect(name)
    yield there
    there.close()
