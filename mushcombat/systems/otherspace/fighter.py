"""Who fights, as the rules see them, and what a roll of theirs begins with.

Terms are in levels of the ladder (OS-1); those that are 0 are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from mushcombat.domain.breakdown import Breakdown, Term, modifier
from mushcombat.domain.dice import Throw
from mushcombat.errors import MushError
from mushcombat.records import record
from mushcombat.systems.otherspace.combat_sections import FULL, Quirk
from mushcombat.systems.otherspace.gear import Armour, Template
from mushcombat.systems.otherspace.tables import Tables, Trait


@record(frozen=True, slots=True)
class Fighter:
    """Somebody in a fight: what is on the sheet, what is worn and wielded, what is lost.

    Traits that were never set are absent; `quirks` may name any. Armour and weapon are names
    of the tables, "" for none; `harm` and `stun` are points of health.
    """

    id: int
    name: str
    attributes: Mapping[str, int]
    skills: Mapping[str, int]
    gifts: frozenset[str] = frozenset()
    faults: frozenset[str] = frozenset()
    quirks: tuple[str, ...] = ()
    harm: int = 0
    stun: int = 0
    armour: str = ""
    wielded: str = ""


def from_template(template: Template, number: int, name: str, tables: Tables) -> Fighter:
    """Make the fighter of an NPC template; the first weapon is in hand."""
    return Fighter(
        id=number,
        name=name,
        attributes=_in_levels(template.attributes, tables),
        skills=_in_levels(template.skills, tables),
        gifts=frozenset(template.gifts),
        faults=frozenset(template.faults),
        armour=template.armour or "",
        wielded=template.weapons[0] if template.weapons else "",
    )


def _in_levels(words: Mapping[str, str], tables: Tables) -> dict[str, int]:
    return {name: needed(word, tables) for name, word in words.items()}


def needed(word: str, tables: Tables) -> int:
    """Give the level of a word that the tables hold; ValueError for any other word."""
    level = tables.ladder.level(word)
    if level is None:
        raise ValueError(f"{word} is no word of the ladder")
    return level


def has(fighter: Fighter, trait_name: str, tables: Tables) -> bool:
    """Tell whether they have a trait at all: everyone has all but Psi (OS-6)."""
    return _level(fighter, trait_name, tables) is not None


def level(fighter: Fighter, trait_name: str, tables: Tables) -> int:
    """Give the level of an attribute or skill, unset ones by OS-6; MushError if they have none."""
    found = _level(fighter, trait_name, tables)
    if found is None:
        hint = f"Staff give it with +set {fighter.name}/{trait_name}=<level>."
        raise MushError("trait", f"{fighter.name} has no {trait_name}.", hint)
    return found


def _level(fighter: Fighter, trait_name: str, tables: Tables) -> int | None:
    if trait_name in tables.attributes.names:
        unset = tables.unset(Trait(trait_name, "attribute"))
        return fighter.attributes.get(trait_name, unset)
    return fighter.skills.get(trait_name, tables.unset(Trait(trait_name, "skill")))


def trait_terms(fighter: Fighter, trait_name: str, tables: Tables) -> tuple[Term, ...]:
    """Begin a roll of a trait: its level, then what always counts for it.

    That is the worst wound quirk (OS-46), armour (OS-24), faults (OS-7a) and wounds (OS-42).
    """
    own = level(fighter, trait_name, tables)
    first = Term(own, f"{trait_name} {tables.ladder.describe(own)}", rule="OS-3", kind="level")
    others = (
        *_quirk_terms(fighter, (trait_name,), tables),
        *_body_terms(fighter, trait_name, tables),
        *_health_terms(fighter, tables),
    )
    return (first, *not_zero(others))


def not_zero(terms: Iterable[Term]) -> tuple[Term, ...]:
    """Leave out the terms that are 0."""
    return tuple(term for term in terms if term.value)


def rolled(
    terms: Iterable[Term], throw: Throw, tables: Tables, extra: Iterable[Term] = ()
) -> Breakdown:
    """Finish a roll: terms, what else somebody ruled, the dice.

    Zero terms of `extra` are left out. ValueError if the throw is not of the table's dice.
    """
    dice = modifier(tables.dice.value(throw), tables.dice.kind, "OS-2", kind="dice")
    return Breakdown((*terms, *not_zero(extra), dice), (throw,))


def _quirk_terms(fighter: Fighter, attributes: tuple[str, ...], tables: Tables) -> tuple[Term, ...]:
    quirk = worst_quirk(fighter, tables)
    if quirk is None:
        return ()
    lost = sum(quirk.loss(name) for name in attributes if name in tables.attributes.names)
    return (modifier(lost, quirk.name, "OS-46"),)


def _body_terms(fighter: Fighter, trait_name: str, tables: Tables) -> tuple[Term, ...]:
    """Count what weighs on the body: a suit on Dexterity and Athletics, clumsiness on Athletics."""
    terms = []
    suit = worn(fighter, tables)
    if suit is not None and trait_name in {"Dexterity", "Athletics"}:
        terms.append(modifier(armour_penalty(fighter, tables), suit.name, "OS-24"))
    if trait_name == "Athletics" and "Clumsy" in fighter.faults:
        terms.append(modifier(tables.combat.faults.clumsy, "Clumsy", "OS-7a"))
    return tuple(terms)


def _health_terms(fighter: Fighter, tables: Tables) -> tuple[Term, ...]:
    left, faults = remaining(fighter), tables.combat.faults
    terms = []
    if "Haemophobe" in fighter.faults and left < faults.haemophobe_below:
        terms.append(modifier(faults.haemophobe, "Haemophobe", "OS-7a"))
    return (*terms, modifier(tables.combat.health.penalty(left), "wounds", "OS-42"))


def worst_quirk(fighter: Fighter, tables: Tables) -> Quirk | None:
    """OS-46: the one wound quirk that counts."""
    return tables.combat.wounds.worst(fighter.quirks)


def worn(fighter: Fighter, tables: Tables) -> Armour | None:
    """Give the suit that they wear."""
    return tables.combat.suit(fighter.armour)


def armour_penalty(fighter: Fighter, tables: Tables) -> int:
    """OS-24: a suit's penalty, 1 less for every two levels of Armour; unset takes nothing off."""
    suit = worn(fighter, tables)
    if suit is None:
        return 0
    return min(0, suit.penalty + fighter.skills.get("Armour", 0) // tables.combat.armour_levels)


def ddf(fighter: Fighter, tables: Tables) -> int:
    """OS-25: what armour takes off damage, in points."""
    suit = worn(fighter, tables)
    return suit.ddf if suit else 0


def effective(fighter: Fighter, trait_name: str, tables: Tables) -> int:
    """Give a level after the worst quirk's loss alone, not under 0: what formulas count with."""
    own, quirk = level(fighter, trait_name, tables), worst_quirk(fighter, tables)
    if quirk is None or trait_name not in tables.attributes.names:
        return own
    return max(0, own + quirk.loss(trait_name))


def in_words(fighter: Fighter, trait_name: str, tables: Tables) -> tuple[int, str]:
    """Give the same with its words, the quirk named that lowered it (OS-46)."""
    value, quirk = effective(fighter, trait_name, tables), worst_quirk(fighter, tables)
    lowered = quirk is not None and value != level(fighter, trait_name, tables)
    return value, f"{trait_name} {value}" + (f" ({quirk.name})" if quirk and lowered else "")


def remaining(fighter: Fighter) -> int:
    """OS-41: health that is left, in points of 100."""
    return FULL - fighter.harm - fighter.stun


def is_down(fighter: Fighter, tables: Tables) -> bool:
    """OS-42: whether they are unconscious for want of health."""
    return remaining(fighter) <= tables.combat.health.down


def reaction_levels(fighter: Fighter, tables: Tables) -> tuple[Term, Term]:
    """OS-8: what reaction is made of."""
    dexterity, perception = (level(fighter, n, tables) for n in ("Dexterity", "Perception"))
    return (
        Term(dexterity, f"Dexterity {dexterity}", rule="OS-8", kind="level"),
        Term(perception, f"Perception {perception}", rule="OS-8", kind="level"),
    )


def reaction_terms(fighter: Fighter, tables: Tables) -> tuple[Term, ...]:
    """Give what a reaction has beside its two levels: Quick, Slow, a quirk, wounds.

    Armour does not count for it (OS-24).
    """
    terms = list(_quirk_terms(fighter, ("Dexterity", "Perception"), tables))
    if "Quick" in fighter.gifts:
        terms.append(modifier(tables.combat.gifts.quick, "Quick", "OS-7a"))
    if "Slow" in fighter.faults:
        terms.append(modifier(tables.combat.faults.slow, "Slow", "OS-7a"))
    return not_zero((*terms, *_health_terms(fighter, tables)))


def speed(fighter: Fighter, tables: Tables) -> tuple[int, int]:
    """OS-32: how far they walk and run in a round, in feet; a quirk's loss counts."""
    rule = tables.combat.speed
    pace = rule.base + rule.per_dexterity * effective(fighter, "Dexterity", tables)
    walk = max(rule.least, pace)
    return walk, rule.walks * walk + rule.per_athletics * level(fighter, "Athletics", tables)


def movement(fighter: Fighter, feet: int, tables: Tables) -> Literal["", "walking", "running"]:
    """OS-31: what so many feet in a round count as: "", "walking" or "running".

    MushError for more than they can run.
    """
    walk, run = speed(fighter, tables)
    if feet > run:
        hint = f"They walk {walk} and run {run} feet."
        raise MushError("movement", f"{fighter.name} can't go {feet} feet in a round.", hint)
    if feet > walk:
        return "running"
    return "walking" if feet > tables.combat.movement.free else ""
