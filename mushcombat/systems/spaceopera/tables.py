"""The tables of `config/rules/spaceopera.toml`: read whole, checked whole, frozen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal, Self, TypeVar

from pydantic import Field, model_validator

from mushcombat.domain.names import match
from mushcombat.domain.text import clip
from mushcombat.errors import MushError
from mushcombat.faults import WrongAt, WrongError, read
from mushcombat.systems.shapes import Amount, Name, Number, Section, Span

Percent = Annotated[int, Field(strict=True, ge=0, le=100)]
Die = Annotated[int, Field(strict=True, ge=2, le=256)]
Hands = Annotated[int, Field(strict=True, ge=0, le=2)]
Kind = Literal["sword", "heavy", "bare"]
By = Literal["own", "shield", "brawling"]

T = TypeVar("T", bound="Named")


class Named(Section):
    """Something with a name to find it by."""

    name: Name


class Characteristics(Section):
    """What everyone has: names, spellings, the levels there are, that of who has none set."""

    names: tuple[Name, ...]
    short: Mapping[Name, Name]
    unset: Amount
    range: Span


class Expertise(Section):
    """Expertise is by weapon, and in these besides."""

    others: tuple[Name, ...]
    range: Span


class Share(Section):
    """A part of the HTH factor: `share` (numerator, denominator) of the sum of some, and more."""

    of: tuple[Name, ...]
    share: tuple[Amount, Annotated[int, Field(strict=True, ge=1)]]
    plus: Amount


class Factor(Section):
    """How the HTH factor is worked out for each kind of weapon (SO-23)."""

    sword: Share
    heavy: Share
    bare: Share
    range: Span

    def share(self, kind: Kind) -> Share:
        """Give the one for a kind of weapon."""
        return {"sword": self.sword, "heavy": self.heavy, "bare": self.bare}[kind]


class Training(Named):
    """What somebody is by training, and the percentage of the HTH factor that they have."""

    percent: Amount


class Load(Named):
    """How much is carried, and what it does to initiative (SO-24)."""

    modifier: Number


class Initiative(Section):
    """The die of initiative, points for each of speed, and the range of a personal modifier."""

    die: Die
    per_speed: Amount
    personal: Span


class Facing(Section):
    """What is left of initiative (percent), and percentage points on whose back is turned."""

    from_rear: Percent
    from_side: Percent
    back_turning: Amount
    back_kept: Amount


class Board(Section):
    """Squares: between those who join, moved in a phase, and the reach of long weapons (SO-1)."""

    apart: Annotated[int, Field(strict=True, ge=1, le=50)]
    move: Amount
    move_engaged: Amount
    long_reach: Annotated[int, Field(strict=True, ge=1, le=9)]


class Limit(Section):
    """A chance over `over`, or an expertise of `expertise` and more (SO-10)."""

    over: Amount
    expertise: Amount


class Split(Section):
    """What makes two attacks, and three (SO-10)."""

    two: Limit
    three: Limit


class Damage(Section):
    """What happens to parrying devices, chances in percent (SO-16 to SO-19)."""

    attacker: Amount
    defender: Amount
    base: Number
    penetrated: Percent
    destroyed: Percent
    half: Percent


class Disarm(Section):
    """Percentage points a level, and the metres that what is lost flies (SO-20, SO-22)."""

    weapon: Amount
    shield: Amount
    die: Die
    less: Amount


class Armour(Section):
    """Classes from the best on, and what a knife needs to go through each (SO-25)."""

    classes: tuple[Name, ...]
    needs: tuple[Amount, ...]
    die: Die
    stopped: Die

    @model_validator(mode="after")
    def has_a_number_for_each(self) -> Self:
        """Refuse lists of different lengths."""
        if len(self.classes) != len(self.needs):
            raise WrongError(("needs", list(self.needs), f"{len(self.classes)} numbers"))
        return self


class Rolled(Section):
    """A roll with one die."""

    die: Die


class Wound(Named):
    """A wound by its roll (SO-26), and what it does; `out` ends the fight for who has it."""

    up_to: Amount
    factor: Number = 0
    no_split: bool = False
    out: bool = False


class Chargen(Section):
    """What a new character may have."""

    characteristics: Amount
    expertise: Amount
    most_characteristic: Amount
    most_expertise: Amount


class Parry(Section):
    """The protection of a device: percent, and more for each level of an expertise."""

    percent: Percent
    per_level: Amount
    by: By


class Thing(Named):
    """Something held: in how many hands, made of what, and how it parries if it does."""

    hands: Hands = 1
    made_of: Name = "metal"
    parry: Parry | None = None


class Weapon(Thing):
    """Something to strike with."""

    kind: Kind
    speed: Amount
    armour: Number = 0
    injury: Number = 0
    long: bool = False
    through: tuple[Name, ...] = ()


class Device(Thing):
    """Something that only parries."""

    parry: Parry
    shield: bool = False
    costs: bool = False


class Template(Named):
    """An NPC's sheet: the HTH factor, armour, what is in the hands, expertise."""

    summary: Annotated[str, Field(strict=True, min_length=1, max_length=100)]
    factor: Amount
    armour: str
    weapon: Name
    device: str
    expertise: Mapping[Name, Amount]


