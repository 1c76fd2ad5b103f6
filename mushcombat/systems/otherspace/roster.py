"""Fighters as the store has them: sheet, condition and gear together, and changes to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from mushcombat.domain.character import Condition, Item, Sheet
from mushcombat.domain.command import ReadContext, WriteContext
from mushcombat.domain.fight import Combatant
from mushcombat.domain.ports import Reads
from mushcombat.domain.scene import Scene
from mushcombat.systems import tracker
from mushcombat.systems.otherspace import health
from mushcombat.systems.otherspace.combat_state import Seat, dump, load_seat
from mushcombat.systems.otherspace.fighter import Fighter, is_down
from mushcombat.systems.otherspace.tables import Tables

NAME = "otherspace"
"""What the system is called where scenes and sheets name it."""

DAY = 86_400
"""Seconds in one."""


def seconds(now: datetime) -> int:
    """Give a time as seconds since 1970."""
    return int(now.timestamp())


def day(now: datetime) -> int:
    """Give a time as days since 1970, UTC."""
    return seconds(now) // DAY


def condition_of(store: Reads, character: int, now: datetime, tables: Tables) -> Condition:
    """Give how somebody is now: natural healing is counted by the calendar (OS-48)."""
    condition = store.condition(character, NAME)
    if condition.rested_day is None or condition.dead:
        return condition
    days = day(now) - condition.rested_day
    if days == 0:
        return condition
    healed = min(condition.harm, health.natural(days, tables)) if days > 0 else 0
    return replace(condition, harm=condition.harm - healed, rested_day=day(now))


def fighter_of(store: Reads, character: int, now: datetime, tables: Tables) -> Fighter:
    """Put a fighter together from the store: one attack asks for each a dozen times."""
    parts = (
        store.sheet(character, NAME),
        condition_of(store, character, now, tables),
        store.items(character, NAME),
        tables,
    )
    return store.made("fighter", character, parts, lambda: _fighter(character, *parts))


def _fighter(
    character: int, sheet: Sheet, condition: Condition, items: Sequence[Item], tables: Tables
) -> Fighter:
    quirks = frozenset(sheet.quirks)
    worn = [i.name for i in items if i.in_use and tables.combat.suit(i.name)]
    wielded = [i.name for i in items if i.in_use and not tables.combat.suit(i.name)]
    return Fighter(
        id=character,
        name=sheet.name,
        attributes=dict(sheet.traits.get("attribute", {})),
        skills=dict(sheet.traits.get("skill", {})),
        gifts=quirks & frozenset(tables.gifts.names),
        faults=quirks & frozenset(tables.faults.names),
        quirks=tuple(sorted(quirks - frozenset((*tables.gifts.names, *tables.faults.names)))),
        harm=condition.harm,
        stun=condition.stun,
        armour=worn[0] if worn else "",
        wielded=wielded[0] if wielded else "",
    )


def is_stunned(condition: Condition, seat: Seat, now: datetime) -> bool:
    """Tell whether a stun holds: by the clock, and until it has cost a turn (OS-43)."""
    if condition.stunned_until is None:
        return False
    return seat.stun_skip or condition.stunned_until > seconds(now)


def why_helpless(store: Reads, seat: Combatant, now: datetime, tables: Tables) -> str:
    """Say why somebody can't act or defend: dead, unconscious, stunned; '' if they can."""
    condition = condition_of(store, seat.character, now, tables)
    if condition.dead:
        return "dead"
    if is_down(fighter_of(store, seat.character, now, tables), tables):
        return "unconscious"
    return "stunned" if is_stunned(condition, load_seat(seat.state), now) else ""


def change_condition(
    context: WriteContext, character: int, name: str, tables: Tables, **fields: Any
) -> None:
    """Change how somebody is; what nature healed until now is settled with it."""
    settled = condition_of(context.store, character, context.now, tables)
    rested = day(context.now) if fields.get("harm", settled.harm) else None
    wanted = {"harm": settled.harm, **fields, "rested_day": rested}
    context.store.write("condition", (character, NAME), f"{name}'s health", **wanted)


def seat_of(context: ReadContext, scene: int, character: int) -> tuple[Combatant, Seat] | None:
    """Give a combatant with this system's part; None for who is not in the fight."""
    found = tracker.combatant(context, scene, character)
    return (found, load_seat(found.state)) if found else None


def seated(context: ReadContext, scene: int, character: int) -> tuple[Combatant, Seat]:
    """Give the same of somebody who is in the fight; ValueError for who is not."""
    (found,) = [seat for seat in context.store.combatants(scene) if seat.character == character]
    return found, load_seat(found.state)


def change_seat(context: WriteContext, combatant: Combatant, seat: Seat, **fields: Any) -> Seat:
    """Change this system's part of a combatant."""
    if all(getattr(seat, field) == value for field, value in fields.items()):
        return seat
    changed = replace(seat, **fields)
    key = (combatant.scene, combatant.character)
    context.store.write("combatant", key, combatant.name, state=dump(changed))
    return changed


def shows_numbers(context: ReadContext, character: int) -> bool:
    """Tell whether the actor sees somebody's health in numbers, not in words.

    Who referees here does, which for staff is anywhere. Others do in a scene that shows numbers,
    of who is in no scene that hides them from them; and outside scenes of their own character.
    """
    if context.referees:
        return True
    me, scene = context.actor.id, _scene_here(context)
    if scene is None:
        return character == me
    hidden = any(me not in each.referees for each in _hiding(context, character))
    return scene.health == "numbers" and (character == me or not hidden)


def room_sees_numbers(context: ReadContext, character: int) -> bool:
    """Tell whether numbers of somebody's health may be in what is shown to others too."""
    scene = _scene_here(context)
    if scene is None:
        return shows_numbers(context, character)
    return scene.health == "numbers" and not _hiding(context, character)


def _scene_here(context: ReadContext) -> Scene | None:
    """Give the scene here as the store has it now."""
    return context.store.scene(context.scene.id) if context.scene else None


def _hiding(context: ReadContext, character: int) -> list[Scene]:
    """Give the scenes that somebody is in and that hide health."""
    scenes = context.store.scenes_with(character)
    return [scene for scene in scenes if scene.health == "bands"]
