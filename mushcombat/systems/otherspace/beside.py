"""Rolls beside attack and defence: holding on to a weapon, getting clear of a blast."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mushcombat.domain.breakdown import Term
from mushcombat.domain.command import WriteContext
from mushcombat.systems import tracker
from mushcombat.systems.otherspace import contests, defence
from mushcombat.systems.otherspace.attack import attack_terms
from mushcombat.systems.otherspace.combat_state import Act
from mushcombat.systems.otherspace.defence import Choice
from mushcombat.systems.otherspace.events import Rolled
from mushcombat.systems.otherspace.fighter import Fighter, rolled
from mushcombat.systems.otherspace.roster import NAME, seat_of, why_helpless
from mushcombat.systems.otherspace.tables import Tables


@dataclass(frozen=True, slots=True)
class Blast:
    """What was rolled when a grenade went off, and who is hit."""

    events: tuple[Rolled, ...]
    hit: tuple[int, ...]


def roll(
    context: WriteContext, fighter: Fighter, what: str, terms: Sequence[Term], tables: Tables
) -> Rolled:
    """Roll terms for somebody."""
    throw = tables.dice.throw(context.dice, what.casefold())
    breakdown = rolled(terms, throw, tables)
    word = tables.ladder.word(breakdown.total)
    return Rolled(fighter.id, fighter.name, what, word, breakdown)


def hold_on(
    context: WriteContext, target: Fighter, margin: int, tables: Tables
) -> tuple[Rolled, bool]:
    """OS-52: roll to hold a weapon; one that is lost is on the ground."""
    terms = contests.hold_terms(target, margin, tables)
    event = roll(context, target, "Strength", terms, tables)
    held = contests.holds(event.breakdown.total, tables)
    item = next((i for i in context.store.items(target.id, NAME) if i.name == target.wielded), None)
    if not held and item is not None:
        key, about = (target.id, NAME, item.name), f"{target.name}'s {item.name}"
        context.store.write("item", key, about, in_use=False, count=item.count - 1)
    return event, held


def _way_out(context: WriteContext, other: Fighter, act: Act, tables: Tables) -> Choice:
    """Give the roll that gets somebody out of a blast; who is stunned has none (OS-26)."""
    scene = tracker.scene_of(context)
    found = seat_of(context, scene.id, other.id)
    why = why_helpless(context.store, found[0], context.now, tables) if found else ""
    return defence.choices(other, act.situation, unaware=bool(why), tables=tables)[0]


def explode(
    context: WriteContext, holder: Fighter, act: Act, others: Sequence[Fighter], tables: Tables
) -> Blast:
    """OS-19: the holder's reaction at +1 against everyone else's; who is faster may get away."""
    terms = (*attack_terms(holder, act.situation, tables), *act.rulings)
    first = roll(context, holder, "Reaction", terms, tables)
    events, hit = [first], [holder.id]
    for other in others:
        theirs = roll(context, other, "Reaction", contests.blast_terms(other, tables), tables)
        events.append(theirs)
        if contests.caught(first.breakdown.total, theirs.breakdown.total, tables):
            hit.append(other.id)
            continue
        away = _way_out(context, other, act, tables)
        if not away.rolls:
            hit.append(other.id)
            continue
        dodge = roll(context, other, away.name, away.terms, tables)
        events.append(dodge)
        if not contests.gets_away(dodge.breakdown.total, tables):
            hit.append(other.id)
    return Blast(tuple(events), tuple(hit))
