"""Copies of a SQLite database, by SQLite's online backup."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy.engine import URL

from mushcombat.errors import MushError

SQLITE = b"SQLite format 3\0"
"""How every file of SQLite begins."""

OLD = ".before-restore"
"""What the name of a database that was replaced ends with."""

_NO_SCHEMA = "no such table"


class Sqlite:
    """One file."""

    def __init__(self, url: URL) -> None:
        self._file = Path(str(url.database))

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
        with _told("read"), closing(_read_only(file)) as copy:
            (answer,) = copy.execute("PRAGMA integrity_check").fetchone()
            loose = copy.execute("PRAGMA foreign_key_check").fetchone()
        if answer != "ok" or loose:
            raise MushError("damaged", f"{file} is damaged: {answer}.", "Take another backup.")
        return _revision(file)

    def in_use(self) -> bool:
        """Tell whether anybody else has it open: then its write-ahead log can't be ended."""
        if not self._file.exists():
            return False
        try:
            with closing(sqlite3.connect(self._file, timeout=1)) as database:
                (mode,) = database.execute("PRAGMA journal_mode=DELETE").fetchone()
                return bool(mode != "delete")
        except sqlite3.OperationalError:
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
        self._file.parent.mkdir(parents=True, exist_ok=True)
        made = self._file.with_name(self._file.name + ".unfinished")
        made.unlink(missing_ok=True)
        with (
            _told("restored"),
            closing(_read_only(file)) as copy,
            closing(sqlite3.connect(made)) as target,
        ):
            made.chmod(0o600)
            target.execute("PRAGMA synchronous=FULL")
            copy.backup(target)
        return self._replace(made)

    def _replace(self, made: Path) -> str:
        old = self._file.with_name(self._file.name + OLD)
        kept = self._file.exists()
        if kept:
            self._file.replace(old)
        for rest in ("-wal", "-shm"):  # of the old one: it must not be read into the new
            self._file.with_name(self._file.name + rest).unlink(missing_ok=True)
        made.replace(self._file)
        return f"The database that was there is kept as {old}." if kept else ""


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
        raise MushError("schema", problem, "mushcombat db upgrade makes one.")
    return str(row[0])


@contextmanager
def _told(done: str) -> Iterator[None]:
    """Turn what SQLite complains about into a line."""
    try:
        yield
    except sqlite3.Error as problem:
        text = f"The database can't be {done}: {problem}."
        raise MushError("database", text, "Check the file.") from problem
