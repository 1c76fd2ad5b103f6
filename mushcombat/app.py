"""The composition root: the only file that knows everything."""

from __future__ import annotations

import logging
import os
import secrets
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any

from twisted.internet.defer import Deferred, ensureDeferred, maybeDeferred
from twisted.internet.task import deferLater
from twisted.internet.threads import deferToThread
from twisted.python.failure import Failure
from twisted.python.log import PythonLoggingObserver
from twisted.python.threadpool import ThreadPool

from mushcombat import logs
from mushcombat.checks import check_settings, keys_given, or_key
from mushcombat.config import Config
from mushcombat.domain.character import Actor
from mushcombat.domain.command import Job, Result
from mushcombat.domain.events import Fact, Who
from mushcombat.domain.ports import Reads
from mushcombat.domain.processes import Standing
from mushcombat.first_start import make_first_login
from mushcombat.net.alarms import Alarms
from mushcombat.net.company import Companions
from mushcombat.net.data import DataView
from mushcombat.net.descriptors import fitted
from mushcombat.net.enforcer import Enforcer
from mushcombat.net.game import Game
from mushcombat.net.leaving import leave_after
from mushcombat.net.limits import Doorstep
from mushcombat.net.listening import Listener, listen, named, reload
from mushcombat.net.memory import give_back_large_blocks, stop_searching_what_stays
from mushcombat.net.operations import Operators
from mushcombat.net.passwords import Passwords
from mushcombat.net.patience import Patience
from mushcombat.net.pose_turns import PoseTurns
from mushcombat.net.publisher import Publisher
from mushcombat.net.reactor import the_reactor
from mushcombat.net.reminders import Reminders
from mushcombat.net.silence import Silence
from mushcombat.net.telnet import TelnetFactory
from mushcombat.net.web import WebFactory
from mushcombat.rulebook import SPOKEN, Rulebook, build_routers, load_rulebook, load_texts
from mushcombat.service.accounts import Throttle, guest_leaves, guests_left
from mushcombat.service.elsewhere import compare
from mushcombat.service.executor import Executor
from mushcombat.service.fights import on_arrival
from mushcombat.service.standing import standing
from mushcombat.service.world import World
from mushcombat.storage.database import Database
from mushcombat.storage.files import keep_transcript
from mushcombat.storage.listener import Census, NoticeListener
from mushcombat.storage.neighbours import Neighbours
from mushcombat.storage.reads import Readers
from mushcombat.storage.writer import Writer
from mushcombat.views.gmcp import GmcpView

log = logging.getLogger(__name__)

READ_THREADS = 2
HASH_THREADS = max(1, (os.cpu_count() or 1) - 1)
"""One core is left to those who play: many logins at once must not hold up a pose."""
LINES_SECONDS = 1.5
"""How long lines already received may take to be done when the server ends; the rest is refused."""
DRAIN_SECONDS = 4.0
"""How long the database may take for what is under way then."""
READ_OUT_SECONDS = 0.1
"""How long nothing may come before all that was on its way counts as read."""
READ_OUT_MOST = 1.0
"""How long it is read at most, to tell how many lines of it were not done."""
GOODBYE_SECONDS = 2.0
"""How long a slow client may take to read the goodbye."""
LEAVE_SECONDS = 5.0
"""How long the server waits for PostgreSQL when everybody has gone, and nobody can be told more."""


def utc_now() -> datetime:
    """Tell the time; handed to whatever needs one."""
    return datetime.now(UTC)


def open_database(config: Config, url: str | None, book: Rulebook) -> Database:
    """Name the database: what the command line says, else the configuration."""
    return Database(url or config.database.url, book.codec, book.view.public_text, utc_now)


def load_world(world: World, store: Reads) -> None:
    """Show the world what the database holds: rooms, open scenes, and who is in those."""
    scenes = store.open_scenes()
    people = sorted({person for scene in scenes for person in scene.participants})
    world.load(store.places(), scenes, store.names(people))
    world.bans.load(store.bans())
    world.channels.load(store.channels())


