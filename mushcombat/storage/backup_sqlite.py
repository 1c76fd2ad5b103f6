"""Copies of a SQLite database, by SQLite's online backup."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path

from sqlalchemy.engine import URL

from mushcombat.errors import MushError
from mushcombat.storage.urls import sqlite_file

SQLITE = b"SQLite format 3\0"
"""How every file of SQLite begins."""

OLD = ".before-restore"
"""What the name of a database that was replaced ends with; of later ones, with a number behind."""

_NO_SCHEMA = "no such table"
_TAKEN = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_KIND = 0xFF
"""The bits of an error's number that tell its kind; those above tell more of it."""


class Sqlite:
    """One file."""

    def __init__(self, url: URL) -> None:
        self._file = sqlite_file(url)

    def copy_to(self, file: Path) -> str:
        """Write a consistent copy, whatever is committed meanwhile; gives its revision."""
        if not self._file.exists():
            raise MushError("database", f"There is no {self._file}.", "Check --database.")
        with (
            _told("copied"),
            closing(sqlite3.connect(self._file)) as source,
            closing(sqlite3.connect(file)) as copy,
        ):
            source.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
        return _revision(file)

    def check(self, file: Path) -> str:
        """Check that a copy is whole; gives its revision."""
        try:
            with closing(_read_only(file)) as copy:
                (answer,) = copy.execute("PRAGMA integrity_check(1)").fetchone()
                loose = copy.execute("PRAGMA foreign_key_check").fetchone()
        except sqlite3.DatabaseError as problem:
            answer, loose = problem, None
        if answer != "ok" or loose:
            found = " ".join(str(answer if answer != "ok" else "rows point to none").split())
            raise MushError("damaged", f"{file} is damaged: {found}.", "Take another backup.")
        return _revision(file)

    def in_use(self) -> bool:
        """Tell whether anybody else has it open: then its write-ahead log can't be ended.

        MushError when it can't be found out: it is a folder, or may not be written to.
        """
        if not self._file.exists():
            return False
        if self._file.is_dir():
            raise MushError("database", f"{self._file} is a folder.", "Name a file in it.")
        try:
            with closing(sqlite3.connect(self._file, timeout=1)) as database:
                (mode,) = database.execute("PRAGMA journal_mode=DELETE").fetchone()
                return bool(mode != "delete")
        except sqlite3.OperationalError as problem:
            if problem.sqlite_errorcode & _KIND not in _TAKEN:
                raise _cannot("replaced", problem) from problem
            return True
        except sqlite3.DatabaseError:
            return False  # a file that is no database is used by nobody

    def is_empty(self) -> bool:
        """Tell whether nobody has a login in it: one that was only prepared has none."""
        if not self._file.exists() or not self._file.stat().st_size:
            return True
        try:
            with closing(_read_only(self._file)) as database:
                return database.execute("SELECT 1 FROM accounts LIMIT 1").fetchone() is None
        except sqlite3.OperationalError as problem:
            return _NO_SCHEMA in str(problem) and self._has_no_tables()
        except sqlite3.DatabaseError:
            return False

    def _has_no_tables(self) -> bool:
        with closing(_read_only(self._file)) as database:
            return database.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone() is None

    def put_back(self, file: Path) -> str:
        """Put a copy in the database's place; the old one is kept beside it."""
        made = self._beside(".unfinished")
        self._make_room(made)
        try:
            self._fill(made, file)
            return self._replace(made)
        finally:
            made.unlink(missing_ok=True)

    @staticmethod
    def _fill(made: Path, file: Path) -> None:
        with (
            _told("restored"),
            closing(_read_only(file)) as copy,
            closing(sqlite3.connect(made)) as target,
        ):
            target.execute("PRAGMA synchronous=FULL")
            copy.backup(target)

    def _beside(self, ending: str) -> Path:
        return self._file.with_name(self._file.name + ending)

    def _make_room(self, made: Path) -> None:
        """Make an empty file for us alone, and a folder for it."""
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            made.unlink(missing_ok=True)
            os.close(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except OSError as problem:
            text = f"The database can't be replaced: {problem.strerror} ({self._file.parent})."
            hint = "Its folder has to be one that you may write to."
            raise MushError("file", text, hint) from problem

    def _replace(self, made: Path) -> str:
        old = self._free_name()
        kept = self._file.exists()
        if kept:
            self._file.replace(old)
        for rest in ("-wal", "-shm"):  # of the old one: it must not be read into the new
            self._beside(rest).unlink(missing_ok=True)
        made.replace(self._file)
        return f"The database that was there is kept as {old}." if kept else ""

    def _free_name(self) -> Path:
        """Find a name that no database has which was replaced before: it may be the only one."""
        names = (self._beside(OLD if n == 1 else f"{OLD}-{n}") for n in count(1))
        return next(name for name in names if not os.path.lexists(name))


def _read_only(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)


def _revision(file: Path) -> str:
    try:
        with _told("read"), closing(_read_only(file)) as copy:
            row = copy.execute("SELECT version_num FROM alembic_version").fetchone()
    except MushError:
        row = None
    if row is None:
        problem = "There is no game in that database."
        raise MushError("schema", problem, "Check --database.")
    return str(row[0])


@contextmanager
def _told(done: str) -> Iterator[None]:
    """Turn what SQLite complains about into a line."""
    try:
        yield
    except sqlite3.Error as problem:
        raise _cannot(done, problem) from problem


def _cannot(done: str, problem: sqlite3.Error) -> MushError:
    return MushError("database", f"The database can't be {done}: {problem}.", "Check the file.")
