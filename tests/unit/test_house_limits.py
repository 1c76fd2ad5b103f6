"""What no linter counts."""

from __future__ import annotations

from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
FOLDERS = ("mushcombat", "tests", "migrations", "benchmarks")
MOST_LINES = 400


def lengths() -> dict[str, int]:
    """Give the number of lines of each file of Python that is ours."""
    files = [file for folder in FOLDERS for file in (REPOSITORY / folder).rglob("*.py")]
    return {
        str(file.relative_to(REPOSITORY)): len(file.read_text(encoding="utf-8").splitlines())
        for file in files
    }


def test_no_file_is_longer_than_400_lines() -> None:
    found = lengths()
    assert set(FOLDERS) == {name.partition("/")[0] for name in found}, "some were not looked at"
    assert {name: lines for name, lines in found.items() if lines > MOST_LINES} == {}
