"""An attack before its dice: all that counts for it, and whether it can be at all.

Modifiers are in levels, each a term with its reason; distances in feet, cover in percent.
"""

from __future__ import annotations

from collections.abc import Iterator

from mushcombat.domain.breakdown import Term, modifier
from mushcombat.errors import MushError
from mushcombat.systems.otherspace.combat_sections import BANDS, FULL, Band
from mushcombat.systems.otherspace.fighter import (
    Fighter,
    level,
    not_zero,
    reaction_levels,
    reaction_terms,
    trait_terms,
)
from mushcombat.systems.otherspace.gear import THROWN, Weapon
from mushcombat.systems.otherspace.situation import (
    Situation,
    band_of,
    card_of,
    psionic_skills,
    skill_of,
    sort_of,
    weapon_of,
)
from mushcombat.systems.otherspace.tables import Tables


def attack_terms(fighter: Fighter, situation: Situation, tables: Tables) -> tuple[Term, ...]:
    """Give all that counts for the roll before the referee's ruling and the dice.

    A detonation at point blank is a roll of reaction (OS-19). MushError where there is no roll:
    no such weapon, no Psi, no shot at that range.
    """
    if situation.maneuver == "detonate":
        return (*reaction_levels(fighter, tables), *_detonation(fighter, tables))
    others = (
        *_aim(fighter, situation, tables),
        *_circumstances(fighter, situation, tables),
        *_step(situation, tables),
        *_intent(fighter, situation, tables),
        *situation.next_attack,
    )
    return (*trait_terms(fighter, skill_of(situation, tables), tables), *not_zero(others))


def _detonation(fighter: Fighter, tables: Tables) -> tuple[Term, ...]:
    holder = modifier(tables.combat.contests.blast_holder, "point blank", "OS-19")
    return (*reaction_terms(fighter, tables), *not_zero([holder]))


def _aim(fighter: Fighter, situation: Situation, tables: Tables) -> Iterator[Term]:
    """Count what lies between: range, eyes, cover, darkness."""
    band = band_of(situation, tables)
    if band is not None and sort_of(situation, tables) == "ranged":
        yield modifier(range_modifier(situation, band, tables), f"{band} range", "OS-12")
        yield from _eyes(fighter, band, tables)
    elif band is None:
        yield modifier(at_any_range(situation, tables), "any range", "OS-12")
    step = tables.combat.cover.step(situation.cover)
    card = card_of(situation, tables)
    if step is not None and not (card and situation.cover <= card.ignores_cover):
        yield modifier(step.modifier, f"cover {step.percent}%", "OS-31")
    if situation.blind:
        yield modifier(tables.combat.attack.blind, "blind", "OS-31")


def range_modifier(situation: Situation, band: Band, tables: Tables) -> int:
    """OS-12: a ranged weapon's modifier at a range; MushError where it has no shot."""
    weapon = tables.combat.weapon(situation.weapon)
    row = weapon.row(tables.combat.ranges)
    place = BANDS.index(band)
    if place >= len(row):
        last = BANDS[len(row) - 1]
        feet = tables.combat.bands.span(last).high
        hint = f"It reaches {last} range, {feet} feet."
        raise MushError("range", f"The {weapon.name} has no shot at {band} range.", hint)
    return row[place]


def at_any_range(situation: Situation, tables: Tables) -> int:
    """OS-12: what counts whatever the range is, as for a railgun; 0 where it depends on that."""
    weapon = weapon_of(situation, tables)
    if weapon is None or weapon.sort != "ranged":
        return 0
    row = weapon.row(tables.combat.ranges)
    everywhere = len(row) == len(BANDS) and len(set(row)) == 1
    return row[0] if everywhere else 0


def _eyes(fighter: Fighter, band: Band, tables: Tables) -> Iterator[Term]:
    gifts, faults = tables.combat.gifts, tables.combat.faults
    if "Keen Sight" in fighter.gifts and band in gifts.keen_sight_at:
        yield modifier(gifts.keen_sight, "Keen Sight", "OS-7a")
    if "Poor Sight" in fighter.faults and band in faults.poor_sight_at:
        yield modifier(faults.poor_sight, "Poor Sight", "OS-7a")


