"""The tracker's verbs: starting and joining a fight, whose turn it is, moving on."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
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
    DECLARED,
    IDLE,
    OVER,
    ROLLING,
    Combatant,
    Fight,
    Pending,
    written_order,
)
from mushcombat.domain.names import match
from mushcombat.domain.numbers import parse_whole
from mushcombat.domain.reasons import reason_of
from mushcombat.domain.scene import Scene
from mushcombat.domain.text import clip, listing
from mushcombat.errors import MushError
from mushcombat.service.parsing import maybe_words, nothing, two_sides
from mushcombat.service.scenes import my_scene, runs_it
from mushcombat.systems import tracker
from mushcombat.systems.system import System


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


def _check_runs(context: WriteContext, scene: Scene, *, whose: bool) -> None:
    """Refuse who may not start or stop fights here: in an open scene nobody has to referee."""
    if scene.mode == "open" and (whose or context.referees):
        return
    if scene.mode == "open":
        text = "Who opened the scene stops its fights, or a referee."
        raise MushError("referee", text, "Ask them, or +combat/leave.")
    if context.fights:
        text = "You fight in this one, so you don't referee it (OS-56)."
        raise MushError("referee", text, "Ask another, or +combat/leave first.")
    if not context.referees:
        hint = "Ask one, or who opened the scene for +scene/set mode=open."
        raise MushError("referee", "A referee starts and stops fights here.", hint)


def _start(systems: Mapping[str, System], context: WriteContext, _: None) -> Outcome:
    """Start a fight: in an open scene anybody does who takes part."""
    scene = my_scene(context)
    _check_runs(context, scene, whose=True)
    drafts = tracker.start(context, _rules(systems, scene))
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
    """Stop the fight: in an open scene who opened it does, or a referee."""
    scene = my_scene(context)
    _check_runs(context, scene, whose=runs_it(context, scene))
    return Outcome.of(*tracker.stop(context, _rules(systems, scene)))


def _move_on(systems: Mapping[str, System], context: WriteContext, _: None) -> Outcome:
    scene = my_scene(context)
    begun = context.store.fight(scene.id)
    if context.referees and begun is not None and begun.phase == ROLLING:
        return Outcome.of(*tracker.begin(context, _rules(systems, scene)))
    fight = tracker.fight_of(context, "on")
    if not context.referees and fight.turn != context.actor.id:
        raise MushError("turn", "It is not your turn.", "+combat shows whose it is.")
    if any(_holds_up(pending, fight) for pending in context.store.pending(scene.id)):
        raise MushError("turn", "Something is pending.", _what_waits(systems, context, scene))
    return Outcome.of(*tracker.end_turn(context, _rules(systems, scene)))


def _what_waits(systems: Mapping[str, System], context: ReadContext, scene: Scene) -> str:
    """Tell who may rule what to type, and anyone else what for the turn can't end."""
    if context.referees:
        return "+combat shows what; +ok or +no it."
    pending = context.store.pending(scene.id)
    people = {who for one in pending for who in (one.actor, one.owner) if who is not None}
    names = context.store.names(sorted(people))
    told = systems[scene.system].pending_text(context, scene, names)
    known = told.removeprefix("Pending: ")
    return known if known != told else "Ask the referee."  # of what is hidden nothing is told


def _holds_up(pending: Pending, fight: Fight) -> bool:
    """Tell whether a turn can't end before this: what is under way, or declared and due now."""
    due = pending.stage == DECLARED and pending.actor == fight.turn
    return due or pending.stage not in IDLE


def _order(context: WriteContext, arguments: tuple[str, int, str]) -> Outcome:
    scene = my_scene(context)
    name, place, why = arguments
    reason = f"{context.actor.name}'s ruling" + (f": {why}" if why else "")
    return Outcome.of(*tracker.reorder(context, seated(context, scene, name), place, reason))


