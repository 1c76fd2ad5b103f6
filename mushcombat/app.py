"""The composition root: the only file that knows everything."""

from __future__ import annotations

import logging
import os
import secrets
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from twisted.internet.defer import Deferred, ensureDeferred, maybeDeferred
from twisted.internet.endpoints import serverFromString
from twisted.internet.error import CannotListenError
from twisted.internet.task import deferLater
from twisted.internet.threads import deferToThread
from twisted.python.failure import Failure
from twisted.python.threadpool import ThreadPool

from mushcombat.config import Config
from mushcombat.config import load as load_config_file
from mushcombat.domain.character import Role
from mushcombat.domain.command import Job, Result, Verb
from mushcombat.domain.dice import FreeDice
from mushcombat.domain.eras import ERA_EVENTS
from mushcombat.domain.events import CORE_EVENTS
from mushcombat.domain.fight import FIGHT_EVENTS
from mushcombat.domain.ports import Reads, Writes
from mushcombat.domain.refereeing import REFEREE_EVENTS
from mushcombat.domain.scene_events import SCENE_EVENTS
from mushcombat.domain.sharing import SHARING_EVENTS
from mushcombat.domain.state import STATE_EVENTS
from mushcombat.errors import MushError
from mushcombat.faults import WHOLE_FILE, Fault, FaultyError
from mushcombat.net.alarms import Alarms
from mushcombat.net.game import Game
from mushcombat.net.passwords import Passwords, hash_password
from mushcombat.net.pose_turns import PoseTurns
from mushcombat.net.publisher import Publisher
from mushcombat.net.reminders import Reminders
from mushcombat.net.telnet import TelnetFactory
from mushcombat.service.accounts import Throttle
from mushcombat.service.connection import CONNECTION_VERBS
from mushcombat.service.eras import era_verbs
from mushcombat.service.executor import Executor
from mushcombat.service.fights import fight_verbs, on_arrival
from mushcombat.service.help import help_verbs, read_sections
from mushcombat.service.history import history_verbs
from mushcombat.service.mutter import mutter_verbs
from mushcombat.service.npcs import npc_verbs
from mushcombat.service.people import people_verbs
from mushcombat.service.poses import pose_verbs
from mushcombat.service.pot import pot_verbs
from mushcombat.service.properties import property_verbs
from mushcombat.service.publishing import Save, publishing_verbs
from mushcombat.service.recap import recap_verbs
from mushcombat.service.referees import referee_verbs
from mushcombat.service.rooms import ROOM_VERBS
from mushcombat.service.router import Router
from mushcombat.service.scene_life import scene_life_verbs
from mushcombat.service.scene_list import scene_list_verbs
from mushcombat.service.scene_log import scene_log_verbs
from mushcombat.service.scenes import scene_verbs
from mushcombat.service.sheets import sheet_verbs
from mushcombat.service.talk import talk_verbs
from mushcombat.service.why import why_verbs
from mushcombat.service.world import World
from mushcombat.storage.codec import Codec
from mushcombat.storage.database import Database
from mushcombat.storage.files import write_lines
from mushcombat.storage.reads import Readers
from mushcombat.storage.writer import Writer
from mushcombat.systems import SYSTEMS
from mushcombat.systems.system import System
from mushcombat.views.plain import PlainView
from mushcombat.views.transcript import Transcripts

log = logging.getLogger(__name__)

READ_THREADS = 2
HASH_THREADS = 2
DRAIN_SECONDS = 5.0
"""How long lines already received may take to be done when the server ends."""
GOODBYE_SECONDS = 2.0
"""How long a slow client may take to read the goodbye."""
FIRST_LOGIN = "Admin"


def utc_now() -> datetime:
    """Tell the time; handed to whatever needs one."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Rulebook:
    """The rule systems with their tables loaded, and what follows from them alone."""

    systems: Mapping[str, System]
    default: str
    codec: Codec
    view: PlainView
    transcripts: Transcripts


def load_config(file: Path) -> Config:
    """Read the configuration. FaultyError lists its faults; OSError when it can't be read."""
    try:
        return load_config_file(file)
    except UnicodeDecodeError as problem:
        raise FaultyError([_no_text(file)]) from problem


