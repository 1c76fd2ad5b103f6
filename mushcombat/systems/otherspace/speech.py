"""A fight's events for a screen reader: who, what came of it, and no sum (+why has it).

Each begins with the word of its tag, so that a player's words can't be taken for it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from mushcombat.domain.events import Event
from mushcombat.systems.facts import item_set, noted
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
from mushcombat.systems.otherspace.combat_text import (
    OUTCOMES,
    declared,
    disarmed,
    dropped,
)
from mushcombat.systems.otherspace.events import (
    ContestDecided,
    DamageWorked,
    ReactionRolled,
    Rolled,
)
from mushcombat.systems.otherspace.text import contest
from mushcombat.systems.speech import ruled, spoken
from mushcombat.systems.system import Describe

_LEVEL = re.compile(r" -?\d+ \([^()]*\)\Z")


def _after(name: str, outcome: str) -> str:
    return f" {name} {OUTCOMES[outcome]}." if outcome else ""


def _because(reason: str) -> str:
    return f", {reason}" if reason else ""


def rolled(event: Rolled, _actor: str) -> str:
    """Say `Roll: Ada, Pistol, 6, Great.`."""
    note = f" {event.note}." if event.note else ""
    # An attack's roll is called as the sheet has it: "Knife 5 (Good)".
    trait = _LEVEL.sub("", event.trait)
    return f"Roll: {event.name}, {trait}, {event.breakdown.total}, {event.word}.{note}"


def reaction(event: ReactionRolled, _actor: str) -> str:
    """Say `Reaction: Ada, 7.`."""
    again = " Reroll." if event.again else ""
    return f"Reaction: {event.name}, {event.breakdown.total}.{again}"


def damage(event: DamageWorked, actor: str) -> str:
    """Say `Damage: Ada, ranged, 40 before Constitution.`."""
    note = f" {event.note}" if event.note else ""
    if event.sort == "constitution":
        return f"Damage: {actor}, {event.breakdown.total} after Constitution.{note}"
    return f"Damage: {actor}, {event.sort}, {event.breakdown.total} before Constitution.{note}"


def helpless(event: Helpless, _actor: str) -> str:
    """Say that somebody makes no defence."""
    counts = f"counts as {event.level}, {event.word}"
    return f"Roll: {event.name}, no defence, {event.why}, {counts}."


def struck(event: Struck, actor: str) -> str:
    """Say `Result: Ada hits Thug by 3 for 36. Thug is at 64 of 100.`."""
    if not event.hit:
        return f"Result: {actor} misses {event.name}, {event.attack} against {event.defence}."
    after = _after(event.name, event.outcome)
    if not event.numbers:
        return f"Result: {actor} hits {event.name}, who is {event.word}.{after}"
    stun = " stun" if event.harm == "stun" else ""
    margin = "" if event.blast else f" by {event.attack - event.defence}"
    how = f"Result: {actor} hits {event.name}{margin} for {event.amount}{stun}."
    return f"{how} {event.name} is at {event.health} of 100.{after}"


def suffered(event: Suffered, _actor: str) -> str:
    """Say harm by a ruling."""
    after, reason = _after(event.name, event.outcome), _because(event.reason)
    if not event.numbers:
        return f"Result: {event.name} is {event.word}{reason}.{after}"
    stun = " stun" if event.harm == "stun" else ""
    taken = f"Result: {event.name} takes {event.amount}{stun}{reason}."
    return f"{taken} {event.name} is at {event.health} of 100.{after}"


def quirk_set(event: QuirkSet, actor: str) -> str:
    """Say a quirk's coming or going."""
    what = "has" if event.held else "no longer has"
    by = f"says {actor}{_because(event.reason)}"
    return f"Wounds: {event.name} {what} {event.quirk}, {by}."


def proposed(event: WoundProposed, _actor: str) -> str:
    """Say what is proposed to the referee, and what to type."""
    losses = f" {event.losses}." if event.losses else ""
    health = f"health {event.health} without stun"
    how = f"Type +ok, +no, or +quirk {event.name}=<other>."
    return f"Wounds: proposed for {event.name}, {event.quirk}, {health}.{losses} {how}"


def healed(event: Healed, actor: str) -> str:
    """Say how a treatment went."""
    if not event.success:
        return f"Heal: {actor} can't help {event.name} this time."
    quirk = f" {event.name} has {event.quirk}." if event.quirk else ""
    if not event.numbers:
        return f"Heal: {actor} treats {event.name}, who is {event.word}.{quirk}"
    gained = f"Heal: {actor} treats {event.name} for {event.points}."
    return f"{gained} {event.name} is at {event.health} of 100.{quirk}"


SPEAK: Mapping[type[Event], Describe] = {
    Rolled: rolled,
    ReactionRolled: reaction,
    ContestDecided: spoken("Contest", contest),
    DamageWorked: damage,
    Declared: spoken("Attack", declared),
    Ruled: ruled,
    Helpless: helpless,
    Struck: struck,
    Disarmed: spoken("Result", disarmed),
    Suffered: suffered,
    QuirkSet: quirk_set,
    WoundProposed: proposed,
    WoundDropped: spoken("Wounds", dropped),
    Healed: healed,
    ItemSet: spoken("Gear", item_set),
    Noted: spoken("Combat", noted),
}