def _show(systems: Mapping[str, System], context: ReadContext, _: None) -> Outcome:
    """Show the tracker, and to whom something waits for, what."""
    scene = my_scene(context)
    fight, system = context.store.fight(scene.id), systems[scene.system]
    waiting = system.waiting(context, scene)
    if fight is None or fight.phase == OVER:
        none = "There is no fight here. A referee starts one: +combat/start."
        return Outcome.tell(none, *waiting)
    return Outcome.tell(*fight_lines(context, scene, fight, system), *waiting)


def on_arrival(systems: Mapping[str, System], context: ReadContext) -> tuple[str, ...]:
    """Tell somebody who comes back into a scene where its fight stands, and what waits for them."""
    scene = context.store.scene(context.scene.id) if context.scene else None
    if scene is None or not scene.open:
        return ()
    fight, system = context.store.fight(scene.id), systems[scene.system]
    on = fight is not None and fight.phase != OVER
    where = [_head(context, scene, fight, system)] if fight and on else []
    return (*where, *system.waiting(context, scene))


def _placed(call: Call) -> tuple[str, int, str]:
    left, right = two_sides(call)
    place, _, reason = right.partition(",")
    return left, parse_whole(place.strip(), "place", 1, 99), reason_of(reason)


def fight_lines(
    context: ReadContext, scene: Scene, fight: Fight, system: System
) -> tuple[str, ...]:
    """Describe the tracker: round, order, turn, each combatant, what is pending."""
    seats = known_seats(context, scene)
    placed = [seat for seat in seats if seat.rank]
    order = written_order([s.name for s in placed], [s.rank for s in placed])
    lines = [_head(context, scene, fight, system)]
    lines += [f"[Order] {order}"] if order else []
    for seat in seats:
        mark = " (hidden)" if seat.character in scene.hidden else ""
        lines.append(system.seat(context, seat) + mark)
    return tuple(lines)


def _head(context: ReadContext, scene: Scene, fight: Fight, system: System) -> str:
    """Write where a fight stands: its round, whose turn it is, what is pending."""
    seats = known_seats(context, scene)
    pending = context.store.pending(scene.id)
    people = {who for one in pending for who in (one.actor, one.owner) if who is not None}
    names = {seat.character: seat.name for seat in seats} | context.store.names(sorted(people))
    where = _where(fight, seats, system)
    return f"[Combat] {where} {system.pending_text(context, scene, names)}"


def _where(fight: Fight, seats: Sequence[Combatant], system: System) -> str:
    """Tell the round and whose turn it is; that of somebody not known is between turns."""
    if fight.phase == ROLLING:
        return _rolling(seats, system)
    if fight.turn is None:
        return f"Round {fight.round}: no one can act."
    names = {seat.character: seat.name for seat in seats}
    if fight.turn not in names:
        return f"Round {fight.round}, between turns."
    return f"Round {fight.round}, {names[fight.turn]}'s turn."


def _rolling(seats: Sequence[Combatant], system: System) -> str:
    """Say what a fight needs before its order is made."""
    if not seats:
        return "A fight begins, and nobody has joined yet: +combat/join."
    unasked = system.fight.whose is not None
    missing = [seat.name for seat in seats if not seat.rank]
    if len(seats) >= tracker.FEWEST and (unasked or not missing):
        return "It begins when a player joins, or by a referee's +next."
    if unasked or not missing:
        return f"A fight begins. {tracker.JOIN}"
    have = "have" if len(missing) > 1 else "has"
    return f"The order is being rolled: +reaction. {listing(missing)} {have} not rolled yet."


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
        row("+combat/start", player, nothing, partial(_start, systems)),
        row("+combat/join[ <name>]", player, maybe_words, partial(_join, systems)),
        row("+combat/leave[ <name>]", player, maybe_words, partial(_leave, systems)),
        row("+combat/stop", player, nothing, partial(_stop, systems)),
        replace(move_on, aliases=("+pass",), stands_in=True),
        row("+order <name>=<place>[, <reason>]", referee, _placed, _order),
    )