def load_rulebook(config: Config) -> Rulebook:
    """Load every system's tables. FaultyError lists the faults of all files."""
    systems: dict[str, System] = {}
    faults: list[Fault] = []
    for name, load in SYSTEMS.items():
        try:
            systems[name] = load(config.rules_folder)
        except FaultyError as problem:
            faults += problem.faults
        except OSError as problem:
            faults.append(_unreadable(problem, "a rules table"))
        except UnicodeDecodeError:
            faults.append(_no_text(config.rules_folder / f"{name}.toml"))
    default = config.rules.default or next(iter(SYSTEMS))
    if default not in SYSTEMS:
        names = ", ".join(SYSTEMS)
        faults.append(Fault("server configuration", "rules.default", default, f"one of {names}"))
    if faults:
        raise FaultyError(faults)
    events = [event for system in systems.values() for event in system.events]
    core = (
        *CORE_EVENTS,
        *FIGHT_EVENTS,
        *STATE_EVENTS,
        *SCENE_EVENTS,
        *ERA_EVENTS,
        *SHARING_EVENTS,
        *REFEREE_EVENTS,
    )
    view = PlainView(systems.values())
    transcripts = Transcripts(systems.values(), view)
    return Rulebook(systems, default, Codec([*core, *events]), view, transcripts)


def check(config: Config) -> None:
    """Check rules tables, texts, help and views as a start of the server would."""
    faults: list[Fault] = []
    for load in (lambda: build_routers(load_rulebook(config), World()), lambda: load_texts(config)):
        try:
            load()
        except FaultyError as problem:
            faults += problem.faults
    if faults:
        raise FaultyError(faults)


def load_texts(config: Config) -> dict[str, str]:
    """Read the texts that players are shown, by name. FaultyError lists the faults of all."""
    texts: dict[str, str] = {}
    faults: list[Fault] = []
    for name in ("connect", "motd"):
        file = config.texts_folder / f"{name}.txt"
        try:
            texts[name] = file.read_text(encoding="utf-8").replace("{name}", config.server.name)
        except OSError as problem:
            faults.append(_unreadable(problem, "a text"))
        except UnicodeDecodeError:
            faults.append(_no_text(file))
    if faults:
        raise FaultyError(faults)
    return texts


def _unreadable(problem: OSError, expected: str) -> Fault:
    return Fault(str(problem.filename), WHOLE_FILE, problem.strerror or "unreadable", expected)


def _no_text(file: Path) -> Fault:
    return Fault(str(file), WHOLE_FILE, "bytes that are no text", "UTF-8")


def keep_transcript(folder: Path) -> Save:
    """Give what keeps the transcripts that players ask for, in a folder of their own."""

    def save(name: str, lines: Iterable[str]) -> tuple[str, int]:
        file = folder / "transcripts" / name
        return str(file), write_lines(file, lines)

    return save


def keep_nothing(name: str, _lines: Iterable[str]) -> tuple[str, int]:
    """Stand where no server runs that could keep transcripts."""
    raise MushError("file", f"{name} is kept nowhere: no server runs.", "mushcombat serve")


