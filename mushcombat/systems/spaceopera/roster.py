"""Fighters and seats as the store has them, and changes to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mushcombat.domain.command import ReadContext, WriteContext
from mushcombat.domain.fight import Combatant
from mushcombat.domain.ports import Reads
from mushcombat.errors import MushError
from mushcombat.systems import tracker
from mushcombat.systems.spaceopera.fighter import Fighter
from mushcombat.systems.spaceopera.state import Seat, dump, load_seat
from mushcombat.systems.spaceopera.tables import Tables, Thing, Weapon

NAME = "spaceopera"
"""What the system is called where scenes and sheets name it."""

CHARACTERISTIC, EXPERTISE, OTHER, WOUND, THING = (
    "characteristic",
    "expertise",
    "other",
    "wound",
    "thing",
)
"""Groups of traits on a sheet."""


def fighter_of(store: Reads, character: int, tables: Tables) -> Fighter:
    """Put a fighter together from the store; words that the rules have no more are the first."""
    sheet = store.sheet(character, NAME)
    other = sheet.traits.get(OTHER, {})

    def word(name: str, words: Sequence[str]) -> str:
        place = sheet.level(name, name) or 0
        return words[place] if place < len(words) else words[0]

    return Fighter(
        id=character,
        name=sheet.name,
        characteristics=dict(sheet.traits.get(CHARACTERISTIC, {})),
        expertise=dict(sheet.traits.get(EXPERTISE, {})),
        factor=other.get("HTH"),
        personal=other.get("personal", 0),
        load=word("load", [load.name for load in tables.loads]),
        training=word("training", [one.name for one in tables.trainings]),
        left_handed=bool(sheet.level("hand", "hand")),
        armour=word("armour", ("", *tables.armour.classes)),
        reach=other.get("reach", 1),
        wounds=dict(sheet.traits.get(WOUND, {})),
        things=dict(sheet.traits.get(THING, {})),
    )


def seats_of(context: ReadContext, scene: int) -> dict[int, tuple[Combatant, Seat]]:
    """Give all in a fight, by character, in the order of their places."""
    seats = context.store.combatants(scene)
    return {seat.character: (seat, load_seat(seat.state)) for seat in seats}


def seat_of(context: ReadContext, scene: int, character: int) -> tuple[Combatant, Seat] | None:
    """Give a combatant with this system's part; None for who is not in the fight."""
    found = tracker.combatant(context, scene, character)
    return (found, load_seat(found.state)) if found else None


def change_seat(context: WriteContext, combatant: Combatant, **fields: Any) -> None:
    """Change this system's part of a combatant of the fight, as it is now."""
    key = (combatant.scene, combatant.character)
    now = seats_of(context, combatant.scene)[combatant.character][1]
    context.store.write("combatant", key, combatant.name, state=dump(replace(now, **fields)))


def why_out(context: ReadContext, seat: Combatant, tables: Tables) -> str:
    """SO-26: say why somebody can fight no more; '' if they can."""
    out = fighter_of(context.store, seat.character, tables).out(tables)
    return "critically wounded" if out else ""


def set_thing(context: WriteContext, character: int, thing: str, state: int | None) -> None:
    """Note what is wrong with a thing; None for nothing any more."""
    context.store.set_trait(character, NAME, THING, thing, state)


def check_hands(device: Thing | None, weapon: Weapon) -> None:
    """SO-15: refuse to strike, even unarmed, where what is held to parry leaves no hand for it."""
    if device is not None and device.hands + max(1, weapon.hands) > 2:
        what = f"for the {weapon.name}" if weapon.hands else "to strike with"
        text = f"The {device.name} leaves no hands {what}."
        raise MushError("hands", text, "+parry nothing puts it away.")


def check_at_hand(context: ReadContext, fighter: Fighter, thing: Thing) -> None:
    """Refuse what is ruined, lost, or not carried by who carries things at all.

    Who was given nothing in this system has at hand what they name: the referee rules on it.
    """
    if not fighter.usable(thing.name):
        text = f"{fighter.name}'s {thing.name} is lost or ruined."
        raise MushError("thing", text, f"A referee gives it: +give {fighter.name}={thing.name}")
    carried = {item.name for item in context.store.items(fighter.id, NAME)}
    if carried and thing.name not in carried and thing.name != "unarmed":
        text = f"{fighter.name} carries no {thing.name}."
        raise MushError("thing", text, f"A referee gives it: +give {fighter.name}={thing.name}")
