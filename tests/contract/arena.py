"""The real parts of the server on a real database, without a network: lines in, facts out."""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from mushcombat.app import load_world
from mushcombat.config import Config
from mushcombat.domain.character import Actor, Role
from mushcombat.domain.command import Committed, Job, Lane, Outcome, Refused, Result
from mushcombat.domain.dice import commitment
from mushcombat.domain.events import Draft, Fact, SceneOpened, Who
from mushcombat.domain.ports import Login, Opening, Writes
from mushcombat.domain.scene import Scene
from mushcombat.domain.screen import PLAIN
from mushcombat.errors import MushError
from mushcombat.net.publisher import Publisher
from mushcombat.rulebook import Rulebook, build_routers, load_rulebook
from mushcombat.service.clock import CLOCK, Run, answer_for, end_stun
from mushcombat.service.executor import Executor, Work
from mushcombat.service.presence import Presence
from mushcombat.service.world import World
from mushcombat.storage.attempts import BROKEN, QUICKER
from mushcombat.storage.database import Database
from mushcombat.storage.engine import open_engine
from mushcombat.storage.things import THINGS
from mushcombat.storage.writer import UNSAVED

SEED = bytes(range(32))
NOWHERE = {"hidden": False, "scene_id": None}
NO_ONES_FAULT = (BROKEN, UNSAVED, QUICKER)
"""What nobody is told as long as the program works."""

Row = Mapping[str, Any]
Dump = dict[tuple[str, tuple[Any, ...]], Row]
"""All rows behind the door, by thing and key."""


