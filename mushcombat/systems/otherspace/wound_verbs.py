"""Health: +health, +damage, +quirk, +quirk/remove, +heal."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import Literal

from mushcombat.domain.character import Character
from mushcombat.domain.command import Access, Call, Lane, Outcome, ReadContext, Verb, WriteContext
from mushcombat.domain.events import Audience, Draft
from mushcombat.domain.fight import Told
from mushcombat.domain.numbers import parse_whole
from mushcombat.domain.reasons import reason_of
from mushcombat.domain.text import clip
from mushcombat.errors import MushError
from mushcombat.records import record
from mushcombat.systems import tracker
from mushcombat.systems.fallen import drop_begun, pass_on
from mushcombat.systems.otherspace import health
from mushcombat.systems.otherspace.asked import Asked, ruled, split_at
from mushcombat.systems.otherspace.combat_events import Healed, Noted, QuirkSet, Suffered
from mushcombat.systems.otherspace.events import Rolled
from mushcombat.systems.otherspace.fighter import Fighter, rolled, trait_terms
from mushcombat.systems.otherspace.people import check_able, why_unable
from mushcombat.systems.otherspace.roster import (
    NAME,
    change_condition,
    condition_of,
    day,
    fighter_of,
    room_sees_numbers,
    seat_of,
    shows_numbers,
    why_helpless,
)
from mushcombat.systems.otherspace.tables import Tables
from mushcombat.systems.otherspace.wounds import (
    Harm,
    drop,
    impose,
    shake_off,
    suffer,
    worst_quirk,
)
from mushcombat.systems.people import anybody, check_outside, check_shown, note, note_here
from mushcombat.systems.tracker import FightRules

MOST = 100


@record(frozen=True, slots=True)
class Points:
    """Arguments of +damage."""

    name: str
    amount: int
    harm: Literal["harm", "stun"]
    reason: str


def _points(call: Call) -> Points:
    """Parse `<name>=<n>[ stun][, <reason>]`; hands leave the comma out."""
    left, right = call.sides()
    number, rest = _first(right or "")
    if not left or not number:
        raise call.wrong()
    amount = parse_whole(number, "damage", 1, MOST)
    word, after = _first(rest)
    stun = word.casefold() == "stun"
    return Points(left, amount, "stun" if stun else "harm", reason_of(after if stun else rest))


def _first(text: str) -> tuple[str, str]:
    """Part the first word from the rest, with a space or a comma between them."""
    word = re.split(r"[\s,]", text, maxsplit=1)[0]
    return word, text[len(word) :].lstrip(" ,").strip()


def _health(tables: Tables, context: ReadContext, name: str) -> Outcome:
    them = anybody(context, name)
    fighter = fighter_of(context.store, them.id, context.now, tables)
    left = 100 - fighter.harm - fighter.stun
    state = [why.capitalize()] if (why := _why_helpless(tables, context, fighter)) else []
    if not shows_numbers(context, them.id):
        return Outcome.tell(f"{them.name} is {health.band(left, tables)}.", *state)
    lines = [f"Health {left}/100 (harm {fighter.harm}, stun {fighter.stun})"]
    penalty = health.penalty(left, tables)
    lines += [f"Penalty: {penalty} on every roll"] if penalty else []
    lines += [f"Quirks: {', '.join(fighter.quirks)}"] if fighter.quirks else []
    return Outcome.tell(f"{them.name}: {lines[0]}", *lines[1:], *state)


def _why_helpless(tables: Tables, context: ReadContext, fighter: Fighter) -> str:
    """Say what keeps them from acting; in a fight a stun may last until it has cost a turn."""
    found = seat_of(context, context.scene.id, fighter.id) if context.scene else None
    if found is None:
        return why_unable(context, fighter, tables)
    return why_helpless(context.store, found[0], context.now, tables)


def _damage(tables: Tables, rules: FightRules, context: WriteContext, points: Points) -> Outcome:
    them = anybody(context, points.name)
    scene = context.store.scene(context.scene.id) if context.scene else None
    action = context.store.next_seq(scene.id if scene else 0)
    harm = Harm(points.harm, points.amount, lethal=False, action=action)
    felt = suffer(context, scene, them.id, harm, tables)
    numbers = room_sees_numbers(context, them.id)
    event = Suffered(
        them.id,
        them.name,
        points.harm,
        points.amount if numbers else 0,
        felt.health if numbers else 0,
        felt.word,
        felt.outcome,
        numbers,
        points.reason,
    )
    words = f"{points.amount}{' stun' * (points.harm == 'stun')}"
    drafts = [note(context, event), *_in_numbers(context, event, f"{words}; health {felt.health}")]
    if scene is not None:
        seat = tracker.combatant(context, scene.id, them.id)
        drafts += drop_begun(context, rules, Noted, seat) if seat else []
        drafts += pass_on(context, rules, scene.id)
    return Outcome.of(*drafts)


def _in_numbers(context: WriteContext, event: Suffered | Healed, text: str) -> list[Draft]:
    """Tell the referees in numbers what their scene is told in words."""
    if event.numbers or context.scene is None:
        return []
    told = Told(f"[Result] {event.name}: {text}/100.")
    return [Draft(told, Audience.REFEREES, context.scene.id, follows=True)]


def _quirk_called(call: Call) -> tuple[str, str, str]:
    """Parse `<name>=<quirk>[, <reason>]`."""
    left, right = call.sides()
    quirk, _, reason = (right or "").partition(",")
    if not left or not quirk.strip():
        raise call.wrong()
    return left, quirk.strip(), reason_of(reason)


def find_quirk(typed: str, tables: Tables) -> str:
    """Find a wound quirk, gift or fault by name; MushError that lists them."""
    found = [quirk.name for quirk in tables.combat.find_quirk(typed)]
    found += [trait.name for trait in tables.find(typed, ("gift", "fault"))]
    if len(found) == 1:
        return found[0]
    known = [q.name for q in tables.combat.wounds.quirks]
    known += [*tables.gifts.names, *tables.faults.names]
    raise MushError(
        "quirk", f'quirk: "{clip(typed)}" is not one.', f"There are {', '.join(known)}."
    )


def _quirk(tables: Tables, context: WriteContext, arguments: tuple[str, str, str]) -> Outcome:
    them, quirk = anybody(context, arguments[0]), find_quirk(arguments[1], tables)
    fighter = fighter_of(context.store, them.id, context.now, tables)
    impose(context, fighter, quirk, arguments[2])
    _drop_proposal(context, them)
    event = QuirkSet(them.id, them.name, quirk, held=True, reason=arguments[2])
    return Outcome.of(note(context, event))


def _drop_proposal(context: WriteContext, them: Character) -> None:
    """Take off what was proposed: a quirk imposed by hand stands in its place."""
    if context.scene is None:
        return
    for pending in context.store.pending(context.scene.id):
        if pending.kind == "quirk" and pending.actor == them.id:
            key = (pending.scene, pending.action)
            context.store.remove("pending", key, f"{them.name}'s wound")


def _unquirk(tables: Tables, context: WriteContext, arguments: tuple[str, str, str]) -> Outcome:
    them, quirk = anybody(context, arguments[0]), find_quirk(arguments[1], tables)
    sheet = context.store.sheet(them.id, "otherspace")
    if quirk not in sheet.quirks:
        raise MushError("quirk", f"{them.name} is not {quirk}.", f"+health {them.name} shows it.")
    drop(context, fighter_of(context.store, them.id, context.now, tables), quirk)
    event = QuirkSet(them.id, them.name, quirk, held=False, reason=arguments[2])
    return Outcome.of(note(context, event))


def _heal_called(call: Call) -> tuple[str, Asked]:
    """Parse `<name>[ at <modifier>[ <reason>]]`."""
    name, asked = split_at(call.text)
    if not name:
        raise call.wrong()
    return name, asked


def _heal(tables: Tables, context: WriteContext, arguments: tuple[str, Asked]) -> Outcome:
    """OS-47: roll Medicine; success takes the quirk one step down, and gives health back."""
    them = anybody(context, arguments[0])
    check_outside(context, them)
    patient = fighter_of(context.store, them.id, context.now, tables)
    condition = condition_of(context.store, them.id, context.now, tables)
    if condition.dead:
        raise MushError("heal", f"{them.name} is dead.", "There is no healing that.")
    if condition.healed_day == day(context.now):
        raise MushError("heal", f"{them.name} was healed today.", "Once a day helps (OS-47).")
    ruling = ruled(context, arguments[1], "OS-47", tables)
    healer = fighter_of(context.store, context.actor.id, context.now, tables)
    check_able(context, healer, tables)
    _check_not_tried(context, healer, them)
    if them.id != healer.id:
        check_shown(context, healer.id, healer.name)
    terms = trait_terms(healer, "Medicine", tables)
    throw = tables.dice.throw(context.dice, "medicine")
    breakdown = rolled(terms, throw, tables, ruling)
    word = tables.ladder.word(breakdown.total)
    roll = Rolled(healer.id, healer.name, "Medicine", word, breakdown)
    quirk = worst_quirk(patient, tables)
    healed = health.heal(breakdown.total, quirk, tables)
    harm, hurt = max(0, patient.harm - healed.points), bool(patient.harm or quirk)
    if hurt and healed.success:
        today = day(context.now)
        change_condition(context, them.id, them.name, tables, harm=harm, healed_day=today)
        _lighter(context, patient, quirk, healed.new_quirk)
    elif hurt:  # of who is well, nobody's treatment of the day is spent
        key, about = (them.id, NAME, healer.id), f"{healer.name}'s treatment of {them.name}"
        context.store.write("treatment", key, about, day=day(context.now))
    left = 100 - (harm if healed.success else patient.harm) - patient.stun
    points = patient.harm - harm if healed.success else 0
    event = _shown(context, patient, replace(healed, points=points), left, tables)
    numbers = _in_numbers(context, event, f"+ {points}, health {left}")
    shown = replace(note_here(context, event), follows=True)
    return Outcome.of(note_here(context, roll), shown, *numbers)


def _stun_called(call: Call) -> tuple[str, str]:
    """Parse `<name>[=<reason>]`."""
    name, reason = call.sides()
    if not name:
        raise call.wrong()
    return name, reason_of(reason or "")


def _end_stun(tables: Tables, context: WriteContext, arguments: tuple[str, str]) -> Outcome:
    """OS-43: a referee ends a stun before its time."""
    them = anybody(context, arguments[0])
    condition = condition_of(context.store, them.id, context.now, tables)
    if not condition.stun and condition.stunned_until is None:
        raise MushError("stun", f"{them.name} is not stunned.", f"+health {them.name} shows it.")
    shake_off(context, them.id, them.name, tables)
    reason = f" ({arguments[1]})" if arguments[1] else ""
    text = f"has no stun left, by {context.actor.name}'s ruling{reason}"
    return Outcome.of(note(context, Noted(them.id, them.name, text)))


def _shown(
    context: WriteContext, them: Fighter, healed: health.Healed, left: int, tables: Tables
) -> Healed:
    """Tell what a treatment did: outside scenes, and where the scene hides numbers, in words."""
    numbers = context.scene is not None and room_sees_numbers(context, them.id)
    return Healed(
        them.id,
        them.name,
        healed.success,
        healed.points if numbers else 0,
        left if numbers else 0,
        healed.new_quirk,
        health.band(left, tables),
        numbers,
    )


def _check_not_tried(context: WriteContext, healer: Fighter, them: Character) -> None:
    """OS-47: what failed may be tried again by another; by the same one on another day."""
    if context.store.failed_treatment(them.id, NAME, healer.id) == day(context.now):
        text = f"{healer.name} has tried that today, and failed."
        raise MushError("heal", text, "Another may try (OS-47).")


def _lighter(context: WriteContext, patient: Fighter, quirk: str, lighter: str) -> None:
    if quirk == lighter:
        return
    drop(context, patient, quirk)
    if lighter:
        impose(context, patient, lighter, "healing")


def _text(call: Call) -> str:
    return call.text


def wound_verbs(tables: Tables, rules: FightRules) -> tuple[Verb, ...]:
    """Give the verbs of this file."""
    return *_harm_verbs(tables, rules), *_heal_verbs(tables)


def _harm_verbs(tables: Tables, rules: FightRules) -> tuple[Verb, ...]:
    """Give the verbs that show harm and do it."""
    write, referee = Lane.WRITE, Access.REFEREE
    damage = "+damage <name>=<points>[ stun][, <reason>]"
    return (
        Verb(
            "+health", "+health[ <name>]", Access.GUEST, Lane.READ, _text, partial(_health, tables)
        ),
        Verb(
            "+damage", damage, referee, write, _points, partial(_damage, tables, rules), shown=True
        ),
        Verb(
            "+quirk",
            "+quirk <name>=<quirk>[, <reason>]",
            referee,
            write,
            _quirk_called,
            partial(_quirk, tables),
            shown=True,
        ),
        Verb(
            "+quirk/remove",
            "+quirk/remove <name>=<quirk>[, <reason>]",
            referee,
            write,
            _quirk_called,
            partial(_unquirk, tables),
            shown=True,
        ),
    )


def _heal_verbs(tables: Tables) -> tuple[Verb, ...]:
    """Give the verbs that end harm and stun."""
    write, player, referee = Lane.WRITE, Access.PLAYER, Access.REFEREE
    return (
        Verb(
            "+heal",
            "+heal <name>[ at <modifier>[ <reason>]]",
            player,
            write,
            _heal_called,
            partial(_heal, tables),
            shown=True,
            stands_in=True,
        ),
        Verb(
            "+heal/stun",
            "+heal/stun <name>[=<reason>]",
            referee,
            write,
            _stun_called,
            partial(_end_stun, tables),
            shown=True,
        ),
    )
