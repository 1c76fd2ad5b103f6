"""What changes of sheets, bodies and seats mean, in people's words: for +undo, +redo and +why."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

from mushcombat.domain.breakdown import Term
from mushcombat.domain.events import Event
from mushcombat.domain.state import Field, Phrase, Shift
from mushcombat.systems.otherspace.combat_events import Declared
from mushcombat.systems.otherspace.combat_sections import FULL
from mushcombat.systems.otherspace.combat_state import Seat
from mushcombat.systems.otherspace.health import band
from mushcombat.systems.otherspace.sheet import show_level
from mushcombat.systems.otherspace.tables import Tables
from mushcombat.systems.shifts import field_of, key_of, number_in, of_thing, whose

Names = Mapping[int, str]

_FEET = re.compile(r"\bat (\d+ feet)")

FEW = 3
"""Levels of one sheet that are told one by one; more are counted."""


def change_phrases(
    tables: Tables, shifts: Sequence[Shift], names: Names, *, numbers: bool
) -> Iterator[Phrase]:
    """Tell what shifts mean: health first; in bands where `numbers` is False."""
    for shift in of_thing(shifts, "condition"):
        yield from _condition(shift, tables, numbers=numbers)
    for shift in of_thing(shifts, "quirk"):
        yield _quirk(shift, names)
    yield from _levels(of_thing(shifts, "trait"), names, tables)
    for shift in of_thing(shifts, "item"):
        yield from _item(shift, tables)
    for shift in of_thing(shifts, "wound"):
        yield Phrase(f"{shift.about} is {'noted' if shift.after else 'struck off'}", small=True)
    for shift in of_thing(shifts, "combatant"):
        yield from _seat(shift, names)


def detail(term: Term, events: Sequence[Event]) -> str:
    """Say what a rule was applied to: how far it is (OS-12), which weapon (OS-17); or ''."""
    declared = next((event for event in events if isinstance(event, Declared)), None)
    if declared is None:
        return ""
    if term.rule == "OS-12":
        found = _FEET.search(declared.how)
        return found[1] if found else ""
    one = " and " not in declared.weapon
    return declared.weapon if term.rule == "OS-17" and one else ""


# the body


def _condition(shift: Shift, tables: Tables, *, numbers: bool) -> Iterator[Phrase]:
    """Tell of health, and of death, stun, luck and healing."""
    name = shift.about.removesuffix("'s health")
    yield from _health(shift, tables, numbers=numbers)
    dead = bool(field_of(shift.after, "dead"))
    if dead != bool(field_of(shift.before, "dead")):
        yield Phrase(f"{name} is {'dead' if dead else 'alive again'}")
    until = field_of(shift.after, "stunned_until")
    if until != field_of(shift.before, "stunned_until"):
        yield Phrase(f"{name} is {_stunned(until)}")
    used, before = (number_in(row, "luck_used") for row in (shift.after, shift.before))
    if used != before:
        yield Phrase(f"{name}'s luck cards used {before} -> {used}")
    healed = field_of(shift.after, "healed_day")
    if healed != field_of(shift.before, "healed_day"):
        state = "was healed today" if healed else "can be healed again today"
        yield Phrase(f"{name} {state}", small=True)


def _stunned(until: Field) -> str:
    if not isinstance(until, int):
        return "no longer stunned"
    return f"stunned until {datetime.fromtimestamp(until, UTC):%H:%M:%S} UTC"


def _health(shift: Shift, tables: Tables, *, numbers: bool) -> Iterator[Phrase]:
    """OS-41: health is what harm and stun leave of 100."""
    lost = [[number_in(row, f) for f in ("harm", "stun")] for row in (shift.before, shift.after)]
    (harm, stun), (more_harm, more_stun) = lost
    if harm is None or stun is None or more_harm is None or more_stun is None:
        yield from _parts(shift)
        return
    before, after = FULL - harm - stun, FULL - more_harm - more_stun
    of_it = f" (stun {stun} -> {more_stun})" if stun != more_stun else ""
    if not numbers:
        yield from _in_bands(shift, band(before, tables), band(after, tables))
    elif before != after:
        yield Phrase(f"{shift.about} {before} -> {after}{of_it}")
    elif of_it:
        yield Phrase(f"{shift.about} is {after} as before{of_it}")


def _in_bands(shift: Shift, before: str, after: str) -> Iterator[Phrase]:
    """Tell of health where numbers are hidden: that it changed, though the band is the same."""
    fields = [
        [field_of(row, f) or 0 for f in ("harm", "stun")] for row in (shift.before, shift.after)
    ]
    if before != after:
        yield Phrase(f"{shift.about} {before} -> {after}")
    elif fields[0] != fields[1]:
        yield Phrase(f"{shift.about}, still {after}")


def _parts(shift: Shift) -> Iterator[Phrase]:
    """Tell of harm and stun by themselves, where only one of them is known."""
    for field in ("harm", "stun"):
        before, after = (number_in(row, field) for row in (shift.before, shift.after))
        if before != after:
            yield Phrase(f"{shift.about}: {field} {before} -> {after}")


# the sheet


def _quirk(shift: Shift, names: Names) -> Phrase:
    name, quirk = whose(shift, names), key_of(shift)[2]
    if shift.before and shift.after:
        return Phrase(f"{name}'s {quirk} is noted anew", small=True)
    return Phrase(f"{name} {'gains' if shift.after else 'loses'} the quirk {quirk}")


def _levels(shifts: Sequence[Shift], names: Names, tables: Tables) -> Iterator[Phrase]:
    """Tell of levels; of many on one sheet, as an NPC's that comes, how many."""
    sheets: dict[str, list[Shift]] = {}
    for shift in shifts:
        sheets.setdefault(whose(shift, names), []).append(shift)
    for name, changed in sheets.items():
        if len(changed) > FEW:
            yield Phrase(f"{len(changed)} levels on {name}'s sheet")
        else:
            yield from (_level(name, shift, tables) for shift in changed)


