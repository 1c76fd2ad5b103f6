"""A fight's events as lines."""

from __future__ import annotations

from collections.abc import Mapping

from mushcombat.domain.events import Event
from mushcombat.domain.text import listing
from mushcombat.systems.facts import item_set, noted, ruled
from mushcombat.systems.otherspace.combat_events import (
    Declared,
    Disarmed,
    Healed,
    Helpless,
    ItemSet,
    Noted,
    QuirkSet,
    Ruled,
    Struck,
    Suffered,
    WoundDropped,
    WoundProposed,
)
from mushcombat.systems.system import Describe

_DOES = {
    "attack": "attacks",
    "disarm": "tries to disarm",
    "grapple": "grapples",
    "throw": "throws at",
    "detonate": "detonates among",
    "psi": "reaches for the mind of",
}

OUTCOMES = {
    "unconscious": "is unconscious",
    "stunned": "is stunned",
    "near death": "is near death and needs urgent care",
    "dead": "is dead",
    "luck": "would be dead, but for a luck card: near death",
}


def declared(event: Declared, actor: str) -> str:
    """Write `[Attack] Ada attacks Thug with pistol at 30 feet (medium)`."""
    # "at 30 feet" goes on without a comma.
    comma = "" if event.how.startswith("at ") else ","
    how = f"{comma} {event.how}" if event.how else ""
    does, targets = _DOES[event.maneuver], listing(list(event.targets))
    weapon = f" with {event.weapon}" if event.weapon else ""
    return f"[Attack] {actor} {does} {targets}{weapon}{how}."


def helpless(event: Helpless, _actor: str) -> str:
    """Write that somebody makes no defence."""
    level = f"{event.level} ({event.word})"
    return f"[Roll] {event.name}: no defence ({event.why}), counts as {level}."


def struck(event: Struck, actor: str) -> str:
    """Write `[Result] Thug takes 36: health 64/100. Ada hits by 3: ODF 35 + ... = 36`."""
    if not event.hit:
        return f"[Result] {actor} misses {event.name}: {event.attack} against {event.defence}."
    after = f" {event.name} {OUTCOMES[event.outcome]}." if event.outcome else ""
    if not event.numbers:
        return f"[Result] {actor} hits {event.name}, who is {event.word}.{after}"
    stun = " stun" if event.harm == "stun" else ""
    taken = f"[Result] {event.name} takes {event.amount}{stun}: health {event.health}/100."
    sum_ = event.breakdown.formula() if event.breakdown else "no damage"
    if event.blast:
        return f"{taken} The blast: {sum_}.{after}"
    return f"{taken} {actor} hits by {event.attack - event.defence}: {sum_}.{after}"


def disarmed(event: Disarmed, actor: str) -> str:
    """Write whether the weapon was held."""
    if event.held:
        return f"[Result] {event.name} holds on to the {event.weapon}."
    return f"[Result] {actor} disarms {event.name}: the {event.weapon} is on the ground."


def suffered(event: Suffered, _actor: str) -> str:
    """Write harm by a ruling."""
    reason = f" ({event.reason})" if event.reason else ""
    after = f" {event.name} {OUTCOMES[event.outcome]}." if event.outcome else ""
    if not event.numbers:
        return f"[Result] {event.name} is {event.word}{reason}.{after}"
    stun = " stun" if event.harm == "stun" else ""
    health = f"health {event.health}/100"
    return f"[Result] {event.name} takes {event.amount}{stun}{reason}: {health}.{after}"


def quirk_set(event: QuirkSet, actor: str) -> str:
    """Write a quirk's coming or going."""
    reason = f" ({event.reason})" if event.reason else ""
    if event.held:
        return f"[Wounds] {event.name}: {event.quirk}, by {actor}{reason}."
    return f"[Wounds] {event.name}: {event.quirk} is taken off by {actor}{reason}."


def proposed(event: WoundProposed, _actor: str) -> str:
    """Write what is proposed to the referee, and what to type."""
    health = f"health {event.health} without stun"
    losses = f": {event.losses}" if event.losses else ""
    how = f"+ok, +no, or +quirk {event.name}=<other>."
    return f"[Wounds] Proposed: {event.name}, {event.quirk} ({health}){losses}. {how}"


def dropped(event: WoundDropped, actor: str) -> str:
    """Write that a proposed wound is not imposed."""
    reason = f": {event.reason}" if event.reason else ""
    return f"[Wounds] {event.name}: {event.quirk} is not imposed ({actor}{reason})."


def healed(event: Healed, actor: str) -> str:
    """Write how a treatment went."""
    if not event.success:
        return f"[Heal] {actor} can't help {event.name} this time."
    quirk = f", {event.quirk}" if event.quirk else ""
    if not event.numbers:
        return f"[Heal] {actor} treats {event.name}, who is {event.word}{quirk}."
    return (
        f"[Heal] {actor} treats {event.name}: + {event.points}, health {event.health}/100{quirk}."
    )


def struck_shortly(event: Struck, actor: str) -> str:
    """Write `Ada hits Thug for 36, 64 left`, '' for a miss."""
    if not event.hit:
        return ""
    after = f"; {event.name} {OUTCOMES[event.outcome]}" if event.outcome else ""
    if not event.numbers:
        return f"{actor} hits {event.name}, who is {event.word}{after}"
    stun = " stun" if event.harm == "stun" else ""
    return f"{actor} hits {event.name} for {event.amount}{stun}, {event.health} left{after}"


def suffered_shortly(event: Suffered, _actor: str) -> str:
    """Write `Bram takes 10 (a fall), 54 left`."""
    reason = f" ({event.reason})" if event.reason else ""
    after = f"; {event.name} {OUTCOMES[event.outcome]}" if event.outcome else ""
    if not event.numbers:
        return f"{event.name} is {event.word}{reason}{after}"
    stun = " stun" if event.harm == "stun" else ""
    return f"{event.name} takes {event.amount}{stun}{reason}, {event.health} left{after}"


RESULTS: Mapping[type[Event], Describe] = {Struck: struck_shortly, Suffered: suffered_shortly}

DESCRIBE_COMBAT: Mapping[type[Event], Describe] = {
    Declared: declared,
    Ruled: ruled,
    Helpless: helpless,
    Struck: struck,
    Disarmed: disarmed,
    Suffered: suffered,
    QuirkSet: quirk_set,
    WoundProposed: proposed,
    WoundDropped: dropped,
    Healed: healed,
    ItemSet: item_set,
    Noted: noted,
}
