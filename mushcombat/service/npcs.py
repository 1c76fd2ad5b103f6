"""NPCs: the referee brings them in, alone or as a squad, from a template of the rule system.

A hidden one exists for the referees alone: its rows are for them, the gate leaves it out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial

from mushcombat.domain.character import Character
from mushcombat.domain.command import Access, Call, Lane, Outcome, Verb, WriteContext
from mushcombat.domain.events import Audience, Draft
from mushcombat.domain.fight import (
    ON,
    OVER,
    PROPOSED,
    Fight,
    FightJoined,
    NpcEntered,
    TurnBegan,
)
from mushcombat.domain.names import check_name
from mushcombat.domain.numbers import parse_whole
from mushcombat.domain.refereeing import NpcHidden, NpcShown
from mushcombat.domain.scene import Scene
from mushcombat.errors import MushError
from mushcombat.records import record
from mushcombat.service.fights import somebody
from mushcombat.service.scenes import my_scene
from mushcombat.systems import tracker
from mushcombat.systems.system import System

LARGEST_SQUAD = 12
_SQUAD = re.compile(r"(.*?)\s*\*\s*(\S+)")


@record(frozen=True, slots=True)
class Entry:
    """Arguments of +npc: what they are called, and of which template they are."""

    names: tuple[str, ...]
    template: str


def _entry(call: Call) -> Entry:
    """Parse `<name>[*<count>][=<template>]`; a squad is numbered from 1."""
    left, right = call.sides()
    squad = _SQUAD.fullmatch(left)
    name = squad[1] if squad else left
    if not name:
        raise call.wrong()
    if squad is None:
        return Entry((check_name(name),), right or "")
    count = parse_whole(squad[2], "count", 1, LARGEST_SQUAD)
    return Entry(tuple(check_name(f"{name} {n}") for n in range(1, count + 1)), right or "")


def npc_verbs(systems: Mapping[str, System]) -> tuple[Verb, ...]:
    """Give the verbs of this file."""

    def enter(context: WriteContext, entry: Entry, *, hidden: bool = False) -> Outcome:
        scene = my_scene(context)
        system = systems[scene.system]
        drafts: list[Draft] = []
        for name in entry.names:
            npc = context.store.add_npc(scene.id, name, scene.room, context.now, hidden=hidden)
            about = system.make_npc(context, npc, entry.template)
            drafts.append(context.show(NpcEntered(npc.id, name, about)))
            fight = context.store.fight(scene.id)
            if fight is not None and fight.phase != OVER:
                drafts += tracker.join(context, system.fight, npc.id, name)
        return Outcome.of(*drafts)

    what = "<name>[*<count>][=<template>]"
    referee, write = Access.REFEREE, Lane.WRITE
    enter_hidden, names = partial(enter, hidden=True), "<name>[, <name>]"
    return (
        Verb("+npc", f"+npc {what}", referee, write, _entry, enter, shown=True),
        Verb(
            "+npc/hidden", f"+npc/hidden {what}", referee, write, _entry, enter_hidden, shown=True
        ),
        Verb("+npc/hide", f"+npc/hide {names}", referee, write, _names, _hide),
        Verb("+npc/show", f"+npc/show {names}", referee, write, _names, _show),
    )


def _names(call: Call) -> tuple[str, ...]:
    names = tuple(name.strip() for name in call.text.split(",") if name.strip())
    if not names:
        raise call.wrong()
    return names


def _npcs(context: WriteContext, scene: Scene, names: Sequence[str]) -> list[Character]:
    """Find NPCs of the scene by name; players can't be hidden."""
    found = [somebody(context, scene, name) for name in names]
    for them in found:
        if them.account is not None:
            text = f"{them.name} is a player's: only NPCs can be hidden."
            raise MushError("npc", text, "Bring one in with +npc/hidden <name>.")
    return list(dict.fromkeys(found))


def _hide(context: WriteContext, names: tuple[str, ...]) -> Outcome:
    """Hide NPCs from all but the referees; what is under way is finished first."""
    scene = my_scene(context)
    npcs = _npcs(context, scene, names)
    waiting = [p.action for p in context.store.pending(scene.id) if p.stage != PROPOSED]
    if waiting:
        text = f"#{waiting[0]} is pending, and would be half shown."
        raise MushError("npc", text, "Finish it first: +ok or +no; +combat shows what waits.")
    drafts: list[Draft] = []
    for npc in npcs:
        if npc.id in scene.hidden:
            raise MushError("npc", f"{npc.name} is hidden.", f"+npc/show {npc.name} ends that.")
        context.store.write("npc", (npc.id,), npc.name, hidden=True)
        event = NpcHidden(npc.id, npc.name)
        drafts.append(Draft(event, Audience.REFEREES, scene.id, follows=bool(drafts)))
    return Outcome.of(*drafts)


def _show(context: WriteContext, names: tuple[str, ...]) -> Outcome:
    """Let hidden NPCs come in, as if they came just then: to the scene, and to its fight."""
    scene = my_scene(context)
    drafts: list[Draft] = []
    for npc in _npcs(context, scene, names):
        if npc.id not in scene.hidden:
            raise MushError("npc", f"{npc.name} is not hidden.", f"+npc/hide {npc.name} hides.")
        context.store.write("npc", (npc.id,), npc.name, hidden=False)
        shown = NpcShown(npc.id, npc.name)
        drafts.append(Draft(shown, Audience.REFEREES, scene.id, follows=bool(drafts)))
        event = NpcEntered(npc.id, npc.name, _about(context, scene, npc.id))
        drafts.append(context.show(event, follows=True))
    fight = context.store.fight(scene.id)
    if fight is not None and fight.phase != OVER:
        shown_now = {draft.event.subject for draft in drafts if isinstance(draft.event, NpcShown)}
        drafts += _come_in(context, fight, shown_now)
    return Outcome.of(*drafts)


def _about(context: WriteContext, scene: Scene, npc: int) -> str:
    """Say of an NPC what was said when it was brought in."""
    entered = [fact.event for fact in context.store.kinds(scene.id, (NpcEntered.kind,))]
    about = [e.about for e in entered if isinstance(e, NpcEntered) and e.subject == npc]
    return about[0] if about else "NPC"


def _come_in(context: WriteContext, fight: Fight, npcs: Collection[int]) -> Iterator[Draft]:
    """Tell of those who were in the fight all along: where in the order, and whose turn it is."""
    seats = context.store.combatants(fight.scene)
    come = [seat for seat in seats if seat.character in npcs]
    for seat in come:
        yield context.show(FightJoined(seat.character, seat.name), follows=True)
    if come and fight.phase == ON:
        yield context.show(tracker.order_of(seats), follows=True)
    for seat in come:
        if fight.turn == seat.character:
            event = TurnBegan(seat.character, seat.name, fight.round)
            yield context.show(event, follows=True)
