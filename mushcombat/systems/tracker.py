"""Running a fight's order and turns: what every rule system does the same way.

A system hands its `FightRules`; it is asked who can act, how reaction is rolled, and what a new
round or a turn that is passed over means to it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from mushcombat.domain.command import ReadContext, WriteContext
from mushcombat.domain.events import Audience, Draft, Who
from mushcombat.domain.fight import (
    ON,
    OVER,
    PROPOSED,
    ROLLING,
    Combatant,
    Fight,
    FightJoined,
    FightLeft,
    FightStarted,
    FightStopped,
    OrderMade,
    Pending,
    Step,
    TurnBegan,
    break_ties,
    by_rank,
    members,
    next_turn,
)
from mushcombat.domain.ports import Reads
from mushcombat.domain.scene import Scene
from mushcombat.domain.text import listing
from mushcombat.errors import MushError
from mushcombat.records import record

FEWEST = 2
"""Combatants that a fight needs before its order is made."""

JOIN = "It takes two who join, one of them a player: +combat/join."
"""What to type while a fight has fewer."""


@record(frozen=True, slots=True)
class FightRules:
    """What a fight asks its rule system.

    `roll`: roll reaction for who need not be asked, drafts and the number.
    `reroll`: the same for those tied. `why_not`: why somebody can't act, '' if they can.
    `passed_over`, `turn_begins`, `turn_ended`, `new_round`: what that changes. `ended`: what
    the end leads to, actions of their own. `seat`: what the system keeps of who joins.
    `aimed_at`: those whom an action under way is aimed at; `free`: whether it takes nobody's turn,
    as a counterattack. `whose`: for a system in whose rounds all roll anew,
    players without being asked, who is next within the round, None when it is over; without it
    turns go down an order that is rolled once.
    """

    roll: Callable[[WriteContext, Combatant], tuple[list[Draft], int]]
    reroll: Callable[[WriteContext, Sequence[Combatant]], tuple[list[Draft], dict[int, int]]]
    why_not: Callable[[WriteContext, Combatant], str]
    passed_over: Callable[[WriteContext, Combatant], list[Draft]]
    turn_begins: Callable[[WriteContext, Combatant], list[Draft]]
    turn_ended: Callable[[WriteContext, Combatant], list[Draft]]
    new_round: Callable[[WriteContext, Sequence[Combatant]], list[Draft]]
    ended: Callable[[WriteContext, Sequence[Combatant]], list[Draft]]
    aimed_at: Callable[[Pending], Sequence[int]]
    free: Callable[[Pending], bool] = lambda _: False
    whose: Callable[[WriteContext, int], int | None] | None = None
    seat: str = "{}"


def scene_of(context: ReadContext) -> Scene:
    """Give the scene of a verb that needs one."""
    scene = context.store.scene(context.scene.id) if context.scene else None
    if scene is None:
        hint = "Join one with +scene/join, or open one with +scene/open <title>."
        raise MushError("scene", "You are in no scene here.", hint)
    return scene


def fight_of(context: WriteContext, *phases: str) -> Fight:
    """Give the fight of the scene here, in one of those phases (any that is not over)."""
    scene = scene_of(context)
    fight = context.store.fight(scene.id)
    if fight is None or fight.phase not in (phases or (ROLLING, ON)):
        if fight is not None and fight.phase == ROLLING:
            enough = _enough(context.store.combatants(scene.id))
            hint = "Who has joined rolls with +reaction." if enough else JOIN
            raise MushError("fight", "The order is not made yet.", hint)
        raise MushError("fight", "There is no fight here.", "A referee starts one: +combat/start.")
    return fight


def combatant(context: ReadContext, scene: int, character: int) -> Combatant | None:
    """Give somebody's seat in the fight of a scene; None if they have none."""
    seats = context.store.combatants(scene)
    return next((seat for seat in seats if seat.character == character), None)


def fights(store: Reads, scene: int, character: int) -> bool:
    """Tell whether somebody is in the fight of a scene that is not over."""
    fight = store.fight(scene)
    on = fight is not None and fight.phase != OVER
    return on and any(seat.character == character for seat in store.combatants(scene))


