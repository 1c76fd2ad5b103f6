"""Databases for tests: each test has one of its own, on SQLite and again on PostgreSQL."""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import make_url

from tests.contract.bench import Bench, open_database

VARIABLE = "MUSHCOMBAT_TEST_POSTGRESQL"
POSTGRESQL = "postgresql://postgres@127.0.0.1:5432/postgres"
BACKENDS = ("sqlite", "postgresql")

Admin = psycopg.Connection[Any]


def server_url() -> str:
    return os.environ.get(VARIABLE, POSTGRESQL)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Admin]:
    """Connect to the PostgreSQL that the tests may make databases in."""
    try:
        admin = psycopg.connect(server_url(), autocommit=True, connect_timeout=3)
    except psycopg.Error:
        reason = f"No PostgreSQL: set {VARIABLE} to the URL of one where databases may be made."
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    with admin:
        yield admin


@contextmanager
def made(admin: Admin, template: str = "template1") -> Iterator[str]:
    """Make a PostgreSQL database, and drop it in the end."""
    name = f"mushcombat_test_{uuid.uuid4().hex}"
    make = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
    admin.execute(make.format(sql.Identifier(name), sql.Identifier(template)))
    try:
        yield make_url(server_url()).set(database=name).render_as_string(hide_password=False)
    finally:
        admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture(scope="session")
def postgresql_template(postgresql: Admin) -> Iterator[str]:
    """Make a database with the newest schema, to copy from; gives its name."""
    with made(postgresql) as url:
        open_database(url).prepare(upgrade=True)
        yield str(make_url(url).database)


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a file with the newest schema, to copy from."""
    file = tmp_path_factory.mktemp("template") / "template.db"
    open_database(f"sqlite:///{file}").prepare(upgrade=True)
    return file


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> str:
    """Name the kind of database: a test that wants one alone parametrises this."""
    return str(request.param)


@pytest.fixture
def database_url(backend: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Give the URL of an empty database."""
    if backend == "sqlite":
        yield f"sqlite:///{tmp_path / 'test.db'}"
        return
    with made(request.getfixturevalue("postgresql")) as url:
        yield url


@pytest.fixture
def prepared_url(backend: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Give the URL of a database with the newest schema."""
    if backend == "sqlite":
        file = tmp_path / "test.db"
        shutil.copy(request.getfixturevalue("sqlite_template"), file)
        yield f"sqlite:///{file}"
        return
    template = request.getfixturevalue("postgresql_template")
    with made(request.getfixturevalue("postgresql"), template) as url:
        yield url


@pytest.fixture
def empty_url(
    backend: str, request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[Callable[[], str]]:
    """Give a function that makes another empty database of the same kind; gives its URL."""
    with ExitStack() as stack:

        def make() -> str:
            if backend == "sqlite":
                return f"sqlite:///{tmp_path / uuid.uuid4().hex}.db"
            return stack.enter_context(made(request.getfixturevalue("postgresql")))

        yield make


@pytest.fixture
def other_url(empty_url: Callable[[], str]) -> str:
    """Give the URL of another database with the newest schema."""
    url = empty_url()
    open_database(url).prepare(upgrade=True)
    return url


@pytest.fixture
def bench(prepared_url: str) -> Iterator[Bench]:
    """Give a database with a writer and readers."""
    bench = Bench(prepared_url)
    yield bench
    bench.close()
