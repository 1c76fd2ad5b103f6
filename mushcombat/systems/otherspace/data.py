"""A fight's events, and a character's health, in fields: for the scripts of a client."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mushcombat.domain.character import Character
from mushcombat.domain.command import ReadContext
from mushcombat.domain.events import Event
from mushcombat.systems.otherspace import health
from mushcombat.systems.otherspace.combat_events import (
    Declared,
    Disarmed,
    Healed,
    Struck,
    Suffered,
)
from mushcombat.systems.otherspace.combat_sections import FULL
from mushcombat.systems.otherspace.people import why_unable
from mushcombat.systems.otherspace.roster import fighter_of, shows_numbers
from mushcombat.systems.otherspace.tables import Tables
from mushcombat.systems.system import DescribeData

Fields = dict[str, Any]


def declared(event: Declared, actor: str) -> tuple[str, Fields]:
    """Tell of an action that begins."""
    targets = {"targets": list(event.targets), "weapon": event.weapon, "how": event.how}
    return "Action", {"kind": event.maneuver, "actor": actor, **targets}


def struck(event: Struck, actor: str) -> tuple[str, Fields]:
    """Tell of a strike; a miss harms nobody, and what a blast does is told without its thrower."""
    thrown = event.blast and event.hit and event.numbers
    base = _result("strike", "" if thrown else actor, event.name, success=event.hit)
    return "Result", {**base, **(_harm(event) if event.hit else {})}


def suffered(event: Suffered, _actor: str) -> tuple[str, Fields]:
    """Tell of harm by a ruling; the line does not say whose."""
    base = _result("harm", "", event.name, success=True)
    return "Result", {**base, **_harm(event)}


def disarmed(event: Disarmed, actor: str) -> tuple[str, Fields]:
    """Tell whether somebody lost their weapon; the line names who took it, not who failed."""
    taker = "" if event.held else actor
    return "Result", _result("disarm", taker, event.name, success=not event.held)


def healed(event: Healed, actor: str) -> tuple[str, Fields]:
    """Tell of a treatment; what it gave is no harm, so its points are not negative."""
    base = _result("heal", actor, event.name, success=event.success)
    if not event.success:
        return "Result", base
    if not event.numbers:
        return "Result", {**base, "state": event.word}
    return "Result", {**base, "amount": event.points, "health": event.health}


def _result(kind: str, actor: str, target: str, *, success: bool) -> Fields:
    fields = {"kind": kind, "actor": actor, "target": target, "success": success}
    return {**fields, "amount": None, "health": None, "stun": False, "state": "", "outcome": ""}


def _harm(event: Struck | Suffered) -> Fields:
    """Tell of harm as the line does: in points, or only how somebody is then."""
    if not event.numbers:
        return {"state": event.word, "outcome": event.outcome}
    points = {"amount": event.amount, "health": event.health, "stun": event.harm == "stun"}
    return {**points, "outcome": event.outcome}


DATA: Mapping[type[Event], DescribeData] = {
    Declared: declared,
    Struck: struck,
    Suffered: suffered,
    Disarmed: disarmed,
    Healed: healed,
}


def vitals(tables: Tables, context: ReadContext, me: Character) -> Fields:
    """Tell somebody how they are, in numbers only where `+health` gives them.

    `penalty` is what wounds cost on every roll (OS-42), 0 or less.
    """
    fighter = fighter_of(context.store, me.id, context.now, tables)
    left = FULL - fighter.harm - fighter.stun
    state = why_unable(context, fighter, tables)
    if not shows_numbers(context, me.id):
        hidden = {"hp": None, "maxhp": None, "stun": None, "penalty": None}
        return {**hidden, "band": health.band(left, tables), "state": state}
    return {
        "hp": left,
        "maxhp": FULL,
        "stun": fighter.stun,
        "penalty": health.penalty(left, tables),
        "band": health.band(left, tables),
        "state": state,
    }


def status(tables: Tables, context: ReadContext, me: Character) -> Fields:
    """Tell somebody what they hold and wear, and what quirks they have."""
    fighter = fighter_of(context.store, me.id, context.now, tables)
    gear = {"weapon": fighter.wielded, "armour": fighter.armour}
    return {**gear, "quirks": list(fighter.quirks)}
