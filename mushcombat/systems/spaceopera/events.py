"""What happens in a fight of this system, as facts for the log."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from mushcombat.domain.breakdown import Breakdown
from mushcombat.domain.events import Event
from mushcombat.records import record
from mushcombat.systems import facts
from mushcombat.systems.spaceopera.state import Kind


@record(frozen=True, slots=True)
class Declared(Event):
    """Somebody declared an action (SO-4); `people` are the characters behind the targets."""

    kind: ClassVar[str] = "spaceopera.declared"
    action: Kind
    targets: tuple[str, ...]
    people: tuple[int, ...]
    weapon: str
    how: str

    def without(self, unknown: frozenset[int]) -> Declared | None:
        """Give it with the targets that are known; None when it had some and none is."""
        left = [at for at, one in enumerate(self.people) if one not in unknown]
        if self.people and not left:
            return None
        targets = tuple(self.targets[at] for at in left)
        return replace(self, targets=targets, people=tuple(self.people[at] for at in left))


@record(frozen=True, slots=True)
class Ruled(facts.Ruled):
    """A referee's ruling, as this system's logs have it."""

    kind: ClassVar[str] = "spaceopera.ruled"


@record(frozen=True, slots=True)
class Noted(facts.Noted):
    """Something told about the subject: moved, turned, out of reach."""

    kind: ClassVar[str] = "spaceopera.noted"


@record(frozen=True, slots=True)
class ItemSet(facts.ItemSet):
    """The subject was given, lost, took up or put away something."""

    kind: ClassVar[str] = "spaceopera.item"


@record(frozen=True, slots=True)
class InitiativeRolled(Event):
    """The subject's initiative for the phase (SO-5)."""

    kind: ClassVar[str] = "spaceopera.initiative"
    subject: int
    name: str
    breakdown: Breakdown


@record(frozen=True, slots=True)
class Tested(Event):
    """A d100 was rolled against a chance, or a die against a level; `what` it was for.

    `word` is what came of it; the breakdown is the chance, `roll` the die.
    """

    kind: ClassVar[str] = "spaceopera.tested"
    subject: int
    name: str
    what: str
    breakdown: Breakdown
    roll: int
    sides: int
    word: str


@record(frozen=True, slots=True)
class Summed(Event):
    """Dice were added up; `what` they were for, `word` what came of it."""

    kind: ClassVar[str] = "spaceopera.summed"
    subject: int
    name: str
    what: str
    breakdown: Breakdown
    word: str


@record(frozen=True, slots=True)
class Struck(Event):
    """A strike was resolved: missed, parried, stopped by armour, or a wound (SO-26).

    `effect` is what the wound does, in words; `out` that it ends the fight for the subject.
    """

    kind: ClassVar[str] = "spaceopera.struck"
    subject: int
    name: str
    result: str
    thing: str = ""
    wound: str = ""
    effect: str = ""
    out: bool = False


@record(frozen=True, slots=True)
class DeviceHit(Event):
    """What became of the subject's device or weapon (SO-17, SO-19, SO-22), in words."""

    kind: ClassVar[str] = "spaceopera.device"
    subject: int
    name: str
    thing: str
    fate: str


EVENTS: tuple[type[Event], ...] = (
    Declared,
    Ruled,
    Noted,
    ItemSet,
    InitiativeRolled,
    Tested,
    Summed,
    Struck,
    DeviceHit,
)
