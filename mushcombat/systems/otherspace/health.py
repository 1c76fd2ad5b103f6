"""What is left of somebody: harm and stun taken, what it makes of them, and how it heals.

Points of health, 100 when well (OS-41).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from mushcombat.records import record
from mushcombat.systems.otherspace.combat_sections import FULL
from mushcombat.systems.otherspace.fighter import Fighter, needed
from mushcombat.systems.otherspace.gear import Kind
from mushcombat.systems.otherspace.tables import Tables

Outcome = Literal["", "unconscious", "stunned", "near death", "dead"]


@record(frozen=True, slots=True)
class Taken:
    """Harm and stun after a blow, and what the blow made of its target.

    `outcome` is the worst that holds; `stunned` tells of a stun beside it, which ends by the
    clock (OS-43). `quirk` is the wound quirk that comes at once, "" for none (OS-49).
    """

    harm: int
    stun: int
    outcome: Outcome = ""
    stunned: bool = False
    quirk: str = ""


@record(frozen=True, slots=True)
class Healed:
    """What a roll of Medicine did: health given back, and the wound quirk there is then."""

    success: bool
    points: int
    new_quirk: str


def penalty(left: int, tables: Tables) -> int:
    """OS-42: the modifier on every roll with so much health left."""
    return tables.combat.health.penalty(left)


def band(left: int, tables: Tables) -> str:
    """Name so much health for scenes that hide the numbers."""
    return tables.combat.health.word(left)


def stunned_by(harm: int, stun: int, tables: Tables) -> bool:
    """OS-43: whether so much stun, with so much harm, stuns."""
    rule = tables.combat.health
    return stun >= rule.stunned_at or (stun > 0 and FULL - harm - stun < rule.stunned_under)


def take(fighter: Fighter, kind: Kind, amount: int, tables: Tables, *, lethal: bool) -> Taken:
    """Take a blow (OS-41, OS-42, OS-43, OS-49); neither harm nor stun go past what is left.

    Stun never kills. Harm that leaves nothing kills if it was declared lethal, or else
    leaves its target near death; so does any harm to who has nothing left.
    """
    if amount <= 0:
        return Taken(fighter.harm, fighter.stun)
    if kind == "stun":
        return _after(fighter.harm, min(fighter.stun + amount, FULL - fighter.harm), tables)
    harm = min(FULL, fighter.harm + amount)
    taken = _after(harm, min(fighter.stun, FULL - harm), tables)
    if harm < FULL:
        return taken
    if lethal:
        return replace(taken, outcome="dead")
    return _near_death(taken, tables)


def _after(harm: int, stun: int, tables: Tables) -> Taken:
    stunned = stunned_by(harm, stun, tables)
    outcome: Outcome = "stunned" if stunned else ""
    if FULL - harm - stun <= tables.combat.health.down:
        outcome = "unconscious"
    return Taken(harm, stun, outcome, stunned)


def _near_death(taken: Taken, tables: Tables) -> Taken:
    quirk = wound_quirk(FULL, tables)
    return replace(taken, outcome="near death", quirk=quirk)


def still_dead(taken: Taken) -> Taken:
    """OS-49: nothing that is done to the dead makes anything else of them."""
    return Taken(taken.harm, taken.stun, "dead")


def saved_by_luck(taken: Taken, tables: Tables) -> Taken:
    """OS-50: what a luck card makes of a death."""
    return _near_death(taken, tables) if taken.outcome == "dead" else taken


def wound_quirk(harm: int, tables: Tables, *, dead: bool = False) -> str:
    """OS-45: the wound quirk for so much harm, stun not counted; "" for none, or for the dead."""
    quirk = None if dead else tables.combat.wounds.at(FULL - harm)
    return quirk.name if quirk else ""


def quirk_after_heal(quirk: str, tables: Tables) -> str:
    """OS-47: the wound quirk one step lighter; "" after the lightest."""
    lighter = tables.combat.wounds.lighter(quirk)
    return lighter.name if lighter else ""


def heal(roll_total: int, quirk: str, tables: Tables) -> Healed:
    """OS-47: what a roll of Medicine does for somebody with that wound quirk, or "" for none."""
    if roll_total < heal_needs(quirk, tables):
        return Healed(success=False, points=0, new_quirk=quirk)
    rule = tables.combat.healing
    points = max(0, rule.per_level * (roll_total - rule.above))
    return Healed(success=True, points=points, new_quirk=quirk_after_heal(quirk, tables))


def heal_needs(quirk: str, tables: Tables) -> int:
    """OS-47: the level that a roll of Medicine needs for that wound quirk, or "" for none."""
    wound = tables.combat.wounds.named(quirk)
    return needed(wound.heal if wound else tables.combat.healing.without_quirk, tables)


def natural(days: int, tables: Tables) -> int:
    """OS-48: health that comes back by itself in so many whole days."""
    return tables.combat.healing.natural * max(0, days)