def check_keeps_referee(store: Reads, scene: Scene, leaving: int) -> None:
    """Refuse to let the last referee who is named go while a fight is on: attacks would hang.

    Not in mode open, where nobody has to rule.
    """
    fight = store.fight(scene.id)
    alone = scene.mode != "open" and scene.referees == {leaving}
    if alone and fight is not None and fight.phase != OVER:
        text = "The fight would be without a referee."
        hint = "+ref/handover <name>, +scene/referee <name> or +combat/stop first."
        raise MushError("referee", text, f"Type {hint}")


def start(context: WriteContext, rules: FightRules) -> list[Draft]:
    """Begin a fight: a new tracker, with nobody in it yet."""
    scene = scene_of(context)
    fight = context.store.fight(scene.id)
    if fight is not None and fight.phase != OVER:
        raise MushError("fight", "There is a fight here already.", "Join it with +combat/join.")
    for seat in context.store.combatants(scene.id):
        context.store.remove("combatant", (scene.id, seat.character), seat.name)
    context.store.write("fight", (scene.id,), "the fight", phase=ROLLING, round=0, turn=None)
    return [context.show(FightStarted(unasked=rules.whose is not None))]


def join(context: WriteContext, rules: FightRules, who: int, name: str) -> list[Draft]:
    """Take somebody into the fight; an NPC rolls at once, and whoever need not be asked."""
    fight = fight_of(context)
    if combatant(context, fight.scene, who) is not None:
        raise MushError("fight", f"{name} is in the fight.", "+combat shows it.")
    late = fight.phase == ON
    context.store.write("combatant", (fight.scene, who), name, late=late, place=0, state=rules.seat)
    drafts = [context.show(FightJoined(who, name))]
    if rules.whose is not None:
        return drafts + _roll_unasked(context, rules, fight.scene)
    seat = combatant(context, fight.scene, who)
    if seat is not None and not seat.player:
        rolled, number = rules.roll(context, seat)
        drafts += rolled + ranked(context, rules, seat, number)
    return drafts


def _roll_unasked(context: WriteContext, rules: FightRules, scene: int) -> list[Draft]:
    """Roll for all who have not, once there are enough for a fight."""
    seats = context.store.combatants(scene)
    if not _enough(seats):
        return []
    return _roll_for(context, rules, seats)


def _roll_for(context: WriteContext, rules: FightRules, seats: Sequence[Combatant]) -> list[Draft]:
    drafts: list[Draft] = []
    for seat in seats:
        if not seat.rank:
            rolled, number = rules.roll(context, seat)
            drafts += rolled + ranked(context, rules, seat, number)
    return drafts


def begin(context: WriteContext, rules: FightRules) -> list[Draft]:
    """Make the order without waiting for a player: the referee has NPCs fight among themselves."""
    fight = fight_of(context, ROLLING)
    seats = context.store.combatants(fight.scene)
    if len(seats) < FEWEST:
        raise MushError("fight", "It takes two to fight.", "+combat/join, or +npc, brings more.")
    drafts = _roll_for(context, rules, seats) if rules.whose is not None else []
    seats = context.store.combatants(fight.scene)
    missing = [seat.name for seat in seats if not seat.rank]
    if missing:
        have = "has" if len(missing) == 1 else "have"
        text = f"{listing(missing)} {have} not rolled yet."
        raise MushError("fight", text, "They roll with +reaction, or by +as <name>=+reaction.")
    return drafts + _make_order(context, rules, fight, seats)


def ranked(context: WriteContext, rules: FightRules, seat: Combatant, number: int) -> list[Draft]:
    """Give somebody the reaction they rolled; makes the order when all have one."""
    key = (seat.scene, seat.character)
    context.store.write("combatant", key, seat.name, rank=json.dumps([number]))
    fight = fight_of(context)
    seats = context.store.combatants(seat.scene)
    if fight.phase == ROLLING:
        return _make_order(context, rules, fight, seats) if _complete(seats) else []
    return _place(context, rules, seats, late=seat.character)