class Tables(Section):
    """All tables of the system."""

    characteristics: Characteristics
    expertise: Expertise
    factor: Factor
    trainings: Annotated[tuple[Training, ...], Field(min_length=1)]
    initiative: Initiative
    loads: Annotated[tuple[Load, ...], Field(min_length=1)]
    facing: Facing
    board: Board
    split: Split
    damage: Damage
    disarm: Disarm
    armour: Armour
    check: Rolled
    wound_roll: Rolled
    wounds: Annotated[tuple[Wound, ...], Field(min_length=1)]
    chargen: Chargen
    weapons: tuple[Weapon, ...]
    devices: tuple[Device, ...]
    templates: tuple[Template, ...]

    @model_validator(mode="after")
    def names_what_there_is(self) -> Self:
        """Refuse names used twice, and names of nothing."""
        wrongs = [*self._twice(), *self._of_nothing(), *self._wound_order()]
        if wrongs:
            raise WrongError(*wrongs)
        return self

    def _twice(self) -> Iterator[WrongAt]:
        named = (
            *(("characteristics.names", name) for name in self.characteristics.names),
            *(("characteristics.short", name) for name in self.characteristics.short),
            *(("weapons", weapon.name) for weapon in self.weapons),
            *(("devices", device.name) for device in self.devices),
            *(("expertise.others", name) for name in self.expertise.others),
        )
        seen: set[str] = set()
        for key, name in named:
            if name.casefold() in seen:
                yield key, name, "a name that is not used before it"
            seen.add(name.casefold())

    def _of_nothing(self) -> Iterator[WrongAt]:
        known = set(self.characteristics.names)
        for short, name in self.characteristics.short.items():
            if name not in known:
                yield f"characteristics.short.{short}", name, "a name of the characteristics"
        for kind in ("sword", "heavy", "bare"):
            for name in self.factor.share(kind).of:
                if name not in known:
                    yield f"factor.{kind}.of", name, "names of the characteristics"
        if "unarmed" not in {weapon.name for weapon in self.weapons}:
            yield "weapons", "nothing", "a weapon called unarmed"
        for place, template in enumerate(self.templates):
            yield from self._template(f"templates[{place}]", template)

    def _template(self, at: str, template: Template) -> Iterator[WrongAt]:
        things = {thing.name for thing in self.things}
        if template.weapon not in {weapon.name for weapon in self.weapons}:
            yield f"{at}.weapon", template.weapon, "a name of the weapons"
        if template.device and template.device not in things:
            yield f"{at}.device", template.device, "a name of the devices, or nothing"
        if template.armour and template.armour not in self.armour.classes:
            yield f"{at}.armour", template.armour, "a class of armour, or nothing"
        for name in template.expertise:
            if name not in {*things, *self.expertise.others}:
                yield f"{at}.expertise", name, "weapons, or other expertise"

    def _wound_order(self) -> Iterator[WrongAt]:
        ends = [wound.up_to for wound in self.wounds]
        if ends != sorted(set(ends)):
            yield "wounds", ends, "from the lightest to the worst, each up to more than the last"

    @property
    def things(self) -> tuple[Thing, ...]:
        """Give all that can be held."""
        return (*self.weapons, *self.devices)

    def weapon(self, name: str) -> Weapon:
        """Give a weapon by its whole name; KeyError for none."""
        return {weapon.name: weapon for weapon in self.weapons}[name]

    def thing(self, name: str) -> Thing:
        """Give a weapon or device by its whole name; KeyError for none."""
        return {thing.name: thing for thing in self.things}[name]

    def wound(self, name: str) -> Wound:
        """Give a wound by its name; KeyError for none."""
        return {wound.name: wound for wound in self.wounds}[name]


def find(typed: str, known: tuple[T, ...], what: str) -> T:
    """Find one by its name or its beginning; MushError that lists them, or those it could be."""
    found = match(typed, ((one.name, one) for one in known))
    if len(found) == 1:
        return found[0]
    names = ", ".join(one.name for one in found or known)
    problem = "could be one of several" if found else "is none"
    raise MushError(what, f'{what}: "{clip(typed)}" {problem}.', f"There are: {names}.")


def load(text: str, file: str) -> Tables:
    """Read the rules file; `mushcombat.faults.FaultyError` lists all that is wrong with it."""
    return read(Tables, text, file)
