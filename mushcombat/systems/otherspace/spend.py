"""What an action uses up, and leaves behind on the tracker, once it is allowed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mushcombat.domain.command import WriteContext
from mushcombat.domain.scene import Scene
from mushcombat.systems.otherspace.arms import holds_polearm
from mushcombat.systems.otherspace.combat_state import Act, Seat
from mushcombat.systems.otherspace.gear import THROWN
from mushcombat.systems.otherspace.roster import NAME, change_seat, fighter_of, seat_of, seated
from mushcombat.systems.otherspace.situation import Situation, is_melee, weapon_of
from mushcombat.systems.otherspace.tables import Tables


def situation_now(situation: Situation, scene: Scene, seat: Seat, round_: int) -> Situation:
    """Put what scene and tracker know into a situation."""
    return replace(
        situation,
        atmosphere=scene.atmosphere,
        gravity=scene.gravity,
        railgun_warm=bool(seat.warm_from) and round_ >= seat.warm_from,
        next_attack=seat.next_attack,
    )


def snipes(situation: Situation, tables: Tables) -> bool:
    """OS-29: whether an attack is a shot of a sniper rifle, which fires once a round."""
    weapon = weapon_of(situation, tables)
    return weapon is not None and weapon.weapon_class == "sniper"


def take_one(context: WriteContext, character: int, item: str) -> bool:
    """Use up one of an item; tells whether there was one."""
    for held in context.store.items(character, NAME):
        if held.name == item:
            name = context.store.names([character])[character]
            key = (character, NAME, item)
            context.store.write("item", key, f"{name}'s {item}", count=held.count - 1)
            return True
    return False


def spend(context: WriteContext, scene: Scene, actor: int, act: Act, tables: Tables) -> None:
    """Use up a thrown weapon and a held card; take what waited for this attack off the seat."""
    first = act.hands[0]
    if first.card and first.card_held:
        take_one(context, actor, first.card)
    if first.weapon and tables.combat.weapon(first.weapon).weapon_class == THROWN:
        take_one(context, actor, first.weapon)
    combatant, seat = seated(context, scene.id, actor)
    counter = None if act.free else seat.counter
    closed = seat.closed
    if first.back:
        closed = tuple(one for one in closed if one not in act.targets)
    closing = [hand for hand in act.hands if hand.closing and is_melee(hand, tables)]
    fight = context.store.fight(scene.id)
    now = fight.round if fight else 0
    change_seat(
        context,
        combatant,
        seat,
        next_attack=(),
        counter=counter,
        closed=closed,
        sniped=now if any(snipes(hand, tables) for hand in act.hands) else seat.sniped,
        closed_in=now if _bears_it(closing, tables) else seat.closed_in,
    )
    if closing:
        _close_in(context, scene, actor, act.targets, tables)


def _bears_it(closing: Sequence[Situation], tables: Tables) -> bool:
    """OS-21: whether who closes in has the -1 for it in this round: with a polearm one has not."""
    weapons = [weapon_of(hand, tables) for hand in closing]
    return any(weapon is None or weapon.weapon_class != "polearm" for weapon in weapons)


def _close_in(
    context: WriteContext, scene: Scene, actor: int, targets: Sequence[int], tables: Tables
) -> None:
    """OS-21: who has closed in once is inside the polearm's reach from then on."""
    for target in targets:
        found = seat_of(context, scene.id, target)
        them = fighter_of(context.store, target, context.now, tables)
        if found and holds_polearm(them, tables) and actor not in found[1].closed:
            change_seat(context, *found, closed=(*found[1].closed, actor))