def _circumstances(fighter: Fighter, situation: Situation, tables: Tables) -> Iterator[Term]:
    """Count what the attacker does beside: moving, two weapons, aiming at a hand."""
    rule, pace = tables.combat.attack, tables.combat.movement
    if situation.movement:
        value = pace.walking if situation.movement == "walking" else pace.running
        yield modifier(value, situation.movement, "OS-31")
    if situation.hand == "first":
        yield modifier(rule.first_weapon, "first weapon", "OS-31")
    if situation.hand == "second":
        yield modifier(rule.second_weapon, "second weapon", "OS-31")
        if "Ambidextrous" in fighter.gifts:
            better = tables.combat.gifts.ambidextrous - rule.second_weapon
            yield modifier(better, "Ambidextrous", "OS-7a")
    if situation.maneuver == "disarm":
        yield modifier(rule.disarm, "disarm", "OS-52")


def _step(situation: Situation, tables: Tables) -> Iterator[Term]:
    """OS-21: coming into a polearm's range, which another polearm makes light of, or leaving."""
    weapon = weapon_of(situation, tables)
    polearm = weapon is not None and weapon.weapon_class == "polearm"
    if situation.closing and not polearm:
        yield modifier(tables.combat.attack.closing, "closing in", "OS-21")
    if situation.back:
        yield modifier(tables.combat.attack.back, "stepping back", "OS-21")


def _intent(fighter: Fighter, situation: Situation, tables: Tables) -> Iterator[Term]:
    if situation.lethal and "Pacifist" in fighter.faults:
        yield modifier(tables.combat.faults.pacifist, "Pacifist", "OS-7a")
    if situation.card and not situation.card_held:
        yield modifier(tables.combat.attack.no_card, "no card", "OS-54")


def odf(situation: Situation, tables: Tables) -> tuple[int, str]:
    """Give a weapon's ODF and how it is written; improvised, half of it (OS-22)."""
    weapon = tables.combat.weapon(situation.weapon)
    if situation.improvised:
        return weapon.odf // 2, f"ODF {weapon.odf // 2} (improvised {weapon.name})"
    return weapon.odf, f"ODF {weapon.odf}"


def check_possible(fighter: Fighter, situation: Situation, tables: Tables) -> None:
    """Refuse, with the reason, an attack that can't be made whatever is rolled."""
    weapon = weapon_of(situation, tables)
    if weapon is not None:
        _check_maneuver(situation, weapon)
        _check_needs(fighter, situation, weapon)
        _check_air(situation, weapon)
        _check_make(situation, weapon)
    _check_mind(fighter, situation, tables)
    _check_range(situation, tables)
    _check_stun(situation, weapon)
    _check_step(situation, weapon)
    _check_card(situation, tables)


def _refuse(code: str, text: str, hint: str = "") -> None:
    raise MushError(code, text, hint)


def _check_maneuver(situation: Situation, weapon: Weapon) -> None:
    """Refuse to throw what is no grenade, and to do with the mind what takes a hand."""
    if situation.maneuver == "throw" and weapon.weapon_class != THROWN:
        _refuse("weapon", f"The {weapon.name} is not made for throwing.", "Try +attack.")
    if situation.maneuver == "detonate" and not weapon.blast:
        _refuse("weapon", f"The {weapon.name} does not explode.", "Only grenades and the like do.")
    if situation.maneuver == "psi" and weapon.sort != "psionic":
        _refuse("weapon", f"The {weapon.name} is no psionic skill.", "Try +attack.")
    if situation.maneuver == "disarm" and weapon.sort == "psionic":
        _refuse("weapon", f"Nobody is disarmed with {weapon.name}.", "Name a weapon.")


def _check_mind(fighter: Fighter, situation: Situation, tables: Tables) -> None:
    """OS-40: a psionic attack takes Psi, and a skill of the mind."""
    if sort_of(situation, tables) != "psionic":
        return
    level(fighter, "Psi", tables)
    skill, skills = skill_of(situation, tables), psionic_skills(tables)
    if skill not in skills:
        _refuse("skill", f"{skill} is no psionic skill.", f"There are: {', '.join(skills)}.")


