"""What only a rule system knows, no other code names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PROGRAM = Path(__file__).resolve().parents[2] / "mushcombat"

WORDS = (
    *("otherspace", "odf", "ddf(?!ilter)", "ladder", "railgun"),  # logging has an addFilter
    *("spaceopera", "space opera", "hth", "parry", "parries", "facing", "shield arc", "disarm"),
)


def core() -> list[Path]:
    """Give every file of the program that is no system's."""
    files = [file for file in PROGRAM.rglob("*") if file.suffix in {".py", ".md", ".txt"}]
    return [file for file in files if file.relative_to(PROGRAM).parts[0] != "systems"]


@pytest.mark.parametrize("word", WORDS)
def test_no_word_of_a_system_is_in_the_core(word: str) -> None:
    files = core()
    assert len(files) > 100
    named = re.compile(word, re.IGNORECASE)
    found = [f.name for f in files if named.search(f.read_text(encoding="utf-8"))]
    assert found == []


@pytest.mark.parametrize("word", ["otherspace", "spaceopera"])
def test_what_systems_share_names_none_of_them(word: str) -> None:
    shared = [f for f in (PROGRAM / "systems").glob("*.py") if f.name != "__init__.py"]
    assert len(shared) > 8
    assert [f.name for f in shared if word in f.read_text(encoding="utf-8")] == []


@pytest.mark.parametrize(("one", "other"), [("otherspace", "spaceopera")])
def test_no_system_knows_the_other(one: str, other: str) -> None:
    for mine, theirs in ((one, other), (other, one)):
        files = (PROGRAM / "systems" / mine).rglob("*")
        texts = [f.read_text(encoding="utf-8") for f in files if f.suffix in {".py", ".md"}]
        assert texts
        assert not any(theirs in text for text in texts)
