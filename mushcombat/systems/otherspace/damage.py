"""What a blow does: one sum from ODF to what is left after the target's Constitution.

Points of health; a margin is in levels.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mushcombat.domain.breakdown import Breakdown, Term, modifier
from mushcombat.records import record
from mushcombat.systems.otherspace.attack import odf
from mushcombat.systems.otherspace.combat_sections import FULL
from mushcombat.systems.otherspace.fighter import Fighter, ddf, in_words, not_zero
from mushcombat.systems.otherspace.formulas import beats, constitution_term, margin
from mushcombat.systems.otherspace.gear import Kind, Weapon
from mushcombat.systems.otherspace.situation import (
    Situation,
    card_of,
    kind_of,
    sort_of,
    weapon_of,
)
from mushcombat.systems.otherspace.tables import Tables


@record(frozen=True, slots=True)
class Blow:
    """What a blow does; without a sum it does nothing."""

    breakdown: Breakdown | None
    kind: Kind
    amount: int


def blow(  # noqa: PLR0917 -- two people, what is between them, two rolls
    attacker: Fighter,
    defender: Fighter,
    situation: Situation,
    attack_total: int,
    defence_total: int,
    tables: Tables,
) -> Blow:
    """Work out what an attack does to its target, which may be nothing (OS-37).

    A detonation at point blank has no margin: the totals do not matter, it is for those hit.
    """
    kind = kind_of(situation, tables)
    card = card_of(situation, tables)
    harmless = situation.maneuver == "disarm" or (card is not None and card.harmless)
    hits = situation.maneuver == "detonate" or beats(attack_total, defence_total, tables)
    if harmless or not hits:
        return Blow(None, kind, 0)
    by = margin(attack_total, defence_total)
    whole = _softened(_whole(attacker, defender, situation, by, tables), defender, tables)
    return Blow(whole, kind, whole.total)


def _whole(
    attacker: Fighter, defender: Fighter, situation: Situation, by: int, tables: Tables
) -> Breakdown:
    """Add up what comes before Constitution, not under the least."""
    weapon = weapon_of(situation, tables)
    sort = sort_of(situation, tables)
    if sort == "psionic":
        return _sum(_by_mind(attacker, defender, by, tables), tables, "OS-35")
    if weapon is None:
        return _sum([_margin(by, tables.damage.per_margin, "OS-53")], tables, "OS-53")
    rule = "OS-33" if sort == "melee" else "OS-34"
    terms = (
        *_by_weapon(attacker, situation, tables),
        *_by_margin(situation, by, rule, tables),
        _armour(weapon, defender, tables),
    )
    return _burst(_sum(terms, tables, rule), weapon)


def _sum(terms: Iterable[Term], tables: Tables, rule: str) -> Breakdown:
    first, *others = terms
    return Breakdown((first, *not_zero(others))).at_least(tables.damage.least, rule)


def _margin(by: int, per: int, rule: str) -> Term:
    return Term(per * by, f"{per} x {by}", rule=rule)


def _by_mind(attacker: Fighter, defender: Fighter, by: int, tables: Tables) -> Iterator[Term]:
    """OS-35: Psi and margin against Intelligence."""
    per, rule = tables.damage.psionic, "OS-35"
    psi, own = in_words(attacker, "Psi", tables)
    mind, theirs = in_words(defender, "Intelligence", tables)
    yield Term(per * psi, f"{per} x {own}", rule=rule)
    yield _margin(by, per, rule)
    yield Term(-per * mind, f"{per} x {theirs}", "-", rule=rule)


def _by_weapon(attacker: Fighter, situation: Situation, tables: Tables) -> Iterator[Term]:
    """OS-33: the weapon, what a card adds, and in melee the arm behind it."""
    value, text = odf(situation, tables)
    yield Term(value, text, rule="OS-22" if situation.improvised else "OS-17")
    card = card_of(situation, tables)
    if card is not None:
        yield modifier(card.odf, card.name, "OS-54")
    if sort_of(situation, tables) == "melee":
        per, (strength, words) = tables.damage.per_strength, in_words(attacker, "Strength", tables)
        yield Term(per * strength, f"{per} x {words}", rule="OS-33")


def _by_margin(situation: Situation, by: int, rule: str, tables: Tables) -> Iterator[Term]:
    """Count how far the attack beat the defence; a grenade in the hand has no such (OS-19)."""
    if situation.maneuver != "detonate":
        yield _margin(by, tables.damage.per_margin, rule)


def _armour(weapon: Weapon, defender: Fighter, tables: Tables) -> Term:
    """OS-25: what a suit takes off; against sonic weapons it is a liability (OS-15)."""
    value = ddf(defender, tables)
    if weapon.energy == "sonic":
        return Term(value, f"DDF {value}", rule="OS-15")
    return Term(-value, f"DDF {value}", "-", rule="OS-25")


def _burst(one: Breakdown, weapon: Weapon) -> Breakdown:
    """OS-13: each further shot does the same again."""
    more = weapon.shots - 1
    if not more or not one.total:
        return one
    return one.then(Term(more * one.total, f"{more} x {one.total} (further shots)", rule="OS-13"))


def _softened(whole: Breakdown, defender: Fighter, tables: Tables) -> Breakdown:
    """OS-36: take off what Constitution does, Tough and Frail in the same percentage (OS-7a)."""
    name, percent = _build(defender, tables)
    constitution, words = in_words(defender, "Constitution", tables)
    soak = constitution_term(whole.total, constitution, tables, words)
    if not name:
        return whole.then(*not_zero([soak])).at_least(0, "OS-36")
    if tables.constitution.mode == "flat":
        left = whole.then(*not_zero([soak])).at_least(0, "OS-36")
        return left.then(*not_zero([_less(left.total, percent, f"{name} ({percent}%)")]))
    share = tables.constitution.per_level * tables.constitution.counted.nearest(constitution)
    both = f"{soak.text}, {name} ({percent}%)"
    return whole.then(*not_zero([_less(whole.total, share + percent, both)]))


def _build(defender: Fighter, tables: Tables) -> tuple[str, int]:
    """OS-7a: the name of what a body is, and the percentage of damage that it takes off."""
    percent = tables.combat.gifts.tough if "Tough" in defender.gifts else 0
    percent -= tables.combat.faults.frail if "Frail" in defender.faults else 0
    if not percent:
        return "", 0
    return "Tough" if percent > 0 else "Frail", percent


def _less(damage: int, percent: int, text: str) -> Term:
    """Take a percentage off, fractions dropped, at most all of it."""
    left = damage * max(0, FULL - percent) // FULL
    return Term(left - damage, text, "less", "OS-36")
