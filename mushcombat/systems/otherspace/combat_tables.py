"""All that the rules file says of fights, and how typed names find what is in it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Self, TypeVar

from pydantic import model_validator

from mushcombat.domain.names import match
from mushcombat.domain.text import clip
from mushcombat.errors import MushError
from mushcombat.faults import WrongAt, WrongError
from mushcombat.records import record
from mushcombat.systems.otherspace.combat_sections import (
    Attack,
    Bands,
    Chargen,
    Contests,
    Count,
    Cover,
    Defence,
    FaultEffects,
    GiftEffects,
    Healing,
    Health,
    Movement,
    Pace,
    Quirk,
    Ranges,
    Speed,
    Wounds,
)
from mushcombat.systems.otherspace.gear import Armour, Card, Gear, Template, Weapon
from mushcombat.systems.otherspace.ladder import Ladder
from mushcombat.systems.shapes import Amount, Name, Section

REQUIRED_SKILLS = ("Unarmed", "Athletics", "Armour", "Medicine")
"""The rules of fights name these; a game may add more."""

G = TypeVar("G", bound=Gear)


@record(frozen=True, slots=True)
class Known:
    """What the sections before this one hold; None for one that can't be read."""

    ladder: Ladder | None
    names: Mapping[str, Collection[str] | None]

    def word(self, key: str, word: str) -> Iterator[WrongAt]:
        """Find a word that is none of the ladder's."""
        if self.ladder is not None and self.ladder.level(word) is None:
            yield key, word, f"a word of the ladder, {self.ladder.ends}"

    def name(self, key: str, name: str | None, group: str) -> Iterator[WrongAt]:
        """Find a name that a list does not have."""
        names = self.names[group]
        if name is not None and names is not None and name not in names:
            yield key, name, f"one of {group}.names"


