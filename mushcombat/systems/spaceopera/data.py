"""A duel's events, and a character's wounds, in fields: for the scripts of a client."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mushcombat.domain.character import Character
from mushcombat.domain.command import ReadContext
from mushcombat.domain.events import Event
from mushcombat.systems.spaceopera.events import Declared, Struck
from mushcombat.systems.spaceopera.roster import fighter_of, seat_of
from mushcombat.systems.spaceopera.tables import Tables
from mushcombat.systems.system import DescribeData

Fields = dict[str, Any]


def declared(event: Declared, actor: str) -> tuple[str, Fields]:
    """Tell of an action that is declared."""
    targets = {"targets": list(event.targets), "weapon": event.weapon, "how": event.how}
    return "Action", {"kind": event.action, "actor": actor, **targets}


def struck(event: Struck, actor: str) -> tuple[str, Fields]:
    """Tell of a strike: a wound is its state; the line of a wound does not say by whom."""
    hurt = event.result == "wounded"
    told = {"kind": "strike", "actor": "" if hurt else actor, "target": event.name}
    points = {"amount": None, "health": None, "stun": False}
    words = {"state": event.wound, "outcome": event.effect}
    return "Result", {**told, "success": hurt, **points, **words}


DATA: Mapping[type[Event], DescribeData] = {Declared: declared, Struck: struck}


def vitals(tables: Tables, context: ReadContext, me: Character) -> Fields:
    """Tell somebody their worst wound, and what wounds cost of the HTH factor (SO-26)."""
    fighter = fighter_of(context.store, me.id, tables)
    wounds = [wound for wound in tables.wounds if fighter.wounds.get(wound.name)]
    cost = sum(wound.factor * fighter.wounds[wound.name] for wound in wounds)
    return {
        "hp": None,
        "maxhp": None,
        "stun": None,
        "penalty": min(0, cost),
        "band": wounds[-1].name if wounds else "",
        "state": "critically wounded" if fighter.out(tables) else "",
    }


def status(tables: Tables, context: ReadContext, me: Character) -> Fields:
    """Tell somebody what they hold in a fight, and their class of armour."""
    found = seat_of(context, context.scene.id, me.id) if context.scene else None
    weapon = found[1].weapon if found else ""
    armour = fighter_of(context.store, me.id, tables).armour
    return {"weapon": weapon, "armour": armour, "quirks": []}
