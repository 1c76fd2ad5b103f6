"""The thread that renews a process's lease, counts the others, and listens to them."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from threading import Event, Thread
from typing import Any

from sqlalchemy import Connection, Engine, select, text, update
from sqlalchemy.exc import SQLAlchemyError

from mushcombat.domain.processes import DEAD, RENEWED
from mushcombat.records import record
from mushcombat.storage.bulletins import CHANNEL, drop_old
from mushcombat.storage.presences import IS_DEAD, NOW
from mushcombat.storage.schema_processes import ProcessRow

log = logging.getLogger(__name__)

SWEEP = 0.5
"""Seconds between two looks for what no notice told of, and for who is dead."""

AGAIN = 1.0
"""Seconds before a lost connection is made again."""

SLICE = 0.2
"""Seconds that one wait for notices takes: how long an end may be overlooked."""

AT_ONCE = 2.0
"""Seconds within which a database that is gone says so; one that is silent lets us wait longer."""

DROPPED = 60.0
"""Seconds between two looks for bulletins that are old."""

JOINED = "joined"
"""The notice of a new process."""


@record(frozen=True, slots=True)
class Census:
    """Which processes there are. `dead` ones have let their lease run out.

    `known`: this process is one of them; if not, the others have taken it for dead.
    """

    alive: tuple[int, ...] = ()
    dead: tuple[int, ...] = ()
    known: bool = True


class NoticeListener:
    """Owns a connection of its own. `look` asks for a look at the bulletins, from its thread.

    `pulse` goes up, at least every two seconds, while the database answers: be it that it is gone.
    """

    def __init__(
        self,
        engine: Engine,
        process: int,
        look: Callable[[], None],
        told: Callable[[Census], None],
    ) -> None:
        self._engine = engine
        self._broken = SQLAlchemyError, engine.dialect.loaded_dbapi.Error  # the driver's own
        self._process = process
        self._look = look
        self._told = told
        self._ending = Event()
        self._first = True
        self.pulse = 0
        self._asked = 0.0
        self._thread = Thread(target=self._work, name="listener", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def stop(self) -> None:
        """End. Blocks."""
        self._ending.set()
        self._thread.join()
        self._engine.dispose()

    def _work(self) -> None:
        while not self._ending.is_set():
            try:
                self._listen()
            except self._broken as problem:
                self._lost(problem)

    def _lost(self, problem: Exception) -> None:
        log.warning("listening to the other processes failed: %s", str(problem).partition("\n")[0])
        if time.monotonic() - self._asked < AT_ONCE:
            self.pulse += 1
        self._engine.dispose()
        self._ending.wait(AGAIN)

    def _listen(self) -> None:
        self._asked = time.monotonic()
        with self._engine.connect() as connection:
            connection.execution_options(isolation_level="AUTOCOMMIT")
            connection.execute(text(f"LISTEN {CHANNEL}"))
            began, renewal, drop = time.monotonic(), 0.0, 0.0
            while not self._ending.is_set():
                now = self._asked = time.monotonic()
                if now >= renewal:
                    renewal = now + RENEWED
                    self._renew(connection)
                if now >= drop:
                    drop = now + DROPPED
                    drop_old(connection)
                # Where the database was gone for all, each needs a while to renew its lease.
                self._tell(connection, judges=self._first or now - began > DEAD)
                self._first = False
                self.pulse += 1
                self._wait(connection)

    def _tell(self, connection: Connection, *, judges: bool) -> None:
        """Tell which processes there are, and look for what no notice told of."""
        census = self._count(connection, judges=judges)
        self._told(census)
        if len(census.alive) > 1:
            self._look()

    def _renew(self, connection: Connection) -> None:
        mine = ProcessRow.id == self._process
        connection.execute(update(ProcessRow).where(mine).values(renewed_at=NOW))

    def _count(self, connection: Connection, *, judges: bool) -> Census:
        rows = connection.execute(select(ProcessRow.id, IS_DEAD).order_by(ProcessRow.id)).all()
        alive = tuple(number for number, dead in rows if not dead)
        dead = tuple(number for number, dead in rows if dead and number != self._process)
        known = self._process in {number for number, _ in rows}
        return Census(alive, dead if judges else (), known)

    def _wait(self, connection: Connection) -> None:
        """Wait for notices until the next sweep, or until a process joins."""
        raw: Any = connection.connection.driver_connection  # psycopg's
        end = time.monotonic() + SWEEP
        while time.monotonic() < end and not self._ending.is_set():
            for notice in raw.notifies(timeout=SLICE):
                process, _, what = notice.payload.partition(":")
                if process == str(self._process):
                    continue
                self._look()
                if what == JOINED:
                    return
