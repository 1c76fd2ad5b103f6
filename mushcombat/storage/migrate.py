"""Bringing a database to the program's schema, one process at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import OperationalError

from mushcombat.errors import MushError
from mushcombat.paths import shipped

ADVISORY_LOCK = 0x6D757368
"""PostgreSQL advisory lock held while the schema changes and the first staff login is made."""

_PATIENCE = 30.0
_PAUSE = 0.1


def alembic_config() -> Config:
    """Configure Alembic without a file of its own: the scripts travel with the program."""
    config = Config()
    config.set_main_option("script_location", str(shipped("migrations")))
    return config


def newest() -> str:
    """Name the schema revision that this program is written for."""
    head = ScriptDirectory.from_config(alembic_config()).get_current_head()
    if head is None:
        raise RuntimeError("the program has lost its migrations")
    return head


@contextmanager
def alone(engine: Engine) -> Iterator[Connection]:
    """Open a transaction that no other process's `alone` runs beside.

    SQLite: BEGIN IMMEDIATE is lock enough. PostgreSQL: an advisory lock, freed at the end.
    """
    with _patiently(engine.connect) as connection, connection.begin():
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


def current(connection: Connection) -> str | None:
    """Name the revision of the database; None when it is empty."""
    return MigrationContext.configure(connection).get_current_revision()


def prepare(connection: Connection, *, upgrade: bool) -> None:
    """Bring an empty database to the newest schema, an older one only when `upgrade`.

    Raises MushError for one that is newer than the program, or older when not upgrading.
    """
    found, wanted = current(connection), newest()
    if found == wanted:
        return
    _refuse_the_unknown(found)
    if found is not None and not upgrade:
        raise MushError(
            "schema",
            f"The database has the older schema {found}; this program needs {wanted}.",
            "Run: mushcombat db upgrade",
        )
    config = alembic_config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _refuse_the_unknown(found: str | None) -> None:
    known = {
        script.revision for script in ScriptDirectory.from_config(alembic_config()).walk_revisions()
    }
    if found is not None and found not in known:
        raise MushError(
            "schema",
            f"The database has schema {found}, which this program does not know: it is newer.",
            "Run the newer program, or name another database with --database.",
        )
