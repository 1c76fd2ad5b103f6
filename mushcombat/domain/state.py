"""What may change and be taken back: single fields of things, with before and after.

Every change of a sheet, an item or a tracker goes through one door that notes it; the notes of
an action are logged with it. Undo, redo and replay are then the same everywhere.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import ClassVar

from mushcombat.domain.events import Event
from mushcombat.domain.ledger import canonical

Value = int | str | bool | None

WHOLE = "*"
"""The field that stands for a thing's coming or going; its value is all fields, as JSON."""


@dataclass(frozen=True, slots=True)
class Change:
    """One field of one thing went from `before` to `after`; `about` says whose, for people."""

    thing: str
    key: str
    field: str
    before: Value
    after: Value
    about: str = ""

    def reversed(self) -> Change:
        """Give the change that takes this one back."""
        return Change(self.thing, self.key, self.field, self.after, self.before, self.about)


@dataclass(frozen=True, slots=True)
class StateChanged(Event):
    """What an action changed, all of it, in order; only the audit shows it."""

    kind: ClassVar[str] = "state.changed"
    for_referees: ClassVar[bool] = True
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Undone(Event):
    """An action was taken back; `shown` tells the room what that changed.

    `people` are those whose changes these are, 0 for nobody's; logs of old have none.
    """

    kind: ClassVar[str] = "undone"
    target: int
    reason: str
    shown: tuple[str, ...]
    forced: bool = False
    people: tuple[int, ...] = ()

    def without(self, unknown: frozenset[int]) -> Undone:
        """Give it with what is shown of those who are known, or can be told from the others."""
        left = [at for at, one in enumerate(self.people) if one not in unknown]
        shown = tuple(self.shown[at] for at in left)
        return replace(self, shown=shown, people=tuple(self.people[at] for at in left))


@dataclass(frozen=True, slots=True)
class Redone(Event):
    """An action that was taken back stands again, with the dice it had; `people` as above."""

    kind: ClassVar[str] = "redone"
    target: int
    reason: str
    shown: tuple[str, ...]
    people: tuple[int, ...] = ()

    def without(self, unknown: frozenset[int]) -> Redone:
        """Give it with what is shown of those who are known, or can be told from the others."""
        left = [at for at, one in enumerate(self.people) if one not in unknown]
        shown = tuple(self.shown[at] for at in left)
        return replace(self, shown=shown, people=tuple(self.people[at] for at in left))


def whose(change: Change) -> int:
    """Give the character that a change is about, 0 for none: of a scene, or of a turn."""
    key = json.loads(change.key)
    if change.thing in _CHARACTER_AT:
        return int(key[_CHARACTER_AT[change.thing]])
    row = _row(change.before or change.after) if change.field == WHOLE else None
    found = (row or {}).get("character_id") or (row or {}).get("actor_id")
    return found if isinstance(found, int) else 0


_CHARACTER_AT = {"condition": 0, "item": 0, "trait": 0, "quirk": 0, "npc": 0, "combatant": 1}
"""Where in the key of a thing its character is."""

STATE_EVENTS: tuple[type[Event], ...] = (StateChanged, Undone, Redone)


_ABSENT = object()


def put_back(now: Value, before: Value, after: Value) -> tuple[bool, Value]:
    """Give what a field holds once it goes from `after` back to `before`.

    False, and what it holds, when something else was built on it. Of a field that is a JSON
    object each key counts for itself.
    """
    if now == after:
        return True, before
    holds, old, new = (_object(value) for value in (now, before, after))
    if holds is None or old is None or new is None:
        return False, now
    changed = [key for key in {*old, *new} if old.get(key, _ABSENT) != new.get(key, _ABSENT)]
    if any(holds.get(key, _ABSENT) != new.get(key, _ABSENT) for key in changed):
        return False, now
    kept = {key: value for key, value in holds.items() if key not in changed}
    return True, canonical(kept | {key: old[key] for key in changed if key in old})


def _object(value: Value) -> dict[str, object] | None:
    if not isinstance(value, str) or not value.startswith("{"):
        return None
    found: dict[str, object] = json.loads(value)
    return found


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
        before = joined[change.field].before if change.field in joined else change.before
        joined[change.field] = replace(change, before=before)
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
