"""What the tracker asks this system: reaction, who can act, what rounds and turns change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from mushcombat.domain.breakdown import Term
from mushcombat.domain.command import ReadContext, WriteContext
from mushcombat.domain.events import Audience, Draft, Fact, Spoken
from mushcombat.domain.fight import Combatant, FightJoined, FightStarted, Told, TurnBegan
from mushcombat.domain.text import listing
from mushcombat.systems.asking import ask
from mushcombat.systems.otherspace import health
from mushcombat.systems.otherspace.combat_state import Seat, dump, load_act, load_seat
from mushcombat.systems.otherspace.events import ReactionRolled
from mushcombat.systems.otherspace.fighter import Fighter, level, reaction_terms
from mushcombat.systems.otherspace.formulas import first_round_bonus, reaction
from mushcombat.systems.otherspace.roster import (
    change_seat,
    condition_of,
    fighter_of,
    shows_numbers,
    why_helpless,
)
from mushcombat.systems.otherspace.tables import Tables
from mushcombat.systems.otherspace.watch import next_blow
from mushcombat.systems.otherspace.wounds import propose
from mushcombat.systems.tracker import FightRules


def reaction_of(
    context: ReadContext,
    fighter: Fighter,
    asked: int | None,
    tables: Tables,
    *,
    extra: Sequence[Term] = (),
    first_round: bool = False,
    late: bool = False,
) -> ReactionRolled:
    """Roll reaction for somebody, with the first round's bonus where it counts (OS-8, OS-9)."""
    bonus = None
    if first_round:
        weapon = tables.combat.weapon(fighter.wielded or "unarmed")
        bonus = first_round_bonus(weapon.weapon_class, tables, latecomer=late)
    breakdown = reaction(
        level(fighter, "Dexterity", tables),
        level(fighter, "Perception", tables),
        asked,
        tables.dice.throw(context.dice, "reaction"),
        tables,
        bonus=bonus,
        extra=(*reaction_terms(fighter, tables), *extra),
    )
    return ReactionRolled(fighter.id, fighter.name, breakdown)


def make_rules(tables: Tables) -> FightRules:
    """Make the record that the tracker asks."""
    return FightRules(
        roll=partial(_roll, tables),
        reroll=partial(_reroll, tables),
        why_not=lambda context, seat: why_helpless(context.store, seat, context.now, tables),
        passed_over=partial(_passed_over, tables),
        turn_begins=partial(_turn_begins, tables),
        turn_ended=_turn_ended,
        new_round=_new_round,
        ended=lambda context, _seats: propose(context, tables),
        aimed_at=lambda pending: load_act(pending.state).targets,
        free=lambda pending: load_act(pending.state).free,
        # All of it at once: later actions each change only what they do change of it.
        seat=dump(Seat()),
    )


def _roll(tables: Tables, context: WriteContext, seat: Combatant) -> tuple[list[Draft], int]:
    fighter = fighter_of(context.store, seat.character, context.now, tables)
    event = reaction_of(context, fighter, None, tables, first_round=True, late=seat.late)
    return [context.show(event)], event.breakdown.total


def _reroll(
    tables: Tables, context: WriteContext, tied: Sequence[Combatant]
) -> tuple[list[Draft], dict[int, int]]:
    """OS-10: a roll for each of the tied, shown as any roll is, and as one anew."""
    fighters = [fighter_of(context.store, s.character, context.now, tables) for s in tied]
    rolls = [reaction_of(context, fighter, None, tables) for fighter in fighters]
    events = [replace(event, again=True) for event in rolls]
    drafts = [context.show(event) for event in events]
    return drafts, {event.subject: event.breakdown.total for event in events}


def _passed_over(tables: Tables, context: WriteContext, seat: Combatant) -> list[Draft]:
    """OS-43: a turn that a stun has cost; a condition read anew tells when the stun is over."""
    state = load_seat(seat.state)
    stunned = condition_of(context.store, seat.character, context.now, tables).stunned_until
    if state.stun_skip and stunned is not None:
        change_seat(context, seat, state, stun_skip=False)
    return []


