"""The story of one row behind the door: what it was before all, and what everybody made of it.

A row is what it held before its log began, with every change since that still stands. To take an
action back is to leave its changes out, to let it stand again is to count them once more: so
whatever is taken back, in whatever order, a row comes to what it would hold without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import groupby
from operator import attrgetter

from mushcombat.domain.state import (
    WHOLE,
    Change,
    Field,
    Row,
    Value,
    read_field,
    read_row,
    write_field,
    write_row,
)
from mushcombat.records import record

AMOUNTS = frozenset({"harm", "stun", "count", "luck_used"})
"""Fields that add up: one change can be taken out from under another."""

FULL = 100
"""Points of health of who is well; harm and stun together are never more."""

_NONE = object()


@record(frozen=True, slots=True)
class Doing:
    """An action; one that goes on after it was taken back is another doing of it from then on."""

    action: int
    again: int = 0


Stands = Callable[[Doing], bool]


@record(frozen=True, slots=True)
class Write:
    """A change by a row of the log; `doing` is None for one that was found, of outside the log."""

    seq: int
    doing: Doing | None
    change: Change


class Trail:
    """One row: what it held before all, every change since, and how the log left it.

    Of a row that did not come within the log, only the fields are known that a change named.
    """

    def __init__(self) -> None:
        self.base: Row | None = {}
        self.last: Row | None = {}
        self.writes: list[Write] = []

    def note(self, seq: int, doing: Doing | None, change: Change) -> Row | None:
        """Note a change and where it leaves the row; gives the row before it.

        `doing` is None for a taking back, which is no change of its own.
        """
        whole = change.field == WHOLE
        found = read_row(change.before) if whole else _with(self.last, change, change.before)
        self.meet(seq, found, change)
        before = self.last
        self.last = read_row(change.after) if whole else _with(before, change, change.after)
        if doing is not None:
            self.writes.append(Write(seq, doing, change))
        return before

    def _learn(self, found: Row | None) -> None:
        """Take in what fields held that nobody has changed so far."""
        if found is None and not self.last and not self.writes:
            self.base = self.last = None
        if found is None or self.last is None:
            return
        new = {field: value for field, value in found.items() if field not in self.last}
        self.last = {**self.last, **new}
        if self.base is not None:
            self.base = {**self.base, **new}

    def meet(self, seq: int, found: Row | None, about: Change) -> None:
        """Take in the row as it is found: where it differs, something outside has changed it."""
        self._learn(found)
        self.writes += [Write(seq, None, each) for each in _differences(about, self.last, found)]
        if self.last is None or found is None:
            self.last = found
        else:
            self.last = {field: found.get(field, value) for field, value in self.last.items()}

    def folded(self, stands: Stands) -> Row | None:
        """Give the row with the changes that stand; None when there is none."""
        row = None if self.base is None else dict(self.base)
        spare: Row = {}
        for _, together in groupby(self.writes, key=attrgetter("seq")):
            for write in together:
                if write.doing is None or stands(write.doing):
                    row = _changed(row, spare, write.change)
                elif write.change.field == WHOLE:
                    spare = _emptied(read_row(write.change.after)) or spare
            row = _bounded(row)
        return row

    def others(self, doing: Doing) -> Iterator[tuple[Write, bool]]:
        """Give what others wrote in the fields of a doing, and whether that was after it did."""
        mine = self._paths(doing)
        for write in self.writes if mine else ():
            first = [mine[own] for own in mine for path in paths(write.change) if _same(own, path)]
            if write.doing != doing and first:
                yield write, write.seq > min(first)

    def amounts(self, doing: Doing) -> dict[str, int]:
        """Give what a doing added to the fields that add up."""
        found: dict[str, int] = {}
        for write in self.writes:
            if write.doing == doing:
                for field, more in _added(write.change):
                    found[field] = found.get(field, 0) + more
        return found

    def _paths(self, doing: Doing) -> dict[str, int]:
        """Give the fields that a doing wrote, each with the first row that did."""
        found: dict[str, int] = {}
        for write in self.writes:
            if write.doing == doing:
                for path in paths(write.change):
                    found.setdefault(path, write.seq)
        return found


def _added(change: Change) -> Iterator[tuple[str, int]]:
    """Give what a change adds to fields that add up."""
    before, after = _fields(change, change.before), _fields(change, change.after)
    for field in AMOUNTS & {*before, *after}:
        yield field, amount(after, field) - amount(before, field)


def amount(row: Row | None, field: str) -> int:
    """Give a field that adds up; 0 where there is none."""
    value = (row or {}).get(field)
    return value if isinstance(value, int) else 0


def _fields(change: Change, value: Value) -> Row:
    if change.field == WHOLE:
        return read_row(value) or {}
    return {change.field: read_field(value)}


def _with(row: Row | None, change: Change, value: Value) -> Row:
    return {**(row or {}), change.field: read_field(value)}


def _changed(row: Row | None, spare: Row, change: Change) -> Row | None:
    """Make a change in a row as it would be by then; one that is not there begins as `spare`."""
    if change.field == WHOLE:
        return read_row(change.after)
    before, after = read_field(change.before), read_field(change.after)
    held = dict(spare if row is None else row)
    now = held.get(change.field, before)
    held[change.field] = _moved(now, before, after, amount=change.field in AMOUNTS)
    return held


def _moved(now: Field, before: Field, after: Field, *, amount: bool) -> Field:
    """Give a field after a change: amounts add up; of an object each key counts for itself."""
    if amount and isinstance(now, int) and isinstance(before, int) and isinstance(after, int):
        return max(0, now + after - before)
    if isinstance(now, dict) and isinstance(before, dict) and isinstance(after, dict):
        new = {key: value for key, value in after.items() if before.get(key, _NONE) != value}
        gone = before.keys() - after.keys()
        return {key: value for key, value in (now | new).items() if key not in gone}
    return after


def _bounded(row: Row | None) -> Row | None:
    """Keep harm and stun within the health there is.

    After all that a row of the log did, not between: harm that leaves less room for stun is
    written with the stun that it leaves, and is not to take it away twice.
    """
    if row is None:
        return None
    left, bounded = FULL, dict(row)
    for field in ("harm", "stun"):
        value = bounded.get(field)
        if isinstance(value, int):
            bounded[field] = value = min(value, left)
            left -= value
    return bounded


def _emptied(row: Row | None) -> Row:
    """Give what a row begins as whose coming was taken back, if others go on writing to it."""
    return {field: 0 if field in AMOUNTS else value for field, value in (row or {}).items()}


def _differences(about: Change, old: Row | None, new: Row | None) -> list[Change]:
    """Give the changes that lead from one row to another, of the fields known in both."""
    if old is not None and new is not None:
        return [
            replace(about, field=field, before=write_field(old[field]), after=write_field(value))
            for field, value in new.items()
            if old.get(field, value) != value
        ]
    if old == new:
        return []
    return [replace(about, field=WHOLE, before=write_row(old), after=write_row(new))]


def paths(change: Change) -> set[str]:
    """Name what a change touches: a field, or those keys of an object that differ; `*` is all."""
    before, after = read_field(change.before), read_field(change.after)
    if change.field == WHOLE or not (isinstance(before, dict) and isinstance(after, dict)):
        return {change.field}
    keys = (key for key in {*before, *after} if before.get(key, _NONE) != after.get(key, _NONE))
    return {f"{change.field}.{key}" for key in keys}


def _same(one: str, other: str) -> bool:
    """Tell whether two paths are the same field, or one is within the other."""
    within = one.startswith(f"{other}.") or other.startswith(f"{one}.")
    return WHOLE in {one, other} or one == other or within
