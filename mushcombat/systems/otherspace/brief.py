"""Outcomes in few words, for transcripts: who hit whom by how much, and how they are then."""

from __future__ import annotations

from collections.abc import Mapping

from mushcombat.domain.events import Event
from mushcombat.systems.otherspace.combat_events import (
    Declared,
    Healed,
    Helpless,
    Ruled,
    Struck,
    Suffered,
    WoundProposed,
)
from mushcombat.systems.otherspace.combat_text import OUTCOMES
from mushcombat.systems.otherspace.events import Rolled
from mushcombat.systems.system import Describe


def _step(_event: Event, _actor: str) -> str:
    return ""


def _after(name: str, outcome: str) -> str:
    return f" {name} {OUTCOMES[outcome]}." if outcome else ""


def struck(event: Struck, actor: str) -> str:
    """Write `Ada hits Thug by 5: 44. Thug 56/100.`; without numbers only how they are."""
    if not event.hit:
        return f"{actor} misses {event.name}."
    after = _after(event.name, event.outcome)
    if not event.numbers:
        return f"{actor} hits {event.name}, who is {event.word}.{after}"
    margin = "" if event.blast else f" by {event.attack - event.defence}"
    stun = " stun" if event.harm == "stun" else ""
    how = f"{actor} hits {event.name}{margin}: {event.amount}{stun}."
    return f"{how} {event.name} {event.health}/100.{after}"


def suffered(event: Suffered, _actor: str) -> str:
    """Write `Thug takes 10 (a fall). 56/100.`; without numbers only how they are."""
    reason = f" ({event.reason})" if event.reason else ""
    after = _after(event.name, event.outcome)
    if not event.numbers:
        return f"{event.name} is {event.word}{reason}.{after}"
    stun = " stun" if event.harm == "stun" else ""
    return f"{event.name} takes {event.amount}{stun}{reason}. {event.health}/100.{after}"


def healed(event: Healed, actor: str) -> str:
    """Write `Ada treats Thug: + 10. Thug 66/100.`, or that it failed."""
    if not event.success:
        return f"{actor} can't help {event.name} this time."
    if not event.numbers:
        return f"{actor} treats {event.name}, who is {event.word}."
    return f"{actor} treats {event.name}: + {event.points}. {event.name} {event.health}/100."


BRIEF: Mapping[type[Event], Describe] = {
    Declared: _step,
    Ruled: _step,
    Helpless: _step,
    WoundProposed: _step,
    Struck: struck,
    Suffered: suffered,
    Healed: healed,
}

STEPS: frozenset[type[Event]] = frozenset({Rolled})

WORKINGS: frozenset[type[Event]] = frozenset({Ruled, Helpless})
"""Events on the way to a result."""

OPENINGS: frozenset[type[Event]] = frozenset({Declared})
"""Events that say what somebody is about to do."""
