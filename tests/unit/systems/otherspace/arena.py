"""A scene on a real database, without a network: typed lines in, what each one sees out.

Dice fall as told, by what they are thrown for; those not told show nothing (0).
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import pytest
from sqlalchemy import event
from sqlalchemy.orm import Session

from mushcombat.domain import dice
from mushcombat.domain.character import Actor, Condition, Role
from mushcombat.domain.command import Committed, Job, Lane, Outcome, Refused
from mushcombat.domain.events import Audience, Draft, Fact, Who
from mushcombat.domain.fight import Combatant, Fight, Pending, Told
from mushcombat.domain.screen import PLAIN, Kind
from mushcombat.errors import MushError
from mushcombat.net.publisher import Publisher
from mushcombat.rulebook import build_routers
from mushcombat.service.clock import CLOCK, answer_for, end_stun
from mushcombat.service.executor import Executor
from mushcombat.service.presence import Presence
from mushcombat.service.world import World
from mushcombat.storage.attempts import BROKEN
from mushcombat.storage.database import Database
from mushcombat.storage.tables import METADATA
from mushcombat.storage.writer import UNSAVED
from tests.unit.service.table import BOOK

T = TypeVar("T")

PEOPLE = ("Rhea", "Ada", "Bram", "Cass", "Olga")
"""Rhea is staff and referees; Olga looks on: what she sees, anybody may."""


@dataclass
class Screen:
    """A connection that keeps what it was sent."""

    kind: Kind = PLAIN
    sent: bytes = b""
    behind: bool = False

    def judge(self) -> None:
        raise AssertionError("nobody sets anything here")

    def write(self, data: bytes) -> None:
        self.sent += data

    def take(self) -> list[str]:
        lines, self.sent = self.sent.decode().splitlines(), b""
        return lines


@dataclass(frozen=True)
class Said:
    """What came of a line: the answer to who typed it, and what each one was shown."""

    reply: tuple[str, ...] = ()
    refusal: str = ""
    seen: dict[str, list[str]] = field(default_factory=dict)
    facts: tuple[Fact, ...] = ()

    @property
    def room(self) -> list[str]:
        return self.seen["Olga"]

    def one(self, tag: str) -> str:
        """Give the one line with a tag that the room was shown."""
        (line,) = [line for line in self.room if line.startswith(f"[{tag}]")]
        return line

    def tags(self) -> list[str]:
        return [line.partition("]")[0].removeprefix("[") for line in self.room]

    @property
    def action(self) -> int:
        return next(fact.action for fact in self.facts if fact.action is not None)


def faces(total: int) -> list[int]:
    """Give four fudge dice that come to a total."""
    return [3 if total > 0 else 1] * abs(total) + [2] * (4 - abs(total))


class Arena:
    """The scene; everyone of `PEOPLE` takes part in it and is connected."""

    def __init__(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = datetime(2026, 5, 17, 20, 0, tzinfo=UTC)
        clock = lambda: self.now  # noqa: E731 -- the time as it is when asked
        database = Database(f"sqlite:///{file}", BOOK.codec, BOOK.view.public_text, clock)
        database.prepare(upgrade=True)
        self.writer = database.writer(lambda _: None)
        self.readers = database.readers(1)
        event.listen(self.writer._engine, "connect", _hurry)
        self.world = World()
        self.world.load(
            self.read(lambda store: store.places()), self.read(lambda store: store.open_scenes())
        )
        routers = build_routers(BOOK, self.world)
        self.executor = Executor(self.world, routers, BOOK.default, clock, lambda sides: 1)
        self.publisher = Publisher(self.world, BOOK.view, BOOK.spoken)
        self.screens: dict[str, Screen] = {}
        self.people: dict[str, Presence] = {}
        self._falls: dict[str, list[int]] = defaultdict(list)
        monkeypatch.setattr(dice, "die", self._die)
        self.scene = 1

    def close(self) -> None:
        self.writer.close()
        self.readers.close()

    # dice and time

    def _die(self, _key: bytes, _n: int, label: str, _sides: int) -> int:
        return self._falls[label].pop(0) if self._falls[label] else 2

    def falls(self, **totals: int | Sequence[int]) -> None:
        """Tell what the next throws of a kind come to."""
        for label, total in totals.items():
            for one in [total] if isinstance(total, int) else total:
                self._falls[label] += faces(one)

    def wait(self, *, seconds: int = 0, days: int = 0) -> Said:
        """Let time pass, and let the clock do what is due then."""
        self.now += timedelta(seconds=seconds, days=days)
        now = int(self.now.timestamp())
        present = frozenset(self.world.online)
        due = self.read(lambda store: store.due(now))
        jobs = [answer_for(BOOK.systems, s, a, self.now, present) for s, a in due]
        stuns = self.read(lambda store: store.stuns_over(now))
        jobs += [end_stun(BOOK.systems, who, system, self.now) for who, system in stuns]
        here = self.world.scenes[self.scene].room
        facts = [fact for job in jobs for fact in self._job(CLOCK, here, job).facts]
        return Said(seen=self._seen(), facts=tuple(facts))

    def alarm(self, action: int) -> Said:
        """Let the clock answer for whom an action waits, as if it had found it due."""
        job = answer_for(BOOK.systems, self.scene, action, self.now, frozenset())
        return self._job(CLOCK, self.world.scenes[self.scene].room, job)

    # people

    def create(self, name: str, role: Role = Role.PLAYER) -> None:
        self.do(lambda store: store.create_account(name, "hash", role, self.now))
        self.connect(name)

    def connect(self, name: str) -> None:
        login = self.read(lambda store: store.login(name))
        room = self.read(lambda store: store.character(login.character)).room
        actor = Actor(login.character, login.name, login.role, login.account)
        screen = self.screens[name] = Screen()
        self.people[name] = Presence(actor, room, "", "", self.now, self.now, [screen])
        self.world.arrive(self.people[name])

    def disconnect(self, name: str) -> None:
        self.world.depart(self.people[name])
        del self.screens[name]

    def id(self, name: str) -> int:
        (found,) = self.read(lambda store: store.in_scene(self.scene, name))
        number: int = found.id
        return number

    # lines

    def say(self, name: str, line: str) -> Said:
        """Type a line as somebody; what is refused is in `refusal`."""
        for screen in self.screens.values():
            screen.take()
        said = self._typed(name, line)
        assert said.refusal not in {BROKEN, UNSAVED}
        return Said(said.reply, said.refusal, self._seen(), said.facts)

    def do_all(self, *lines: str) -> Said:
        """Type "Name> line" after "Name> line", none of which may be refused; gives the last."""
        last = Said()
        for each in lines:
            name, _, line = each.partition("> ")
            last = self.say(name, line)
            assert last.refusal == "", f"{each}: {last.refusal}"
        return last

    def no(self, name: str, line: str) -> str:
        """Type what must be refused: in one line, with nothing changed and nobody else told."""
        before = self.dump()
        said = self.say(name, line)
        assert said.refusal, f"{line} was not refused: {said}"
        assert "\n" not in said.refusal
        assert (said.reply, said.facts) == ((), ())
        assert not any(said.seen.values())
        assert self.dump() == before
        return said.refusal

    def _typed(self, name: str, line: str) -> Said:
        presence = self.people[name]
        try:
            work = self.executor.prepare(presence, line, self.screens[name].kind)
            if work.lane is Lane.WRITE:
                return self._job(work.who, work.room, work.run)
            outcome = work.run(None) if work.lane is Lane.HERE else self.read(work.run)
        except MushError as refusal:
            return Said(refusal=str(refusal))
        facts = tuple(
            Fact(d.event, d.actor or work.who, self.now, d.audience, d.room or work.room)
            for d in outcome.drafts
        )
        self.publisher.publish(facts)
        return Said(outcome.reply, facts=facts)

    def _job(self, who: Who, room: int | None, run: Callable[[Any], Outcome]) -> Said:
        ((_, result),) = self.writer.run([Job(uuid.uuid4().hex, who, room, run, lambda _: None)])
        if isinstance(result, Refused):
            return Said(refusal=result.text)
        self.publisher.publish(result.facts)
        return Said(result.reply, facts=result.facts)

    def _seen(self) -> dict[str, list[str]]:
        return {name: screen.take() for name, screen in self.screens.items()}

    # the fight

    def sheet(self, name: str, **levels: int) -> None:
        """Set levels; `Mind_Blast` is Mind Blast."""
        for trait, level in levels.items():
            self.do_all(f"Rhea> +set {name}/{trait.replace('_', ' ')}={level}")

    def gear(self, name: str, *items: str) -> None:
        """Give things."""
        for item in items:
            self.do_all(f"Rhea> +give {name}={item}")

    def fight(self, *names: str, apart: int = 8) -> None:
        """Start a fight of up to three, in the order they are named in; rolls are so far apart."""
        self.do_all("Rhea> +combat/start", *(f"{name}> +combat/join" for name in names))
        for place, name in enumerate(names):
            half = apart * (1 - place) // 2
            self.falls(reaction=half)
            self.do_all(f"{name}> +reaction at {half}")
        assert [seat.name for seat in self.seats()] == list(names)

    def attack(self, line: str, attack: int = 0, defence: int = 0, choice: str = "dex") -> Said:
        """Declare as "Name> line", rule, and defend; the dice come to what is told."""
        declared = self.do_all(line)
        self.falls(attack=attack, defence=defence)
        said = self.do_all(f"Rhea> +ok {declared.action}")
        waiting = [p for p in self.pending() if p.stage == "defence"]
        for pending in waiting:
            names = {self.id(n): n for n in PEOPLE}
            said = self.do_all(f"{names[pending.owner or 0]}> +defend {choice}")
        return said

    # the store

    def read(self, work: Callable[[Any], Any]) -> Any:
        return self.readers.run(work)

    def do(self, work: Callable[[Any], T]) -> T:
        """Do something in a transaction of its own."""
        values: list[T] = []

        def run(store: Any) -> Outcome:
            values[:] = [work(store)]
            return Outcome()

        ((_, result),) = self.writer.run([Job(uuid.uuid4().hex, CLOCK, None, run, lambda _: None)])
        assert isinstance(result, Committed), result
        return values[0]

    def write(self, thing: str, key: tuple[int | str, ...], **fields: Any) -> None:
        """Set fields of a thing that can be undone, in an action of its own."""

        def run(store: Any) -> Outcome:
            store.write(thing, key, thing, **fields)
            return Outcome.of(Draft(Told("set up"), Audience.REFEREES, self.scene))

        self._job(CLOCK, None, run)

    def condition(self, name: str) -> Condition:
        who = self.id(name)
        found: Condition = self.read(lambda store: store.condition(who, "otherspace"))
        return found

    def health(self, name: str) -> int:
        condition = self.condition(name)
        return 100 - condition.harm - condition.stun

    def items(self, name: str) -> dict[str, int]:
        who = self.id(name)
        items = self.read(lambda store: store.items(who, "otherspace"))
        return {item.name: item.count for item in items}

    def quirks(self, name: str) -> tuple[str, ...]:
        who = self.id(name)
        quirks: tuple[str, ...] = self.read(lambda store: store.sheet(who, "otherspace")).quirks
        return quirks

    def seats(self) -> list[Combatant]:
        seats: list[Combatant] = self.read(lambda store: store.combatants(self.scene))
        return seats

    def pending(self) -> list[Pending]:
        waiting: list[Pending] = self.read(lambda store: store.pending(self.scene))
        return waiting

    def tracker(self) -> Fight:
        fight: Fight = self.read(lambda store: store.fight(self.scene))
        return fight

    def turn(self) -> str:
        """Tell whose turn it is in which round: "1 Ada"."""
        fight = self.tracker()
        names = {seat.character: seat.name for seat in self.seats()}
        return f"{fight.round} {names.get(fight.turn or 0, 'nobody')}"

    def dump(self) -> dict[str, list[tuple[Any, ...]]]:
        """Give all rows of all tables but that of the jobs that were done: each leaves one."""
        with Session(self.readers._engine) as session:
            return {
                table.name: sorted((tuple(row) for row in session.execute(table.select())), key=str)
                for table in METADATA.sorted_tables
                if table.name != "recent_jobs"
            }


def _hurry(connection: Any, _record: object) -> None:
    """Let the tests' database not wait for the disk."""
    connection.execute("PRAGMA synchronous=OFF")


def furnish(arena: Arena) -> None:
    """Make the people and the scene that every test begins with."""
    for name in PEOPLE:
        arena.create(name, Role.STAFF if name == "Rhea" else Role.PLAYER)
    arena.do_all("Rhea> +scene/open Dockside Ambush")
    for name in PEOPLE[1:]:
        arena.do_all(f"{name}> +scene/join")
