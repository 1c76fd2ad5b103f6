"""Copies of a database: made while the server runs, and put back while none does.

SQLite is copied by its own online backup, PostgreSQL by pg_dump and pg_restore, which have to be
installed. A copy is good only when it is whole: it is written beside its place, checked, given its
checksum, and only then its name.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from mushcombat.errors import MushError
from mushcombat.storage.backup_postgresql import DUMP, Postgres
from mushcombat.storage.backup_sqlite import SQLITE, Sqlite
from mushcombat.storage.revisions import revisions
from mushcombat.storage.seal import UNSEALED, check_seal, seal
from mushcombat.storage.urls import database_url

MAGIC = max(len(DUMP), len(SQLITE))


class Copies(Protocol):
    """What one kind of database can do."""

    def copy_to(self, file: Path) -> str:
        """Write a consistent copy; gives the revision of its schema. MushError when it can't."""
        ...

    def check(self, file: Path) -> str:
        """Check that a copy is whole; gives the revision of its schema. MushError otherwise."""
        ...

    def in_use(self) -> bool:
        """Tell whether anybody else has the database open."""
        ...

    def is_empty(self) -> bool:
        """Tell whether there is nothing in it that could be lost."""
        ...

    def put_back(self, file: Path) -> str:
        """Make the database what a copy is; gives a line about where the old one is, or ''."""
        ...


def backup(url: str, file: Path) -> str:
    """Copy a database to a file that is not there yet; gives the revision of its schema.

    Raises MushError when the file is there, when the database can't be read, or has no schema.
    """
    if file.exists():
        raise MushError("file", f"{file} is there already.", "Name a file that is not.")
    database = _copies(url)
    with _finished(file) as unfinished:
        database.copy_to(unfinished)
        revision = _whole(database, unfinished)
        seal(unfinished)
    return revision


def restore(url: str, file: Path, *, force: bool) -> tuple[str, list[str]]:
    """Put a copy back; gives the revision of its schema, and lines about what there is to know.

    Those are that the copy had no checksum, and where the old database is.

    Raises MushError for a copy that is damaged, of another kind of database or of a newer program;
    for a database that is in use; and, unless `force`, for one that is not empty.
    """
    database = _copies(url)
    _check_kind(file, database)
    remarks = [] if check_seal(file) else [UNSEALED]
    revision = database.check(file)
    _check_revision(revision)
    if database.in_use():
        raise MushError("use", "The database is in use.", "Stop the server first.")
    if not force and not database.is_empty():
        raise MushError(
            "full", "The database is not empty.", "--force replaces it; back it up first."
        )
    old = database.put_back(file)
    return revision, [*remarks, *([old] if old else [])]


def _copies(text: str) -> Copies:
    url = database_url(text)
    return Sqlite(url) if url.get_backend_name() == "sqlite" else Postgres(url)


def _whole(database: Copies, copy: Path) -> str:
    """Check a copy that was just made: one that is damaged is one of a damaged database."""
    try:
        return database.check(copy)
    except MushError as problem:
        if problem.code != "damaged":
            raise
        text = "The database itself is damaged, and no copy of it is made."
        hint = "mushcombat restore FILE --force puts an older backup in its place."
        raise MushError("damaged", text, hint) from problem


@contextmanager
def _finished(file: Path) -> Iterator[Path]:
    """Lend a name beside a file's own; what is written there, for us alone, gets it in the end."""
    unfinished = file.with_name(file.name + ".unfinished")
    unfinished.unlink(missing_ok=True)
    os.close(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        yield unfinished
        _to_disk(unfinished)
        unfinished.rename(file)
        _to_disk(file.parent)
    finally:
        unfinished.unlink(missing_ok=True)


def _to_disk(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _check_kind(file: Path, database: Copies) -> None:
    with file.open("rb") as copy:
        start = copy.read(MAGIC)
    kinds = {"SQLite": start.startswith(SQLITE), "PostgreSQL": start.startswith(DUMP)}
    found = next((kind for kind, is_one in kinds.items() if is_one), None)
    if found is None:
        raise MushError("file", f"{file} is no backup.", "mushcombat backup FILE makes one.")
    if (found == "SQLite") is not isinstance(database, Sqlite):
        hint = f"Name a {found} database with --database."
        raise MushError("file", f"{file} is the backup of a {found} database.", hint)


def _check_revision(revision: str) -> None:
    if revision not in revisions():
        problem = f"The backup has schema {revision}, which this program does not know."
        raise MushError("schema", problem, "Restore it with the newer program that made it.")
