"""Events for a screen reader: what matters first, without the sums, which +why has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mushcombat.domain.events import Event
from mushcombat.systems.facts import item_set, noted
from mushcombat.systems.spaceopera.events import (
    Declared,
    DeviceHit,
    InitiativeRolled,
    ItemSet,
    Noted,
    Ruled,
    Struck,
    Summed,
    Tested,
)
from mushcombat.systems.spaceopera.text import declared, device_hit, struck
from mushcombat.systems.speech import ruled, spoken
from mushcombat.systems.system import Describe


def initiative(event: InitiativeRolled, _actor: str) -> str:
    """Say `Initiative: Ada, 47.`, say."""
    return f"Initiative: {event.name}, {event.breakdown.total}."


def tested(event: Tested, _actor: str) -> str:
    """Say `Roll: Ada, to hit, a hit, 24 against 36.`, say."""
    against = f"{event.roll} against {event.breakdown.total}"
    return f"Roll: {event.name}, {event.what}, {event.word}, {against}."


def summed(event: Summed, _actor: str) -> str:
    """Say `Roll: Ada, wound, 9, medium.`, say."""
    return f"Roll: {event.name}, {event.what}, {event.breakdown.total}, {event.word}."


def opened(event: Declared, actor: str) -> str:
    """Say what is declared: an attack, or what is none."""
    shares = replace(event, how=event.how.replace("/", " and "))
    tag = declared(shares, actor)[1:].partition("]")[0]
    return spoken(tag, declared)(shares, actor)


SPEAK: Mapping[type[Event], Describe] = {
    Declared: opened,
    Ruled: ruled,
    Noted: spoken("Combat", noted),
    ItemSet: spoken("Gear", item_set),
    InitiativeRolled: initiative,
    Tested: tested,
    Summed: summed,
    Struck: spoken("Result", struck),
    DeviceHit: spoken("Result", device_hit),
}
