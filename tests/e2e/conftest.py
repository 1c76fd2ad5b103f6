"""Fixtures: a server on SQLite with four logins, one on an empty database, one on PostgreSQL."""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from tests.e2e.databases import LOGINS, Databases
from tests.e2e.harness import Server

POSTGRESQL = "postgresql://postgres@127.0.0.1:5432/postgres"

Serve = Callable[..., Server]


def sqlite_url(folder: Path) -> str:
    return f"sqlite:///{folder / 'test.db'}"


def missing(what: str) -> None:
    """Skip a test that needs what is not installed here; on CI that is a failure."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what}; CI has to have it")
    pytest.skip(what)


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the four logins once, with the command line, on an empty file."""
    folder = tmp_path_factory.mktemp("template")
    server = Server(folder, sqlite_url(folder))
    for name, role in LOGINS.items():
        server.account(name, role)
    return folder / "test.db"


@pytest.fixture
def serve(tmp_path: Path, template: Path) -> Iterator[Serve]:
    """Give a function that starts a server; all of them end, and their logs are looked at."""
    with ExitStack() as stack:

        def begin(config: str = "", *, empty: bool = False) -> Server:
            folder = tmp_path / uuid.uuid4().hex[:8]
            folder.mkdir()
            if not empty:
                shutil.copy(template, folder / "test.db")
            return stack.enter_context(Server(folder, sqlite_url(folder), config))

        yield begin


@pytest.fixture
def server(serve: Serve) -> Server:
    """Start a server with the logins Rhea (staff), Ada, Bram and Cass."""
    return serve()


@pytest.fixture(scope="module")
def module_server(tmp_path_factory: pytest.TempPathFactory, template: Path) -> Iterator[Server]:
    """Start a server for all tests of a file that leave nothing behind."""
    folder = tmp_path_factory.mktemp("shared")
    shutil.copy(template, folder / "test.db")
    with Server(folder, sqlite_url(folder)) as server:
        yield server


@pytest.fixture
def shared(module_server: Server) -> Iterator[Server]:
    """Lend the file's server to one test: nobody is connected, and its log is clean."""
    yield module_server
    module_server.empty()
    module_server.check_log()


def postgresql_url() -> str:
    """Give the URL of the PostgreSQL that tests may make databases in."""
    return os.environ.get("MUSHCOMBAT_TEST_POSTGRESQL", POSTGRESQL)


@pytest.fixture
def postgresql() -> Iterator[str]:
    """Make a PostgreSQL database for one test; gives its URL."""
    admin = postgresql_url()
    name = f"mushcombat_{uuid.uuid4().hex}"
    try:
        connection = psycopg.connect(admin, autocommit=True, connect_timeout=3)
    except psycopg.OperationalError as problem:
        missing(f"no PostgreSQL at {admin}: {problem}")
        return
    with connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield admin.rpartition("/")[0] + f"/{name}"
        finally:
            drop = sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name))
            connection.execute(drop)


@pytest.fixture(scope="session")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Databases]:
    """Give what makes PostgreSQL databases with the four logins."""
    admin = postgresql_url()
    try:
        made = Databases(admin, tmp_path_factory.mktemp("logins"))
    except psycopg.OperationalError as problem:
        missing(f"no PostgreSQL at {admin}: {problem}")
        return
    yield made
    made.end()


@pytest.fixture
def peopled(databases: Databases) -> Iterator[str]:
    """Make a PostgreSQL database with the four logins for one test; gives its URL."""
    with databases.one() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def either(request: pytest.FixtureRequest, serve: Serve, tmp_path: Path) -> Iterator[Server]:
    """Start a server with the four logins on each kind of database."""
    if request.param == "sqlite":
        yield serve()
        return
    with Server(tmp_path, request.getfixturevalue("peopled")) as server:
        yield server
