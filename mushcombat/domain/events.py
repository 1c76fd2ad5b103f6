"""Facts: what happened, typed. Text, transcript and every other view are made from these.

An event says what happened and nothing about who may see it or where it is kept; that is
its `Fact`. Each class has a `kind` and a `version`: together they name its shape in the log for
ever, so a shape that changes gets a new version beside the old one.
"""

from __future__ import annotations

from dataclasses import field
from datetime import datetime
from enum import StrEnum
from typing import ClassVar, Literal

from mushcombat.records import record

GAME_LEDGER = 0
"""The log of what is kept but belongs to no scene: acts of staff, rooms dug."""

Style = Literal["say", "pose", "semipose", "emit", "ooc", "set"]
"""How something was said; `set` is the referee's setting of a scene."""


class Audience(StrEnum):
    """Who may see a fact; `visibility.redact` is the gate that decides by it."""

    ROOM = "room"  # everyone in the room
    PRIVATE = "private"  # the actor and the subject; in a scene's log also its referees
    ACTOR = "actor"  # the actor alone: what `/self` answers, which nothing logs
    REFEREES = "referees"  # the scene's referees, and staff
    OTHERS = "others"  # everyone in the room but those: they have a fuller row of their own
    SUBJECT = "subject"  # the subject alone
    CHANNEL = "channel"  # everyone who hears the channel, wherever they are


@record(frozen=True, slots=True)
class Event:
    """What every event has; `kind` and `version` name its shape."""

    kind: ClassVar[str] = ""
    version: ClassVar[int] = 1
    for_referees: ClassVar[bool] = False
    """Whether it is never for anybody but them."""
    ignorable: ClassVar[bool] = False
    """Whether who ignores the actor is not shown it."""

    def is_theirs(self) -> bool:
        """Tell whether one like this is always for referees; views mark what is now and then."""
        return self.for_referees

    def without(self, unknown: frozenset[int]) -> Event | None:  # noqa: ARG002  for who overrides it
        """Give it as people see it to whom some characters don't exist; None: not at all.

        An event that names people beside its actor and its subject says here what is left; for
        those two the gate sees to it.
        """
        return self


@record(frozen=True, slots=True)
class Spoken(Event):
    """Somebody said, posed, emitted; `text` as typed, `%r %t %b` still in it."""

    kind: ClassVar[str] = "spoken"
    style: Style
    text: str


@record(frozen=True, slots=True)
class PoseEdited(Event):
    """What was spoken in row `row` of the log reads so from here on; the row itself stays.

    `row` is the number of the row that was spoken first, for a second edit too. The fact's actor
    is who spoke then.
    """

    kind: ClassVar[str] = "pose.edited"
    row: int
    style: Style
    text: str


@record(frozen=True, slots=True)
class PoseWithdrawn(Event):
    """What was spoken in row `row` of the log is taken back by who spoke; the row itself stays."""

    kind: ClassVar[str] = "pose.withdrawn"
    row: int


@record(frozen=True, slots=True)
class Whispered(Event):
    """Said to one person in the room; never logged."""

    kind: ClassVar[str] = "whispered"
    ignorable: ClassVar[bool] = True
    subject: int
    to: str
    text: str


@record(frozen=True, slots=True)
class Paged(Event):
    """Said to one person anywhere; never logged. `people`: all to whom it went, if several."""

    kind: ClassVar[str] = "paged"
    ignorable: ClassVar[bool] = True
    subject: int
    to: str
    text: str
    people: tuple[str, ...] = ()


@record(frozen=True, slots=True)
class Connected(Event):
    """A player's first connection was made, or the last one was lost."""

    kind: ClassVar[str] = "connected"
    here: bool


@record(frozen=True, slots=True)
class Moved(Event):
    """The subject went from one room to another; `way` is the exit's name or ''."""

    kind: ClassVar[str] = "moved"
    subject: int
    name: str
    origin: int
    destination: int
    way: str = ""


@record(frozen=True, slots=True)
class RoomDug(Event):
    """A room was made."""

    kind: ClassVar[str] = "room.dug"
    room: int
    name: str
    temporary: bool = False


@record(frozen=True, slots=True)
class ExitOpened(Event):
    """A way from one room to another was made."""

    kind: ClassVar[str] = "exit.opened"
    exit: int
    room: int
    names: tuple[str, ...]
    destination: int


@record(frozen=True, slots=True)
class Described(Event):
    """A room or a character (the subject) got a description."""

    kind: ClassVar[str] = "described"
    what: Literal["room", "character"]
    subject: int
    name: str
    text: str


