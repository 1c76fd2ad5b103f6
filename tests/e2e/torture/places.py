"""Databases for the torturer: empty but for the ten logins."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import psycopg
from psycopg import sql

from mushcombat.app import open_database
from mushcombat.config import Config
from mushcombat.domain.character import Role
from mushcombat.net.passwords import hash_password
from mushcombat.storage.writes import WriteStore
from tests.contract.arena import rulebook
from tests.contract.moves import REFEREE
from tests.e2e.conftest import POSTGRESQL, sqlite_url
from tests.e2e.harness import PASSWORD, Server
from tests.e2e.torture.moment import name_of
from tests.e2e.torture.talk import PEOPLE


@contextmanager
def database(kind: str, folder: Path) -> Iterator[str]:
    """Make a database, "sqlite" or "postgresql"; gives its URL."""
    if kind == "sqlite":
        yield sqlite_url(folder)
        return
    admin = os.environ.get("MUSHCOMBAT_TEST_POSTGRESQL", POSTGRESQL)
    name = sql.Identifier(f"mushcombat_{uuid.uuid4().hex}")
    with psycopg.connect(admin, autocommit=True, connect_timeout=5) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(name))
        try:
            yield admin.rpartition("/")[0] + f"/{name.as_string(connection)[1:-1]}"
        finally:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))


def make_logins(url: str) -> None:
    """Make the ten logins, in one transaction."""

    def make(store: WriteStore) -> None:
        now, hashed = datetime.now(UTC), hash_password(PASSWORD)
        for name in PEOPLE:
            role = Role.STAFF if name == REFEREE else Role.PLAYER
            store.create_account(name, hashed, role, now)

    open_database(Config(), url, rulebook()).prepare_and(make)


@contextmanager
def server(kind: str, folder: Path) -> Iterator[Server]:
    """Start a server on a new database with the ten logins."""
    with database(kind, folder) as url, server_on(url, folder) as running:
        yield running


@contextmanager
def server_on(url: str, folder: Path) -> Iterator[Server]:
    """Start a server on an empty database, with the ten logins."""
    make_logins(url)
    with Server(folder, url) as running:
        yield running


@contextmanager
def servers_on(url: str, folder: Path, count: int) -> Iterator[list[Server]]:
    """Start servers on one empty database, with the ten logins."""
    make_logins(url)
    with ExitStack() as stack:
        servers = [_server(url, folder / f"server{number}") for number in range(1, count + 1)]
        for one in servers:
            stack.callback(one.end)
        with ThreadPoolExecutor(count) as pool:
            list(pool.map(Server.start, servers))
        yield servers


def _server(url: str, folder: Path) -> Server:
    folder.mkdir()
    server = Server(folder, url)
    if url.startswith("postgresql"):
        server.url += f"?application_name={name_of(server)}"
    return server
