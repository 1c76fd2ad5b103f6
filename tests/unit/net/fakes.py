"""A game whose writer, readers, hashing and reactor do nothing until a test says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import pytest
from twisted.internet.defer import Deferred, execute
from twisted.internet.task import Clock
from twisted.python.failure import Failure
from twisted.python.threadpool import ThreadPool

from mushcombat.app import describe
from mushcombat.config import Config
from mushcombat.domain.command import Job
from mushcombat.domain.scene import Scene
from mushcombat.net import login as login_module
from mushcombat.net.game import Game
from mushcombat.net.passwords import Passwords
from mushcombat.net.publisher import Publisher
from mushcombat.net.session import Session
from mushcombat.service.accounts import Throttle
from tests.unit.service.table import BOOK, executor_of, world_of
from tests.unit.support import NOW, MemoryStore, perform

T = TypeVar("T")


class Reactor(Clock):
    """Twisted's clock for tests, with what threads need of a reactor."""

    def callFromThread(self, work: Callable[..., object], *args: object) -> None:
        work(*args)

    def turn(self) -> None:
        """Run what is due, once; what that asks for comes with the next turn."""
        for due in [call for call in self.calls if call.getTime() <= self.seconds()]:
            self.calls.remove(due)
            due.called = 1
            due.func(*due.args, **due.kw)


class Pool:
    """Runs work at once, in the thread it is called from."""

    def callInThreadWithCallback(  # noqa: N802 -- Twisted's
        self, done: Callable[[bool, Any], None], work: Callable[..., T], *args: object
    ) -> None:
        try:
            result = work(*args)
        except Exception:  # noqa: BLE001 -- as Twisted's pool does
            done(False, Failure())  # type: ignore[no-untyped-call]
        else:
            done(True, result)


class Hashing(Passwords):
    """Hashes at once, unless it is held up."""

    def __init__(self) -> None:
        self.held: list[Callable[[], None]] | None = None
        self.broken = False

    def run(self, work: Callable[[], T]) -> Deferred[T]:
        if self.broken:
            work = self._break
        if self.held is None:
            return execute(work)
        answer: Deferred[T] = Deferred()
        self.held.append(lambda: answer.callback(work()))
        return answer

    @staticmethod
    def _break() -> Any:
        raise RuntimeError("the pool is gone")


class Writer:
    """Keeps jobs until `work`; does them at once if `quick`. `begun`: under way meanwhile."""

    def __init__(self, store: MemoryStore) -> None:
        self.store = store
        self.jobs: list[Job] = []
        self.begun: list[Job] = []
        self.quick = True
        self.trouble = ""
        self.game: Game | None = None

    def submit(self, job: Job) -> None:
        self.jobs.append(job)
        if self.quick:
            self.work()

    def begin(self) -> None:
        """Let what is queued be under way."""
        self.begun += self.withdraw()

    def withdraw(self) -> list[Job]:
        jobs, self.jobs = self.jobs, []
        return jobs

    def work(self) -> None:
        jobs, self.begun = [*self.begun, *self.withdraw()], []
        assert self.game is not None
        self.game.release([(job, perform(self.store, job)) for job in jobs])


class Readers:
    """Reads from the store in memory."""

    def __init__(self, store: MemoryStore) -> None:
        self.store = store
        self.fault: Exception | None = None

    def run(self, work: Callable[[Any], Any]) -> Any:
        if self.fault:
            raise self.fault
        return work(self.store)


class Link:
    """A connection that notes what is done to it."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.behind = False
        self.data: list[str] = []

    def send(self, data: bytes) -> None:
        self.done.append(data.decode("utf-8", errors="backslashreplace"))

    def close(self) -> None:
        self.done.append("CLOSE")

    def finish(self) -> None:
        self.done.append("FINISH")

    def pause(self) -> None:
        self.done.append("PAUSE")

    def resume(self) -> None:
        self.done.append("RESUME")

    def send_gmcp(self, payload: bytes) -> None:
        self.data.append(payload.decode())

    def hide_typing(self) -> None:
        self.done.append("HIDE")

    def show_typing(self) -> None:
        self.done.append("SHOW")

    def mark_prompt(self) -> None:
        pass

    def seen(self) -> list[str]:
        """Give the lines sent since this was last asked, and what else was done."""
        done, self.done = self.done, []
        return [line for part in done for line in part.removesuffix("\r\n").split("\r\n")]


class Table:
    """A game with its fakes at hand."""

    def __init__(self, *scenes: Scene, config: Config | None = None) -> None:
        self.arrival: tuple[str, ...] = ()
        self.store = MemoryStore(*scenes)
        self.world = world_of(*scenes, people=())
        self.reactor, self.hashing = Reactor(), Hashing()
        self.writer, self.readers = Writer(self.store), Readers(self.store)
        config = config or Config()
        throttle = Throttle(config.login.tries, config.login.wait, self.reactor.seconds)
        self.game = Game(
            config=config,
            world=self.world,
            executor=executor_of(self.world),
            publisher=Publisher(self.world, BOOK.view, BOOK.spoken),
            writer=self.writer,
            readers=self.readers,
            passwords=self.hashing,
            throttle=throttle,
            pool=cast("ThreadPool", Pool()),
            reactor=self.reactor,
            clock=lambda: NOW,
            on_arrival=lambda _: self.arrival,
            describe=describe(BOOK),
            banner="Welcome.",
            motd="News.",
        )
        self.writer.game = self.game

    def session(self, address: str = "10.0.0.1") -> tuple[Session, Link]:
        link = Link()
        return Session(self.game, link, address), link

    def inside(self, name: str = "Ada") -> tuple[Session, Link]:
        """Give the session of somebody who has logged in."""
        session, link = self.session()
        type_(session, f"connect {name} {password_of(name)}")
        assert session.presence is not None
        link.seen()
        return session, link


def send(session: Session, *lines: str) -> None:
    """Let lines arrive in one packet."""
    for line in lines:
        session.line(line.encode())


def type_(session: Session, *lines: str) -> None:
    """Let lines arrive, and the reactor run until nothing is due."""
    send(session, *lines)
    session.game.reactor.advance(0)


def password_of(name: str) -> str:
    return f"{name}s-own-word"


def quick_hashing(monkeypatch: pytest.MonkeyPatch, table: Table) -> None:
    """Hash so that tests are quick, and give everyone a password."""

    def good(hashed: str | None, password: str) -> bool:
        return hashed == f"hash of {password}"

    monkeypatch.setattr(login_module, "hash_password", lambda password: f"hash of {password}")
    monkeypatch.setattr(login_module, "verify_password", good)
    for name, login in list(table.store.accounts.items()):
        table.store.set_password(login.account, f"hash of {password_of(name)}")
