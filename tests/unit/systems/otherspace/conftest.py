from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from mushcombat.paths import shipped
from mushcombat.systems.otherspace.tables import Tables, load
from tests.unit.systems.otherspace.arena import PEOPLE, Arena, furnish

RULES = (shipped("config") / "rules" / "otherspace.toml").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def rules() -> str:
    """The text of the rules that come with the program."""
    return RULES


@pytest.fixture(scope="session")
def tables() -> Tables:
    """The rules that come with the program."""
    return load(RULES, "otherspace.toml")


@pytest.fixture(scope="session")
def flat() -> Tables:
    """The same with Constitution taking points instead of a share."""
    return load(RULES.replace('mode = "percent"', 'mode = "flat"'), "otherspace.toml")


@pytest.fixture(scope="session")
def d10() -> Tables:
    """The same with the dice the game used later."""
    return load(RULES.replace('kind = "4dF"', 'kind = "1d10-5"'), "otherspace.toml")


@pytest.fixture(scope="session")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with people and a scene, to be copied."""
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
