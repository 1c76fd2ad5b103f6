"""Connections to SQLite and PostgreSQL, set up so that a commit means "on disk"."""

from __future__ import annotations

from sqlite3 import Error
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool

from mushcombat.storage.files import make_private
from mushcombat.storage.strangers import is_strange
from mushcombat.storage.urls import database_url, sqlite_file, wrong_setting

BUSY_MS = 10_000
"""How long SQLite waits for another process's lock, in milliseconds."""

WAL_PAGES = 8_000
"""How many pages SQLite's log takes before they go into the database, 4 KiB each.

The commit that is to copy them waits for that and for two more syncs: 5 ms and more. By SQLite's
own 1,000 that meets one pose of 150, and what is written again and again is copied each time.
"""

IDLE_MS = 15_000
"""How long PostgreSQL lets the writer hold a transaction and say nothing, in milliseconds.

A writer that is cut off does not say goodbye, and what it had locked has to come free.
"""

_CONNECT = {"connect_timeout": 10, "client_encoding": "utf8"}
"""Seconds; and text comes as text, whatever encoding the database has."""

_KEEPALIVE = {
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 12_000,
}
"""Seconds, and milliseconds: a server behind a dead network is noticed in about 11 s."""


def open_engine(text: str, *, read_only: bool = False, connections: int = 1) -> Engine:
    """Make an engine for the writer (one connection) or for readers (a few, read-only)."""
    url = database_url(text)
    make = _sqlite if url.get_backend_name() == "sqlite" else _postgresql
    try:
        return make(url, read_only=read_only, connections=connections)
    except ValueError as problem:
        raise wrong_setting(str(problem)) from problem


def driver_of(connection: Connection) -> Any:
    """Give the driver's own connection, within a transaction of ours."""
    return connection.connection.dbapi_connection


def failed(connection: Connection, text: str, problem: Error) -> BaseException:
    """Make of an error of SQLite's driver the one that SQLAlchemy would raise; no parameters."""
    return DBAPIError.instance(
        text, None, problem, Error, hide_parameters=True, dialect=connection.dialect
    )


def _sqlite(url: URL, *, read_only: bool, connections: int) -> Engine:
    make_private(sqlite_file(url))
    engine = create_engine(
        url,
        hide_parameters=True,
        poolclass=QueuePool,
        pool_size=connections,
        max_overflow=0,
        connect_args={"timeout": BUSY_MS / 1000, "check_same_thread": False},
    )
    _own_the_transactions(engine, read_only=read_only)
    return engine


def _own_the_transactions(engine: Engine, *, read_only: bool) -> None:
    """Switch off the driver's own handling of transactions, and say BEGIN ourselves.

    Left on, the driver begins late and commits early, and an outer rollback leaves rows behind.
    """

    @event.listens_for(engine, "connect")
    def on_connect(connection: Any, record: object) -> None:  # noqa: ARG001 -- SQLAlchemy's call
        connection.isolation_level = None
        for pragma in (
            f"busy_timeout={BUSY_MS}",
            *(() if is_strange(connection) else ("journal_mode=WAL",)),
            "synchronous=FULL",
            f"wal_autocheckpoint={WAL_PAGES}",
            "foreign_keys=ON",
            f"query_only={'ON' if read_only else 'OFF'}",
        ):
            connection.execute(f"PRAGMA {pragma}")

    begin = "BEGIN" if read_only else "BEGIN IMMEDIATE"

    @event.listens_for(engine, "begin")
    def on_begin(connection: Connection) -> None:
        try:
            driver_of(connection).execute(begin)  # five times as quick as by ours
        except Error as problem:
            raise failed(connection, begin, problem) from problem


def _postgresql(url: URL, *, read_only: bool, connections: int) -> Engine:
    options = "-c timezone=UTC -c synchronous_commit=on"
    if read_only:
        options += " -c default_transaction_read_only=on"
    else:
        options += f" -c idle_in_transaction_session_timeout={IDLE_MS}"
    return create_engine(
        url,
        hide_parameters=True,
        pool_size=connections,
        max_overflow=0,
        connect_args={"options": options, **_CONNECT, **_KEEPALIVE},
        pool_pre_ping=read_only,
    )
