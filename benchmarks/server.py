"""The programs under load: started on a free loopback port, and stopped again."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from argon2 import PasswordHasher

from benchmarks.errors import RunFailedError
from mushcombat import app, rulebook
from mushcombat.config import Config
from mushcombat.domain.character import Role
from mushcombat.domain.command import Outcome
from mushcombat.domain.ports import Writes
from mushcombat.net.passwords import hash_password
from mushcombat.storage.database import Database

PASSWORD = "all-benches-1"
START_SECONDS, STOP_SECONDS = 60.0, 60.0
REPOSITORY = Path(__file__).resolve().parent.parent
_CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
_CONFIG = """
[limits]
lines_burst = 1_000_000
lines = 1_000_000
bytes_burst = 1_000_000_000
bytes = 1_000_000_000
address_lines = 1_000_000
address_bytes = 1_000_000_000
"""
"""What may be typed is counted, as in every game, but here it is never too much."""

_READY = re.compile(r"telnet=127\.0\.0\.1:(\d+)\b")


class Program:
    """A process that prints a line with `telnet=127.0.0.1:PORT` when it is ready."""

    def __init__(self, folder: Path, name: str, words: Sequence[str]) -> None:
        self._folder = folder
        self._words = [sys.executable, "-m", *words]
        self._log = folder / f"{name}.log"
        self.name = name
        self.port = 0
        self.pid = 0

    def __enter__(self) -> Self:
        ours = {k: v for k, v in os.environ.items() if not k.startswith("MUSHCOMBAT_")}
        with self._log.open("w", encoding="utf-8") as log:
            self._process = subprocess.Popen(
                self._words,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                cwd=self._folder,
                env={**ours, "PYTHONPATH": str(REPOSITORY)},
            )
        self.pid = self._process.pid
        watchdog = threading.Timer(START_SECONDS, self._process.kill)
        watchdog.start()
        try:
            self.port = self._read_port()
        finally:
            watchdog.cancel()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        code = self._stop()
        if problem is None and (code != 0 or "Traceback" in self._logged()):
            raise RunFailedError(f"{self.name} ended with {code}: {self._logged()[-500:]}")

    def _stop(self) -> int:
        self._process.terminate()
        try:
            code = self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()
        return code

    def _read_port(self) -> int:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if found := _READY.search(line):
                return int(found[1])
        self._stop()
        raise RunFailedError(f"{self.name} did not start: {self._logged()[-500:]}")

    def _logged(self) -> str:
        return self._log.read_text(encoding="utf-8", errors="replace")


def bare(folder: Path, kind: str) -> Program:
    """Make the bare `echo` or `broadcast`."""
    return Program(folder, f"bare {kind}", ["benchmarks.bare", kind])


def mushcombat(
    folder: Path, logins: Sequence[str], apart: int = 0, *, guarded: bool = False
) -> Program:
    """Make the server on a new SQLite file, with logins as `make_logins` makes them."""
    url = f"sqlite:///{folder / 'bench.db'}"
    make_logins(url, logins, apart, guarded=guarded)
    return process(folder, url)


def process(folder: Path, url: str) -> Program:
    """Make a server on a database that has logins."""
    (folder / "server.toml").write_text(_CONFIG, encoding="utf-8")
    words = ["mushcombat", "serve", "--telnet", "tcp:0:interface=127.0.0.1"]
    words += ["--config", str(folder / "server.toml"), "--database", url]
    return Program(folder, "mushcombat", words)


def opened(url: str) -> Database:
    """Open a database as the program does, and bring it to the newest schema."""
    config = Config()
    database = app.open_database(config, url, rulebook.load_rulebook(config))
    database.prepare(upgrade=True)
    return database


def make_logins(url: str, names: Sequence[str], apart: int = 0, *, guarded: bool = False) -> None:
    """Make players, and one admin: the first start makes its own when there is none.

    All have one password; its hash is a cheap one, so that logging in takes no time, unless they
    are `guarded` as those of a game. So many of them at a time share a room where nobody else is;
    0: all are in the start room.
    """
    hashed = hash_password(PASSWORD) if guarded else _CHEAP.hash(PASSWORD)
    now = app.utc_now()

    def run(store: Writes) -> Outcome:
        store.create_account("Keeper", hashed, Role.ADMIN, now)
        room = 0
        for number, name in enumerate(names):
            made = store.create_account(name, hashed, Role.PLAYER, now)
            if apart and number % apart == 0:
                room = store.dig(f"Deck {number // apart}")
            if apart:
                store.move(made.character, room)
        return Outcome()

    opened(url).perform(run)
