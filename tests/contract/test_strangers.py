"""Databases that are somebody else's, or can't hold a game: refused in a line, and left alone."""

from __future__ import annotations

import sqlite3
import subprocess
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import make_url

from mushcombat.errors import MushError
from mushcombat.storage.backup import backup, restore
from mushcombat.storage.revisions import newest
from tests.contract.bench import Bench, open_database, saying
from tests.contract.conftest import Admin, server_url
from tests.contract.program import ENVIRONMENT, PATIENCE, PROGRAM, refused, run
from tests.contract.test_backup import played

STRANGER = r"^The database belongs to another program: {}\. Name an empty database, or one with a"


def make(url: str, *statements: str) -> None:
    """Do in a database what another program did."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(str(make_url(url).database))) as theirs:
            theirs.executescript(";".join(statements))
        return
    with psycopg.connect(url, autocommit=True) as them:
        for statement in statements:
            them.execute(statement.encode())


def uses(url: str) -> list[Callable[[], object]]:
    """Give what commands begin with."""
    database = open_database(url)
    return [
        database.revision,
        lambda: database.prepare(upgrade=False),
        lambda: database.prepare(upgrade=True),
        lambda: database.prepare_and(lambda store: store.logins()),
    ]


@pytest.mark.parametrize(
    ("statements", "told"),
    [
        (("CREATE TABLE songs (title TEXT)",), "it has a table 'songs'"),
        (("CREATE VIEW songs AS SELECT 1 AS title",), "it has a table 'songs'"),
        (
            (
                "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)",
                "INSERT INTO alembic_version VALUES ('ae1027a6acf')",
            ),
            "its schema is called 'ae1027a6acf'",
        ),
        (
            (
                "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)",
                "CREATE TABLE songs (title TEXT)",
            ),
            "it has a table 'songs'",
        ),
    ],
    ids=["a table", "a view", "another program's revision", "no revision"],
)
def test_a_database_of_another_program_is_refused_and_left_as_it_is(
    database_url: str, statements: tuple[str, ...], told: str
) -> None:
    make(database_url, *statements)
    file = Path(str(make_url(database_url).database))
    was = file.read_bytes() if file.is_file() else b""
    for use in uses(database_url):
        with pytest.raises(MushError, match=STRANGER.format(told)):
            use()
    if database_url.startswith("sqlite"):
        marked = "alembic_version" in statements[0]
        assert marked or (file.read_bytes(), [*file.parent.glob("*-wal")]) == (was, [])
        return
    with psycopg.connect(database_url) as them:
        names = them.execute("SELECT relname FROM pg_class WHERE relname = 'accounts'").fetchall()
    assert names == []


@pytest.mark.parametrize("backend", ["sqlite"])
def test_every_command_answers_with_one_line_about_another_programs_file(
    database_url: str, tmp_path: Path
) -> None:
    make(database_url, "CREATE TABLE songs (title TEXT)")
    for words in (["account", "list"], ["db", "current"], ["db", "upgrade"], ["serve"]):
        told = refused(tmp_path, *words, "--database", database_url)
        assert told.startswith("The database belongs to another program: it has a table 'songs'.")


@pytest.mark.parametrize("backend", ["postgresql"])
def test_what_stands_in_other_schemas_or_came_with_an_extension_is_in_nobodys_way(
    database_url: str,
) -> None:
    make(
        database_url,
        "CREATE SCHEMA theirs",
        "CREATE TABLE theirs.songs (title TEXT)",
        "CREATE EXTENSION pg_stat_statements",
    )
    open_database(database_url).prepare(upgrade=False)
    assert open_database(database_url).revision() == newest()


@pytest.mark.parametrize("backend", ["sqlite"])
def test_an_empty_database_that_was_looked_at_by_others_is_an_empty_one(database_url: str) -> None:
    make(database_url, "CREATE TABLE a (x INTEGER PRIMARY KEY AUTOINCREMENT)", "DROP TABLE a")
    open_database(database_url).prepare(upgrade=False)
    assert open_database(database_url).revision() == newest()


# encodings


@pytest.fixture(params=["SQL_ASCII", "LATIN1"])
def narrow(request: pytest.FixtureRequest, postgresql: Admin) -> Iterator[tuple[str, str]]:
    """Make a PostgreSQL database in which not every character has a place; gives URL, encoding."""
    name = sql.Identifier(f"mushcombat_test_{uuid.uuid4().hex}")
    as_it = sql.SQL("CREATE DATABASE {} ENCODING {} LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
    postgresql.execute(as_it.format(name, sql.Literal(request.param)))
    try:
        url = make_url(server_url()).set(database=name.as_string(postgresql).strip('"'))
        yield url.render_as_string(hide_password=False), request.param
    finally:
        postgresql.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))


def test_a_database_without_a_place_for_every_character_is_refused(
    narrow: tuple[str, str], tmp_path: Path
) -> None:
    url, encoding = narrow
    wanted = (
        f"The database has the encoding {encoding}, and a game needs UTF8."
        " Make another: createdb -E UTF8 -T template0 NAME."
    )
    for use in uses(url):
        with pytest.raises(MushError) as caught:
            use()
        assert str(caught.value) == wanted
    assert refused(tmp_path, "account", "list", "--database", url) == wanted


def test_no_backup_is_put_back_where_not_every_character_has_a_place(
    narrow: tuple[str, str], postgresql_template: str, tmp_path: Path
) -> None:
    url, encoding = narrow
    backup(str(make_url(url).set(database=postgresql_template)), tmp_path / "copy")
    with pytest.raises(MushError, match=f"the encoding {encoding}, and a game needs UTF8"):
        restore(url, tmp_path / "copy", force=True)


# files that are damaged


def root_page(file: Path, table: str) -> None:
    """Blank the first page of a table, as a broken disk does."""
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA journal_mode=DELETE")
        (page,) = database.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)
        ).fetchone()
        (size,) = database.execute("PRAGMA page_size").fetchone()
    with file.open("r+b") as pages:
        pages.seek((page - 1) * size)
        pages.write(bytes(size))


DAMAGED = (
    "The database can't be used: database disk image is malformed. It is damaged:"
    " mushcombat restore FILE --force puts a backup in its place."
)


@pytest.mark.parametrize("backend", ["sqlite"])
@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("accounts", ["account", "list"]),
        ("accounts", ["account", "role", "Ada", "staff"]),
        ("accounts", ["serve", "--telnet", "tcp:0:interface=127.0.0.1"]),
        ("scene_log", ["account", "role", "Ada", "staff"]),
        ("scenes", ["scene", "list"]),
        ("scenes", ["serve", "--telnet", "tcp:0:interface=127.0.0.1"]),
        ("alembic_version", ["db", "current"]),
    ],
)
def test_a_damaged_page_is_told_of_in_one_line_that_says_what_helps(
    prepared_url: str, tmp_path: Path, table: str, words: list[str]
) -> None:
    played(prepared_url, "one")
    root_page(Path(str(make_url(prepared_url).database)), table)
    assert refused(tmp_path, *words, "--database", prepared_url) == DAMAGED


@pytest.mark.parametrize("backend", ["sqlite"])
def test_a_damaged_database_has_no_backup_and_is_replaced_by_one(
    prepared_url: str, tmp_path: Path
) -> None:
    played(prepared_url, "one")
    words = ("--database", prepared_url)
    run(tmp_path, "backup", "good", *words)
    root_page(Path(str(make_url(prepared_url).database)), "accounts")
    told = refused(tmp_path, "backup", "bad", *words)
    assert told.startswith("The database itself is damaged, and no copy of it is made. mushcombat")
    assert not (tmp_path / "bad").exists()
    run(tmp_path, "restore", "good", "--force", *words)
    assert run(tmp_path, "account", "list", *words).stdout == "Ada: player, last login never\n"


@pytest.mark.parametrize("backend", ["sqlite"])
def test_a_command_that_a_full_disk_keeps_from_writing_says_so_in_one_line(
    prepared_url: str,
) -> None:
    bench = Bench(prepared_url)
    scene = bench.scene(bench.login("Ada"))
    bench.facts(*(saying(scene, "x" * 900) for _ in range(200)))  # its log is longer than that now:
    words = ["account", "role", "Ada", "staff", "--database", prepared_url]
    full = ["sh", "-c", 'ulimit -f 80; exec "$@"', "sh", *PROGRAM, *words]
    done = subprocess.run(full, env=ENVIRONMENT, capture_output=True, check=False, timeout=PATIENCE)
    bench.close()
    assert (done.returncode, done.stdout) == (2, b"")
    told = "The database can't be used: disk I/O error. Look at its disk: is it full, or broken?"
    assert done.stderr.decode().splitlines() == [told]
