"""NPCs: the referee brings them in, alone or as a squad, from a template of the rule system."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from mushcombat.domain.command import Access, Call, Lane, Outcome, Verb, WriteContext
from mushcombat.domain.events import Draft
from mushcombat.domain.fight import OVER, NpcEntered
from mushcombat.domain.names import check_name
from mushcombat.domain.numbers import parse_whole
from mushcombat.service.scenes import my_scene
from mushcombat.systems import tracker
from mushcombat.systems.system import System

LARGEST_SQUAD = 12
_SQUAD = re.compile(r"(.*?)\s*\*\s*(\S+)")


@dataclass(frozen=True, slots=True)
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

    def enter(context: WriteContext, entry: Entry) -> Outcome:
        scene = my_scene(context)
        system = systems[scene.system]
        drafts: list[Draft] = []
        for name in entry.names:
            npc = context.store.add_npc(scene.id, name, scene.room, context.now)
            about = system.make_npc(context, npc, entry.template)
            drafts.append(context.show(NpcEntered(npc.id, name, about)))
            fight = context.store.fight(scene.id)
            if fight is not None and fight.phase != OVER:
                drafts += tracker.join(context, system.fight, npc.id, name)
        return Outcome.of(*drafts)

    syntax = "+npc <name>[*<count>][=<template>]"
    return (Verb("+npc", syntax, Access.REFEREE, Lane.WRITE, _entry, enter, shown=True),)