def _complete(seats: Sequence[Combatant]) -> bool:
    """Tell whether all have rolled; NPCs, who roll at once, wait for a player."""
    return _enough(seats) and all(seat.rank for seat in seats)


def _enough(seats: Sequence[Combatant]) -> bool:
    return len(seats) >= FEWEST and any(seat.player for seat in seats)


def _make_order(
    context: WriteContext, rules: FightRules, fight: Fight, seats: Sequence[Combatant]
) -> list[Draft]:
    drafts = _place(context, rules, seats)
    context.store.write("fight", (fight.scene,), "the fight", phase=ON, round=1, turn=None)
    return drafts + _begin_turn(context, rules, Fight(fight.scene, ON, 1, None))


def _place(
    context: WriteContext,
    rules: FightRules,
    seats: Sequence[Combatant],
    *,
    late: int | None = None,
) -> list[Draft]:
    """Put all who have rolled in order, with rerolls between the tied.

    Who comes late goes behind the last who is higher: the order of the others stands.
    """
    known = {seat.character: seat for seat in seats if seat.rank}
    drafts: list[Draft] = []

    def reroll(tied: Sequence[int], between: Sequence[int]) -> Mapping[int, int]:
        rolled, numbers = rules.reroll(context, [known[one] for one in tied])
        drafts.extend(rolled if _seen_tied(context, between) else map(_for_referees, rolled))
        return numbers

    ranks = break_ties({one: seat.rank for one, seat in known.items()}, reroll)
    order = by_rank(ranks)
    if late is not None:
        order = [one for one in members(seats) if one != late]
        higher = [place for place, one in enumerate(order, 1) if ranks[one] > ranks[late]]
        order.insert(max(higher, default=0), late)
    for place, one in enumerate(order, 1):
        key, name = (known[one].scene, one), known[one].name
        rank = json.dumps(list(ranks[one]))
        context.store.write("combatant", key, name, rank=rank, place=place)
    names = tuple(known[one].name for one in order)
    made = OrderMade(names, tuple(ranks[one] for one in order), people=tuple(order))
    return [*drafts, context.show(made)]


def _seen_tied(context: WriteContext, between: Sequence[int]) -> bool:
    """Tell whether players see a tie; one with none but hidden NPCs would give those away."""
    hidden = context.store.hidden(scene_of(context).id)
    return sum(one not in hidden for one in between) > 1


def _for_referees(draft: Draft) -> Draft:
    return replace(draft, audience=Audience.REFEREES)


def reorder(context: WriteContext, who: Combatant, place: int, reason: str) -> list[Draft]:
    """Move somebody to a place in the order, by the referee's ruling."""
    fight = fight_of(context, ON)
    if not who.rank:
        raise MushError("order", f"{who.name} has not rolled yet.", "They roll with +reaction.")
    seats = [s for s in context.store.combatants(fight.scene) if s.rank]
    rest = sorted((s for s in seats if s.character != who.character), key=lambda s: s.place)
    rest.insert(place - 1, who)
    for number, seat in enumerate(rest, 1):
        context.store.write("combatant", (fight.scene, seat.character), seat.name, place=number)
    return [context.show(order_of(rest, reason))]


def order_of(seats: Sequence[Combatant], reason: str = "") -> OrderMade:
    """Tell an order: those who have rolled, as they are given."""
    placed = [seat for seat in seats if seat.rank]
    names, ranks = tuple(s.name for s in placed), tuple(s.rank for s in placed)
    return OrderMade(names, ranks, reason, tuple(s.character for s in placed))


def end_turn(
    context: WriteContext,
    rules: FightRules,
    *,
    action: int | None = None,
    note: str = "",
    after: int | None = None,
) -> list[Draft]:
    """Pass the turn on; in the action that ended it, if one did."""
    fight = fight_of(context, ON)
    return _begin_turn(context, rules, fight, action=action, note=note, after=after)


