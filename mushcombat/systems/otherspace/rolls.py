"""Rolling: +roll for attributes and skills, alone or against somebody, and +reaction."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

from mushcombat.domain.breakdown import Breakdown
from mushcombat.domain.character import Character
from mushcombat.domain.command import Access, Call, Lane, Outcome, ReadContext, Verb, WriteContext
from mushcombat.domain.events import Audience
from mushcombat.domain.fight import OVER, Combatant
from mushcombat.domain.text import clip
from mushcombat.errors import MushError
from mushcombat.records import record
from mushcombat.systems import tracker
from mushcombat.systems.otherspace.asked import Asked, split_at, wished
from mushcombat.systems.otherspace.events import ContestDecided, Rolled
from mushcombat.systems.otherspace.fight_rules import reaction_of
from mushcombat.systems.otherspace.fighter import Fighter, level, trait_terms
from mushcombat.systems.otherspace.formulas import beats, check, margin
from mushcombat.systems.otherspace.roster import fighter_of
from mushcombat.systems.otherspace.sheet import find_trait
from mushcombat.systems.otherspace.tables import Tables, Trait
from mushcombat.systems.tracker import FightRules

_VERSUS = re.compile(r"\s+vs\.?\s+", re.IGNORECASE)


@record(frozen=True, slots=True)
class RollCall:
    """Arguments of +roll."""

    trait: Trait
    asked: Asked
    versus: str = ""


def _roll_called(tables: Tables, call: Call) -> RollCall:
    text, asked = split_at(call.text)
    name, *versus = _VERSUS.split(text, maxsplit=1)
    if not name:
        raise call.wrong()
    return RollCall(find_trait(name, tables), asked, versus[0] if versus else "")


def _reaction_called(call: Call) -> Asked:
    text, asked = split_at(call.text)
    if text:
        raise call.wrong(f'Nothing but "at <modifier>" follows, not "{clip(text)}".')
    return asked


def _throw_for(
    context: ReadContext, fighter: Fighter, trait: Trait, tables: Tables, asked: Asked | None
) -> Rolled:
    """Roll one trait of somebody; None for who was not asked for a modifier."""
    wish, reasons = wished(context, asked, tables) if asked else (None, ())
    own = level(fighter, trait.name, tables)
    throw = tables.dice.throw(context.dice, "roll")
    extra = (*trait_terms(fighter, trait.name, tables)[1:], *reasons)
    breakdown: Breakdown = check(trait.name, own, wish, throw, tables, extra=extra)
    word = tables.ladder.word(breakdown.total)
    return Rolled(fighter.id, fighter.name, trait.name, word, breakdown)


def _me(context: ReadContext, tables: Tables) -> Fighter:
    return fighter_of(context.store, context.actor.id, context.now, tables)


def _roll(tables: Tables, context: ReadContext, call: RollCall) -> Outcome:
    me = _me(context, tables)
    if call.versus:
        return _contest(tables, context, call, me)
    rolled = _throw_for(context, me, call.trait, tables, call.asked)
    return Outcome.of(context.show(rolled))


def _contest(tables: Tables, context: ReadContext, call: RollCall, mine: Fighter) -> Outcome:
    """Hold one roll against another's of the same trait: OS-5, shoving and the like of OS-7."""
    them = _opponent(context, call.versus)
    theirs = fighter_of(context.store, them.id, context.now, tables)
    first = _throw_for(context, mine, call.trait, tables, call.asked)
    second = _throw_for(context, theirs, call.trait, tables, None)
    totals = first.breakdown.total, second.breakdown.total
    decided = ContestDecided(them.id, them.name, margin(*totals), beats(*totals, tables))
    return Outcome.of(
        context.show(first),
        context.show(second, follows=True),
        context.show(decided, follows=True),
    )


def _hidden_roll(tables: Tables, context: ReadContext, call: RollCall) -> Outcome:
    """Roll with the scene's dice for the referees alone: what somebody hears behind a door."""
    if context.scene is None:
        hint = "Join one with +scene/join, or roll with +roll/self."
        raise MushError("scene", "You are in no scene here.", hint)
    rolled = _roll(tables, context, call)
    drafts = [replace(draft, audience=Audience.REFEREES) for draft in rolled.drafts]
    return Outcome.of(*drafts)


def _opponent(context: ReadContext, name: str) -> Character:
    """Find somebody in the room, and in the scene if the actor is in one."""
    if context.scene:
        found = context.find_here(name)
    else:
        found = [them for them in context.store.find_players(name) if them.room == context.room]
    if len(found) != 1 or found[0].id == context.actor.id:
        where = "in the scene here" if context.scene else "here"
        raise MushError("who", f'Nobody else called "{clip(name)}" is {where}.', "Try look.")
    return found[0]


def _reaction(tables: Tables, rules: FightRules, context: ReadContext, asked: Asked) -> Outcome:
    """OS-8; in a fight the first one makes the order (OS-9, OS-10)."""
    wish, reasons = wished(context, asked, tables)
    seat = _seat_to_rank(context)
    event = reaction_of(
        context,
        _me(context, tables),
        wish,
        tables,
        extra=reasons,
        first_round=seat is not None,
        late=seat is not None and seat.late,
    )
    drafts = [context.show(event)]
    if seat is not None and isinstance(context, WriteContext):
        drafts += tracker.ranked(context, rules, seat, event.breakdown.total)
    return Outcome.of(*drafts)


def _seat_to_rank(context: ReadContext) -> Combatant | None:
    """Find the actor's seat in a fight that has no reaction of theirs yet."""
    if context.scene is None or context.self_only or not isinstance(context, WriteContext):
        return None
    fight = context.store.fight(context.scene.id)
    seat = tracker.combatant(context, context.scene.id, context.actor.id)
    return seat if fight and fight.phase != OVER and seat and not seat.rank else None


def roll_verbs(tables: Tables, rules: FightRules) -> tuple[Verb, ...]:
    """Give the verbs of this file."""
    self_flag = frozenset({"self"})
    return (
        Verb(
            "+roll",
            "+roll[/self] <skill or attribute>[ vs <name>][ at <modifier>]",
            Access.GUEST,
            Lane.READ,
            partial(_roll_called, tables),
            partial(_roll, tables),
            aliases=("+taskroll", "+test", "+check"),
            flags=self_flag,
            shown=True,
            stands_in=True,
        ),
        Verb(
            "+roll/hidden",
            "+roll/hidden <skill or attribute>[ vs <name>][ at <modifier>]",
            Access.REFEREE,
            Lane.READ,
            partial(_roll_called, tables),
            partial(_hidden_roll, tables),
            aliases=("+taskroll/hidden", "+test/hidden", "+check/hidden"),
            shown=True,
            stands_in=True,
        ),
        Verb(
            "+reaction",
            "+reaction[/self][ at <modifier>]",
            Access.GUEST,
            Lane.READ,
            _reaction_called,
            partial(_reaction, tables, rules),
            flags=self_flag,
            shown=True,
            stands_in=True,
        ),
    )
