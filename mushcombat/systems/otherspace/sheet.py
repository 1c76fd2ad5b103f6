"""Reading and writing a sheet of this system (OS-6, OS-7)."""

from __future__ import annotations

from mushcombat.domain.character import Sheet
from mushcombat.domain.text import clip
from mushcombat.errors import MushError
from mushcombat.systems.otherspace.fields import parse_level
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


def level_of(sheet: Sheet, trait: Trait, tables: Tables) -> int:
    """Give a level for a roll, unset ones by OS-6; MushError when there is none (Psi)."""
    level = sheet.level(trait.group, trait.name)
    level = tables.unset(trait) if level is None else level
    if level is None:
        hint = f"Staff give it with +set {sheet.name}/{trait.name}=<level>."
        raise MushError("trait", f"{sheet.name} has no {trait.name}.", hint)
    return level


def named_level(sheet: Sheet, name: str, tables: Tables) -> int:
    """Give the level of an attribute that the rules name."""
    return level_of(sheet, Trait(name, "attribute"), tables)


def show_level(level: int | None, tables: Tables) -> str:
    """Write a level: "Good (5)", or "unset"."""
    return "unset" if level is None else f"{tables.ladder.word(level)} ({level})"


def show_sheet(sheet: Sheet, tables: Tables) -> tuple[str, ...]:
    """Write a sheet in "Name: value" lines."""
    attributes = [t for t in tables.traits if t.group == "attribute"]
    skills = [t for t in tables.traits if t.group == "skill" and _is_set(sheet, t)]
    both = [f"{t.name}: {_shown(sheet, t, tables)}" for t in (*attributes, *skills)]
    dexterity = named_level(sheet, "Dexterity", tables)
    reaction = dexterity + named_level(sheet, "Perception", tables)
    quirks = [f"Quirks: {', '.join(sheet.quirks)}"] if sheet.quirks else []
    rest = f"Other skills: {tables.skills.unset}"
    return (*both, rest, f"Reaction: {reaction} (Dexterity + Perception)", *quirks)


def _is_set(sheet: Sheet, trait: Trait) -> bool:
    return sheet.level(trait.group, trait.name) is not None


def _shown(sheet: Sheet, trait: Trait, tables: Tables) -> str:
    if _is_set(sheet, trait):
        return show_level(sheet.level(trait.group, trait.name), tables)
    unset = tables.unset(trait)
    return "none" if unset is None else f"{show_level(unset, tables)}, never set"
