"""The vocabulary of commands: what a verb is, what it is handed, and what it gives back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from enum import IntEnum, StrEnum
from typing import Any

from mushcombat.domain.character import Actor, Character
from mushcombat.domain.dice import Dice
from mushcombat.domain.events import Audience, Draft, Event, Fact, Who
from mushcombat.domain.ports import Reads, Writes
from mushcombat.domain.scene import Scene
from mushcombat.domain.screen import PLAIN, Kind
from mushcombat.errors import MushError
from mushcombat.records import record


class Lane(StrEnum):
    """What a verb needs: nothing, reading, the writer's transaction, or the connection itself.

    SESSION verbs (passwords, quitting) are answered by `net`.
    """

    HERE = "here"
    READ = "read"
    WRITE = "write"
    SESSION = "session"


class Access(IntEnum):
    """Who may use a verb; for anyone else it does not exist."""

    GUEST = 0
    PLAYER = 1
    REFEREE = 2  # staff, and the referees of the scene that one is in
    STAFF = 3
    ADMIN = 4


@record(frozen=True, slots=True)
class Call:
    """A line that was found to call a verb: its switches, and the text after them."""

    switches: frozenset[str]
    text: str
    usage: str

    def sides(self) -> tuple[str, str | None]:
        """Split at the first `=`; the right side is None when there is no `=`."""
        left, mark, right = self.text.partition("=")
        return left.strip(), right.strip() if mark else None

    def wrong(self, text: str = "") -> MushError:
        """Refuse the call, with its usage as the hint."""
        usage = f"Usage: {self.usage}"
        return MushError("usage", text, usage) if text else MushError("usage", usage)


@record(frozen=True, slots=True)
class Context:
    """Who calls a verb, where and when. `scene` is the open one they take part in, here.

    `present` are the players who are connected; `by` is the referee who acts for the actor.
    `fights`: the actor has a character of their own in the scene's fight. `screen` is what the
    answer is read on.
    """

    actor: Actor
    room: int
    scene: Scene | None
    now: datetime
    dice: Dice
    self_only: bool = False
    present: frozenset[int] = frozenset()
    by: Who | None = None
    fights: bool = False
    screen: Kind = PLAIN

    @property
    def who(self) -> Who:
        """Name the actor for an entry."""
        return Who(self.actor.id, self.actor.name)

    @property
    def referees(self) -> bool:
        """Whether the actor referees here: staff, or the scene's referee; never their own fight."""
        named = self.scene is not None and self.actor.id in self.scene.referees
        return (self.actor.is_staff or named) and not self.fights

    def show(self, event: Event, *, follows: bool = False) -> Draft:
        """Draft a fact for the room; the scene logs it, if there is one.

        With /self it is for the actor alone, and nothing logs it.
        """
        if self.self_only:
            return Draft(event, Audience.ACTOR, follows=follows)
        ledger = self.scene.id if self.scene else None
        return Draft(event, Audience.ROOM, ledger, follows=follows)


@record(frozen=True, slots=True)
class ReadContext(Context):
    """The same with a store to read."""

    store: Reads = None  # type: ignore[assignment]  # always given; a default field can't be last

    @property
    def unknown(self) -> frozenset[int]:
        """Give the NPCs here that don't exist for the actor: hidden from all but referees."""
        if self.scene is None or self.referees or self.by is not None:
            return frozenset()
        return self.store.hidden(self.scene.id)

    def find_here(self, name: str) -> list[Character]:
        """Find those of the scene here whom the actor knows of; nobody outside a scene."""
        return self.store.in_scene(self.scene.id, name, self.unknown) if self.scene else []


@record(frozen=True, slots=True)
class WriteContext(ReadContext):
    """The same with a store to write, inside the transaction."""

    store: Writes = None  # type: ignore[assignment]  # as above


@record(frozen=True, slots=True)
class Outcome:
    """What a verb gives: facts for whoever may see them, and lines for its actor alone."""

    drafts: tuple[Draft, ...] = ()
    reply: tuple[str, ...] = ()

    @classmethod
    def tell(cls, *lines: str) -> Outcome:
        """Answer the actor alone."""
        return cls(reply=lines)

    @classmethod
    def of(cls, *drafts: Draft, reply: Iterable[str] = ()) -> Outcome:
        """Let facts be known."""
        return cls(drafts, tuple(reply))


@record(frozen=True, slots=True)
class Verb:
    """One row of the table of verbs.

    `parse` turns a call into the arguments of `run`, or raises MushError. `shown` verbs speak to
    the room: in a scene they go through the writer, whatever their lane. `topic` is the heading of
    their help. `stands_in` verbs can be typed by a referee for somebody absent. `talk` goes on in
    a paused scene, as if the room had none. `appends` verbs of the writer only append: they keep no
    other process from anybody's character.
    """

    name: str
    syntax: str
    access: Access
    lane: Lane
    parse: Callable[[Call], Any]
    run: Callable[[Any, Any], Outcome]
    topic: str = ""
    aliases: tuple[str, ...] = ()
    flags: frozenset[str] = frozenset()
    shown: bool = False
    stands_in: bool = False
    talk: bool = False
    appends: bool = False

    @property
    def help_topic(self) -> str:
        """Name the help section of the verb: its own name unless it shares one."""
        return self.topic or self.name


def session_only(_context: Context, _arguments: object) -> Outcome:
    """Stand as the `run` of SESSION verbs, which are run by the connection."""
    raise MushError("session", "That works only from a connection.", "Log in and type it there.")


@record(frozen=True, slots=True)
class Committed:
    """A job that was done and, if it wrote, is on disk."""

    facts: tuple[Fact, ...] = ()
    reply: tuple[str, ...] = ()


@record(frozen=True, slots=True)
class Refused:
    """A job that changed nothing; its actor is told why."""

    text: str


Result = Committed | Refused


@record(frozen=True, slots=True)
class Job:
    """Work for the writer. `appends` jobs only append to a log: they lock nobody's character.

    `ledger` is the log that it will most likely write to: a batch reads where all of them stand
    at once. None, or another one than it then writes to, is only slower. `stays`: all it depends
    on and changes belongs to that scene and those in it. `speech`: it only tells what nobody
    needs kept.
    """

    id: str
    actor: Who
    room: int | None
    run: Callable[[Writes], Outcome]
    done: Callable[[Result], None]
    appends: bool = False
    ledger: int | None = None
    stays: bool = False
    speech: bool = False
