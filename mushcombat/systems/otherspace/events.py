"""What happens in this system, as facts for the log; a breakdown in each, and the word it had."""

from __future__ import annotations

from typing import ClassVar, Literal

from mushcombat.domain.breakdown import Breakdown
from mushcombat.domain.events import Event
from mushcombat.records import record

Sort = Literal["ranged", "melee", "psionic", "constitution"]


@record(frozen=True, slots=True)
class Rolled(Event):
    """The subject rolled an attribute or a skill (OS-3); `word` is the ladder's for the total.

    `note` says why it was rolled so, when the server chose.
    """

    kind: ClassVar[str] = "otherspace.rolled"
    subject: int
    name: str
    trait: str
    word: str
    breakdown: Breakdown
    note: str = ""


@record(frozen=True, slots=True)
class ReactionRolled(Event):
    """The subject rolled reaction (OS-8); `again` for a tie (OS-10), in logs of old not told."""

    kind: ClassVar[str] = "otherspace.reaction"
    subject: int
    name: str
    breakdown: Breakdown
    again: bool = False


@record(frozen=True, slots=True)
class ContestDecided(Event):
    """Two rolls were held against each other (OS-5, OS-7); margin in levels, for the actor."""

    kind: ClassVar[str] = "otherspace.contest"
    subject: int
    name: str
    margin: int
    won: bool


@record(frozen=True, slots=True)
class DamageWorked(Event):
    """A calculator was asked (OS-38, OS-39); points. `note` is what to keep in mind, or ''."""

    kind: ClassVar[str] = "otherspace.damage"
    sort: Sort
    breakdown: Breakdown
    note: str = ""


EVENTS: tuple[type[Event], ...] = (Rolled, ReactionRolled, ContestDecided, DamageWorked)
