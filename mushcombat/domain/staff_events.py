"""Facts about what staff do to keep order; the game's ledger holds them, `+audit` shows them.

No password, no text that players said to one another, is ever in one.
"""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from mushcombat.domain.events import Event
from mushcombat.records import record


@record(frozen=True, slots=True)
class Booted(Event):
    """The subject's connections were ended."""

    kind: ClassVar[str] = "staff.booted"
    subject: int
    name: str
    reason: str = ""


@record(frozen=True, slots=True)
class BanSet(Event):
    """An address, a network or a player (the subject) is kept out; `until` None is for ever."""

    kind: ClassVar[str] = "staff.banned"
    target: str
    subject: int | None
    until: datetime | None
    reason: str = ""


@record(frozen=True, slots=True)
class BanLifted(Event):
    """A ban was taken back."""

    kind: ClassVar[str] = "staff.unbanned"
    target: str


@record(frozen=True, slots=True)
class PasswordReset(Event):
    """The subject got a one-time password from staff; what it is stands nowhere."""

    kind: ClassVar[str] = "staff.newpassword"
    subject: int
    name: str


@record(frozen=True, slots=True)
class ShutdownSet(Event):
    """The server is to end in so many minutes."""

    kind: ClassVar[str] = "staff.shutdown"
    minutes: int
    reason: str = ""


@record(frozen=True, slots=True)
class ShutdownCancelled(Event):
    """The server is not to end after all."""

    kind: ClassVar[str] = "staff.shutdown.cancelled"


@record(frozen=True, slots=True)
class Teleported(Event):
    """Staff put the subject into a room."""

    kind: ClassVar[str] = "staff.teleported"
    subject: int
    name: str
    room: int
    place: str


@record(frozen=True, slots=True)
class LoginChanged(Event):
    """Something about a login was changed by the command line: `what` says what."""

    kind: ClassVar[str] = "staff.login"
    name: str
    what: str


STAFF_EVENTS: tuple[type[Event], ...] = (
    Booted,
    BanSet,
    BanLifted,
    PasswordReset,
    ShutdownSet,
    ShutdownCancelled,
    Teleported,
    LoginChanged,
)