def build_routers(book: Rulebook, world: World, save: Save = keep_nothing) -> dict[str, Router]:
    """Make the table of verbs of each system: the core's and its own, with help for each."""
    core: tuple[Verb, ...] = (
        *talk_verbs(world),
        *mutter_verbs(world, FreeDice(secrets.randbelow)),
        *people_verbs(world),
        *ROOM_VERBS,
        *scene_verbs(book.systems, book.default, secrets.token_bytes),
        *scene_list_verbs(),
        *scene_life_verbs(book.view.shown),
        *property_verbs(),
        *scene_log_verbs(book.view.shown),
        *recap_verbs(book.systems, book.view.shown),
        *pose_verbs(book.view.shown, world.is_nospoof),
        *pot_verbs(),
        *era_verbs(secrets.token_bytes),
        *publishing_verbs(book.transcripts.lines, save),
        *sheet_verbs(book.systems, book.default),
        *fight_verbs(book.systems),
        *npc_verbs(book.systems),
        *referee_verbs(book.systems, book.view.shown),
        *history_verbs(book.systems),
        *why_verbs(book.systems, book.view.shown),
        *CONNECTION_VERBS,
    )
    sections = read_sections(Path(__file__).parent / "service" / "help")
    routers = {}
    for system in book.systems.values():
        verbs = (*core, *system.verbs)
        both = {**sections, **read_sections(system.help_folder)}
        routers[system.name] = Router((*verbs, *help_verbs(verbs, both)))
    return routers


def open_database(config: Config, url: str | None, book: Rulebook) -> Database:
    """Name the database: what the command line says, else the configuration."""
    return Database(url or config.database.url, book.codec, book.view.public_text, utc_now)


def first_login(store: Writes, password: str) -> bool:
    """Make the first staff login if there is no staff; tells whether it did.

    Not where somebody has its name, made or demoted by the command line: that can promote, too.
    """
    if any(login.role >= Role.STAFF for login in store.logins()) or store.login(FIRST_LOGIN):
        return False
    hashed = hash_password(password)
    store.create_account(FIRST_LOGIN, hashed, Role.ADMIN, utc_now(), one_time=True)
    return True


def announce_first_password(password: str, var: Path, *, terminal: bool) -> str:
    """Give the line to print: the password to a terminal alone, else where it was written."""
    if terminal:
        return f"First start: log in as {FIRST_LOGIN} with the one-time password {password}"
    var.mkdir(parents=True, exist_ok=True)
    file = var / "first-password"
    file.unlink(missing_ok=True)
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as out:
        out.write(password + "\n")
    return f"First start: the one-time password of {FIRST_LOGIN} is in {file}"


def load_world(world: World, store: Reads) -> None:
    """Show the world what the database holds: rooms, open scenes, and who is in those."""
    scenes = store.open_scenes()
    people = sorted({person for scene in scenes for person in scene.participants})
    world.load(store.places(), scenes, store.names(people))


def make_game(
    config: Config, book: Rulebook, texts: Mapping[str, str], database: Database, reactor: Any
) -> Running:
    """Put the server together; nothing listens yet."""
    world = World()
    routers = build_routers(book, world, keep_transcript(config.var_folder))
    readers = database.readers(READ_THREADS + HASH_THREADS)
    readers.run(lambda store: load_world(world, store))
    last = readers.run(lambda store: {n: store.last_seq(n) for n in world.scenes})
    pool = ThreadPool(minthreads=0, maxthreads=READ_THREADS, name="readers")

    def deliver(results: Sequence[tuple[Job, Result]]) -> None:
        reactor.callFromThread(game.release, results)

    writer = database.writer(deliver)
    game = Game(
        config=config,
        world=world,
        executor=Executor(world, routers, book.default, utc_now, secrets.randbelow),
        publisher=Publisher(world, book.view),
        writer=writer,
        readers=readers,
        passwords=Passwords(reactor, HASH_THREADS),
        throttle=Throttle(config.login.tries, config.login.wait, time.monotonic),
        pool=pool,
        reactor=reactor,
        clock=utc_now,
        on_arrival=partial(on_arrival, book.systems),
        banner=texts["connect"].rstrip(),
        motd=texts["motd"].strip(),
    )
    game.attendance.load(last)
    game.shown = PoseTurns(game).look
    alarms = Alarms(game, book.systems)
    return Running(game, writer, readers, TelnetFactory(game), alarms, Reminders(game))


