"""Copies of a whole game: made while it is played, put back where nothing can be lost."""

from __future__ import annotations

import sqlite3
import stat
import subprocess
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import make_url

from mushcombat.domain.ledger import GENESIS
from mushcombat.errors import MushError
from mushcombat.storage import backup_postgresql
from mushcombat.storage.backup import backup, restore
from mushcombat.storage.backup_postgresql import run_tool
from mushcombat.storage.backup_sqlite import OLD
from mushcombat.storage.revisions import newest
from tests.contract.bench import Bench, open_database, saying, words_of


def played(url: str, *lines: str, owner: str = "Ada") -> int:
    """Play a scene in a database; gives its number."""
    bench = Bench(url)
    scene = bench.scene(bench.login(owner))
    bench.facts(*(saying(scene, line) for line in lines))
    bench.close()
    return scene


def said(url: str, scene: int) -> list[str]:
    bench = Bench(url)
    try:
        return words_of(bench.log(scene))
    finally:
        bench.close()


def no(url: str, file: Path, *, force: bool = False) -> str:
    with pytest.raises(MushError) as caught:
        restore(url, file, force=force)
    return str(caught.value)


def test_what_was_played_is_in_the_copy_and_comes_back(
    prepared_url: str, empty_url: Callable[[], str], tmp_path: Path
) -> None:
    scene = played(prepared_url, "one", "two")
    file = tmp_path / "copy"
    assert backup(prepared_url, file) == newest()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [each.name for each in tmp_path.glob("copy*")] == ["copy"]
    other = empty_url()
    assert restore(other, file, force=False) == (newest(), [])
    assert said(other, scene) == ["one", "two"]
    open_database(other).prepare(upgrade=False)
    assert played(other, "it goes on", owner="Bram") > scene


def test_a_copy_that_is_made_while_others_write_is_of_one_moment(
    prepared_url: str, empty_url: Callable[[], str], tmp_path: Path
) -> None:
    bench = Bench(prepared_url)
    scene = bench.scene(bench.login("Ada"))
    ended, wrote = threading.Event(), threading.Event()

    def write() -> None:
        for number in range(100_000):
            bench.run(saying(scene, str(number)))
            wrote.set()
            if ended.is_set():
                return

    writing = threading.Thread(target=write)
    writing.start()
    assert wrote.wait(20)
    backup(prepared_url, tmp_path / "copy")
    ended.set()
    writing.join()
    bench.close()
    restored = empty_url()
    restore(restored, tmp_path / "copy", force=False)
    copy = Bench(restored)
    (head,) = copy.rows("SELECT next_seq, head FROM scenes WHERE id = :id", id=scene)
    rows = copy.rows("SELECT seq, head FROM scene_log WHERE scene_id = :id ORDER BY seq", id=scene)
    copy.close()
    assert [row.seq for row in rows] == list(range(1, head.next_seq))
    assert rows[-1].head == head.head != GENESIS


def test_a_database_that_is_not_empty_is_replaced_by_force_alone(
    prepared_url: str, other_url: str, tmp_path: Path
) -> None:
    scene = played(prepared_url, "to be kept")
    backup(prepared_url, tmp_path / "copy")
    mine = played(other_url, "mine")
    assert no(other_url, tmp_path / "copy").startswith("The database is not empty. --force")
    assert said(other_url, mine) == ["mine"]
    _, told = restore(other_url, tmp_path / "copy", force=True)
    assert said(other_url, scene) == ["to be kept"]
    if other_url.startswith("sqlite"):
        (old,) = told
        assert old.endswith(f"{OLD}.")
        kept = make_url(other_url).database
        assert said(f"sqlite:///{kept}{OLD}", mine) == ["mine"]


def test_a_database_that_is_in_use_is_not_replaced_by_force_either(
    prepared_url: str, other_url: str, tmp_path: Path
) -> None:
    played(prepared_url, "one")
    backup(prepared_url, tmp_path / "copy")
    bench = Bench(other_url)
    scene = bench.scene(bench.login("Ada"))
    for force in (False, True):
        told = no(other_url, tmp_path / "copy", force=force)
        assert told == "The database is in use. Stop the server first."
    bench.facts(saying(scene, "still here"))
    bench.close()
    restore(other_url, tmp_path / "copy", force=True)


