"""Bringing a database to the program's schema, one process at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import OperationalError

from mushcombat.errors import MushError
from mushcombat.storage.engine import driver_of
from mushcombat.storage.revisions import current, newest, revisions
from mushcombat.storage.strangers import refuse_encodings, refuse_strangers

ADVISORY_LOCK = 0x6D757368
"""PostgreSQL advisory lock held while the schema changes and the first staff login is made."""

_PATIENCE = 30.0
_PAUSE = 0.1


@contextmanager
def alone(engine: Engine) -> Iterator[Connection]:
    """Open a transaction that no other process's `alone` runs beside.

    SQLite: BEGIN IMMEDIATE is lock enough. PostgreSQL: an advisory lock, freed at the end.
    Raises MushError for a database whose encoding can't hold what players type.
    """
    with _patiently(engine.connect) as connection, connection.begin():
        check_encoding(connection)
        if engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": ADVISORY_LOCK})
        yield connection


def _patiently(connect: Callable[[], Connection]) -> Connection:
    """Connect; SQLite refuses at once while another process is switching the file to WAL."""
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            return connect()
        except OperationalError as problem:
            if "locked" not in str(problem) or time.monotonic() > end:
                raise
            time.sleep(_PAUSE)


def check_encoding(connection: Connection) -> None:
    """Raise MushError for a PostgreSQL database that is not UTF8; SQLite's always are."""
    if connection.dialect.name == "postgresql":
        encoding = driver_of(connection).info.parameter_status("server_encoding")
        refuse_encodings(str(encoding))


def prepare(connection: Connection, *, upgrade: bool) -> None:
    """Bring an empty database to the newest schema, an older one only when `upgrade`.

    Raises MushError for one that is newer than the program, or older when not upgrading; and for
    one that has tables of somebody else's.
    """
    found, wanted = current(connection), newest()
    if found == wanted:
        return
    refuse_strangers(connection, found)
    _refuse_the_unknown(found)
    if found is not None and not upgrade:
        raise MushError(
            "schema",
            f"The database has the older schema {found}; this program needs {wanted}.",
            "Run: mushcombat db upgrade",
        )
    from mushcombat.storage import upgrades  # noqa: PLC0415 -- Alembic: no other start waits for it

    upgrades.upgrade(connection)


def _refuse_the_unknown(found: str | None) -> None:
    if found is not None and found not in revisions():
        raise MushError(
            "schema",
            f"The database has schema {found}, which this program does not know: it is newer.",
            "Run the newer program, or name another database with --database.",
        )
