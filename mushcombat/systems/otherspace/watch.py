"""Rule watch: what a good referee would remember, told to those who referee alone."""

from __future__ import annotations

from collections.abc import Iterator

from mushcombat.domain.command import ReadContext, WriteContext
from mushcombat.domain.events import Audience, Draft
from mushcombat.domain.fight import Combatant, FightStarted, Pending, Told
from mushcombat.domain.text import listing
from mushcombat.errors import MushError
from mushcombat.records import record
from mushcombat.systems import tracker
from mushcombat.systems.otherspace.answers import choices_of
from mushcombat.systems.otherspace.arms import UNARMED
from mushcombat.systems.otherspace.attack import (
    attack_terms,
    check_possible,
    notes,
    standing_notes,
)
from mushcombat.systems.otherspace.combat_state import Act, load_act
from mushcombat.systems.otherspace.damage import Blow
from mushcombat.systems.otherspace.defence import better
from mushcombat.systems.otherspace.fighter import Fighter
from mushcombat.systems.otherspace.odds import could_kill, largest, odds, prospect, reach
from mushcombat.systems.otherspace.roster import condition_of, fighter_of
from mushcombat.systems.otherspace.situation import Situation, kind_of
from mushcombat.systems.otherspace.tables import Tables
from mushcombat.systems.terms import written


@record(frozen=True, slots=True)
class Outlook:
    """What an action may do to one target: how they defend, the chances, whether it could kill."""

    defends: str
    chances: str
    kills: bool


def ruling_text(
    context: ReadContext, pending: Pending, tables: Tables, *, again: bool = False
) -> str:
    """Write what a referee needs for one ruling: the sums, the odds, what to remember.

    `again` is for who asks once more: with what is otherwise told once in a fight.
    """
    act, number = load_act(pending.state), pending.action
    attacker = fighter_of(context.store, pending.actor, context.now, tables)
    names = context.store.names(act.targets)
    weapons = " and ".join(hand.weapon or hand.maneuver for hand in act.hands)
    sums = "; ".join(written(attack_terms(attacker, hand, tables)) for hand in act.hands)
    targets = listing([names[target] for target in act.targets])
    head = f"[Ruling] #{number} {attacker.name} > {targets}, {weapons}: {sums}."
    outlooks = [outlook(context, act, attacker, place, tables) for place in range(len(act.targets))]
    defends = [line for each in outlooks for line in (each.defends, f"  {each.chances}")]
    kills = any(each.kills for each in outlooks)
    lines = [
        f"{head} {defends[0]}",
        *defends[1:],
        *(f"  {line}" for line in remember(context, act, tables, kills=kills, again=again)),
        f"  +ok, +ok {number}=<number> <reason>, or +no {number}=<reason>",
    ]
    return "\n".join(lines)


def outlook(
    context: ReadContext, act: Act, attacker: Fighter, place: int, tables: Tables
) -> Outlook:
    """Work out what each hand may do to the target at a place; the weakest defence is the worst."""
    scene = tracker.scene_of(context).id
    target = fighter_of(context.store, act.targets[place], context.now, tables)
    told: list[str] = []
    blows: list[Blow] = []
    defends = ""
    for hand, situation in enumerate(act.hands):
        strike = hand * len(act.targets) + place
        options = choices_of(context, scene, act, strike, tables)
        defends = defends or "; ".join(written(choice.terms) for choice in options)
        likely = odds(attacker, situation, target, better(options, tables), tables)
        blows.append(largest(attacker, target, situation, options, tables))
        told.append(prospect(likely, blows[-1].amount))
    kills = could_kill(target, blows)
    chances = "; then ".join(told)
    together = "together " if len(told) > 1 else ""
    return Outlook(
        f"{target.name} defends with {defends}.", f"{chances}: {together}{reach(kills)}.", kills
    )


def remember(
    context: ReadContext, act: Act, tables: Tables, *, kills: bool, again: bool
) -> Iterator[str]:
    """Name what no number says (OS-14, OS-51); what always goes is told once in a fight."""
    yield from dict.fromkeys(note for hand in act.hands for note in notes(hand, tables))
    said = "" if again else told_in_fight(context)
    always = dict.fromkeys(note for hand in act.hands for note in standing_notes(hand, tables))
    yield from (note for note in always if note not in said)
    if act.situation.lethal and kind_of(act.situation, tables) == "stun":
        yield "Lethal intent is declared, but stun never kills (OS-49)."
    elif act.situation.lethal:
        yield "Lethal intent is declared: who loses all health dies (OS-49)."
    elif kills:
        yield "This blow could kill, and no lethal intent is declared: +lethal (OS-51)."


def next_blow(context: WriteContext, seat: Combatant, tables: Tables) -> list[Draft]:
    """OS-51: tell those who referee whom an NPC, whose turn begins, could kill with what it holds.

    They declare and roll for it in one line: a ruling that could ask them does not come.
    """
    scene = tracker.scene_of(context)
    me = fighter_of(context.store, seat.character, context.now, tables)
    situation = Situation(weapon=me.wielded or UNARMED, atmosphere=scene.atmosphere)
    if seat.player or not _works(me, situation, tables):
        return []
    players = [other for other in context.store.combatants(scene.id) if other.player]
    in_danger = [one.name for one in players if _deadly(context, me, situation, one, tables)]
    text = (
        f"[Watch] {seat.name}'s next blow could kill {listing(in_danger)}:"
        " add lethal to it if that is meant (OS-51)."
    )
    if not in_danger or text in told_in_fight(context):
        return []
    return [Draft(Told(text), Audience.REFEREES, scene.id)]


def _works(me: Fighter, situation: Situation, tables: Tables) -> bool:
    try:
        check_possible(me, situation, tables)
    except MushError:
        return False
    return True


def _deadly(
    context: WriteContext, me: Fighter, situation: Situation, other: Combatant, tables: Tables
) -> bool:
    if condition_of(context.store, other.character, context.now, tables).dead:
        return False
    target = fighter_of(context.store, other.character, context.now, tables)
    act = Act(hands=(situation,), targets=(target.id,))
    options = choices_of(context, other.scene, act, 0, tables)
    return could_kill(target, [largest(me, target, situation, options, tables)])


def told_in_fight(context: ReadContext) -> str:
    """Give all that referees were told since the fight began."""
    scene = tracker.scene_of(context).id
    facts = context.store.kinds(scene, (FightStarted.kind, Told.kind))
    began = [at for at, fact in enumerate(facts) if isinstance(fact.event, FightStarted)]
    since = facts[max(began, default=0) :]
    return "\n".join(fact.event.text for fact in since if isinstance(fact.event, Told))
