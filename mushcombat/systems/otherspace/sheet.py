"""Reading and writing a sheet of this system (OS-6, OS-7)."""

from __future__ import annotations

from collections.abc import Iterator

from mushcombat.domain.character import Character, Item, Sheet
from mushcombat.domain.command import ReadContext
from mushcombat.domain.text import clip
from mushcombat.errors import MushError
from mushcombat.systems.otherspace.fields import parse_level
from mushcombat.systems.otherspace.fighter import (
    Fighter,
    armour_penalty,
    ddf,
    reaction_levels,
    reaction_terms,
    speed,
)
from mushcombat.systems.otherspace.roster import NAME, fighter_of
from mushcombat.systems.otherspace.tables import Tables, Trait
from mushcombat.systems.system import TraitChange

NONE = "none"
"""Typed instead of a level, takes it off the sheet."""


def find_trait(typed: str, tables: Tables) -> Trait:
    """Find one attribute or skill by name; MushError that lists them, or those it could be."""
    found = tables.find(typed)
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(trait.name for trait in found)
        raise MushError("trait", f'trait: "{clip(typed)}" could be {names}.', "Type more of it.")
    raise MushError(
        "trait",
        f'trait: "{clip(typed)}" is no attribute or skill.',
        f"Attributes: {', '.join(tables.attributes.names)}."
        f" Skills: {', '.join(tables.skills.names)}.",
    )


def read_trait(typed: str, level: str, tables: Tables) -> TraitChange:
    """Read `<trait>` and `<level>` of +set: a number, a ladder word, or "none"."""
    trait = find_trait(typed, tables)
    if level.strip().casefold() == NONE:
        return TraitChange(trait.group, trait.name, None)
    return TraitChange(
        trait.group, trait.name, parse_level(level, trait.name, tables.fields.sheet, tables)
    )


def show_level(level: int | None, tables: Tables) -> str:
    """Write a level: "Good (5)", or "unset"."""
    return "unset" if level is None else f"{tables.ladder.word(level)} ({level})"


def show_sheet(tables: Tables, context: ReadContext, them: Character) -> tuple[str, ...]:
    """Write a sheet in "Name: value" lines, with what follows from it."""
    sheet = context.store.sheet(them.id, NAME)
    fighter = fighter_of(context.store, them.id, context.now, tables)
    attributes = [t for t in tables.traits if t.group == "attribute"]
    skills = [t for t in tables.traits if t.group == "skill" and _is_set(sheet, t)]
    both = [f"{t.name}: {_shown(sheet, t, tables)}" for t in (*attributes, *skills)]
    rest = f"Other skills: {tables.skills.unset}"
    return (*both, rest, *_derived(fighter, tables), *_lists(context, fighter, tables))


def _derived(fighter: Fighter, tables: Tables) -> Iterator[str]:
    """Write reaction, speed, and what a suit still costs (OS-8, OS-24, OS-32)."""
    yield _reaction(fighter, tables)
    walk, run = speed(fighter, tables)
    yield f"Speed: walks {walk}, runs {run} feet a round"
    if fighter.armour:
        penalty = armour_penalty(fighter, tables)
        yield f"Wears: {fighter.armour}, DDF {ddf(fighter, tables)}, {penalty} to Dexterity rolls"


def _reaction(fighter: Fighter, tables: Tables) -> str:
    """OS-8, OS-46: write what a roll adds its dice to, and what it is made of.

    `Reaction: 9 (Dexterity and Perception)`; with a quirk `Reaction: 7 = Dexterity 4 + ...`.
    """
    levels, others = reaction_levels(fighter, tables), reaction_terms(fighter, tables)
    total = sum(term.value for term in (*levels, *others))
    if not others:
        return f"Reaction: {total} (Dexterity and Perception)"
    first, *rest = (*levels, *others)
    return f"Reaction: {total} = {first.text}" + "".join(f" {t.op} {t.text}" for t in rest)


def _lists(context: ReadContext, fighter: Fighter, tables: Tables) -> Iterator[str]:
    items = context.store.items(fighter.id, NAME)
    cards = [item for item in items if tables.combat.find_card(item.name)]
    others = [item for item in items if item not in cards]
    for title, names in (
        ("Gifts", sorted(fighter.gifts)),
        ("Faults", sorted(fighter.faults)),
        ("Quirks", list(fighter.quirks)),
        ("Carries", [_item(item) for item in others]),
        ("Cards", [_item(item) for item in cards]),
    ):
        if names:
            yield f"{title}: {', '.join(names)}"


def _item(item: Item) -> str:
    count = f" x{item.count}" if item.count > 1 else ""
    return f"{item.name}{count}{' (in use)' if item.in_use else ''}"


def _is_set(sheet: Sheet, trait: Trait) -> bool:
    return sheet.level(trait.group, trait.name) is not None


def _shown(sheet: Sheet, trait: Trait, tables: Tables) -> str:
    if _is_set(sheet, trait):
        return show_level(sheet.level(trait.group, trait.name), tables)
    unset = tables.unset(trait)
    return "none" if unset is None else f"{show_level(unset, tables)}, never set"
