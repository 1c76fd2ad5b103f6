"""Databases that are somebody else's, or that can't hold a game: nothing is written to them."""

from __future__ import annotations

import re
from typing import Any, Final

from sqlalchemy import Connection, text

from mushcombat.errors import MushError

_EMPTY = "Name an empty database, or one with a game in it, with --database."
_OURS = re.compile(r"\d{4}")
"""What every revision of ours is called; other programs that use Alembic call theirs otherwise."""

_SQLITES: Final = (
    "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')"
    " AND name NOT LIKE 'sqlite^_%' ESCAPE '^' AND name <> 'alembic_version' LIMIT 1"
)
_POSTGRESQLS: Final = (
    "SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace"
    " WHERE nspname = current_schema() AND relkind IN ('r', 'p', 'v', 'm', 'f')"
    " AND relname <> 'alembic_version' AND NOT EXISTS (SELECT 1 FROM pg_depend"
    " WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e') LIMIT 1"
)
"""In the schema that new tables come into; those that an extension brought are nobody's."""


def refuse_strangers(connection: Connection, found: str | None) -> None:
    """Raise MushError for a database with tables in it, none of which tells a revision of ours.

    `found` is what it tells of its revision, None where it tells none.
    """
    if found is not None and not _OURS.fullmatch(found):
        problem = f"The database belongs to another program: its schema is called {found!r}."
        raise MushError("database", problem, _EMPTY)
    if found is None:
        sqlite = connection.dialect.name == "sqlite"
        table = connection.scalar(text(_SQLITES if sqlite else _POSTGRESQLS))
        if table is not None:
            problem = f"The database belongs to another program: it has a table {str(table)!r}."
            raise MushError("database", problem, _EMPTY)


def is_strange(connection: Any) -> bool:
    """Tell of a connection of SQLite's driver whether there are tables, and none of Alembic's.

    Cheap, for every connection asks: a stranger's file must not even be switched to WAL.
    """
    if connection.execute(_SQLITES).fetchone() is None:
        return False
    marks = "SELECT 1 FROM sqlite_schema WHERE name = 'alembic_version'"
    return connection.execute(marks).fetchone() is None


def refuse_encodings(encoding: str) -> None:
    """Raise MushError for a PostgreSQL database in which not every character has a place."""
    if encoding != "UTF8":
        problem = f"The database has the encoding {encoding}, and a game needs UTF8."
        hint = "Make another: createdb -E UTF8 -T template0 NAME."
        raise MushError("database", problem, hint)