def _begin_turn(
    context: WriteContext,
    rules: FightRules,
    fight: Fight,
    *,
    action: int | None = None,
    note: str = "",
    after: int | None = None,
) -> list[Draft]:
    """Find whose turn is next, and let the rules do what passing over and a new round mean."""
    seats = {seat.character: seat for seat in context.store.combatants(fight.scene)}
    drafts: list[Draft] = []
    if fight.turn in seats:
        drafts += rules.turn_ended(context, seats[fight.turn])
    if rules.whose is None:
        order = members(seats.values())
        step = next_turn(order, fight, lambda one: not rules.why_not(context, seats[one]), after)
        for one in step.skipped:
            drafts += rules.passed_over(context, seats[one])
        if step.round > fight.round:
            drafts += rules.new_round(context, context.store.combatants(fight.scene))
    else:
        step, more = _next_by_rules(context, rules, fight, rules.whose)
        drafts += more
    context.store.write("fight", (fight.scene,), "the fight", round=step.round, turn=step.turn)
    names = tuple(seats[one].name for one in step.skipped)
    name = seats[step.turn].name if step.turn is not None else ""
    event = TurnBegan(step.turn, name, step.round, names, note, step.skipped)
    # What an NPC's doing leads to is told as that of the one whose turn it is: it may be hidden.
    actor = Who(step.turn, name) if step.turn is not None and context.by is not None else None
    drafts.append(Draft(event, ledger=fight.scene, action=action, actor=actor))
    begins = combatant(context, fight.scene, step.turn) if step.turn is not None else None
    return drafts + (rules.turn_begins(context, begins) if begins else [])


def _next_by_rules(
    context: WriteContext,
    rules: FightRules,
    fight: Fight,
    whose: Callable[[WriteContext, int], int | None],
) -> tuple[Step, list[Draft]]:
    """Ask the rules who is next; when the round is over, all roll for the new one first."""
    turn = whose(context, fight.scene)
    if turn is not None:
        return Step(fight.round, turn), []
    drafts = rules.new_round(context, context.store.combatants(fight.scene))
    for seat in context.store.combatants(fight.scene):
        rolled, number = rules.roll(context, seat)
        drafts += rolled
        key = (seat.scene, seat.character)
        context.store.write("combatant", key, seat.name, rank=json.dumps([number]), late=False)
    drafts += _place(context, rules, context.store.combatants(fight.scene))
    return Step(fight.round + 1, whose(context, fight.scene)), drafts


def leave(context: WriteContext, rules: FightRules, seat: Combatant) -> list[Draft]:
    """Take somebody out with what they had begun; nobody else loses or repeats a turn by it."""
    fight = fight_of(context)
    order = members(context.store.combatants(fight.scene))
    context.store.remove("combatant", (fight.scene, seat.character), seat.name)
    for pending in context.store.pending(fight.scene):
        if pending.actor == seat.character and pending.stage != PROPOSED:
            context.store.remove("pending", (fight.scene, pending.action), "what was pending")
    drafts = [context.show(FightLeft(seat.character, seat.name))]
    if fight.phase == ON and fight.turn == seat.character:
        # The one behind moves up to this place; behind the last, the next round begins.
        drafts += _begin_turn(context, rules, fight, after=order.index(seat.character))
    elif fight.phase == ROLLING:
        seats = context.store.combatants(fight.scene)
        if _complete(seats):
            drafts += _make_order(context, rules, fight, seats)
    return drafts


def stop(context: WriteContext, rules: FightRules) -> list[Draft]:
    """End the fight; what was pending in it is dropped, but a wound that is proposed still is."""
    fight = fight_of(context)
    waiting = (each for each in context.store.pending(fight.scene) if each.stage != PROPOSED)
    for pending in waiting:
        context.store.remove("pending", (fight.scene, pending.action), "what was pending")
    context.store.write("fight", (fight.scene,), "the fight", phase=OVER, turn=None)
    ended = rules.ended(context, context.store.combatants(fight.scene))
    # The last row: the changes of the job are noted in its action, not in one that it led to.
    number = context.store.next_seq(fight.scene) + len(ended)
    return [*ended, Draft(FightStopped(), ledger=fight.scene, action=number)]
