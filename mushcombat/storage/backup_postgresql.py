"""Copies of a PostgreSQL database, by its own tools: pg_dump, pg_restore and psql.

The password goes to them in their environment: an argument of theirs, all users can read.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
from psycopg import sql
from sqlalchemy.engine import URL

from mushcombat.errors import MushError
from mushcombat.storage.strangers import refuse_encodings

DUMP = b"PGDMP"
"""How every dump in pg_dump's own format begins."""

_REVISION = re.compile(r"^COPY [^\n]*alembic_version[^\n]*\n([^\n]+)\n\\\.", re.MULTILINE)
_MINE = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
_OTHERS = (
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    " AND backend_type = 'client backend'"
)


class Postgres:
    """One database of a server."""

    def __init__(self, url: URL) -> None:
        bare = URL.create(
            "postgresql", url.username, None, url.host, url.port, url.database, url.query
        )
        self._address = bare.render_as_string(hide_password=False)
        self._password = url.password

    def copy_to(self, file: Path) -> str:
        """Write a consistent copy, whatever is committed meanwhile; gives its revision."""
        self._run("pg_dump", "--format=custom", f"--file={file}", f"--dbname={self._address}")
        return self.check(file)

    def check(self, file: Path) -> str:
        """Read a copy from end to end, and give its revision."""
        self._run("pg_restore", "--file=/dev/null", str(file))
        table = ("--data-only", "--table=alembic_version", "--file=-")
        found = _REVISION.search(self._run("pg_restore", *table, str(file)))
        if found is None:
            problem = "There is no game in that database."
            raise MushError("schema", problem, "Check --database.")
        return found[1]

    def in_use(self) -> bool:
        """Tell whether anybody else is connected to it."""
        with self._connected() as connection:
            row = connection.execute(_OTHERS).fetchone()
        return bool(row and row[0])

    def is_empty(self) -> bool:
        """Tell whether nobody has a login in it, and nobody else a table."""
        with self._connected() as connection:
            tables = {str(row[0]) for row in connection.execute(_MINE)}
            if "accounts" not in tables:
                return not tables
            return connection.execute("SELECT 1 FROM accounts LIMIT 1").fetchone() is None

    def put_back(self, file: Path) -> str:
        """Drop what is there and restore the copy, in one transaction: all of it or nothing."""
        with TemporaryDirectory() as folder, self._connected() as connection:
            refuse_encodings(str(connection.info.parameter_status("server_encoding")))
            drop, fill = Path(folder) / "drop.sql", Path(folder) / "fill.sql"
            names = [str(row[0]) for row in connection.execute(_MINE)]
            statement = sql.SQL("DROP TABLE IF EXISTS {} CASCADE;\n")
            drops = [statement.format(sql.Identifier(name)).as_string(connection) for name in names]
            drop.write_text("".join(drops), encoding="utf-8")
            options = ("--no-owner", "--no-privileges", f"--file={fill}")
            self._run("pg_restore", *options, str(file))
            script = ("--single-transaction", "--set=ON_ERROR_STOP=1", f"--file={drop}")
            self._run("psql", "--no-psqlrc", "--quiet", *script, f"--file={fill}", self._address)
        return ""

    def _connected(self) -> psycopg.Connection[tuple[object, ...]]:
        try:
            return psycopg.connect(
                self._address,
                password=self._password,
                autocommit=True,
                connect_timeout=10,
                client_encoding="utf8",
            )
        except psycopg.Error as problem:
            raise _wrong(str(problem)) from problem

    def _run(self, tool: str, *words: str) -> str:
        """Run one of PostgreSQL's tools; gives what it printed, MushError if it failed."""
        return run_tool(tool, words, self._password)


def run_tool(tool: str, words: Sequence[str], password: str | None) -> str:
    """Run a tool that has to be installed; gives what it printed. MushError if it failed."""
    found = shutil.which(tool)
    if found is None:
        hint = "On Debian: apt install postgresql-client."
        raise MushError("tool", f"{tool} is not installed: PostgreSQL is copied with it.", hint)
    environment = {**os.environ, **({"PGPASSWORD": password} if password else {})}
    done = subprocess.run(  # noqa: S603 -- a fixed tool, its arguments no shell reads
        [found, *words], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise _wrong(
            done.stderr or f"{tool} ended with {_ending(done.returncode)}, and said nothing"
        )
    return done.stdout


def _ending(code: int) -> str:
    return f"code {code}" if code > 0 else f"signal {-code}"


def _wrong(told: str) -> MushError:
    reason = next((line.strip() for line in told.splitlines() if line.strip()), "no reason given")
    return MushError("database", f"PostgreSQL refused: {reason}", "Check --database and the file.")