def _level(name: str, shift: Shift, tables: Tables) -> Phrase:
    before, after = (field_of(row, "level") for row in (shift.before, shift.after))
    old, new = (show_level(x if isinstance(x, int) else None, tables) for x in (before, after))
    return Phrase(f"{name}'s {key_of(shift)[3]} {old} -> {new}")


def _item(shift: Shift, tables: Tables) -> Iterator[Phrase]:
    before, after = (number_in(row, "count") for row in (shift.before, shift.after))
    if before != after:
        yield Phrase(f"{shift.about} {before} -> {after}")
    used = bool(field_of(shift.after, "in_use"))
    if used != bool(field_of(shift.before, "in_use")):
        worn = tables.combat.suit(key_of(shift)[2]) is not None
        on, off = ("is worn", "is taken off") if worn else ("is in hand", "is put away")
        yield Phrase(f"{shift.about} {on if used else off}")


# the seat

Tell = Callable[[str, Any, Any, Names], Iterator[Phrase]]
"""Tells of one field of a seat: whose, before, after, names."""


def _seat(shift: Shift, names: Names) -> Iterator[Phrase]:
    """Tell of this system's part of a combatant who stays in the fight."""
    before, after = field_of(shift.before, "state"), field_of(shift.after, "state")
    if not isinstance(before, dict) or not isinstance(after, dict):
        return
    usual = {field.name: field.default for field in fields(Seat)}
    for name in {**usual, **before, **after}:
        old, new = (state.get(name, usual.get(name)) for state in (before, after))
        if _plain(old) != _plain(new):
            yield from _SEAT.get(name, _other)(shift.about, old, new, names)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _other(name: str, _before: Any, _after: Any, _names: Names) -> Iterator[Phrase]:
    yield Phrase(f"{name}'s stance", small=True)


def _defences(name: str, before: Any, after: Any, _names: Names) -> Iterator[Phrase]:
    yield Phrase(f"{name}'s defences this round {before} -> {after}", small=True)


def _full(name: str, _before: Any, after: Any, _names: Names) -> Iterator[Phrase]:
    yield Phrase(f"{name} is {'' if after else 'no longer '}in full defence")


def _no_attack(name: str, _before: Any, after: Any, _names: Names) -> Iterator[Phrase]:
    yield Phrase(f"{name}'s next attack is {'given up' if after else 'no longer given up'}")


def _warm(name: str, _before: Any, after: Any, _names: Names) -> Iterator[Phrase]:
    state = f"fires from round {after} on" if after else "is cold"
    yield Phrase(f"{name}'s railgun {state}")


def _closed(name: str, before: Any, after: Any, names: Names) -> Iterator[Phrase]:
    for one in after:
        if one not in before:
            yield Phrase(f"{names.get(one, 'somebody')} is inside the reach of {name}'s polearm")
    for one in before:
        if one not in after:
            yield Phrase(f"{names.get(one, 'somebody')} is outside the reach of {name}'s polearm")


def _next_attack(name: str, _before: Any, after: Any, _names: Names) -> Iterator[Phrase]:
    terms = " ".join(f"{term['op']} {term['text']}" for term in after)
    yield Phrase(f"{name}'s next attack has {terms or 'nothing against it'}")


def _counter(name: str, _before: Any, after: Any, names: Names) -> Iterator[Phrase]:
    if after is None:
        yield Phrase(f"{name} has no counterattack", small=True)
    else:
        yield Phrase(f"{name} may strike back at {names.get(after, 'somebody')}")


def _stun_skip(name: str, _before: Any, after: Any, _names: Names) -> Iterator[Phrase]:
    owed = "has a turn to lose to the stun" if after else "has no turn to lose to the stun"
    yield Phrase(f"{name} {owed}", small=True)


def _always(name: str, before: Any, after: Any, _names: Names) -> Iterator[Phrase]:
    how = f"always defends with {after}" if after else f"no longer always defends with {before}"
    yield Phrase(f"{name} {how}")


def _sniped(name: str, _before: Any, after: Any, _names: Names) -> Iterator[Phrase]:
    shot = f"has shot with the sniper rifle in round {after}" if after else "has not sniped yet"
    yield Phrase(f"{name} {shot}", small=True)


def _closed_in(name: str, _before: Any, after: Any, _names: Names) -> Iterator[Phrase]:
    reach = f"has closed in in round {after}" if after else "has not closed in"
    yield Phrase(f"{name} {reach}", small=True)


_SEAT: Mapping[str, Tell] = {
    "defences": _defences,
    "full": _full,
    "no_attack": _no_attack,
    "warm_from": _warm,
    "closed": _closed,
    "next_attack": _next_attack,
    "counter": _counter,
    "stun_skip": _stun_skip,
    "always": _always,
    "sniped": _sniped,
    "closed_in": _closed_in,
}