class CombatTables(Section):
    """Everything under [combat]."""

    items: tuple[Name, ...]
    weapons: tuple[Weapon, ...]
    armour: tuple[Armour, ...]
    armour_levels: Count
    cards: tuple[Card, ...]
    templates: tuple[Template, ...]
    luck_cards: Amount
    bands: Bands
    ranges: Ranges
    movement: Movement
    speed: Speed
    cover: Cover
    attack: Attack
    defence: Defence
    contests: Contests
    gifts: GiftEffects
    faults: FaultEffects
    health: Health
    wounds: Wounds
    healing: Healing
    chargen: Chargen
    pace: Pace

    @model_validator(mode="after")
    def names_its_own(self) -> Self:
        """Refuse a name that two things have, and one that is named elsewhere and not there."""
        lists = {
            "weapons": self.weapons,
            "armour": self.armour,
            "cards": self.cards,
            "templates": self.templates,
        }
        wrongs = [wrong for key, things in lists.items() for wrong in _repeated(key, things)]
        wrongs += [*self._unknown_items(), *self._unknown_kit()]
        if wrongs:
            raise WrongError(*wrongs)
        return self

    def _unknown_items(self) -> Iterator[WrongAt]:
        for place, weapon in enumerate(self.weapons):
            if weapon.needs is not None and weapon.needs not in self.items:
                yield f"weapons[{place}].needs", weapon.needs, "one of combat.items"

    def _unknown_kit(self) -> Iterator[WrongAt]:
        weapons = {weapon.name for weapon in self.weapons}
        suits = {None, *(suit.name for suit in self.armour)}
        for place, template in enumerate(self.templates):
            for index, name in enumerate(template.weapons):
                if name not in weapons:
                    key = f"templates[{place}].weapons[{index}]"
                    yield key, name, "the name of one of combat.weapons"
            if template.armour not in suits:
                key = f"templates[{place}].armour"
                yield key, template.armour, "the name of one of combat.armour"

    def wrongs(self, known: Known) -> Iterator[WrongAt]:
        """Find words that are not of the ladder, and traits that the lists do not have."""
        yield from self._missing_skills(known)
        for place, weapon in enumerate(self.weapons):
            yield from known.name(f"weapons[{place}].skill", weapon.skill, "skills")
            yield from known.name(f"weapons[{place}].gift", weapon.gift, "gifts")
        for place, template in enumerate(self.templates):
            yield from _template_wrongs(f"templates[{place}]", template, known)
        for place, quirk in enumerate(self.wounds.quirks):
            yield from _quirk_wrongs(f"wounds.quirks[{place}]", quirk, known)
        for key, word in self._needed_words():
            yield from known.word(key, word)

    def _missing_skills(self, known: Known) -> Iterator[WrongAt]:
        skills = known.names["skills"]
        for name in REQUIRED_SKILLS:
            if skills is not None and name not in skills:
                yield "", skills, f"{name} among skills.names"

    def _needed_words(self) -> tuple[tuple[str, str], ...]:
        return (
            ("defence.helpless", self.defence.helpless),
            ("contests.hold_needs", self.contests.hold_needs),
            ("contests.blast_needs", self.contests.blast_needs),
            ("healing.without_quirk", self.healing.without_quirk),
            ("chargen.most", self.chargen.most),
        )

    def find_weapon(self, typed: str) -> list[Weapon]:
        """Find the weapons that a typed name or alias means, as `Tables.find` does traits."""
        return _found(typed, self.weapons)

    def find_armour(self, typed: str) -> list[Armour]:
        """Find the suits that a typed name means."""
        return _found(typed, self.armour)

    def find_card(self, typed: str) -> list[Card]:
        """Find the action cards that a typed name means."""
        return _found(typed, self.cards)

    def find_template(self, typed: str) -> list[Template]:
        """Find the NPC templates that a typed name means."""
        return _found(typed, self.templates)

    def find_quirk(self, typed: str) -> list[Quirk]:
        """Find the wound quirks that a typed name means."""
        return match(typed, ((quirk.name, quirk) for quirk in self.wounds.quirks))

    def find_item(self, typed: str) -> list[str]:
        """Find the items that a typed name means."""
        return match(typed, ((item, item) for item in self.items))

    def weapon(self, name: str) -> Weapon:
        """Give the weapon of exactly that name; MushError if there is none (any more)."""
        return _named(name, self.weapons, "weapon")

    def card(self, name: str) -> Card:
        """Give the card of exactly that name; MushError if there is none (any more)."""
        return _named(name, self.cards, "card")

    def suit(self, name: str) -> Armour | None:
        """Give the suit of exactly that name; None for no suit, or one that is no more."""
        return next((suit for suit in self.armour if suit.name == name), None)


def _found(typed: str, things: Iterable[G]) -> list[G]:
    named = ((name, thing) for thing in things for name in (thing.name, *thing.aliases))
    return list({thing.name: thing for thing in match(typed, named)}.values())


def _named(name: str, things: Iterable[G], what: str) -> G:
    for thing in things:
        if thing.name == name:
            return thing
    names = ", ".join(thing.name for thing in things)
    raise MushError(what, f'{what}: there is none called "{clip(name)}".', f"There are: {names}.")


def _repeated(key: str, things: Iterable[Gear]) -> Iterator[WrongAt]:
    seen: set[str] = set()
    for place, thing in enumerate(things):
        names = {"name": thing.name}
        names |= {f"aliases[{index}]": alias for index, alias in enumerate(thing.aliases)}
        for below, name in names.items():
            if name.casefold() in seen:
                yield f"{key}[{place}].{below}", name, "a name that nothing else of the list has"
            seen.add(name.casefold())


def _template_wrongs(key: str, template: Template, known: Known) -> Iterator[WrongAt]:
    groups = (("attributes", template.attributes), ("skills", template.skills))
    for group, levels in groups:
        for name, word in levels.items():
            yield from known.name(f"{key}.{group}.{name}", name, group)
            yield from known.word(f"{key}.{group}.{name}", word)
    for group, names in (("gifts", template.gifts), ("faults", template.faults)):
        for place, name in enumerate(names):
            yield from known.name(f"{key}.{group}[{place}]", name, group)


def _quirk_wrongs(key: str, quirk: Quirk, known: Known) -> Iterator[WrongAt]:
    yield from known.word(f"{key}.heal", quirk.heal)
    for name in quirk.losses:
        yield from known.name(f"{key}.losses.{name}", name, "attributes")
