"""What fighters carry, play and are made from: weapons, armour, action cards, NPC templates."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from mushcombat.faults import WrongError
from mushcombat.systems.otherspace.combat_sections import Count, Loss, Percent, Row
from mushcombat.systems.otherspace.combat_sections import Ranges as RangeRows
from mushcombat.systems.shapes import Amount, Name, Section

WeaponClass = Literal[
    "pistol",
    "rifle",
    "automatic",
    "sniper",
    "sonic",
    "railgun",
    "thrown",
    "blunt",
    "polearm",
    "sword",
    "knife",
    "unarmed",
    "psionic",
]
Energy = Literal["projectile", "energy", "sonic", "rail", "none"]
Kind = Literal["harm", "stun"]
Sort = Literal["ranged", "melee", "psionic"]
"""What an attack is made with: it decides on range, defence and damage."""

MELEE = frozenset({"blunt", "polearm", "sword", "knife", "unarmed"})
PSIONIC = "psionic"
THROWN = "thrown"

Flag = Annotated[bool, Field(strict=True)]
Words = Annotated[str, Field(strict=True, min_length=1, max_length=80)]
Levels = Annotated[Mapping[Name, Name], AfterValidator(MappingProxyType)]
"""Levels in words of the ladder, by trait."""


class Gear(Section):
    """A thing with a name, and other names that one may type."""

    name: Name
    aliases: tuple[Name, ...] = ()


class Weapon(Gear):
    """Something to fight with (OS-17, OS-18, OS-20)."""

    weapon_class: WeaponClass = Field(alias="class")
    skill: Name
    energy: Energy = "none"
    odf: Amount
    shots: Count = 1
    damage: Kind = "harm"
    may_stun: Flag = False
    blast: Amount = 0
    conceal: Literal["", "easy", "hard", "very hard", "nearly impossible"] = ""
    legal: Literal["", "civil", "scrutinised", "military"] = ""
    needs: Name | None = None
    gift: Name | None = None

    @model_validator(mode="after")
    def has_energy_if_it_shoots(self) -> Self:
        """Refuse a gun without an energy type, and anything but a gun or a grenade with one."""
        bare = self.energy == "none"
        if self.sort != "ranged" and not bare:
            raise WrongError(("energy", self.energy, "none, as it does not shoot"))
        if self.sort == "ranged" and bare and self.weapon_class != THROWN:
            raise WrongError(("energy", self.energy, "projectile, energy, sonic or rail"))
        return self

    @property
    def sort(self) -> Sort:
        """What an attack with it is."""
        if self.weapon_class in MELEE:
            return "melee"
        return "psionic" if self.weapon_class == PSIONIC else "ranged"

    def row(self, ranges: RangeRows) -> Row:
        """OS-12: its modifiers by range; ValueError for what has none."""
        if self.sort != "ranged":
            raise ValueError(f"{self.name} has no range row")
        name = "sonic" if self.energy == "sonic" else self.weapon_class
        row: Row = getattr(ranges, name)
        return row


class Armour(Gear):
    """A suit (OS-24, OS-25)."""

    ddf: Amount
    penalty: Loss


class Card(Gear):
    """An action card (OS-54)."""

    on: tuple[Literal["ranged", "melee", "psionic", "defence"], ...]
    effect: Words
    ignores_cover: Percent = 0
    odf: Amount = 0
    defence: Loss = 0
    counter_at: Count | None = None
    targets: Count = 1
    harmless: Flag = False
    next_attack: Loss = 0
    free_athletics: Flag = False


class Template(Gear):
    """Who an NPC is to begin with (OS-7a)."""

    attributes: Levels = Field(default_factory=lambda: MappingProxyType({}))
    skills: Levels = Field(default_factory=lambda: MappingProxyType({}))
    weapons: tuple[Name, ...] = ()
    armour: Name | None = None
    gifts: tuple[Name, ...] = ()
    faults: tuple[Name, ...] = ()

    @property
    def summary(self) -> str:
        """Write "Dexterity Fair, Knife Good, leather jacket"."""
        levels = (*self.attributes.items(), *self.skills.items())
        traits = [f"{name} {word}" for name, word in levels]
        suit = [self.armour] if self.armour else []
        return ", ".join([*traits, *suit, *self.gifts, *self.faults])