def _turn_begins(tables: Tables, context: WriteContext, seat: Combatant) -> list[Draft]:
    """Tell who has given up this attack (OS-27); who referees, whom an NPC could kill (OS-51)."""
    if not load_seat(seat.state).no_attack:
        return next_blow(context, seat, tables)
    text = "Your attack of this turn is given up (OS-27): pose, then +next."
    told = f"[Watch] {seat.name} has given up this turn's attack (OS-27): {seat.name}: +next."
    return [ask(seat, text, told)]


def _turn_ended(context: WriteContext, seat: Combatant) -> list[Draft]:
    """OS-27: the attack that was given up is behind them; a free counterattack lapses."""
    state = load_seat(seat.state)
    if state.no_attack or state.counter is not None:
        change_seat(context, seat, state, no_attack=False, counter=None)
    return []


def _new_round(context: WriteContext, seats: Sequence[Combatant]) -> list[Draft]:
    """OS-28: defences are counted anew; rule watch: who has not posed."""
    for seat in seats:
        state = load_seat(seat.state)
        if state.defences or state.full:
            change_seat(context, seat, state, defences=0, full=False)
    silent = _silent(context, seats)
    if not silent:
        return []
    text = f"[Watch] Not posed in the round that ends: {listing(silent)}."
    return [Draft(Told(text), Audience.REFEREES, seats[0].scene)]


def _silent(context: WriteContext, seats: Sequence[Combatant]) -> list[str]:
    """Name the players who posed nothing in the round that ends, and whom that is new of.

    Who has not posed in the round before either was named then, unless they were not in it.
    """
    scene = seats[0].scene
    fight = context.store.fight(scene)
    this = fight.round if fight else 0
    began, active = {this - 1: 0, this: 0}, dict[int, int]()
    for fact in _back(context, scene, 4 * len(seats)):
        event, row = fact.event, fact.seq or 0
        if isinstance(event, TurnBegan) and event.round in began:
            began[event.round] = row
        elif isinstance(event, TurnBegan | FightStarted):
            break
        elif isinstance(event, FightJoined):
            active.setdefault(event.subject, row)
        elif isinstance(event, Spoken) and event.style != "ooc":
            active.setdefault(fact.actor.id, row)
    last = {seat.character: active.get(seat.character, 0) for seat in seats if seat.player}
    new = {one for one, at in last.items() if began[this - 1] <= at < began[this]}
    return [seat.name for seat in seats if seat.character in new]


def _back(context: WriteContext, scene: int, count: int) -> Iterator[Fact]:
    """Give the turns of a scene's fight and what people did in it, the last first.

    `count` rows are read at a time: as many as two rounds may have.
    """
    kinds = (FightStarted.kind, FightJoined.kind, TurnBegan.kind, Spoken.kind)
    before = None
    while page := context.store.tail(scene, kinds, count, before=before):
        yield from reversed(page)
        before = page[0].seq


def seat_line(context: ReadContext, seat: Combatant, tables: Tables) -> str:
    """Write one combatant for the tracker: health, what holds them, what they have done."""
    fighter = fighter_of(context.store, seat.character, context.now, tables)
    left = 100 - fighter.harm - fighter.stun
    numbers = shows_numbers(context, seat.character)
    shown = f"health {left}/100" if numbers else health.band(left, tables)
    state = load_seat(seat.state)
    words = [
        shown,
        f"stun {fighter.stun}" if fighter.stun and numbers else "",
        why_helpless(context.store, seat, context.now, tables),
        ", ".join(fighter.quirks),
        f"{fighter.wielded} in hand" if fighter.wielded else "",
        f"{state.defences} defence{'s' * (state.defences > 1)}" if state.defences else "",
        "full defence" if state.full else "",
        "next attack given up" if state.no_attack else "",
        "" if seat.rank else "not rolled yet: +reaction",
    ]
    return f"{seat.name}: {', '.join(word for word in words if word)}."