def _check_needs(fighter: Fighter, situation: Situation, weapon: Weapon) -> None:
    if weapon.gift is not None and weapon.gift not in fighter.gifts:
        _refuse("weapon", f"{fighter.name} has no {weapon.name}.", f"That takes {weapon.gift}.")
    if weapon.energy == "rail" and not situation.railgun_warm:
        hint = f"Type +ready {weapon.name}; it can fire from the next round on."
        _refuse("railgun", f"The {weapon.name} is not activated yet.", hint)


def _check_air(situation: Situation, weapon: Weapon) -> None:
    """OS-14: what needs air."""
    if weapon.energy in {"projectile", "sonic"} and not situation.atmosphere:
        text = f"The {weapon.name} ({weapon.energy}) does not work without an atmosphere."
        _refuse("atmosphere", text, "Energy weapons and railguns do.")


def _check_make(situation: Situation, weapon: Weapon) -> None:
    """OS-22: what is improvised resembles something made to hit with."""
    if situation.improvised and (weapon.sort != "melee" or weapon.weapon_class == "unarmed"):
        text = f"Nothing improvised counts as {weapon.name}."
        _refuse("weapon", text, "Name a melee weapon that it resembles: club, knife, ...")


def _check_range(situation: Situation, tables: Tables) -> None:
    """OS-11, OS-12, OS-20: out of range, or of reach."""
    band, sort = band_of(situation, tables), sort_of(situation, tables)
    if band is None or situation.maneuver == "detonate" or sort == "psionic":
        return
    if sort == "ranged":
        range_modifier(situation, band, tables)
    elif band != BANDS[0]:
        feet = tables.combat.bands.close.high
        _refuse("range", f"Hand to hand reaches {feet} feet, no farther.", "Come closer first.")


def _check_stun(situation: Situation, weapon: Weapon | None) -> None:
    """OS-20, OS-23: what can stun; a grapple always can (OS-53)."""
    able = situation.maneuver == "grapple" or (
        weapon is not None and (weapon.may_stun or weapon.damage == "stun")
    )
    if situation.stun and not able:
        name = "mind" if weapon is None else weapon.name
        _refuse("stun", f"The {name} can't stun instead of harming.", "Leave out stun.")


def _check_step(situation: Situation, weapon: Weapon | None) -> None:
    """OS-21: only a polearm lets its wielder step back."""
    if situation.back and (weapon is None or weapon.weapon_class != "polearm"):
        _refuse("modifier", "Stepping back takes a polearm.", "Leave out back.")


def _check_card(situation: Situation, tables: Tables) -> None:
    card, sort = card_of(situation, tables), sort_of(situation, tables)
    if card is not None and sort not in card.on:
        allowed = " and ".join(card.on)
        _refuse("card", f"{card.name} is no card for this.", f"It is for {allowed}.")


def notes(situation: Situation, tables: Tables) -> tuple[str, ...]:
    """Tell the referee of this attack what no number says: recoil, cover that hides all."""
    weapon = weapon_of(situation, tables)
    if weapon is None or weapon.sort != "ranged":
        return ()
    return (*recoil(situation, tables), *_hidden(situation, tables))


def recoil(situation: Situation, tables: Tables) -> Iterator[str]:
    """OS-14: a projectile kicks where there is no gravity."""
    weapon = weapon_of(situation, tables)
    if weapon is not None and weapon.energy == "projectile" and not situation.gravity:
        yield "Recoil: without gravity the shot pushes the shooter back."


def _hidden(situation: Situation, tables: Tables) -> Iterator[str]:
    cover = tables.combat.cover
    most = cover.step(FULL)
    if most is not None and cover.step(situation.cover) == most:
        yield "With so much cover the target may be out of reach altogether."


def standing_notes(situation: Situation, tables: Tables) -> tuple[str, ...]:
    """Tell what goes for every attack of this kind, and need not be told twice in a fight."""
    weapon = weapon_of(situation, tables)
    if weapon is None or weapon.sort != "ranged":
        return ()
    told = {
        "projectile": "A projectile may go through the walls of corridors.",
        "energy": "Energy does not go through the walls of corridors.",
    }
    lines = [told[weapon.energy]] if weapon.energy in told else []  # OS-14
    unknown = band_of(situation, tables) is None and not at_any_range(situation, tables)
    if situation.maneuver != "detonate" and unknown:
        lines.append("No range was given, so none counts.")
    if weapon.blast:
        lines.append(f"The blast reaches {weapon.blast} feet.")
    return tuple(lines)
