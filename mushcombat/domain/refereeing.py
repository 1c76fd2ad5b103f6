"""What referees do among themselves: notes, hidden NPCs, handing a scene over."""

from __future__ import annotations

from typing import ClassVar

from mushcombat.domain.events import Event
from mushcombat.records import record


@record(frozen=True, slots=True)
class Noted(Event):
    """A referee wrote something down for those who referee; `text` as typed."""

    kind: ClassVar[str] = "noted"
    for_referees: ClassVar[bool] = True
    text: str


@record(frozen=True, slots=True)
class NpcHidden(Event):
    """An NPC, the subject, is hidden from all but the referees from here on."""

    kind: ClassVar[str] = "npc.hidden"
    for_referees: ClassVar[bool] = True
    subject: int
    name: str


@record(frozen=True, slots=True)
class NpcShown(Event):
    """A hidden NPC, the subject, is hidden no longer; what it did till then stays so."""

    kind: ClassVar[str] = "npc.shown"
    for_referees: ClassVar[bool] = True
    subject: int
    name: str


@record(frozen=True, slots=True)
class HandedOver(Event):
    """The actor gave the scene to another referee, the subject, and is none any more."""

    kind: ClassVar[str] = "scene.handover"
    subject: int
    name: str


@record(frozen=True, slots=True)
class SteppedDown(Event):
    """The actor referees the scene no longer."""

    kind: ClassVar[str] = "scene.stepdown"


REFEREE_EVENTS: tuple[type[Event], ...] = (Noted, NpcHidden, NpcShown, HandedOver, SteppedDown)