@dataclass(eq=False)
class Running:
    """A server with its threads: start it, listen, and end it with nothing lost."""

    game: Game
    writer: Writer
    readers: Readers
    factory: TelnetFactory
    alarms: Alarms
    reminders: Reminders
    ports: list[Any] = field(default_factory=list)

    def start(self) -> None:
        """Start the threads."""
        self.writer.start()
        self.game.passwords.start()
        self.game.pool.start()
        self.alarms.start()
        self.game.attendance.start()
        self.reminders.start()

    async def listen(self, endpoints: Sequence[str]) -> str:
        """Listen on Twisted endpoint descriptions; gives "host:port" of each, with commas."""
        for endpoint in endpoints:
            server: Any = serverFromString(self.game.reactor, endpoint)  # type: ignore[no-untyped-call]
            self.ports.append(await server.listen(self.factory))
        return ",".join(_address(port.getHost()) for port in self.ports)

    async def end(self) -> None:
        """Take no more, do what was received, tell everyone, commit what is queued, close."""
        self.game.closing = True
        self.alarms.stop()
        self.reminders.stop()
        for port in self.ports:
            await maybeDeferred(port.stopListening)
        self.factory.stop_reading()
        await self._until(self.factory.idle, DRAIN_SECONDS)
        self.factory.say_goodbye("The server is going down now. What you saw is saved.")
        await self._until(lambda: not self.factory.links, GOODBYE_SECONDS)
        self.factory.abort()
        self.game.attendance.stop()
        await deferToThread(self.writer.stop)
        self.game.passwords.stop()
        self.game.pool.stop()
        self.readers.close()

    async def _until(self, done: Callable[[], bool], seconds: float) -> None:
        end = time.monotonic() + seconds
        while not done() and time.monotonic() < end:
            await deferLater(self.game.reactor, 0.02)


def _address(host: Any) -> str:
    """Write where a port listens: "127.0.0.1:4201", or a UNIX socket's path."""
    if hasattr(host, "port"):
        return f"{host.host}:{host.port}"
    name = host.name
    return name.decode() if isinstance(name, bytes) else str(name)


def serve(config: Config, url: str | None, endpoints: Sequence[str]) -> int:
    """Run the server until SIGTERM or SIGINT; gives the exit code."""
    from twisted.internet import reactor  # noqa: PLC0415 -- importing it installs it

    book, texts = load_rulebook(config), load_texts(config)
    database = open_database(config, url, book)
    password = secrets.token_urlsafe(12)

    def begin(store: Writes) -> str:
        if not first_login(store, password):
            return ""
        # Before the commit: a login whose password could not be written would lock everyone out.
        terminal = sys.stdout.isatty()
        return announce_first_password(password, config.var_folder, terminal=terminal)

    line = database.prepare_and(begin)
    if line:
        print(line, flush=True)  # noqa: T201 -- the contract's stdout
    game = make_game(config, book, texts, database, reactor)
    return _run(game, endpoints or config.server.telnet)


def _run(server: Running, endpoints: Sequence[str]) -> int:
    """Run the reactor round a server."""
    reactor = server.game.reactor
    failures: list[str] = []

    def begin() -> None:
        listening: Deferred[str] = ensureDeferred(server.listen(endpoints))
        listening.addCallbacks(_ready, failed)

    def failed(failure: Failure) -> None:
        failures.append(_why(failure))
        reactor.stop()

    server.start()
    reactor.callWhenRunning(begin)
    reactor.addSystemEventTrigger("before", "shutdown", lambda: ensureDeferred(server.end()))
    reactor.run()
    if failures:
        raise MushError("listen", failures[0], "Name another with --telnet tcp:PORT.")
    return 0


def _ready(addresses: str) -> None:
    print(f"mushcombat ready telnet={addresses}", flush=True)  # noqa: T201 -- the contract's stdout


def _why(failure: Failure) -> str:
    if isinstance(failure.value, CannotListenError):
        return f"Can't listen on port {failure.value.port}: {failure.value.socketError}."
    return f"Can't listen: {failure.value}."
