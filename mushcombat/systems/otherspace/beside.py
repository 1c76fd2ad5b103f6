"""Rolls beside attack and defence: holding on to a weapon, getting clear of a blast."""

from __future__ import annotations

from collections.abc import Sequence

from mushcombat.domain.breakdown import Term
from mushcombat.domain.command import WriteContext
from mushcombat.records import record
from mushcombat.systems import tracker
from mushcombat.systems.otherspace import contests, defence
from mushcombat.systems.otherspace.attack import attack_terms
from mushcombat.systems.otherspace.combat_events import Helpless
from mushcombat.systems.otherspace.combat_state import Act
from mushcombat.systems.otherspace.events import Rolled
from mushcombat.systems.otherspace.fighter import Fighter, needed, rolled
from mushcombat.systems.otherspace.roster import NAME, seated, why_helpless
from mushcombat.systems.otherspace.tables import Tables


@record(frozen=True, slots=True)
class Blast:
    """What was rolled when a grenade went off, and who is hit."""

    events: tuple[Rolled | Helpless, ...]
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


def no_defence(
    context: WriteContext, scene: int, target: int, act: Act, tables: Tables
) -> Helpless | None:
    """OS-26: what counts for a combatant who can make no defence; None for who can."""
    combatant, _ = seated(context, scene, target)
    why = why_helpless(context.store, combatant, context.now, tables)
    why = why or ("unaware" if act.unaware else "")
    if not why:
        return None
    word = tables.combat.defence.helpless
    level = needed(word, tables)
    return Helpless(target, combatant.name, why, level, tables.ladder.word(level))


def explode(
    context: WriteContext, holder: Fighter, act: Act, others: Sequence[Fighter], tables: Tables
) -> Blast:
    """OS-19: the holder's reaction at +1 against everyone else's; who is faster may get away.

    Who can't defend rolls nothing, and is hit (OS-26).
    """
    scene = tracker.scene_of(context).id
    terms = (*attack_terms(holder, act.situation, tables), *act.rulings)
    first = roll(context, holder, "Reaction", terms, tables)
    events: list[Rolled | Helpless] = [first]
    hit = [holder.id]
    for other in others:
        helpless = no_defence(context, scene, other.id, act, tables)
        if helpless is not None:
            events.append(helpless)
            hit.append(other.id)
            continue
        rolls, away = _flees(context, first.breakdown.total, other, act, tables)
        events += rolls
        hit += [] if away else [other.id]
    return Blast(tuple(events), tuple(hit))


def _flees(
    context: WriteContext, holder: int, other: Fighter, act: Act, tables: Tables
) -> tuple[list[Rolled], bool]:
    """OS-19: roll reaction against the holder's, and who is as fast raw Dexterity to get away."""
    theirs = roll(context, other, "Reaction", contests.blast_terms(other, tables), tables)
    if contests.caught(holder, theirs.breakdown.total, tables):
        return [theirs], False
    (way,) = defence.choices(other, act.situation, tables=tables)
    dodge = roll(context, other, way.name, way.terms, tables)
    return [theirs, dodge], contests.gets_away(dodge.breakdown.total, tables)
