"""The rules' numbers and choices, read strictly from TOML; each section names its rule."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, ValidationInfo, field_validator, model_validator

from mushcombat.domain.dice import Dice, Throw
from mushcombat.domain.names import match
from mushcombat.faults import WrongAt, WrongError, read
from mushcombat.records import record
from mushcombat.systems.otherspace.combat_tables import CombatTables, Known
from mushcombat.systems.otherspace.ladder import Ladder
from mushcombat.systems.shapes import (
    Amount,
    Amounts,
    Modifiers,
    Name,
    Number,
    Section,
    Span,
)

Group = Literal["attribute", "skill", "gift", "fault"]

REQUIRED_ATTRIBUTES = (
    "Dexterity",
    "Strength",
    "Constitution",
    "Perception",
    "Willpower",
    "Intelligence",
    "Psi",
    "Charisma",
)
"""The formulas and the wounds name these (OS-7); a game may add more."""

_DICE = {"4dF": (4, 3, -8), "1d10-5": (1, 10, -5)}
"""How many dice, their sides, and what is added to their sum: a fudge die is a d3 less 2."""


@record(frozen=True, slots=True)
class Trait:
    """Something on a sheet, by the name the rules give it."""

    name: str
    group: Group


class DiceRule(Section):
    """What is thrown for a roll (OS-2)."""

    kind: Literal["4dF", "1d10-5"]

    def throw(self, dice: Dice, label: str) -> Throw:
        """Throw the dice of one roll."""
        count, sides, _ = _DICE[self.kind]
        return dice.throw(count, sides, label)

    def value(self, throw: Throw) -> int:
        """Read a throw as levels: -4..4, or -4..5 for 1d10-5; ValueError for other dice."""
        count, sides, added = _DICE[self.kind]
        if (len(throw.faces), throw.sides) != (count, sides):
            raise ValueError(f"{len(throw.faces)}d{throw.sides} is not the throw for {self.kind}")
        return sum(throw.faces) + added


class Asked(Section):
    """How large a modifier may be that somebody asks for (OS-3)."""

    player: Modifiers
    referee: Modifiers


class Opposed(Section):
    """Who has the better of equal rolls (OS-5)."""

    tie: Literal["defender", "attacker"]


class Named(Section):
    """Names of traits of one group (OS-7, OS-7a)."""

    names: tuple[Name, ...]


class Skills(Named):
    """Skills, and the word for the level of one that was never set (OS-6)."""

    unset: Name

    def wrongs(self, ladder: Ladder | None) -> Iterator[WrongAt]:
        """Find an unset level that is no word of the ladder; None is one that can't be read."""
        yield from _off_ladder("unset", self.unset, ladder)


class Attributes(Skills):
    """Attributes; some are not there at all unless given (OS-6, OS-7)."""

    none_unless_given: tuple[Name, ...]

    def wrongs(self, ladder: Ladder | None) -> Iterator[WrongAt]:
        """Find attributes that the rules need and that are missing, or named and unknown."""
        yield from super().wrongs(ladder)
        for name in REQUIRED_ATTRIBUTES:
            if name not in self.names:
                yield "names", self.names, f"{name} among them"
        for place, name in enumerate(self.none_unless_given):
            if name not in self.names:
                yield f"none_unless_given[{place}]", name, "one of the attributes' names"


Bonuses = Annotated[Mapping[Name, Number], AfterValidator(MappingProxyType)]


class Reaction(Section):
    """First-round bonuses by class of weapon, and which a latecomer still gets (OS-9)."""

    first_round: Bonuses
    latecomers: tuple[Name, ...]

    @model_validator(mode="after")
    def names_known_classes(self) -> Self:
        """Refuse a latecomer's class that has no bonus."""
        wrongs = [
            (f"latecomers[{place}]", name, "one of the keys of first_round")
            for place, name in enumerate(self.latecomers)
            if name not in self.first_round
        ]
        if wrongs:
            raise WrongError(*wrongs)
        return self


class Damage(Section):
    """Points of damage for a level, and the least there is (OS-33 to OS-35)."""

    per_margin: Amount
    per_strength: Amount
    psionic: Amount
    least: Amount


class ConstitutionRule(Section):
    """How Constitution takes from damage (OS-36): percent or points a level."""

    mode: Literal["percent", "flat"]
    per_level: Amount
    counted: Amounts

    @model_validator(mode="after")
    def leaves_something(self) -> Self:
        """Refuse more than all of the damage."""
        if self.mode == "percent" and self.per_level * self.counted.high > 100:
            wrong = f"at most 100 percent for a Constitution of {self.counted.high}"
            raise WrongError(("per_level", self.per_level, wrong))
        return self


class Psionics(Section):
    """Numbers for psionic attack and detection (OS-40)."""

    resistant: Number
    detection_needs: Name


class Fields(Section):
    """What each field of a calculator, and a level of a sheet, takes: levels, or points of damage.

    OS-38, OS-39; OS-1 for the sheet.
    """

    roll: Span
    odf: Amounts
    ddf: Amounts
    strength: Amounts
    psi: Amounts
    intelligence: Amounts
    constitution: Amounts
    damage: Amounts
    sheet: Amounts