def begin_world(world: World, readers: Readers, neighbours: Neighbours | None) -> dict[int, int]:
    """Load the world, as one of the processes that serve it; gives the last rows of open logs."""
    last: dict[int, int] = {}

    def load(store: Reads, there: Sequence[Standing] = ()) -> None:
        load_world(world, store)
        last.update({number: store.last_seq(number) for number in world.scenes})
        compare(world, there)

    if neighbours is None:
        readers.need(load)
    else:
        neighbours.join(load)
        world.process = neighbours.members.process
    return last


def after_all(*looks: Callable[[Sequence[Fact]], None]) -> Callable[[Sequence[Fact]], None]:
    """Let several look at facts that were shown, one after the other."""

    def look(facts: Sequence[Fact]) -> None:
        for each in looks:
            each(facts)

    return look


def describe(book: Rulebook) -> DataView:
    """Give what makes data for clients that take GMCP."""
    return DataView(
        GmcpView(book.systems.values(), book.view),
        partial(standing, book.systems, book.default),
    )


def make_game(
    config: Config, book: Rulebook, texts: Mapping[str, str], database: Database, reactor: Any
) -> Running:
    """Put the server together; nothing listens yet."""
    world = World()
    routers = build_routers(book, world, keep_transcript(config.var_folder))
    readers = database.readers(READ_THREADS + HASH_THREADS)
    neighbours = database.neighbours()
    last = begin_world(world, readers, neighbours)
    pool = ThreadPool(minthreads=0, maxthreads=READ_THREADS, name="readers")

    def deliver(results: Sequence[tuple[Job, Result]]) -> None:
        reactor.callFromThread(game.release, results)

    def hold(jobs: Sequence[Job], text: str) -> None:
        reactor.callFromThread(game.hold, jobs, text)

    writer = database.writer(deliver, hold, neighbours)
    game = Game(
        config=config,
        world=world,
        executor=Executor(world, routers, book.default, utc_now, secrets.randbelow),
        publisher=Publisher(world, book.view, book.spoken),
        writer=writer,
        readers=readers,
        passwords=Passwords(reactor, HASH_THREADS),
        throttle=Throttle(config.login.tries, config.login.wait, time.monotonic),
        pool=pool,
        reactor=reactor,
        clock=utc_now,
        on_arrival=partial(on_arrival, book.systems),
        describe=describe(book),
        banner=texts["connect"].rstrip(),
        motd=texts["motd"].strip(),
        spoken_banner=texts.get(SPOKEN, "").strip(),
    )
    game.attendance.load(last)
    return _running(game, book, (writer, readers, neighbours))


def _running(
    game: Game, book: Rulebook, lanes: tuple[Writer, Readers, Neighbours | None]
) -> Running:
    """Give the game its clocks and its company, and see off who is left of a killed server."""
    writer, readers, neighbours = lanes
    alarms, factory = Alarms(game, book.systems), TelnetFactory(game)
    # Those of a process that died just now are seen off when it is buried.
    left = readers.need(guests_left)
    strays = [guest for guest in left if guest.id not in game.world.online]
    clocks = alarms, Reminders(game), Patience(game)
    server = Running(game, writer, readers, factory, *clocks, strays)
    game.shown = after_all(PoseTurns(game).look, Enforcer(game, server.stop).look)
    if neighbours:
        server.company = keep_company(game, writer, neighbours)
    return server


def keep_company(
    game: Game, writer: Writer, neighbours: Neighbours
) -> tuple[Companions, NoticeListener, Silence]:
    """Let the game tell other processes of this one, hear of them, and notice when it can't."""
    game.company = companions = Companions(game, neighbours.members)

    def told(census: Census) -> None:
        game.reactor.callFromThread(companions.counted, census)

    ear = neighbours.listener(writer.look, told)
    return companions, ear, Silence(game, lambda: ear.pulse)


