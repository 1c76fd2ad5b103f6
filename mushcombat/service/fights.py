"""The tracker's verbs: starting and joining a fight, whose turn it is, moving on."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from mushcombat.domain.character import Character
from mushcombat.domain.command import (
    Access,
    Call,
    Lane,
    Outcome,
    ReadContext,
    Verb,
    WriteContext,
)
from mushcombat.domain.fight import (
    OVER,
    PROPOSED,
    ROLLING,
    Combatant,
    Fight,
    SceneSet,
    written_order,
)
from mushcombat.domain.names import match
from mushcombat.domain.numbers import parse_whole
from mushcombat.domain.scene import Scene
from mushcombat.domain.text import clip, listing
from mushcombat.errors import MushError
from mushcombat.service.parsing import maybe_words, nothing, two_sides
from mushcombat.service.scenes import my_scene
from mushcombat.systems import tracker
from mushcombat.systems.system import System

SETTINGS: Mapping[str, tuple[str, ...]] = {
    "mode": ("strict", "normal", "open"),
    "rolls": ("auto", "manual"),
    "health": ("numbers", "bands"),
    "atmosphere": ("yes", "no"),
    "gravity": ("yes", "no"),
    "luck": ("yes", "no"),
}
"""What `+scene/set` takes; yes and no are kept as true and false."""


def somebody(context: ReadContext, scene: Scene, typed: str) -> Character:
    """Find one participant or NPC of a scene; MushError for none or several."""
    name = context.actor.name if typed.casefold() == "me" else typed
    found = context.store.in_scene(scene.id, name, context.unknown)
    if len(found) == 1:
        return found[0]
    if not found:
        raise MushError(
            "who", f'Nobody called "{clip(typed)}" is in the scene.', "+scene lists it."
        )
    names = ", ".join(one.name for one in found[:5])
    raise MushError("who", f'"{clip(typed)}" could be {names}.', "Type more of the name.")


def known_seats(context: ReadContext, scene: Scene) -> list[Combatant]:
    """Give those in the fight whom the actor knows of, by their places."""
    unknown = context.unknown
    return [seat for seat in context.store.combatants(scene.id) if seat.character not in unknown]


def seated(context: WriteContext, scene: Scene, typed: str) -> Combatant:
    """Find one combatant by name, also one who is gone from the scene."""
    name = context.actor.name if typed.casefold() == "me" else typed
    found = match(name, ((seat.name, seat) for seat in known_seats(context, scene)))
    if len(found) == 1:
        return found[0]
    them = somebody(context, scene, typed)
    raise MushError("fight", f"{them.name} is not in the fight.", "+combat shows who is.")


def _rules(systems: Mapping[str, System], scene: Scene) -> tracker.FightRules:
    return systems[scene.system].fight


def _start(systems: Mapping[str, System], context: WriteContext, _: None) -> Outcome:
    scene = my_scene(context)
    drafts = tracker.start(context)
    for npc, name in sorted(scene.npcs.items()):
        drafts += tracker.join(context, _rules(systems, scene), npc, name)
    return Outcome.of(*drafts)


def _join(systems: Mapping[str, System], context: WriteContext, name: str) -> Outcome:
    scene = my_scene(context)
    them = somebody(context, scene, name or "me")
    if them.id != context.actor.id and not context.referees:
        raise MushError("fight", "You join a fight for yourself.", "Type +combat/join.")
    if them.id in scene.referees:
        raise MushError(
            "referee", "Who referees a fight does not fight in it (OS-56).", "Use an NPC: +npc."
        )
    return Outcome.of(*tracker.join(context, _rules(systems, scene), them.id, them.name))


def _leave(systems: Mapping[str, System], context: WriteContext, name: str) -> Outcome:
    scene = my_scene(context)
    seat = seated(context, scene, name or "me")
    if seat.character != context.actor.id and not context.referees:
        raise MushError("fight", "You leave a fight for yourself.", "Type +combat/leave.")
    return Outcome.of(*tracker.leave(context, _rules(systems, scene), seat))


def _stop(systems: Mapping[str, System], context: WriteContext, _: None) -> Outcome:
    return Outcome.of(*tracker.stop(context, _rules(systems, my_scene(context))))


def _move_on(systems: Mapping[str, System], context: WriteContext, _: None) -> Outcome:
    scene = my_scene(context)
    fight = tracker.fight_of(context, "on")
    if not context.referees and fight.turn != context.actor.id:
        raise MushError("turn", "It is not your turn.", "+combat shows whose it is.")
    if any(pending.stage != PROPOSED for pending in context.store.pending(scene.id)):
        raise MushError("turn", "Something is pending.", "+combat shows what; +ok or +no it.")
    return Outcome.of(*tracker.end_turn(context, _rules(systems, scene)))


def _order(context: WriteContext, arguments: tuple[str, int, str]) -> Outcome:
    scene = my_scene(context)
    name, place, why = arguments
    reason = f"{context.actor.name}'s ruling" + (f": {why}" if why else "")
    return Outcome.of(*tracker.reorder(context, seated(context, scene, name), place, reason))


def _show(systems: Mapping[str, System], context: ReadContext, _: None) -> Outcome:
    scene = my_scene(context)
    fight = context.store.fight(scene.id)
    if fight is None or fight.phase == OVER:
        return Outcome.tell("There is no fight here. A referee starts one: +combat/start.")
    return Outcome.tell(*fight_lines(context, scene, fight, systems[scene.system]))


def _placed(call: Call) -> tuple[str, int, str]:
    left, right = two_sides(call)
    place, _, reason = right.partition(",")
    return left, parse_whole(place.strip(), "place", 1, 99), reason.strip()


def _set(context: WriteContext, arguments: tuple[str, str]) -> Outcome:
    """Set a property of the scene: its referee, or who opened it."""
    scene = my_scene(context)
    if not (context.referees or context.actor.id == scene.owner):
        raise MushError("scene", "The referee sets that, or who opened the scene.", "Ask them.")
    name, value = (word.casefold() for word in arguments)
    if name not in SETTINGS:
        known = listing(sorted(SETTINGS))
        raise MushError("setting", f'property: "{clip(name)}" is none.', f"There are {known}.")
    if value not in SETTINGS[name]:
        choices = listing(list(SETTINGS[name]))
        raise MushError("setting", f'{name}: "{clip(value)}" is not one.', f"Say {choices}.")
    stored = value == "yes" if SETTINGS[name] == ("yes", "no") else value
    context.store.write("scene", (scene.id,), f"the scene's {name}", **{name: stored})
    return Outcome.of(context.show(SceneSet(name, value)))


def fight_lines(
    context: ReadContext, scene: Scene, fight: Fight, system: System
) -> tuple[str, ...]:
    """Describe the tracker: round, order, turn, each combatant, what is pending."""
    seats = known_seats(context, scene)
    names = {seat.character: seat.name for seat in seats}
    placed = [seat for seat in seats if seat.rank]
    order = written_order([s.name for s in placed], [s.rank for s in placed])
    lines = [
        f"[Combat] {where_it_stands(fight, names)} {system.pending_text(context, scene, names)}"
    ]
    lines += [f"[Order] {order}"] if order else []
    for seat in seats:
        mark = " (hidden)" if seat.character in scene.hidden else ""
        lines.append(system.seat(context, scene, seat) + mark)
    return tuple(lines)


def where_it_stands(fight: Fight, names: Mapping[int, str]) -> str:
    """Tell the round and whose turn it is; that of nobody known is between turns."""
    if fight.phase == ROLLING:
        return "The order is being rolled: +reaction."
    if fight.turn is None:
        return f"Round {fight.round}: no one can act."
    if fight.turn not in names:
        return f"Round {fight.round}, between turns."
    return f"Round {fight.round}, {names[fight.turn]}'s turn."


def fight_verbs(systems: Mapping[str, System]) -> tuple[Verb, ...]:
    """Give the verbs of this file."""
    player, referee = Access.PLAYER, Access.REFEREE

    def row(
        syntax: str, access: Access, parse: Callable[[Call], Any], run: Callable[..., Outcome]
    ) -> Verb:
        name = re.split(r"[ \[]", syntax)[0]
        return Verb(name, syntax, access, Lane.WRITE, parse, run, shown=True)

    move_on = row("+next", player, nothing, partial(_move_on, systems))
    return (
        Verb("+combat", "+combat", Access.GUEST, Lane.READ, nothing, partial(_show, systems)),
        row("+combat/start", referee, nothing, partial(_start, systems)),
        row("+combat/join[ <name>]", player, maybe_words, partial(_join, systems)),
        row("+combat/leave[ <name>]", player, maybe_words, partial(_leave, systems)),
        row("+combat/stop", referee, nothing, partial(_stop, systems)),
        replace(move_on, aliases=("+pass",), stands_in=True),
        row("+order <name>=<place>[, <reason>]", referee, _placed, _order),
        Verb("+scene/set", "+scene/set <property>=<value>", player, Lane.WRITE, two_sides, _set),
    )
