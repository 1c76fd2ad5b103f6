"""What happens in a fight of this system, as facts for the log."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Literal

from mushcombat.domain.breakdown import Breakdown
from mushcombat.domain.events import Event
from mushcombat.records import record
from mushcombat.systems import facts


@record(frozen=True, slots=True)
class Declared(Event):
    """Somebody declared an action (OS-55); `how` is what is known of the circumstances.

    `people` are the characters behind the targets; logs of old have none.
    """

    kind: ClassVar[str] = "otherspace.declared"
    maneuver: str
    targets: tuple[str, ...]
    weapon: str
    how: str
    people: tuple[int, ...] = ()

    def without(self, unknown: frozenset[int]) -> Declared | None:
        """Give it with the targets that are known; None when none is, or none can be told."""
        left = [at for at, one in enumerate(self.people) if one not in unknown]
        if not left:
            return None
        targets = tuple(self.targets[at] for at in left)
        return replace(self, targets=targets, people=tuple(self.people[at] for at in left))


@record(frozen=True, slots=True)
class Ruled(facts.Ruled):
    """A referee's ruling, as this system's logs have it."""

    kind: ClassVar[str] = "otherspace.ruled"


@record(frozen=True, slots=True)
class Helpless(Event):
    """The subject makes no defence; it counts as a fixed level (OS-26)."""

    kind: ClassVar[str] = "otherspace.helpless"
    subject: int
    name: str
    why: str
    level: int
    word: str


@record(frozen=True, slots=True)
class Struck(Event):
    """A strike was resolved. Points; `health` is what remains of 100, `word` its band.

    `numbers` False: the scene hides them from all but referees. A `blast` has no margin.
    """

    kind: ClassVar[str] = "otherspace.struck"
    subject: int
    name: str
    attack: int
    defence: int
    hit: bool
    harm: Literal["harm", "stun"]
    amount: int
    health: int
    word: str
    outcome: str
    numbers: bool
    breakdown: Breakdown | None
    blast: bool = False


@record(frozen=True, slots=True)
class Disarmed(Event):
    """The subject had to hold on to a weapon (OS-52), and did or did not."""

    kind: ClassVar[str] = "otherspace.disarmed"
    subject: int
    name: str
    weapon: str
    held: bool


@record(frozen=True, slots=True)
class Suffered(Event):
    """Points of harm or stun by a ruling, not by an attack."""

    kind: ClassVar[str] = "otherspace.suffered"
    subject: int
    name: str
    harm: Literal["harm", "stun"]
    amount: int
    health: int
    word: str
    outcome: str
    numbers: bool
    reason: str


@record(frozen=True, slots=True)
class QuirkSet(Event):
    """A quirk was imposed on the subject, or taken away."""

    kind: ClassVar[str] = "otherspace.quirk"
    subject: int
    name: str
    quirk: str
    held: bool
    reason: str


@record(frozen=True, slots=True)
class WoundProposed(Event):
    """After a fight a wound quirk is proposed to the referee (OS-45)."""

    kind: ClassVar[str] = "otherspace.proposed"
    for_referees: ClassVar[bool] = True
    subject: int
    name: str
    quirk: str
    health: int
    losses: str


@record(frozen=True, slots=True)
class WoundDropped(Event):
    """The referee does not impose on the subject what was proposed (OS-45)."""

    kind: ClassVar[str] = "otherspace.dropped"
    for_referees: ClassVar[bool] = True
    subject: int
    name: str
    quirk: str
    reason: str


@record(frozen=True, slots=True)
class Healed(Event):
    """Somebody was treated (OS-47); `numbers` as for `Struck`."""

    kind: ClassVar[str] = "otherspace.healed"
    subject: int
    name: str
    success: bool
    points: int
    health: int
    quirk: str
    word: str = ""
    numbers: bool = True


@record(frozen=True, slots=True)
class ItemSet(facts.ItemSet):
    """The subject was given, lost, took up or put away something."""

    kind: ClassVar[str] = "otherspace.item"


@record(frozen=True, slots=True)
class Noted(facts.Noted):
    """Something told about the subject: ready, full defence, stun over, lethal."""

    kind: ClassVar[str] = "otherspace.noted"


COMBAT_EVENTS: tuple[type[Event], ...] = (
    Declared,
    Ruled,
    Helpless,
    Struck,
    Disarmed,
    Suffered,
    QuirkSet,
    WoundProposed,
    WoundDropped,
    Healed,
    ItemSet,
    Noted,
)
