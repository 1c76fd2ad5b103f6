"""What may change and be taken back: single fields of things, with before and after.

Every change of a sheet, an item or a tracker goes through one door that notes it; the notes of
an action are logged with it. Undo, redo and replay are then the same everywhere.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, ClassVar

from mushcombat.domain.events import Event
from mushcombat.domain.ledger import canonical
from mushcombat.records import record

Value = int | str | bool | None

Field = Value | dict[str, Any]
"""What a field holds, read: the text of a JSON object is that object."""

Row = dict[str, Field]
"""The fields of a thing, read."""

WHOLE = "*"
"""The field that stands for a thing's coming or going; its value is all fields, as JSON."""


@record(frozen=True, slots=True)
class Change:
    """One field of one thing went from `before` to `after`; `about` says whose, for people."""

    thing: str
    key: str
    field: str
    before: Value
    after: Value
    about: str = ""


@record(frozen=True, slots=True)
class Shift:
    """All of one thing before and after: None when it was not there, `about` says whose it is."""

    thing: str
    key: str
    about: str
    before: Row | None
    after: Row | None


@record(frozen=True, slots=True)
class Phrase:
    """What a shift means to people; a `small` one need not be told where there are others."""

    text: str
    small: bool = False


@record(frozen=True, slots=True)
class StateChanged(Event):
    """What an action changed, all of it, in order; only the audit shows it."""

    kind: ClassVar[str] = "state.changed"
    for_referees: ClassVar[bool] = True
    changes: tuple[Change, ...]


@record(frozen=True, slots=True)
class Undone(Event):
    """An action was taken back; `shown` tells the room what that changed.

    `people` are those named in each part of it; logs of old have none.
    """

    kind: ClassVar[str] = "undone"
    target: int
    reason: str
    shown: tuple[str, ...]
    forced: bool = False
    people: tuple[tuple[int, ...], ...] = ()

    def without(self, unknown: frozenset[int]) -> Undone:
        """Give it with what is shown of those who are known, or can be told from the others."""
        left = [at for at, named in enumerate(self.people) if unknown.isdisjoint(named)]
        shown = tuple(self.shown[at] for at in left)
        return replace(self, shown=shown, people=tuple(self.people[at] for at in left))


@record(frozen=True, slots=True)
class Redone(Event):
    """An action that was taken back stands again, with the dice it had; `people` as above."""

    kind: ClassVar[str] = "redone"
    target: int
    reason: str
    shown: tuple[str, ...]
    people: tuple[tuple[int, ...], ...] = ()

    def without(self, unknown: frozenset[int]) -> Redone:
        """Give it with what is shown of those who are known, or can be told from the others."""
        left = [at for at, named in enumerate(self.people) if unknown.isdisjoint(named)]
        shown = tuple(self.shown[at] for at in left)
        return replace(self, shown=shown, people=tuple(self.people[at] for at in left))


STATE_EVENTS: tuple[type[Event], ...] = (StateChanged, Undone, Redone)


def read_field(value: Value) -> Field:
    """Read a field; text that is a JSON object, as it is written here, counts by its keys."""
    if not isinstance(value, str) or not value.startswith("{"):
        return value
    try:
        found: Any = json.loads(value)
        ours = isinstance(found, dict) and canonical(found) == value
    except (ValueError, RecursionError):  # what a player typed may be anything
        return value
    return found if ours else value


def write_field(field: Field) -> Value:
    """Write a field as it is stored."""
    return canonical(field) if isinstance(field, dict) else field


def read_row(whole: Value) -> Row | None:
    """Read the value of a change that is a coming or going."""
    if whole is None:
        return None
    return {field: read_field(value) for field, value in json.loads(str(whole)).items()}


def write_row(row: Row | None) -> str | None:
    """Write the same."""
    if row is None:
        return None
    return canonical({field: write_field(value) for field, value in row.items()})


def squash(changes: tuple[Change, ...]) -> tuple[Change, ...]:
    """Give what changes come to: of each thing its coming or going, or fields that differ.

    A thing that came and went again in between has not changed, whatever was written in it.
    """
    things: dict[tuple[str, str], list[Change]] = {}
    for change in changes:
        things.setdefault((change.thing, change.key), []).append(change)
    return tuple(net for rows in things.values() for net in _net(rows))


def _net(changes: list[Change]) -> list[Change]:
    """Give what changes of one thing come to."""
    whole = next((at for at, c in enumerate(changes) if c.field == WHOLE), None)
    if whole is None:
        return _fields(changes)
    first = _row(changes[whole].before)
    for change in reversed(changes[:whole]):
        first = {**(first or {}), change.field: change.before}
    last = first
    for change in changes:
        last = _row(change.after) if change.field == WHOLE else _with(last, change)
    one = changes[-1]
    if first is None or last is None:
        ends = replace(one, field=WHOLE, before=_whole(first), after=_whole(last))
        return [ends] if ends.before != ends.after else []
    return _fields([replace(one, field=f, before=first[f], after=last[f]) for f in first])


def _fields(changes: list[Change]) -> list[Change]:
    """Join changes of the same field to one, from its first before to its last after."""
    joined: dict[str, Change] = {}
    for change in changes:
        first = joined.get(change.field)
        joined[change.field] = replace(change, before=first.before) if first else change
    return [change for change in joined.values() if change.before != change.after]


def _row(whole: Value) -> dict[str, Value] | None:
    if whole is None:
        return None
    row: dict[str, Value] = json.loads(str(whole))
    return row


def _whole(row: dict[str, Value] | None) -> str | None:
    return None if row is None else canonical(row)


def _with(row: dict[str, Value] | None, change: Change) -> dict[str, Value]:
    return {**(row or {}), change.field: change.after}
