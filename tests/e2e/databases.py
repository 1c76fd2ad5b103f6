"""PostgreSQL databases with the four logins: made once, and copied as often as they are wanted."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg import sql

from tests.e2e.harness import Server

LOGINS = {"Rhea": "staff", "Ada": "player", "Bram": "player", "Cass": "player"}


class Databases:
    """Makes them; the command line made the first one's logins."""

    def __init__(self, url: str, folder: Path) -> None:
        self._admin = url
        self._first = self._make("template1")
        server = Server(folder, self._url(self._first))
        for name, role in LOGINS.items():
            server.account(name, role)

    @contextmanager
    def one(self) -> Iterator[str]:
        """Make one for a while; gives its URL."""
        name = self._make(self._first)
        try:
            yield self._url(name)
        finally:
            self._drop(name)

    def end(self) -> None:
        """Drop the one that all others are copies of."""
        self._drop(self._first)

    def _url(self, name: str) -> str:
        return self._admin.rpartition("/")[0] + f"/{name}"

    def _make(self, template: str) -> str:
        name = f"mushcombat_{uuid.uuid4().hex}"
        self._do("CREATE DATABASE {} TEMPLATE {}", name, template)
        return name

    def _drop(self, name: str) -> None:
        self._do("DROP DATABASE {} WITH (FORCE)", name)

    def _do(self, statement: str, *names: str) -> None:
        with psycopg.connect(self._admin, autocommit=True, connect_timeout=3) as admin:
            admin.execute(sql.SQL(statement).format(*(sql.Identifier(name) for name in names)))
