"""The system's events as lines: a stable tag, who, the sum written out, words."""

from __future__ import annotations

from collections.abc import Mapping

from mushcombat.domain.events import Event
from mushcombat.domain.text import listing
from mushcombat.systems.facts import item_set, noted, ruled
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
from mushcombat.systems.spaceopera.state import Kind
from mushcombat.systems.system import Describe

_DOES: Mapping[Kind, str] = {
    "attack": "attacks",
    "device": "strikes at what is held by",
    "disarm": "tries to disarm",
    "turn": "turns to face",
    "move": "moves",
    "parry": "parries",
}


def declared(event: Declared, actor: str) -> str:
    """Write `[Attack] Ada attacks Bram with knife, split 30/20.`; moves and such as [Combat]."""
    tag = "Attack" if event.action in {"attack", "device", "disarm"} else "Combat"
    toward = " toward" if event.action == "move" and event.targets else ""
    whom = f"{toward} {listing(list(event.targets))}" if event.targets else ""
    weapon = f" with {event.weapon}" if event.weapon else ""
    how = f"{'' if event.action == 'move' else ','} {event.how}" if event.how else ""
    return f"[{tag}] {actor} {_DOES[event.action]}{whom}{weapon}{how}."


def initiative(event: InitiativeRolled, _actor: str) -> str:
    """Write `[Initiative] Ada: HTH factor 32 + 3 (personal) + 12 (1d20) = 47.`, say."""
    return f"[Initiative] {event.name}: {event.breakdown.formula()}."


def tested(event: Tested, _actor: str) -> str:
    """Write `[Roll] Ada, to hit: HTH factor 32 + ... = 36: 24 (1d100), hits.`, say."""
    die = f"{event.roll} (1d{event.sides})"
    return f"[Roll] {event.name}, {event.what}: {event.breakdown.formula()}: {die}, {event.word}."


def summed(event: Summed, _actor: str) -> str:
    """Write `[Roll] Ada, through armour: 8 (1d10) - 3 (1d6) = 5, goes through.`, say."""
    return f"[Roll] {event.name}, {event.what}: {event.breakdown.formula()}, {event.word}."


def struck(event: Struck, actor: str) -> str:
    """Write `[Result] Bram takes a medium wound: 3 off the HTH factor.`, or why there is none."""
    return f"[Result] {_struck(event, actor)}."


def _struck(event: Struck, actor: str) -> str:
    match event.result:
        case "missed":
            return f"{actor} misses {event.name}"
        case "parried":
            return f"{event.name} parries {actor} with {event.thing}"
        case "stopped":
            return f"{actor} hits {event.name}, whose armour holds"
        case _:
            return f"{event.name} takes a {event.wound} wound: {event.effect}"


def device_hit(event: DeviceHit, _actor: str) -> str:
    """Write `[Result] Bram's target shield is destroyed.`, say."""
    return f"[Result] {event.name}'s {event.thing} {event.fate}."


DESCRIBE: Mapping[type[Event], Describe] = {
    Declared: declared,
    Ruled: ruled,
    Noted: noted,
    ItemSet: item_set,
    InitiativeRolled: initiative,
    Tested: tested,
    Summed: summed,
    Struck: struck,
    DeviceHit: device_hit,
}


def _step(_event: Event, _actor: str) -> str:
    return ""


def struck_shortly(event: Struck, actor: str) -> str:
    """Write `Ada gives Bram a medium wound`, '' where nobody is hurt."""
    if event.result != "wounded":
        return ""
    return f"{actor} gives {event.name} a {event.wound} wound"


BRIEF: Mapping[type[Event], Describe] = {
    Declared: _step,
    Ruled: _step,
    InitiativeRolled: _step,  # also where a phase begins with it: all roll in each
    Struck: lambda event, actor: f"{_struck(event, actor)}.",
    DeviceHit: lambda event, _: f"{event.name}'s {event.thing} {event.fate}.",
}

STEPS: frozenset[type[Event]] = frozenset({Tested, Summed, InitiativeRolled})

WORKINGS: frozenset[type[Event]] = frozenset({Ruled})
"""Events on the way to a result."""

OPENINGS: frozenset[type[Event]] = frozenset({Declared})
"""Events that say what somebody is about to do."""

RESULTS: Mapping[type[Event], Describe] = {Struck: struck_shortly}
