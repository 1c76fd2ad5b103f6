"""Sheets of this system: reading +set, writing +sheet (SO-23 to SO-26)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mushcombat.domain.breakdown import Breakdown
from mushcombat.domain.character import Character
from mushcombat.domain.command import ReadContext
from mushcombat.domain.names import match
from mushcombat.domain.numbers import parse_whole, refusal
from mushcombat.domain.text import clip
from mushcombat.errors import MushError
from mushcombat.systems.shapes import Span
from mushcombat.systems.spaceopera.exchange import Exchange, base
from mushcombat.systems.spaceopera.fighter import DAMAGED, LOST, RUINED, Fighter
from mushcombat.systems.spaceopera.formulas import protection
from mushcombat.systems.spaceopera.roster import (
    CHARACTERISTIC,
    EXPERTISE,
    NAME,
    OTHER,
    THING,
    WOUND,
    fighter_of,
)
from mushcombat.systems.spaceopera.tables import Tables
from mushcombat.systems.system import TraitChange

UNSET = "none"
"""Typed instead of a level, takes it off the sheet."""

HANDS = ("right", "left")
STATES = {DAMAGED: "damaged", RUINED: "ruined", LOST: "lost"}


def traits(tables: Tables) -> dict[str, tuple[str, str]]:
    """Give every trait that a sheet may have, by what is typed: group and name."""
    known = {name: (CHARACTERISTIC, name) for name in tables.characteristics.names}
    short = {s: (CHARACTERISTIC, name) for s, name in tables.characteristics.short.items()}
    skills = [weapon.name for weapon in tables.weapons] + list(tables.expertise.others)
    expertise = {name: (EXPERTISE, name) for name in skills}
    wounds = {f"{wound.name} wounds": (WOUND, wound.name) for wound in tables.wounds}
    numbers = {name: (OTHER, name) for name in _NUMBERS}
    words = {name: (name, name) for name in _WORDS}
    also = {"handedness": ("hand", "hand")}
    return {**known, **short, **expertise, **numbers, **words, **also, **wounds}


_NUMBERS = ("HTH", "personal", "reach")

_WORDS = ("load", "training", "hand", "armour")
"""Traits whose levels have words; each is a group of its own."""


def find_trait(typed: str, tables: Tables) -> tuple[str, str]:
    """Find one trait by name; MushError that lists those it could be, or the kinds there are."""
    found = list(dict.fromkeys(match(typed, traits(tables).items())))
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(name for _, name in found[:8])
        raise MushError("trait", f'trait: "{clip(typed)}" could be {names}.', "Type more of it.")
    shorts = ", ".join(tables.characteristics.names)
    text = f'trait: "{clip(typed)}" is none of this system.'
    raise MushError(
        "trait",
        text,
        f"There are {shorts}; {', '.join((*_NUMBERS, *_WORDS))}; a weapon, shield or brawling.",
    )


def show_trait(group: str, name: str) -> str:
    """Write a trait as it reads in a sentence: of wounds a sheet has a number."""
    return f"number of {name} wounds" if group == WOUND else name


def words_of(name: str, tables: Tables) -> Sequence[str]:
    """Give the words for the levels of a trait that has words, from 0 on; () for numbers."""
    return {
        "load": [load.name for load in tables.loads],
        "training": [training.name for training in tables.trainings],
        "hand": HANDS,
        "armour": [UNSET, *tables.armour.classes],
    }.get(name, ())


def span_of(trait: tuple[str, str], tables: Tables) -> Span:
    """Give the levels that a trait with numbers may have."""
    group, name = trait
    if group == CHARACTERISTIC:
        return tables.characteristics.range
    if group == EXPERTISE:
        return tables.expertise.range
    if group == WOUND:
        return Span(low=0, high=99)
    return {
        "HTH": tables.factor.range,
        "personal": tables.initiative.personal,
        "reach": Span(low=1, high=tables.board.long_reach),
    }[name]


def read_level(trait: tuple[str, str], typed: str, tables: Tables) -> int:
    """Read a level of a trait: a number, or one of its words; MushError that says what there is."""
    words = words_of(trait[1], tables)
    if not words:
        span = span_of(trait, tables)
        return parse_whole(typed, show_trait(*trait), span.low, span.high)
    found = match(typed, ((word, place) for place, word in enumerate(words)))
    if len(found) != 1:
        raise refusal(typed, trait[1], f"none of {', '.join(words)}")
    return found[0]


def read_trait(tables: Tables, typed: str, level: str) -> TraitChange:
    """Read `<trait>` and `<level>` of +set: a number, a word, or "none"."""
    group, name = find_trait(typed, tables)
    if level.strip().casefold() == UNSET:
        return TraitChange(group, name, None)
    return TraitChange(group, name, read_level((group, name), level, tables))


def show_level(tables: Tables, group: str, level: int | None) -> str:
    """Write a level: a number, a word, what is wrong with a thing, or "unset"."""
    if level is None:
        return "unset"
    if group == THING:
        return STATES.get(level, str(level))
    words = words_of(group, tables)
    return words[level] if 0 <= level < len(words) else str(level)


def show_sheet(tables: Tables, context: ReadContext, them: Character) -> tuple[str, ...]:
    """Write a sheet in "Name: value" lines, with what follows from it."""
    fighter = fighter_of(context.store, them.id, tables)
    items = context.store.items(them.id, NAME)
    carried = ", ".join(item.name for item in items)
    return (
        *(f"{name}: {fighter.level(name, tables)}" for name in tables.characteristics.names),
        *_skills(fighter, tables),
        f"HTH: {fighter.factor if fighter.factor is not None else 'worked out'}",
        f"Training: {fighter.training}",
        f"Load: {fighter.load}",
        f"Personal modifier: {fighter.personal}",
        f"Hand: {HANDS[fighter.left_handed]}",
        f"Armour: {fighter.armour or UNSET}",
        *_wrong(fighter),
        f"Carries: {carried or 'what they name'}",
    )


def _skills(fighter: Fighter, tables: Tables) -> Iterator[str]:
    """Write each expertise, with the chance to hit it makes and the protection (SO-9, SO-12)."""
    weapons = {weapon.name: weapon for weapon in tables.weapons}
    for name, level in fighter.expertise.items():
        weapon = weapons.get(name)
        if weapon is None:
            yield f"{name}: {level}"
            continue
        chance = base(Exchange(fighter, weapon, fighter, weapon), tables)
        yield f"{name}: {level}, to hit {_sum(chance)}{_guard(fighter, name, tables)}"


def _sum(chance: Breakdown) -> str:
    return chance.formula() if len(chance.terms) > 1 else f"{chance.total}"


def _guard(fighter: Fighter, name: str, tables: Tables) -> str:
    weapon = tables.weapon(name)
    if weapon.parry is None:
        return ""
    return f", parries {protection(fighter, weapon, weapon.parry, tables).total}"


def _wrong(fighter: Fighter) -> Iterator[str]:
    wounds = [f"{count} {name}" for name, count in fighter.wounds.items() if count]
    things = [f"{name} ({STATES[state]})" for name, state in fighter.things.items()]
    if wounds:
        yield f"Wounds: {', '.join(wounds)}"
    if things:
        yield f"Things: {', '.join(things)}"
