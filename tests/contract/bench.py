"""A database with a writer and readers, and short words for what tests do with them."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar, cast

from sqlalchemy import Engine, text
from sqlalchemy.orm import Session

from mushcombat.domain.channels import CHANNEL_EVENTS
from mushcombat.domain.character import Role
from mushcombat.domain.command import Committed, Job, Outcome, Refused, Result
from mushcombat.domain.dice import commitment
from mushcombat.domain.eras import ERA_EVENTS, EraClosed
from mushcombat.domain.events import (
    CORE_EVENTS,
    Audience,
    Draft,
    Fact,
    SceneOpened,
    Spoken,
    Who,
)
from mushcombat.domain.ports import Login, Opening
from mushcombat.domain.scene_events import SCENE_EVENTS
from mushcombat.domain.sharing import SHARING_EVENTS
from mushcombat.domain.state import STATE_EVENTS
from mushcombat.errors import MushError
from mushcombat.storage.codec import Codec
from mushcombat.storage.database import Database
from mushcombat.storage.engine import open_engine
from mushcombat.storage.reads import Readers, ReadStore
from mushcombat.storage.writer import Writer
from mushcombat.storage.writes import WriteStore
from mushcombat.systems.otherspace.events import EVENTS

T = TypeVar("T")
Run = Callable[[Any], Outcome]

OURS = (*CORE_EVENTS, *SCENE_EVENTS, *ERA_EVENTS, *SHARING_EVENTS, *CHANNEL_EVENTS)
CODEC = Codec([*OURS, *STATE_EVENTS, *EVENTS])
SEED = bytes(range(32))
PATIENCE = 20.0
"""How long anything may take that is waited for, in seconds."""


def describe(fact: Fact) -> str:
    """Stand for the plain view."""
    return f"{fact.actor.name}: {getattr(fact.event, 'text', fact.event.kind)}"


class Clock:
    """A second later each time it is asked."""

    def __init__(self) -> None:
        self.now = datetime(2026, 5, 17, 20, 0, 0, 123456, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


def open_database(url: str) -> Database:
    return Database(url, CODEC, describe, Clock())


def say(scene: int, words: str, audience: Audience = Audience.ROOM) -> Draft:
    """Draft a line of talk for a scene's log."""
    return Draft(Spoken("say", words), audience, scene)


def saying(scene: int, words: str) -> Run:
    """Make the run of a job that says something in a scene."""
    return lambda _: Outcome.of(say(scene, words))


def who(login: Login) -> Who:
    return Who(login.character, login.name)


def words_of(facts: Sequence[Fact]) -> list[str]:
    """Give what was said, in order."""
    return [fact.event.text for fact in facts if isinstance(fact.event, Spoken)]


class Bench:
    """One database; `engine` has the connections of writers, and of tests."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.clock = Clock()
        self.engine = open_engine(url, connections=3)
        self.delivered: list[tuple[Job, Result]] = []
        self.held: list[Job] = []
        self.writer = self.make_writer(self.delivered.extend)
        self._reading = open_engine(url, read_only=True, connections=2)
        self.readers = Readers(self._reading, CODEC)
        self._actor = Who(1, "Nobody")

    def make_writer(
        self, deliver: Callable[[Sequence[tuple[Job, Result]]], None], engine: Engine | None = None
    ) -> Writer:
        return Writer(
            engine or self.engine,
            CODEC,
            describe,
            self.clock,
            deliver,
            hold=lambda jobs, _: self.held.extend(jobs),
        )

    def close(self) -> None:
        self.writer.close()
        self.engine.dispose()
        self._reading.dispose()

    # writing

    def job(self, run: Run, *, actor: Who | None = None, appends: bool = False) -> Job:
        actor = actor or self._actor
        return Job(uuid.uuid4().hex, actor, None, run, lambda _: None, appends)

    def run(self, *jobs: Run | Job) -> list[Result]:
        """Run jobs in one batch."""
        batch = [job if isinstance(job, Job) else self.job(job) for job in jobs]
        results = self.writer.run(batch)
        assert [job for job, _ in results] == batch
        return [result for _, result in results]

    def do(self, work: Callable[[WriteStore], T]) -> T:
        """Do something in a transaction of its own; gives its value, or MushError."""
        values: list[T] = []

        def run(store: WriteStore) -> Outcome:
            values[:] = [work(store)]
            store.state.changes.clear()  # a store's own test needs no log of what it did
            return Outcome()

        (result,) = self.run(run)
        if isinstance(result, Refused):
            raise MushError("refused", result.text)
        return values[0]

    def facts(self, *jobs: Run | Job) -> list[Fact]:
        """Run jobs that are all to succeed; gives the facts of all."""
        results = self.run(*jobs)
        assert [r for r in results if isinstance(r, Refused)] == []
        return [fact for result in results for fact in cast("Committed", result).facts]

    # reading

    def read(self, work: Callable[[ReadStore], T]) -> T:
        """Read through the readers' connections, which see what was committed alone."""
        return cast("T", self.readers.run(work))

    def rows(self, statement: str, **values: object) -> list[Any]:
        """Read rows as they are stored."""
        with Session(self._reading) as session:
            return [*session.execute(text(statement), values)]

    def value(self, statement: str, **values: object) -> Any:
        """Read the one value of the one row."""
        ((value,),) = self.rows(statement, **values)
        return value

    def log(self, scene: int) -> list[Fact]:
        return self.read(lambda store: store.log(scene, 1, 10_000))

    # people and scenes

    def login(self, name: str, role: Role = Role.PLAYER) -> Login:
        return self.do(lambda store: store.create_account(name, "hash", role, self.clock()))

    def room(self, name: str = "Deck") -> int:
        return self.do(lambda store: store.dig(name))

    def opening(self, owner: Login, room: int, title: str = "A Test") -> Opening:
        return Opening(title, "otherspace", room, owner.character, True, False, SEED)

    def opens(self, owner: Login, room: int, title: str = "A Test") -> Run:
        """Make the run of a job that opens a scene, and logs that."""

        def run(store: WriteStore) -> Outcome:
            scene = store.open_scene(self.opening(owner, room, title), self.clock())
            shown = commitment(SEED)
            event = SceneOpened(title, "otherspace", room, "Deck", False, True, 1, shown)
            return Outcome.of(Draft(event, Audience.ROOM, scene.id), reply=[str(scene.id)])

        return run

    def scene(self, owner: Login, room: int | None = None) -> int:
        """Open a scene in a room of its own; gives its number."""
        place = self.room() if room is None else room
        (result,) = self.run(self.opens(owner, place))
        assert isinstance(result, Committed)
        return int(result.reply[0])

    def closes(self, scene: int) -> Run:
        """Make the run of a job that closes a scene, and logs that."""

        def run(store: WriteStore) -> Outcome:
            era = store.era(scene)
            seed = store.close_scene(scene, self.clock())
            event = EraClosed(era.number, seed.hex(), len(era.words))
            return Outcome.of(Draft(event, Audience.ROOM, scene))

        return run
