"""What changes of sheets and seats mean, in people's words: for +undo, +redo and +why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mushcombat.domain.breakdown import Term
from mushcombat.domain.events import Event
from mushcombat.domain.state import Phrase, Shift
from mushcombat.systems.shifts import field_of, key_of, number_in, of_thing, whose
from mushcombat.systems.spaceopera.board import NAMES
from mushcombat.systems.spaceopera.events import Declared
from mushcombat.systems.spaceopera.roster import THING, WOUND
from mushcombat.systems.spaceopera.sheet import STATES

Names = Mapping[int, str]


def change_phrases(
    shifts: Sequence[Shift],
    names: Names,
    _numbers: bool,  # noqa: FBT001 -- as DescribeChanges is called
) -> Iterator[Phrase]:
    """Tell what shifts mean: wounds and things first; then levels, what is carried, the board."""
    for shift in of_thing(shifts, "trait"):
        yield _trait(shift, names)
    for shift in of_thing(shifts, "item"):
        before, after = (number_in(row, "count") for row in (shift.before, shift.after))
        if before != after:
            yield Phrase(f"{shift.about} {before} -> {after}")
    for shift in of_thing(shifts, "combatant"):
        yield from _seat(shift, names)


def _trait(shift: Shift, names: Names) -> Phrase:
    name, key = whose(shift, names), key_of(shift)
    group, trait = key[2], key[3]
    before, after = (field_of(row, "level") for row in (shift.before, shift.after))
    if group == WOUND:
        return Phrase(f"{name}'s {trait} wounds {before or 0} -> {after or 0}")
    if group == THING:
        return Phrase(f"{name}'s {trait} {_state(before)} -> {_state(after)}")
    old, new = ("unset" if level is None else level for level in (before, after))
    return Phrase(f"{name}'s {trait} {old} -> {new}")


def _state(level: object) -> str:
    return STATES.get(level, "whole") if isinstance(level, int) else "whole"


def _seat(shift: Shift, names: Names) -> Iterator[Phrase]:
    """Tell of this system's part of a combatant who stays in the fight."""
    before, after = field_of(shift.before, "state"), field_of(shift.after, "state")
    if not isinstance(before, dict) or not isinstance(after, dict):
        return
    who = shift.about
    if _at(before) != _at(after):
        yield Phrase(f"{who} {_at(before)} -> {_at(after)}")
    for field, what in (("weapon", "weapon in hand"), ("device", "off hand")):
        old, new = before.get(field) or "nothing", after.get(field) or "nothing"
        if old != new:
            yield Phrase(f"{who}'s {what} {old} -> {new}")
    if before.get("declared") != after.get("declared"):
        done = after.get("declared")
        yield Phrase(f"{who} has declared: {done}" if done else f"{who} is to declare", small=True)
    if before.get("turn_to") != after.get("turn_to"):
        whom = names.get(after.get("turn_to") or 0, "nobody")
        yield Phrase(f"{who} turns to {whom}", small=True)


def _at(state: Mapping[str, Any]) -> str:
    x, y, facing = state.get("x"), state.get("y"), state.get("facing") or 0
    return "off the board" if x is None else f"at {x},{y} facing {NAMES[facing]}"


def detail(term: Term, events: Sequence[Event]) -> str:
    """Say what a rule was applied to: with which weapon the factor counts (SO-23); or ''."""
    declared = next((event for event in events if isinstance(event, Declared)), None)
    return declared.weapon if declared is not None and term.rule == "SO-23" else ""
