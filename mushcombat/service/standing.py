"""How a player stands by the database: health, gear and the fight here, for who asks for data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mushcombat.domain.command import ReadContext
from mushcombat.domain.events import Audience, Fact, Who
from mushcombat.domain.fight import OVER, TurnBegan
from mushcombat.domain.scene import Scene
from mushcombat.records import record
from mushcombat.systems.system import System
from mushcombat.systems.tracker import order_of

NOBODY = Who(0, "")
"""Whose doing it is how things stand: staff would see more of what were their own."""


@record(frozen=True, slots=True)
class FightStands:
    """A fight that is not over; order and turn are facts, so that the gate can look at them."""

    scene: int
    phase: str
    round: int
    order: Fact | None
    turn: Fact | None


@record(frozen=True, slots=True)
class Standing:
    """What the database knows of a player; the first two are as the system tells them."""

    status: Mapping[str, Any]
    vitals: Mapping[str, Any]
    fight: FightStands | None


def standing(
    systems: Mapping[str, System], default: str, here: Scene | None, context: ReadContext
) -> Standing | None:
    """Look up how the actor stands; None for who is not there any more.

    `here` is the scene whose fight they see, be it that they only watch.
    """
    system = systems[context.scene.system if context.scene else default]
    me = context.store.character(context.actor.id)
    if me is None:
        return None
    return Standing(
        {"role": str(context.actor.role), "system": system.name, **system.status(context, me)},
        system.vitals(context, me),
        _fight(context, here) if here else None,
    )


def _fight(context: ReadContext, here: Scene) -> FightStands | None:
    fight = context.store.fight(here.id)
    if fight is None or fight.phase == OVER:
        return None
    seats = context.store.combatants(fight.scene)
    order = order_of(sorted(seats, key=lambda seat: seat.place))

    def fact(event: Any) -> Fact:
        return Fact(event, NOBODY, context.now, Audience.ROOM, context.room, fight.scene)

    name = next((seat.name for seat in seats if seat.character == fight.turn), "")
    turn = TurnBegan(fight.turn, name, fight.round) if fight.turn is not None else None
    return FightStands(
        fight.scene,
        fight.phase,
        fight.round,
        fact(order) if order.names else None,
        fact(turn) if turn else None,
    )