@dataclass(eq=False)
class Running:
    """A server with its threads: start it, listen, and end it with nothing lost."""

    game: Game
    writer: Writer
    readers: Readers
    factory: TelnetFactory
    alarms: Alarms
    reminders: Reminders
    patience: Patience
    strays: Sequence[Actor] = ()
    """Guests of a server that was killed: they were never seen off."""
    company: tuple[Companions, NoticeListener, Silence] | None = None
    telnet: list[Listener] = field(default_factory=list)
    web: list[Listener] = field(default_factory=list)
    stopped: bool = False
    """It was told to end."""
    leave: Callable[[], None] = lambda: None
    """Ends the process in a while, whatever hangs: it is this server's own."""

    def __post_init__(self) -> None:
        self.pages = WebFactory(self.game, self.factory, self._ports)

    def start(self) -> None:
        """Start the threads."""
        self.writer.start()
        for part in self.company or ():
            part.start()
        for guest in self.strays:
            run = guest_leaves(guest, self.game.clock())
            self.game.write(Who(guest.id, guest.name), None, run, lambda _: None)
        self.game.passwords.start()
        self.game.pool.start()
        self.alarms.start()
        self.game.attendance.start()
        self.reminders.start()
        self.patience.start()

    async def listen(self, telnet: Sequence[str], web: Sequence[str] = ()) -> str:
        """Listen on Twisted endpoint descriptions, or those of the file; gives what tells where.

        That is "telnet=" with the "host:port" of each, with commas, and "web=" if there are any.
        """
        reactor, waiting = self.game.reactor, Doorstep(self.game.gate)
        config = self.game.config
        trusted = config.server.proxies
        for endpoint in telnet or config.server.telnet:
            with named("--telnet tcp:PORT" + or_key(telnet, "[server] telnet", config)):
                listener = await listen(reactor, endpoint, self.factory, trusted, waiting)
            self.telnet.append(listener)
        for endpoint in web or config.web.listen:
            with named("--web tcp:PORT" + or_key(web, "[web] listen", config)):
                self.web.append(await listen(reactor, endpoint, self.pages, trusted, waiting))
        kinds = {"telnet": self.telnet, "web": self.web}
        return " ".join(
            f"{name}={','.join(one.address for one in listeners)}"
            for name, listeners in kinds.items()
            if listeners
        )

    def _ports(self) -> str:
        """Name the ports of telnet for who has only a browser; not those behind a proxy."""
        seen = [one for one in self.telnet if one.port_number and not one.is_proxied]
        ports = [f"port {one.port_number}{' (TLS)' * one.is_secure}" for one in seen]
        return ", ".join(ports) or "ask staff where"

    def reload(self) -> None:
        """Read the certificates anew."""
        reload([*self.telnet, *self.web])

    def stop(self) -> None:
        """Have the server end; told so again, it ends no faster."""
        if not self.stopped:
            self.stopped = True
            self.game.reactor.stop()

    async def end(self) -> None:
        """Take no more, do what was received, tell everyone, commit what is queued, close.

        The web port goes on answering, that the server is going down: `close_web` ends that.
        """
        self.game.closing = True
        self.alarms.stop()
        self.reminders.stop()
        self.patience.stop()
        for listener in self.telnet:
            await maybeDeferred(listener.port.stopListening)
        self.factory.stop_reading()
        await self._until(self.factory.idle, LINES_SECONDS)
        self.factory.drop_waiting()
        await self._until(self.factory.idle, DRAIN_SECONDS)
        await self._read_out()
        self.factory.say_goodbye("The server is going down now. What you saw is saved.")
        await self._until(lambda: not self.factory.links, GOODBYE_SECONDS)
        self.factory.abort()
        self.pages.abort()
        # A link that is cut is lost a turn later: only then is noted what it was shown.
        await self._until(lambda: not self.factory.links, GOODBYE_SECONDS)
        self.game.attendance.stop()
        if self.company:
            self.leave()
            companions, ear, silence = self.company
            companions.stop()
            silence.stop()
            await deferToThread(ear.stop)
        await deferToThread(self.writer.stop)
        self.game.passwords.stop()
        self.game.pool.stop()
        self.readers.close()

    async def close_web(self) -> None:
        """Answer nobody any more: to the last, the web port tells that the server is ending."""
        for listener in self.web:
            await maybeDeferred(listener.port.stopListening)
        self.pages.abort()

    async def _read_out(self) -> None:
        """Count the lines that are on their way still: those of a slowed link are in the kernel."""
        end, before = time.monotonic() + READ_OUT_MOST, -1
        while self.factory.links and self.factory.undone() != before and time.monotonic() < end:
            before = self.factory.undone()
            await deferLater(self.game.reactor, READ_OUT_SECONDS)

    async def _until(self, done: Callable[[], bool], seconds: float) -> None:
        end = time.monotonic() + seconds
        while not done() and time.monotonic() < end:
            await deferLater(self.game.reactor, 0.02)


