"""Looking into what an action changed: which things, whose, and from what to what."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from mushcombat.domain.state import Field, Row, Shift

Names = Mapping[int, str]


def of_thing(shifts: Sequence[Shift], thing: str) -> list[Shift]:
    """Give the shifts of one kind of thing."""
    return [shift for shift in shifts if shift.thing == thing]


def key_of(shift: Shift) -> list[Any]:
    """Give the parts of a key."""
    key: list[Any] = json.loads(shift.key)
    return key


def whose(shift: Shift, names: Names) -> str:
    """Name whose it is; from what it is about, where the name is not known."""
    return names.get(key_of(shift)[0]) or shift.about.partition("'s ")[0].partition(":")[0]


def number_in(row: Row | None, field: str) -> int | None:
    """Give a number of a row; 0 when there is no row, None when it is not known."""
    if row is None:
        return 0
    value = row.get(field)
    return value if isinstance(value, int) else None


def field_of(row: Row | None, field: str) -> Field:
    """Give a field of a row; None where there is none."""
    return (row or {}).get(field)
