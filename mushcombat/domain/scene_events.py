"""Facts about a scene's life beside opening and closing, and about whose turn to pose it is."""

from __future__ import annotations

from typing import ClassVar

from mushcombat.domain.events import (
    Event,
    PrivacySet,
    RefereeNamed,
    SceneClosed,
    SceneInvited,
    SceneJoined,
    SceneLeft,
)
from mushcombat.domain.fight import SceneSet
from mushcombat.domain.refereeing import HandedOver, Noted, SteppedDown
from mushcombat.domain.sharing import SharingAnswered, SharingAsked
from mushcombat.records import record


@record(frozen=True, slots=True)
class ScenePaused(Event):
    """The scene rests in its room: its log takes nothing but its own life until it is resumed."""

    kind: ClassVar[str] = "scene.paused"


@record(frozen=True, slots=True)
class SceneResumed(Event):
    """The scene goes on."""

    kind: ClassVar[str] = "scene.resumed"


@record(frozen=True, slots=True)
class SceneRead(Event):
    """Staff, the actor, read the log of a private scene of others; the game's ledger keeps it."""

    kind: ClassVar[str] = "scene.read"
    scene: int
    reason: str


@record(frozen=True, slots=True)
class SceneIdle(Event):
    """The room is reminded that nobody has posed for so many seconds; never logged."""

    kind: ClassVar[str] = "scene.idle"
    scene: int
    title: str
    seconds: int


@record(frozen=True, slots=True)
class Muttered(Event):
    """Said half aloud, to the subject or to nobody; `text` is what the room heard of it."""

    kind: ClassVar[str] = "muttered"
    subject: int | None
    to: str
    text: str


@record(frozen=True, slots=True)
class MutteredTo(Event):
    """The whole of what was muttered to somebody; the subject hears it. Never logged.

    To a referee it comes from the NPC that it was said to; `by` is who said it then.
    """

    kind: ClassVar[str] = "muttered.whole"
    subject: int
    to: str
    text: str
    by: str = ""


@record(frozen=True, slots=True)
class PoseSkipped(Event):
    """The subject's turn to pose was passed over, by the subject or by a referee."""

    kind: ClassVar[str] = "pose.skipped"
    subject: int
    name: str


@record(frozen=True, slots=True)
class PoseTurn(Event):
    """The subject is told that they have waited longest for a pose; never logged."""

    kind: ClassVar[str] = "pose.turn"
    subject: int
    scene: int


SCENE_EVENTS: tuple[type[Event], ...] = (
    ScenePaused,
    SceneResumed,
    SceneRead,
    SceneIdle,
    Muttered,
    MutteredTo,
    PoseSkipped,
    PoseTurn,
)

SCENE_LIFE: tuple[type[Event], ...] = (
    SceneJoined,
    SceneLeft,
    SceneInvited,
    RefereeNamed,
    HandedOver,
    SteppedDown,
    Noted,
    PrivacySet,
    SceneSet,
    ScenePaused,
    SceneResumed,
    SharingAsked,
    SharingAnswered,
    SceneClosed,
)
"""What a job must be about to write in the log of a paused scene: who is in it, and how it is."""
