"""What changes mean, in people's words: the tracker's here, the rest from the rule system."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from mushcombat.domain.fight import (
    DAMAGE,
    DECLARED,
    DEFENCE,
    ON,
    OVER,
    PROPOSED,
    ROLL,
    ROLLING,
    RULING,
)
from mushcombat.domain.state import Field, Phrase, Row, Shift
from mushcombat.domain.text import clip
from mushcombat.systems.system import System

Names = Mapping[int, str]

_SHEETS = frozenset({"condition", "quirk", "trait", "item", "wound"})
"""Things that the rule system tells of."""

WAITS = {
    RULING: "the referee's ruling",
    ROLL: "+go",
    DEFENCE: "the defence",
    DAMAGE: "the referee's word on the damage",
    DECLARED: "its turn",
}
"""What a pending action waits for, by its stage."""

_PHASES = {ROLLING: "the order is being rolled", ON: "the fight is on", OVER: "the fight is over"}


def phrases(
    system: System, shifts: Sequence[Shift], names: Names, *, numbers: bool, again: bool = False
) -> list[Phrase]:
    """Tell what shifts mean: what the system knows of, the tracker, and last whose turn it is.

    `numbers` False hides health; `again` is for what was before, and is so again.
    """
    told = [*system.describe_changes(_without_moved(shifts), names, numbers)]
    for shift in sorted(shifts, key=lambda one: one.thing):
        if shift.thing == "combatant":
            told += _combatant(shift, system.rank)
        elif shift.thing not in {*_SHEETS, "fight"}:
            told += _TRACKER.get(shift.thing, _other)(shift)
    for shift in shifts:
        if shift.thing == "fight":
            told += _fight(shift, names, again=again)
    return told


def _without_moved(shifts: Sequence[Shift]) -> list[Shift]:
    """Leave out the sheets and things of NPCs that come or leave: they do so with all they have."""
    moved = {moved_npc(shift) for shift in shifts}
    owned = [(shift, shift.thing in _SHEETS - {"wound"}) for shift in shifts]
    return [s for s, is_owned in owned if not (is_owned and json.loads(s.key)[0] in moved)]


def worth_telling(told: Iterable[Phrase]) -> tuple[str, ...]:
    """Give the phrases that matter; the small ones where there are no others."""
    every = list(told)
    return tuple(one.text for one in every if not one.small) or tuple(one.text for one in every)


def known_ids(shifts: Iterable[Shift]) -> list[int]:
    """Give whose sheets, bodies, things and turns shifts are about, for `names`."""
    ids: set[int] = set()
    for shift in shifts:
        key = json.loads(shift.key)
        if shift.thing in {"npc", *_SHEETS - {"wound"}}:
            ids.add(key[0])
        if shift.thing == "combatant":
            ids.add(key[1])
        if shift.thing == "fight":
            turns = (_get(shift.before, "turn"), _get(shift.after, "turn"))
            ids.update(turn for turn in turns if isinstance(turn, int))
    return sorted(ids)


def moved_npc(shift: Shift) -> int | None:
    """Give the NPC that came into the scene by a shift, or left it; None for any other shift."""
    same = _get(shift.before, "scene_id") == _get(shift.after, "scene_id")
    return None if shift.thing != "npc" or same else int(json.loads(shift.key)[0])


def _get(row: Row | None, field: str) -> Field:
    return (row or {}).get(field)


def _combatant(shift: Shift, called: str) -> Iterator[Phrase]:
    """Tell of somebody's part in a fight; `called` is what the order goes by."""
    if shift.before is None or shift.after is None:
        yield Phrase(f"{shift.about} is {'in' if shift.after else 'out of'} the fight")
        return
    rank, before = (_rank(row) for row in (shift.after, shift.before))
    if rank != before:
        yield Phrase(f"{shift.about}'s {called} is {rank or 'not rolled'}")
    place, old = (_get(row, "place") for row in (shift.after, shift.before))
    if place != old:
        yield Phrase(
            f"{shift.about}'s place in the order {old or 'none'} -> {place or 'none'}",
            small=bool(rank != before),
        )


def _rank(row: Row) -> str:
    """Write the number that the order goes by, and its rerolls."""
    numbers: list[Any] = json.loads(str(row.get("rank") or "[]"))
    return ", rerolled ".join(str(number) for number in numbers)


def _pending(shift: Shift) -> Iterator[Phrase]:
    row = shift.after or shift.before
    stage, number = _get(row, "stage"), json.loads(shift.key)[1]
    if stage == PROPOSED:
        state = "is proposed" if shift.after else "is proposed no longer"
        yield Phrase(f"{shift.about} {state}")
    elif shift.after is None:
        yield Phrase(f"#{number} waits no longer")
    else:
        yield Phrase(f"#{number} waits for {WAITS.get(str(stage), 'somebody')}")


def _scene(shift: Shift) -> Iterator[Phrase]:
    before = shift.before or {}
    for field, value in (shift.after or {}).items():
        if before.get(field) != value:
            name = field.replace("_", " ")
            yield Phrase(f"the scene's {name} {_setting(before.get(field))} -> {_setting(value)}")


def _setting(value: Field) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return clip(str(value)) if value else "none"


def _npc(shift: Shift) -> Iterator[Phrase]:
    if moved_npc(shift) is not None:
        yield Phrase(
            f"{shift.about} is {'in' if _get(shift.after, 'scene_id') else 'out of'} the scene"
        )
        return
    hidden = _get(shift.after, "hidden")
    yield Phrase(f"{shift.about} is hidden{'' if hidden else ' no longer'}")


def _other(shift: Shift) -> Iterator[Phrase]:
    yield Phrase(f"{shift.about} changes")


_TRACKER: Mapping[str, Callable[[Shift], Iterator[Phrase]]] = {
    "pending": _pending,
    "scene": _scene,
    "npc": _npc,
}


def _fight(shift: Shift, names: Names, *, again: bool) -> Iterator[Phrase]:
    """Tell of a fight's beginning and end, or of the turn."""
    phase, before = (_get(row, "phase") for row in (shift.after, shift.before))
    if phase != before:
        yield Phrase(_PHASES.get(str(phase), "there is no fight"))
    turn, round_ = (_get(shift.after, field) for field in ("turn", "round"))
    old_turn, old_round = (_get(shift.before, field) for field in ("turn", "round"))
    if phase != ON or (turn, round_) == (old_turn, old_round):
        return
    if round_ != old_round and phase == before:
        yield Phrase(f"round {old_round} -> {round_}")
    whose = names.get(turn, "somebody") + "'s" if isinstance(turn, int) else "nobody's"
    yield Phrase(f"{whose} turn{' again' if again else ''}")
