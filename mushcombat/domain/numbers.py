"""Whole numbers as players type them."""

from __future__ import annotations

import re

from mushcombat.domain.text import clip
from mushcombat.errors import MushError

FIELD = "field"
"""The code of what is wrong with a field: its refusal ends with the usage of the command."""

DIGITS = 9
_WHOLE = re.compile(rf"[+-]?[0-9]{{1,{DIGITS}}}")
_SMALL = {str(number): number for number in range(1000)}
"""Nearly every number that is typed: found sooner than it is read."""


def whole(text: str) -> int | None:
    """Read a whole number: at most nine ASCII digits, one sign before them; else None.

    `int()` alone would take other scripts' digits, underscores, and time for 5,000 digits.
    """
    number = _SMALL.get(text)
    if number is not None:
        return number
    return int(text) if _WHOLE.fullmatch(text) else None


def parse_whole(text: str, field: str, low: int, high: int) -> int:
    """Read a whole number of `low`..`high`; spaces round it don't matter.

    Raises MushError that names the field, what was typed and what it takes.
    """
    number = whole(text.strip(" "))
    if number is None or not low <= number <= high:
        raise refusal(text, field, f"not a whole number from {low} to {high}")
    return number


def counted(number: int, one: str) -> str:
    """Write how many there are: "1 level", "2 levels"."""
    return f"{number} {one}{'' if number == 1 else 's'}"


def refusal(text: str, field: str, complaint: str) -> MushError:
    """Make the error for a bad field: 'size: "x" is <complaint>.'; what was typed is clipped."""
    return MushError(FIELD, f'{field}: "{clip(text.strip(" "))}" is {complaint}.')
