"""The sums of close combat, by their rules: ints and tables in, a `Breakdown` out.

Chances are in percent, rolled with d100 at or under; all fractions round up, save SO-23.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from mushcombat.domain.breakdown import Breakdown, Term, modifier
from mushcombat.systems.spaceopera.fighter import DAMAGED, Fighter
from mushcombat.systems.spaceopera.tables import Device, Parry, Tables, Thing, Weapon, Wound

CERTAIN = 100

_NO_BRACKETS = str.maketrans("", "", "()")


def clamped(chance: Breakdown) -> Breakdown:
    """SO-28: bring a chance within 0 to 100; what it was before stays in the sum."""
    return chance.at_least(0, "SO-28").at_most(CERTAIN, "SO-28")


def shown(terms: Iterable[Term]) -> tuple[Term, ...]:
    """Leave out terms that change nothing."""
    return tuple(term for term in terms if term.value)


# initiative and the chance to hit


def factor(fighter: Fighter, weapon: Weapon, tables: Tables) -> Term:
    """SO-23: the HTH factor, as it was set, or worked out and rounded to the nearest."""
    if fighter.factor is not None:
        return Term(fighter.factor, f"HTH factor {fighter.factor}", rule="SO-23", kind="level")
    rule = tables.factor.share(weapon.kind)
    skill = fighter.skill(weapon.name)
    sum_ = sum(fighter.level(name, tables) for name in rule.of)
    percent = next(t.percent for t in tables.trainings if t.name == fighter.training)
    exact = (skill + Fraction(*rule.share) * sum_ + rule.plus) * Fraction(percent, CERTAIN)
    total = math.floor(exact + Fraction(1, 2))
    share = "" if rule.share[0] == rule.share[1] else f"{rule.share[0]}/{rule.share[1]} of "
    how = f"{percent}% of {skill} + {share}{sum_} + {rule.plus}"
    return Term(total, f"HTH factor {total} ({how})", rule="SO-23", kind="level")


def wound_terms(fighter: Fighter, tables: Tables) -> Iterator[Term]:
    """SO-26: what wounds take off the HTH factor; several add up."""
    for name, count in fighter.wounds.items():
        reason = f"{name} wound" if count == 1 else f"{count} {name} wounds"
        yield modifier(count * tables.wound(name).factor, reason, "SO-26")


def speed_term(weapon: Weapon, foe: Weapon | None, tables: Tables) -> Term:
    """SO-24: points for each that one's own weapon is faster; a slower one costs nothing."""
    faster = max(0, weapon.speed - foe.speed) if foe else 0
    reason = f"{weapon.name} faster than {foe.name}" if foe else "no foe"
    return modifier(faster * tables.initiative.per_speed, reason, "SO-24")


def basic(
    fighter: Fighter, weapon: Weapon, foe: Weapon | None, engaged: str, tables: Tables
) -> Breakdown:
    """SO-5, SO-6, SO-9: basic initiative without its die, which is the chance to hit as well.

    `engaged` from "rear" or "side" leaves half of it, or three quarters; "" all.
    """
    load = next(one.modifier for one in tables.loads if one.name == fighter.load)
    terms = (
        *wound_terms(fighter, tables),
        speed_term(weapon, foe, tables),
        modifier(fighter.personal, "personal", "SO-24"),
        modifier(load, f"{fighter.load} load", "SO-24"),
    )
    return faced(Breakdown((factor(fighter, weapon, tables), *shown(terms))), engaged, tables)


