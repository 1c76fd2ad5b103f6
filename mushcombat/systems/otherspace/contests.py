"""What is rolled beside attack and defence: holding on, getting clear, noticing, countering.

Totals and margins are in levels.
"""

from __future__ import annotations

from mushcombat.domain.breakdown import Term, modifier
from mushcombat.systems.otherspace.fighter import (
    Fighter,
    needed,
    not_zero,
    reaction_levels,
    reaction_terms,
    trait_terms,
)
from mushcombat.systems.otherspace.formulas import beats, margin
from mushcombat.systems.otherspace.situation import Situation, is_melee
from mushcombat.systems.otherspace.tables import Tables


def hold_terms(target: Fighter, by: int, tables: Tables) -> tuple[Term, ...]:
    """OS-52: begin the roll of Strength of who was disarmed by so many levels."""
    lost = not_zero([modifier(-by, "disarmed", "OS-52")])
    return (*trait_terms(target, "Strength", tables), *lost)


def holds(total: int, tables: Tables) -> bool:
    """OS-52: whether that roll of Strength keeps the weapon."""
    return total >= needed(tables.combat.contests.hold_needs, tables)


def blast_terms(fighter: Fighter, tables: Tables) -> tuple[Term, ...]:
    """OS-19: begin the reaction of one who is near when a grenade goes off in a hand.

    The holder's is `attack_terms` of a detonation.
    """
    return (*reaction_levels(fighter, tables), *reaction_terms(fighter, tables))


def caught(holder_total: int, other_total: int, tables: Tables) -> bool:
    """OS-19: whether the blast hits another at once; on a tie it does not."""
    return beats(holder_total, other_total, tables)


def gets_away(total: int, tables: Tables) -> bool:
    """OS-19: whether a roll of raw Dexterity takes one who was not caught out of the blast."""
    return total >= needed(tables.combat.contests.blast_needs, tables)


def detection_terms(fighter: Fighter, tables: Tables) -> tuple[Term, ...]:
    """OS-40: begin the roll that notices psionics at work; MushError for who has no Psi."""
    return trait_terms(fighter, "Psi", tables)


def detects(total: int, tables: Tables) -> bool:
    """OS-40: whether that roll notices something."""
    return total >= needed(tables.psionics.detection_needs, tables)


def may_counter(
    situation: Situation,
    attack_total: int,
    defence_total: int,
    tables: Tables,
    *,
    card: str = "",
    countering: bool = False,
) -> bool:
    """OS-30, OS-54: whether a defence earns a counterattack.

    `card` is the defender's action card; `countering` tells that the attack was a
    counterattack itself, which earns none.
    """
    if countering or not is_melee(situation, tables):
        return False
    usual = tables.combat.defence.counter_at
    own = tables.combat.card(card).counter_at if card else None
    return margin(defence_total, attack_total) >= (usual if own is None else own)