def damage(file: Path, how: Callable[[bytes], bytes]) -> Path:
    hurt = file.with_name("hurt")
    hurt.write_bytes(how(file.read_bytes()))
    return hurt


@pytest.mark.parametrize(
    "how",
    [
        lambda data: data[: len(data) // 2],
        lambda data: data[:20],
        lambda data: data[:100] + bytes(len(data) - 100),
        lambda data: b"",
        lambda data: b"nothing of the kind" * 100,
    ],
    ids=["half of it", "its first bytes", "zeroes", "nothing", "something else"],
)
def test_a_damaged_copy_is_refused_and_nothing_is_touched(
    prepared_url: str, how: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    scene = played(prepared_url, "one")
    backup(prepared_url, tmp_path / "copy")
    assert no(prepared_url, damage(tmp_path / "copy", how), force=True)
    assert said(prepared_url, scene) == ["one"]


def test_a_copy_of_a_newer_program_is_refused(prepared_url: str, tmp_path: Path) -> None:
    bench = Bench(prepared_url)
    with bench.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '7777'")
    bench.close()
    backup(prepared_url, tmp_path / "copy")
    told = no(prepared_url, tmp_path / "copy", force=True)
    assert told.startswith("The backup has schema 7777, which this program does not know.")


def test_a_file_that_is_there_is_not_written_over(prepared_url: str, tmp_path: Path) -> None:
    file = tmp_path / "copy"
    file.write_text("mine")
    with pytest.raises(MushError, match=r"is there already\. Name a file that is not\."):
        backup(prepared_url, file)
    assert file.read_text() == "mine"


def test_a_database_without_a_game_has_no_copy(database_url: str, tmp_path: Path) -> None:
    with pytest.raises(MushError, match=r"There is no"):
        backup(database_url, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


@pytest.mark.parametrize("backend", ["sqlite"])
def test_a_copy_goes_back_to_its_own_kind_of_database_alone(
    prepared_url: str, tmp_path: Path
) -> None:
    backup(prepared_url, tmp_path / "copy")
    told = no("postgresql://127.0.0.1/nothing", tmp_path / "copy")
    assert told.endswith("the backup of a SQLite database. Name a SQLite database with --database.")
    (tmp_path / "dump").write_bytes(b"PGDMP and more")
    assert "the backup of a PostgreSQL database" in no(prepared_url, tmp_path / "dump")


@pytest.mark.parametrize("backend", ["sqlite"])
def test_a_file_that_is_no_database_is_not_empty(prepared_url: str, tmp_path: Path) -> None:
    backup(prepared_url, tmp_path / "copy")
    notes = tmp_path / "notes.txt"
    notes.write_text("my notes " * 1000)
    assert "not empty" in no(f"sqlite:///{notes}", tmp_path / "copy")
    with closing(sqlite3.connect(tmp_path / "mine.db")) as mine:
        mine.execute("CREATE TABLE mine (it)")
    assert "not empty" in no(f"sqlite:///{tmp_path / 'mine.db'}", tmp_path / "copy")


def test_a_tool_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(MushError, match=r"pg_dump is not installed.*apt install"):
        run_tool("pg_dump", [], None)


def test_a_password_is_no_argument_of_a_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[list[str], str | None]] = []

    def run(words: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
        seen.append((words, options["env"].get("PGPASSWORD")))
        return subprocess.CompletedProcess(words, 1, "", "\npg_dump: error: no such host\nmore")

    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(MushError, match="PostgreSQL refused: pg_dump: error: no such host"):
        backup("postgresql://me:battery-staple@db.invalid:99/game?sslmode=require", Path("x.dump"))
    ((words, password),) = seen
    assert password == "battery-staple"
    assert "battery" not in " ".join(words)
    assert words[-1] == "--dbname=postgresql://me@db.invalid:99/game?sslmode=require"


def test_a_server_that_is_not_there_is_told(tmp_path: Path) -> None:
    url = "postgresql://postgres@127.0.0.1:1/nothing"
    with pytest.raises(MushError, match=r"^PostgreSQL refused: .*Check --database and the file\.$"):
        backup(url, tmp_path / "copy")
    with pytest.raises(MushError, match=r"^PostgreSQL refused: "):
        backup_postgresql.Postgres(make_url(url)).in_use()