def faced(whole: Breakdown, engaged: str, tables: Tables) -> Breakdown:
    """SO-6: take off what being engaged from the rear or the side costs, fractions up."""
    if not engaged:
        return whole
    rule = tables.facing
    percent = rule.from_rear if engaged == "rear" else rule.from_side
    left = -(-whole.total * percent // CERTAIN)
    reason = f"engaged from the {engaged}, {CERTAIN - percent}%"
    return whole.then(*shown([modifier(left - whole.total, reason, "SO-6")]))


def back_term(back: str, tables: Tables) -> Term:
    """SO-7, SO-28: points against a back: "turning" to the attacker, or "kept" to them; or ""."""
    points = {"turning": tables.facing.back_turning, "kept": tables.facing.back_kept}
    reason = "turning to face it" if back == "turning" else "from behind"
    return modifier(points.get(back, 0), reason, "SO-7")


def cost_term(fighter: Fighter, device: Thing | None) -> Term:
    """SO-15: what a big device costs its user, less their shield expertise; never a gain."""
    if not isinstance(device, Device) or not device.costs:
        return modifier(0, "no device", "SO-15")
    cost = max(0, device.parry.percent - fighter.hold(device)[1])
    return modifier(-cost, f"own {device.name}", "SO-15")


def attacks(chance: int, skill: int, fighter: Fighter, tables: Tables) -> int:
    """SO-10: into how many attacks a roll may be split; a serious wound forbids it (SO-26)."""
    if not fighter.can_split(tables):
        return 1
    rule = tables.split
    if chance > rule.three.over or skill >= rule.three.expertise:
        return 3
    return 2 if chance > rule.two.over or skill >= rule.two.expertise else 1


# parrying


def protection(fighter: Fighter, device: Thing, parry: Parry, tables: Tables) -> Breakdown:
    """SO-12 to SO-15: what a device takes off the attacker's chance; damaged, half (SO-19)."""
    level = fighter.parry_skill(device)
    with_what = device.name if parry.by == "own" else parry.by
    more = Term(
        parry.per_level * level, f"{parry.per_level} x {with_what} {level}", rule=_by(parry)
    )
    first = Term(parry.percent, f"{device.name} {parry.percent}", rule=_by(parry))
    whole = Breakdown((first, *shown([more])))
    if fighter.things.get(device.name) != DAMAGED:
        return whole
    left = -(-whole.total * tables.damage.half // CERTAIN)
    reason = f"damaged, {CERTAIN - tables.damage.half}%"
    return whole.then(*shown([modifier(left - whole.total, reason, "SO-19")]))


def _by(parry: Parry) -> str:
    return {5: "SO-12", 10: "SO-13", 20: "SO-14"}.get(parry.percent, "SO-15")


def parry_term(guard: Breakdown) -> Term:
    """SO-11: the protection, as one term of the attacker's chance: how it comes to it is said."""
    how = guard.formula().removesuffix(f" = {guard.total}").translate(_NO_BRACKETS)
    return Term(-guard.total, f"{guard.total} ({how})", "-", "SO-11")


def device_damage(attacker: int, defender: int, tables: Tables) -> Breakdown:
    """SO-16: the chance that a device is damaged that turned a blow, by both expertises."""
    rule = tables.damage
    by = Term(rule.attacker * attacker, f"{rule.attacker} x {attacker}", rule="SO-16")
    less = Term(-rule.defender * defender, f"{rule.defender} x {defender}", "-", "SO-16")
    return clamped(Breakdown((by, less, Term(rule.base, str(rule.base), rule="SO-16"))))


def penetration(weapon: Weapon, device: Thing, ruled: Sequence[Term], tables: Tables) -> Breakdown:
    """SO-17: the chance that a damaged device is penetrated; some weapons always go through."""
    rule = tables.damage.penetrated
    chance = Breakdown((Term(rule, f"{rule} (penetration)", rule="SO-17"), *ruled))
    if device.made_of in weapon.through:
        sure = CERTAIN - chance.total
        reason = f"{abs(sure)} ({weapon.name} through {device.made_of})"
        return chance.then(Term(sure, reason, "-" if sure < 0 else "+", "SO-17"))
    return clamped(chance)


# armour and wounds


def armour_needs(weapon: Weapon, armour: str, tables: Tables) -> int | None:
    """SO-25: the number needed to go through a class of armour, 1 the least; None for none."""
    if not armour:
        return None
    base = tables.armour.needs[tables.armour.classes.index(armour)]
    return max(1, base + weapon.armour)


def wound_of(total: int, tables: Tables) -> Wound:
    """SO-26: the wound that a roll comes to; the last has no end."""
    return next((wound for wound in tables.wounds if total <= wound.up_to), tables.wounds[-1])


# disarming and checks


def disarm_terms(defender: Fighter, device: Thing, at: str, tables: Tables) -> tuple[Term, ...]:
    """SO-20: what the defender's grip takes off: at the weapon, or at what the off hand holds."""
    rule = tables.disarm
    if at == "weapon":
        level = defender.skill(device.name)
        text = f"{rule.weapon * level} ({rule.weapon} x {device.name} {level})"
        return shown([Term(-rule.weapon * level, text, "-", "SO-20")])
    name, level = defender.hold(device)
    base = device.parry.percent if device.parry else 0
    text = f"{rule.shield * level} ({rule.shield} x {name} {level})"
    return shown(
        [
            Term(-rule.shield * level, text, "-", "SO-20"),
            modifier(-base, device.name, "SO-20"),
        ]
    )


def passes(level: int, roll: int, tables: Tables) -> bool:
    """SO-27: at or under the characteristic; the die's highest fails."""
    return roll <= level and roll != tables.check.die