class Clock:
    """Stands still until it is told to go on."""

    def __init__(self) -> None:
        self.now = datetime(2026, 5, 17, 20, 0, 0, 123456, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def wait(self, seconds: int) -> None:
        self.now += timedelta(seconds=seconds)


@dataclass
class Screen:
    """A connection that keeps what it was sent."""

    kind = PLAIN
    sent: bytes = b""
    behind: bool = False

    def judge(self) -> None:
        raise AssertionError("nobody sets anything here")

    def write(self, data: bytes) -> None:
        self.sent += data

    def take(self) -> str:
        """Give what was sent since the last time."""
        text, self.sent = self.sent.decode(), b""
        return text


@dataclass(frozen=True)
class Said:
    """What came of a line: its facts, the answer to who typed it, and what each one saw."""

    facts: tuple[Fact, ...] = ()
    reply: tuple[str, ...] = ()
    refusal: str = ""
    seen: Mapping[str, str] = field(default_factory=dict)

    @property
    def action(self) -> int:
        """The number of the action that the line opened or went on with."""
        return next(fact.action for fact in self.facts if fact.action is not None)


@cache
def rulebook() -> Rulebook:
    return load_rulebook(Config())


class Arena:
    """One server; `people` are connected, all in one room."""

    def __init__(self, url: str, clock: Clock | None = None) -> None:
        self.url = url
        self.clock = clock or Clock()
        book = rulebook()
        self.database = Database(url, book.codec, book.view.public_text, self.clock)
        self.writer = self.database.writer(lambda _: None)
        self.readers = self.database.readers(1)
        self._engine = open_engine(url, read_only=True)
        self.world = World()
        self.read(lambda store: load_world(self.world, store))
        dice = random.Random(1)
        routers = build_routers(book, self.world)
        self.executor = Executor(
            self.world, routers, book.default, self.clock, lambda sides: dice.randrange(sides)
        )
        self.publisher = Publisher(self.world, book.view, book.spoken)
        self.screens: dict[str, Screen] = {}
        self._by_name: dict[str, Presence] = {}
        self._ids: dict[str, int] = {}
        scenes = list(self.world.scenes)
        self.scene = scenes[0] if scenes else 0

    def close(self) -> None:
        self.writer.close()
        self.readers.close()
        self._engine.dispose()

    # people and the scene

    def create(self, name: str, role: Role = Role.PLAYER) -> None:
        """Make a login, and connect it."""
        self.do(lambda store: store.create_account(name, "hash", role, self.clock()))
        self.connect(name)

    def connect(self, name: str) -> None:
        login: Login | None = self.read(lambda store: store.login(name))
        assert login is not None
        them = self.read(lambda store: store.character(login.character))
        actor = Actor(them.id, them.name, login.role, login.account)
        self._ids[name] = actor.id
        screen = self.screens[name] = Screen()
        now = self.clock()
        self._by_name[name] = Presence(actor, them.room, "", "", now, now, [screen])
        self.world.arrive(self._by_name[name])

    def disconnect(self, name: str) -> None:
        """Take somebody out of the world: nobody answers for them."""
        self.world.depart(self._by_name.pop(name))

    def is_here(self, name: str) -> bool:
        return name in self._by_name

    def id_of(self, name: str) -> int:
        """Give the id of a player, or of an NPC of the scene."""
        scene = self.world.scenes.get(self.scene)
        npcs = {npc: one for one, npc in (scene.npcs if scene else {}).items()}
        return (npcs | self._ids)[name]

    def open_scene(self, referee: str, *others: str, system: str = "otherspace") -> None:
        """Open a scene with known dice, its referee in it, and let others join."""
        me = self._by_name[referee]

        def run(store: Writes) -> Outcome:
            opening = Opening("Test", system, me.room, me.id, True, False, SEED)
            scene = store.open_scene(opening, self.clock())
            event = SceneOpened("Test", system, me.room, "", False, True, 1, commitment(SEED))
            return Outcome.of(Draft(event, ledger=scene.id, room=me.room))

        (result,) = self._write(self._job(Who(me.id, me.name), me.room, run))
        self.scene = self._said(result).facts[0].ledger or 0
        for name in others:
            assert not self.say(name, "+scene/join").refusal

    # lines

    def say(self, name: str, line: str) -> Said:
        """Run a line as its connection would."""
        return self.together((name, line))[0]

    def together(self, *lines: tuple[str, str]) -> list[Said]:
        """Run lines of several people at once: those that write are one batch."""
        said: dict[int, Said] = {}
        jobs: dict[int, Job] = {}
        for place, (name, line) in enumerate(lines):
            try:
                work = self.executor.prepare(self._by_name[name], line)
                if work.lane is Lane.WRITE:
                    jobs[place] = self._job(work.who, work.room, work.run, work.appends)
                else:
                    said[place] = self._unwritten(work)
            except MushError as refusal:
                said[place] = Said(refusal=str(refusal))
        results = self._write(*jobs.values())
        said |= {at: self._said(result) for at, result in zip(jobs, results, strict=True)}
        return [said[place] for place in range(len(lines))]

    def must(self, name: str, *lines: str) -> Said:
        """Run lines that are not to be refused; gives what came of the last."""
        results = self.together(*((name, line) for line in lines))
        for line, said in zip(lines, results, strict=True):
            assert not said.refusal, (line, said.refusal)
        return results[-1]

    def _unwritten(self, work: Work) -> Said:
        outcome = self.read(work.run) if work.lane is Lane.READ else work.run(None)
        now, who = self.clock(), work.who
        facts = [
            Fact(d.event, d.actor or who, now, d.audience, d.room or work.room)
            for d in outcome.drafts
        ]
        return self._published(facts, outcome.reply)

    def _job(self, who: Who, room: int | None, run: Any, appends: bool = False) -> Job:
        return Job(uuid.uuid4().hex, who, room, run, lambda _: None, appends)

    def _write(self, *jobs: Job) -> list[Result]:
        return [result for _, result in self.writer.run(jobs)] if jobs else []

    def _said(self, result: Result) -> Said:
        if isinstance(result, Refused):
            assert result.text not in NO_ONES_FAULT, result.text
            return Said(refusal=result.text)
        return self._published(result.facts, result.reply)

    def _published(self, facts: Sequence[Fact], reply: tuple[str, ...]) -> Said:
        self.publisher.publish(facts)
        seen = {name: screen.take() for name, screen in self.screens.items()}
        return Said(tuple(facts), reply, "", seen)

    # the clock

    def wait(self, seconds: int) -> Said:
        """Let time go by, and do what the clock has to do then."""
        self.clock.wait(seconds)
        now, present = self.clock(), frozenset(self.world.online)
        stamp = int(now.timestamp())
        systems, room = rulebook().systems, self._scene_room()
        runs: list[Run] = [
            answer_for(systems, scene, action, now, present)
            for scene, action in self.read(lambda store: store.due(stamp))
        ]
        runs += [
            end_stun(systems, character, system, now)
            for character, system in self.read(lambda store: store.stuns_over(stamp))
        ]
        jobs = [self._job(CLOCK, room, run) for run in runs]
        parts = [self._said(result) for result in self._write(*jobs)]
        assert [part.refusal for part in parts if part.refusal] == []
        seen = {name: "".join(part.seen[name] for part in parts) for name in self.screens if parts}
        return Said(tuple(fact for part in parts for fact in part.facts), seen=seen)

    def _scene_room(self) -> int | None:
        scene = self.world.scenes.get(self.scene)
        return scene.room if scene else None

    # the database

    def read(self, work: Any) -> Any:
        return self.readers.run(work)

    def do(self, work: Any) -> Any:
        """Do something in a transaction of its own; gives its value."""
        values: list[Any] = []

        def run(store: Writes) -> Outcome:
            values[:] = [work(store)]
            return Outcome()

        (result,) = self._write(self._job(CLOCK, None, run))
        assert isinstance(result, Committed), result
        return values[0]

    @property
    def stored_scene(self) -> Scene:
        scene = self.read(lambda store: store.scene(self.scene))
        assert isinstance(scene, Scene)
        return scene

    def log(self) -> list[Fact]:
        facts: list[Fact] = self.read(lambda store: store.log(self.scene, 1, 100_000))
        return facts

    def dump(self) -> Dump:
        """Give every row behind the door, whole."""
        found: Dump = {}
        with Session(self._engine) as session:
            for name, thing in THINGS.items():
                for row in session.scalars(select(thing.table)):
                    key = tuple(getattr(row, part) for part in thing.key)
                    found[name, key] = thing.values(row)
        found.pop(("scene", (0,)), None)  # the game's own ledger is no scene
        # Who is in no scene and not hidden is a player, or an NPC as all of them begin.
        return {at: row for at, row in found.items() if row != NOWHERE}


def restarted(arena: Arena) -> Arena:
    """Begin anew with nothing but the database, as after kill -9; who was here comes back."""
    names = [name for name in arena.screens if arena.is_here(name)]
    arena.close()
    again = Arena(arena.url, arena.clock)
    for name in names:
        again.connect(name)
    return again


@contextmanager
def opened(url: str, system: str = "otherspace") -> Iterator[Arena]:
    """Open a database whose schema is there, with four people in a scene that Rhea referees."""
    arena = Arena(url)
    try:
        for name in ("Rhea", *PLAYERS):
            arena.create(name)
        arena.open_scene("Rhea", *PLAYERS, system=system)
        yield arena
    finally:
        arena.close()


PLAYERS = ("Ada", "Bram", "Cass")
