"""Whether a transaction is in, when the answer to its COMMIT got lost.

A transaction is in whole or not at all, so one id stands for every job of it: the writer leaves
it in a table in the same transaction. Who doubts looks for it there, before anybody is told or
anything is tried again. What jobs log has their ids too, and is never logged twice: on SQLite,
where nobody has to wait for a transaction that may be under way, such a row is mark enough.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy import Connection, Engine, delete, insert, select
from sqlalchemy.exc import IntegrityError

from mushcombat.storage.schema import LogRow
from mushcombat.storage.schema_jobs import RecentJob

KEPT = timedelta(minutes=15)
"""How long ids are kept: longer than anybody looks for one."""

_LEAVE = insert(RecentJob)
"""Built once: every transaction leaves one."""

SWEPT_EVERY = 1000
"""Transactions between two sweeps of what is older."""


class Marks:
    """Leaves the mark of each transaction, and sweeps the old ones out now and then."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._count = 0

    def leave(self, connection: Connection, job: str, logged: str | None) -> str:
        """Note within a transaction that it did a job; gives the id to look for.

        `logged` is a job of it that has a row in a log.
        """
        if logged is not None and connection.dialect.name == "sqlite":
            return logged
        now = self._clock()
        connection.execute(_LEAVE, {"id": job, "at": now})
        if self._count % SWEPT_EVERY == 0:
            connection.execute(delete(RecentJob).where(RecentJob.at < now - KEPT))
        self._count += 1
        return job

    def is_in(self, engine: Engine, job: str) -> bool:
        """Tell whether the transaction that did a job was committed.

        Raises SQLAlchemyError while the database can't be asked.
        """
        with engine.connect() as connection:  # which is rolled back in the end
            if connection.scalar(select(RecentJob.id).where(RecentJob.id == job)):
                return True
            if engine.dialect.name == "sqlite":  # one transaction writes at a time: this one
                logged = select(LogRow.seq).where(LogRow.job == job).limit(1)
                return connection.scalar(logged) is not None
            return self._ends_in(connection, job)

    def _ends_in(self, connection: Connection, job: str) -> bool:
        """Wait for a transaction that may still be under way on the lost connection.

        Its id can't be noted a second time: PostgreSQL lets that wait until the first one has
        ended, one way or the other.
        """
        try:
            connection.execute(_LEAVE, {"id": job, "at": self._clock()})
        except IntegrityError:
            return True
        return False