@record(frozen=True, slots=True)
class DoingSet(Event):
    """A player told others what they are doing."""

    kind: ClassVar[str] = "doing"
    text: str


@record(frozen=True, slots=True)
class TraitSet(Event):
    """A level on the subject's sheet was set, for a reason that was given or not; None is unset."""

    kind: ClassVar[str] = "trait.set"
    subject: int
    name: str
    system: str
    group: str
    trait: str
    before: int | None
    after: int | None
    reason: str = ""


@record(frozen=True, slots=True)
class SceneOpened(Event):
    """A scene began; the commitment binds its dice before any is thrown."""

    kind: ClassVar[str] = "scene.opened"
    title: str
    system: str
    room: int
    place: str
    private: bool
    referee: bool
    era: int
    commitment: str


@record(frozen=True, slots=True)
class SceneJoined(Event):
    """The actor takes part from here on."""

    kind: ClassVar[str] = "scene.joined"


@record(frozen=True, slots=True)
class SceneLeft(Event):
    """The actor takes part no longer."""

    kind: ClassVar[str] = "scene.left"


@record(frozen=True, slots=True)
class SceneInvited(Event):
    """The actor asked somebody to join."""

    kind: ClassVar[str] = "scene.invited"
    subject: int
    name: str


@record(frozen=True, slots=True)
class RefereeNamed(Event):
    """Staff made somebody referee of the scene."""

    kind: ClassVar[str] = "scene.referee"
    subject: int
    name: str


@record(frozen=True, slots=True)
class PrivacySet(Event):
    """The scene was made private or public; it sits in `room` from here on."""

    kind: ClassVar[str] = "scene.privacy"
    private: bool
    room: int
    place: str


@record(frozen=True, slots=True)
class SceneClosed(Event):
    """A scene ended; the seed lets anyone re-roll its dice."""

    kind: ClassVar[str] = "scene.closed"
    era: int
    seed: str


@record(frozen=True, slots=True)
class Unreadable(Event):
    """A logged row whose kind and version this program does not know."""

    kind: ClassVar[str] = "unreadable"
    stored_kind: str
    text: str

    def without(self, unknown: frozenset[int]) -> Unreadable:
        """Give it without its text where somebody is unknown: it may name them."""
        return Unreadable(self.stored_kind, "") if unknown else self


@record(frozen=True, slots=True)
class Who:
    """Who did it, as they were called then."""

    id: int
    name: str


@record(frozen=True, slots=True)
class Draft:
    """A fact that a verb proposes; the writer makes a `Fact` of it, or nobody hears of it.

    `ledger` is the number of the scene that logs it, GAME_LEDGER, or None for what nobody needs
    kept. `action` is the log number of the entry that opened the action. None: it is that of the
    job's first draft in that log, which opens one; `follows`: that of the draft before it. It is
    the doing of the actor, in the actor's room, unless `actor` or `room` say otherwise.
    """

    event: Event
    audience: Audience = Audience.ROOM
    ledger: int | None = None
    action: int | None = None
    actor: Who | None = None
    room: int | None = None
    follows: bool = False


@record(frozen=True, slots=True)
class Fact:
    """An event with who, when and for whom; `seq` and the rest only when it is in a log."""

    event: Event
    actor: Who
    at: datetime
    audience: Audience
    room: int | None = None
    ledger: int | None = None
    seq: int | None = None
    action: int | None = None
    head: str = field(default="", compare=False)

    @property
    def subject(self) -> int | None:
        """Id of the character that it happens to, if it is about one."""
        subject: int | None = getattr(self.event, "subject", None)
        return subject

    @property
    def channel(self) -> int | None:
        """Number of the channel that it is said on."""
        channel: int | None = getattr(self.event, "channel", None)
        return channel

    @property
    def in_scene(self) -> bool:
        """Whether a scene's log holds it."""
        return self.ledger is not None and self.ledger != GAME_LEDGER


CORE_EVENTS: tuple[type[Event], ...] = (
    Spoken,
    PoseEdited,
    PoseWithdrawn,
    Whispered,
    Paged,
    Connected,
    Moved,
    RoomDug,
    ExitOpened,
    Described,
    DoingSet,
    TraitSet,
    SceneOpened,
    SceneJoined,
    SceneLeft,
    SceneInvited,
    RefereeNamed,
    PrivacySet,
    SceneClosed,
)
