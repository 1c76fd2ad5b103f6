"""The page of threats names tests that are there, in every row that claims something."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "threats.md").read_text(encoding="utf-8")


def names_of_tests() -> set[str]:
    """Give the names of all tests there are."""
    return {
        node.name
        for file in (ROOT / "tests").rglob("test_*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def test_every_test_that_the_page_names_is_there() -> None:
    named, there = re.findall(r"\btest_\w+", PAGE), names_of_tests()
    assert len(named) > 40
    assert [name for name in named if name not in there] == []


def test_every_claim_of_the_page_names_a_test() -> None:
    claims = [
        row
        for table in re.findall(r"\| can't .*\n\|[-|]+\n((?:\|.*\n)+)", PAGE)
        for row in table.splitlines()
    ]
    assert len(claims) > 25
    assert [row for row in claims if not re.search(r"`test_\w+`", row)] == []


def test_the_page_says_for_each_what_they_can_do_all_the_same() -> None:
    headings = re.findall(r"^## (A (?:dishonest|neighbour).*)$", PAGE, re.MULTILINE)
    assert len(headings) == 5
    assert PAGE.count("*Can:*") == len(headings)