class Tables(Section):
    """All of it. What is checked between sections comes after those it is checked against."""

    ladder: Ladder
    dice: DiceRule
    modifiers: Asked
    opposed: Opposed
    attributes: Attributes
    skills: Skills
    gifts: Named
    faults: Named
    spellings: Annotated[Mapping[Name, Name], AfterValidator(MappingProxyType)]
    reaction: Reaction
    damage: Damage
    constitution: ConstitutionRule
    psionics: Psionics
    fields: Fields
    combat: CombatTables

    @field_validator("attributes", "skills", "gifts", "faults")
    @classmethod
    def fits_the_rest(cls, section: Named, info: ValidationInfo) -> Named:
        """Refuse names used twice, and whatever the section itself finds."""
        wrongs = list(_repeated(section.names, _named_before(info)))
        if isinstance(section, Skills):
            wrongs += section.wrongs(info.data.get("ladder"))
        if wrongs:
            raise WrongError(*wrongs)
        return section

    @field_validator("spellings")
    @classmethod
    def spells_known_names(
        cls, spellings: Mapping[str, str], info: ValidationInfo
    ) -> Mapping[str, str]:
        """Refuse a spelling that is a name already, or stands for none."""
        names = _named_before(info)
        wrongs = list(_already_names(spellings, names))
        if info.data.keys() >= {"attributes", "skills", "gifts", "faults"}:  # else: who knows
            wrongs += _of_nothing(spellings, names)
        if wrongs:
            raise WrongError(*wrongs)
        return spellings

    @field_validator("psionics")
    @classmethod
    def needs_a_word(cls, section: Psionics, info: ValidationInfo) -> Psionics:
        """Refuse a needed level that is no word of the ladder."""
        ladder = info.data.get("ladder")
        wrongs = list(_off_ladder("detection_needs", section.detection_needs, ladder))
        if wrongs:
            raise WrongError(*wrongs)
        return section

    @field_validator("combat")
    @classmethod
    def fights_with_known_names(cls, section: CombatTables, info: ValidationInfo) -> CombatTables:
        """Refuse skills, gifts and words of fights that no list above has."""
        groups = {key: info.data.get(key) for key in ("attributes", "skills", "gifts", "faults")}
        names = {key: None if group is None else group.names for key, group in groups.items()}
        wrongs = list(section.wrongs(Known(info.data.get("ladder"), names)))
        if wrongs:
            raise WrongError(*wrongs)
        return section

    @cached_property
    def traits(self) -> tuple[Trait, ...]:
        """Every trait, in the file's order: attributes, skills, gifts, faults."""
        groups: tuple[tuple[Group, Named], ...] = (
            ("attribute", self.attributes),
            ("skill", self.skills),
            ("gift", self.gifts),
            ("fault", self.faults),
        )
        return tuple(Trait(name, group) for group, named in groups for name in named.names)

    def find(self, typed: str, groups: Collection[Group] = ("attribute", "skill")) -> list[Trait]:
        """Find the traits that a typed name means, in any case and spelling (OS-7a).

        Those of exactly that name, else those that it begins: one is a find, none is
        unknown, more are ambiguous.
        """
        known = {trait.name: trait for trait in self.traits if trait.group in groups}
        also = [(text, known[name]) for text, name in self.spellings.items() if name in known]
        return list(dict.fromkeys(match(typed, [*known.items(), *also])))

    def unset(self, trait: Trait) -> int | None:
        """Give the level of a trait that was never set (OS-6); None if it is not there then."""
        if trait.group == "skill":
            return self.ladder.level(self.skills.unset)
        if trait.group == "attribute" and trait.name not in self.attributes.none_unless_given:
            return self.ladder.level(self.attributes.unset)
        return None


def load(text: str, file: str) -> Tables:
    """Read the rules file; `mushcombat.faults.FaultyError` lists all that is wrong with it."""
    return read(Tables, text, file)


def _off_ladder(key: str, word: str, ladder: Ladder | None) -> Iterator[WrongAt]:
    """Find a word that is none of the ladder's; a ladder that can't be read (None) has any."""
    if ladder is not None and ladder.level(word) is None:
        yield key, word, f"a word of the ladder, {ladder.ends}"


def _named_before(info: ValidationInfo) -> dict[str, str]:
    """Give the names of the sections read so far, by their key in no case."""
    sections = (section for section in info.data.values() if isinstance(section, Named))
    return {name.casefold(): name for section in sections for name in section.names}


def _repeated(names: tuple[str, ...], before: Mapping[str, str]) -> Iterator[WrongAt]:
    seen = set(before)
    for place, name in enumerate(names):
        if name.casefold() in seen:
            yield f"names[{place}]", name, "a name that no other attribute, skill or quirk has"
        seen.add(name.casefold())


def _already_names(spellings: Mapping[str, str], names: Mapping[str, str]) -> Iterator[WrongAt]:
    for text, name in spellings.items():
        if text.casefold() in names:
            yield text, name, f"another spelling than the name {names[text.casefold()]} itself"


def _of_nothing(spellings: Mapping[str, str], names: Mapping[str, str]) -> Iterator[WrongAt]:
    for text, name in spellings.items():
        if name not in names.values():
            yield text, name, "a name of the lists above"
