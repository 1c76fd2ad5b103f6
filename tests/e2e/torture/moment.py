"""What a server is in the middle of at the moment that it is killed at.

It is stopped, looked at, and killed: to the server that is one moment.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import psycopg

from tests.e2e.harness import Server

IDLE = "between transactions"
LOCK = "waiting for a lock"
OPEN = "in a transaction that has written"
COMMIT = "in COMMIT"

_SYNCS = {"74", "75"}
"""The numbers of fsync and fdatasync."""

_ACTIVITY = """
    SELECT query, state, wait_event_type, backend_xid IS NOT NULL, extract(epoch FROM state_change)
    FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = %s
"""


def name_of(server: Server) -> str:
    """Name a server as PostgreSQL knows it."""
    return f"torture-{server.folder.name}"


def kill(server: Server) -> str:
    """Kill a server; tells what it was in the middle of."""
    assert server.process is not None
    stopped = time.time()
    server.signal(signal.SIGSTOP)
    os.waitpid(server.process.pid, os.WUNTRACED)
    try:
        look = _sqlite if server.url.startswith("sqlite") else _postgresql
        return look(server, stopped)
    finally:
        server.signal(signal.SIGKILL)


def _sqlite(server: Server, _: float) -> str:
    """Tell by the file's lock whether a transaction is under way, by the kernel what it does."""
    path = server.url.removeprefix("sqlite:///")
    with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as file:
        try:
            file.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return COMMIT if _syncs(server) else OPEN
        file.execute("ROLLBACK")
    return IDLE


def _syncs(server: Server) -> bool:
    """Tell whether a thread waits for the disk; Linux tells who may trace the process."""
    assert server.process is not None
    try:
        tasks = Path(f"/proc/{server.process.pid}/task").glob("*/syscall")
        return any(task.read_text().partition(" ")[0] in _SYNCS for task in tasks)
    except OSError:
        return False


def _postgresql(server: Server, stopped: float) -> str:
    url = server.url.partition("?")[0]
    with psycopg.connect(url, autocommit=True, connect_timeout=5) as connection:
        rows = connection.execute(_ACTIVITY, (name_of(server),)).fetchall()
    return named([Activity(*row) for row in rows], stopped)


@dataclass(frozen=True)
class Activity:
    """What one connection does: its last statement, its state, what it waits for.

    `writes`: it has written rows that are not committed. `changed`: since when it is in that state,
    in seconds of the epoch.
    """

    query: str
    state: str
    waits_for: str | None
    writes: bool
    changed: float


def named(connections: Sequence[Activity], stopped: float) -> str:
    """Name the most that one of a server's connections was in the middle of when it was stopped.

    The database goes on while the server does not: a COMMIT may have ended since.
    """
    names = {IDLE}
    for one in connections:
        if one.query == "COMMIT" and (one.state == "active" or float(one.changed) >= stopped):
            names.add(COMMIT)
        elif one.waits_for == "Lock":
            names.add(LOCK)
        elif one.writes:
            names.add(OPEN)
    return next(name for name in (COMMIT, LOCK, OPEN, IDLE) if name in names)
