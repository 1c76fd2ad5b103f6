"""What distance, circumstances and wounds count for in a fight: sections of the rules file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Annotated, Literal, Self, get_args

from pydantic import AfterValidator, Field, model_validator

from mushcombat.faults import WrongAt, WrongError
from mushcombat.systems.shapes import (
    LARGEST,
    Amount,
    Amounts,
    Name,
    Number,
    Section,
)

Band = Literal["close", "short", "medium", "long", "extreme"]

BANDS: tuple[Band, ...] = get_args(Band)
"""The range bands, the nearest first (OS-11)."""

FULL = 100
"""Health is a percentage (OS-41)."""

Loss = Annotated[int, Field(strict=True, ge=-LARGEST, le=0)]
"""A modifier that never helps."""

Percent = Annotated[int, Field(strict=True, ge=0, le=FULL)]
"""A share, or points of health."""

Count = Annotated[int, Field(strict=True, ge=1, le=LARGEST)]
"""How many there are of something; at least one."""


def _row(numbers: tuple[int, ...]) -> tuple[int, ...]:
    if not 1 <= len(numbers) <= len(BANDS):
        raise WrongError(("", list(numbers), f"1 to {len(BANDS)} modifiers, from close range on"))
    return numbers


Row = Annotated[tuple[Number, ...], AfterValidator(_row)]
"""Modifiers from close range on; where the row ends there is no shot."""


def not_in_order(key: str, numbers: list[int], *, rising: bool) -> Iterator[WrongAt]:
    """Find numbers that do not rise, or fall, from each to the next; `key` has a {} for places."""
    for place, (before, number) in enumerate(pairwise(numbers), start=1):
        if (number > before) is not rising or number == before:
            word = "more" if rising else "less"
            yield key.format(place), number, f"{word} than the {before} before it"


class Bands(Section):
    """Where each range band begins and ends, in feet (OS-11)."""

    close: Amounts
    short: Amounts
    medium: Amounts
    long: Amounts
    extreme: Amounts

    @model_validator(mode="after")
    def leaves_no_gap(self) -> Self:
        """Refuse a band that does not begin where the one before it ends."""
        wrongs: list[WrongAt] = []
        end = 0
        for band in BANDS:
            low = self.span(band).low
            if low != end:
                wrongs.append((f"{band}.low", low, f"{end}, so that no foot is left out or twice"))
            end = self.span(band).high
        if wrongs:
            raise WrongError(*wrongs)
        return self

    def span(self, band: Band) -> Amounts:
        """Give where a band begins and ends."""
        spans = (self.close, self.short, self.medium, self.long, self.extreme)
        return spans[BANDS.index(band)]

    def at(self, feet: int) -> Band | None:
        """Give the band of a distance, on an edge the nearer one; None past the last."""
        return next((band for band in BANDS if feet <= self.span(band).high), None)


class Ranges(Section):
    """What each class of ranged weapon gets at each band (OS-12)."""

    pistol: Row
    rifle: Row
    automatic: Row
    sniper: Row
    sonic: Row
    railgun: Row
    thrown: Row


class Movement(Section):
    """Moving in the round of an attack (OS-31)."""

    free: Amount
    walking: Loss
    running: Loss


class Speed(Section):
    """Feet a round (OS-32)."""

    base: Amount
    per_dexterity: Amount
    walks: Amount
    per_athletics: Amount
    least: Amount


class CoverStep(Section):
    """So much cover and more, and its modifier."""

    percent: Annotated[Percent, Field(ge=1)]
    modifier: Loss


class Cover(Section):
    """Cover of a target (OS-31)."""

    steps: tuple[CoverStep, ...]

    @model_validator(mode="after")
    def rises(self) -> Self:
        """Refuse steps that are not in order."""
        percents = [step.percent for step in self.steps]
        wrongs = list(not_in_order("steps[{}].percent", percents, rising=True))
        if wrongs:
            raise WrongError(*wrongs)
        return self

    def step(self, percent: int) -> CoverStep | None:
        """Give the step that so much cover counts as; None for too little."""
        return next((step for step in reversed(self.steps) if step.percent <= percent), None)


class Attack(Section):
    """Circumstances of an attack (OS-21, OS-31)."""

    blind: Loss
    first_weapon: Loss
    second_weapon: Loss
    disarm: Loss
    no_card: Loss
    closing: Loss
    back: Loss


class Defence(Section):
    """How one defends (OS-26, OS-27, OS-28, OS-30)."""

    raw_dexterity: Loss
    each_more: Loss
    attack_worth: Amount
    helpless: Name
    counter_at: Count


class Contests(Section):
    """Rolls beside those of attack and defence (OS-19, OS-52)."""

    hold_needs: Name
    blast_holder: Number
    blast_needs: Name


class GiftEffects(Section):
    """What gifts do in a fight (OS-7a)."""

    ambidextrous: Loss
    quick: Number
    tough: Percent
    keen_sight: Number
    keen_sight_at: tuple[Band, ...]


class FaultEffects(Section):
    """What faults do in a fight (OS-7a)."""

    slow: Number
    frail: Percent
    poor_sight: Number
    poor_sight_at: tuple[Band, ...]
    clumsy: Number
    pacifist: Number
    haemophobe: Number
    haemophobe_below: Percent


class Penalty(Section):
    """With so much health or less, a modifier."""

    at_most: Percent
    modifier: Loss


class HealthWord(Section):
    """With so much health or more, a word."""

    at_least: Percent
    word: Name


class Health(Section):
    """What is left of health, and what it means (OS-42, OS-43)."""

    penalties: tuple[Penalty, ...]
    down: Percent
    stunned_at: Annotated[Percent, Field(ge=1)]
    stunned_under: Percent
    words: tuple[HealthWord, ...]

    @model_validator(mode="after")
    def falls_to_nothing(self) -> Self:
        """Refuse penalties or words that are not in order, and health without a word."""
        most = [penalty.at_most for penalty in self.penalties]
        least = [word.at_least for word in self.words]
        wrongs = [
            *not_in_order("penalties[{}].at_most", most, rising=False),
            *not_in_order("words[{}].at_least", least, rising=False),
        ]
        if least[-1:] != [0]:
            wrongs.append(("words", least, "a last word with at_least = 0"))
        if wrongs:
            raise WrongError(*wrongs)
        return self

    def penalty(self, remaining: int) -> int:
        """OS-42: the modifier on every roll with so much health."""
        fitting = [p.modifier for p in self.penalties if remaining <= p.at_most]
        return fitting[-1] if fitting else 0

    def word(self, remaining: int) -> str:
        """Name so much health, from 0 on."""
        return next(word.word for word in self.words if remaining >= word.at_least)


Losses = Annotated[Mapping[Name, Loss], AfterValidator(MappingProxyType)]


class Quirk(Section):
    """A wound that outlasts the fight (OS-45, OS-47)."""

    name: Name
    under: Annotated[Percent, Field(ge=1)]
    every: Loss = 0
    losses: Losses = Field(default_factory=lambda: MappingProxyType({}))
    heal: Name

    def loss(self, attribute: str) -> int:
        """Give what it takes off an attribute, as a modifier."""
        return self.losses.get(attribute, self.every)


class Wounds(Section):
    """The wound quirks, the lightest first (OS-45)."""

    quirks: tuple[Quirk, ...]

    @model_validator(mode="after")
    def grow_worse(self) -> Self:
        """Refuse quirks that are not in order."""
        unders = [quirk.under for quirk in self.quirks]
        wrongs = list(not_in_order("quirks[{}].under", unders, rising=False))
        if wrongs:
            raise WrongError(*wrongs)
        return self

    def named(self, name: str) -> Quirk | None:
        """Give the quirk of exactly that name."""
        return next((quirk for quirk in self.quirks if quirk.name == name), None)

    def worst(self, names: tuple[str, ...]) -> Quirk | None:
        """OS-46: the worst of the quirks named; names of none here do not count."""
        return next((quirk for quirk in reversed(self.quirks) if quirk.name in names), None)

    def at(self, health: int) -> Quirk | None:
        """OS-45: the quirk for so much health without stun; an edge has the lighter one."""
        return next((quirk for quirk in reversed(self.quirks) if health < quirk.under), None)

    def lighter(self, name: str) -> Quirk | None:
        """OS-47: the quirk one step lighter; None after the lightest, or for no quirk."""
        names = [quirk.name for quirk in self.quirks]
        place = names.index(name) if name in names else 0
        return self.quirks[place - 1] if place else None


class Healing(Section):
    """How health comes back (OS-47, OS-48)."""

    without_quirk: Name
    per_level: Amount
    above: Number
    natural: Amount


class Chargen(Section):
    """What a new character may have (OS-7a)."""

    attribute_levels: Amount
    skill_levels: Amount
    most: Name
    gifts: Amount
    free_gifts: Amount


class Pace(Section):
    """How long things take on the clock (OS-43, OS-55)."""

    defence_seconds: Count
    stun_minutes: Count