def serve(config: Config, url: str | None, telnet: Sequence[str], web: Sequence[str] = ()) -> int:
    """Run the server until SIGTERM or SIGINT; gives the exit code."""
    give_back_large_blocks()
    logs.begin(config.log)
    PythonLoggingObserver("twisted").start()  # type: ignore[no-untyped-call]  # Twisted's
    config = config.model_copy(update={"limits": fitted(config.limits)})
    check_settings(config, given=keys_given(url, telnet, web))
    book, texts = load_rulebook(config), load_texts(config)
    database = open_database(config, url, book)
    database.claim()
    database.prepare(upgrade=True)
    server = make_game(config, book, texts, database, the_reactor())
    first = partial(make_first_login, database, config.var_folder, utc_now)
    return _run(server, telnet, web, first)


def _run(
    server: Running, telnet: Sequence[str], web: Sequence[str], first: Callable[[], str]
) -> int:
    """Run the reactor round a server; `first` gives a line to print once it listens."""
    reactor = server.game.reactor
    failures: list[Failure] = []
    operators = Operators(server.game)
    server.leave = partial(leave_after, LEAVE_SECONDS)

    def begin() -> None:
        for number in (signal.SIGTERM, signal.SIGINT):  # Twisted's own fail the second time
            signal.signal(number, lambda *_: reactor.callFromThread(server.stop))
        watched: Deferred[None] = ensureDeferred(operators.listen())
        listening = watched.addCallback(lambda _: ensureDeferred(server.listen(telnet, web)))
        listening.addCallback(_ready, first)
        listening.addErrback(failed)

    def failed(failure: Failure) -> None:
        failures.append(failure)
        server.stop()

    server.start()
    stop_searching_what_stays()
    # A handler of Python's runs in the reactor's thread, but in the middle of anything.
    signal.signal(signal.SIGHUP, lambda *_: reactor.callFromThread(server.reload))
    reactor.callWhenRunning(begin)
    reactor.addSystemEventTrigger("before", "shutdown", lambda: ensureDeferred(server.end()))
    # To the last they answer that the server is going down.
    for last in (server.close_web, operators.stop):
        reactor.addSystemEventTrigger("during", "shutdown", lambda end=last: ensureDeferred(end()))
    reactor.run()
    for failure in failures:
        failure.raiseException()
    return 0


def _ready(where: str, first: Callable[[], str]) -> None:
    """Tell that the server listens; nobody has been heard before `first` is done."""
    line = first()
    if line:
        print(line, flush=True)  # noqa: T201 -- the contract's stdout
    print(f"mushcombat ready {where}", flush=True)  # noqa: T201 -- as above
