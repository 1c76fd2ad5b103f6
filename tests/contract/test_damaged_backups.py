"""Backups that were damaged on their way, and databases that can't be replaced: each is told of."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import make_url

from mushcombat.errors import MushError
from mushcombat.storage import seal
from mushcombat.storage.backup import backup, restore
from mushcombat.storage.backup_postgresql import run_tool
from mushcombat.storage.backup_sqlite import OLD
from mushcombat.storage.revisions import newest
from tests.contract.bench import open_database
from tests.contract.test_backup import damage, no, played, said


def flipped(at: int) -> Callable[[bytes], bytes]:
    """Flip a bit: so far from the beginning, or from the end."""

    def flip(data: bytes) -> bytes:
        hurt = bytearray(data)
        hurt[at] ^= 0x10
        return bytes(hurt)

    return flip


def unsealed(file: Path) -> Path:
    """Give a copy as older versions made it."""
    return damage(file, lambda data: data[: -seal.SIZE])


HARM: dict[str, Callable[[bytes], bytes]] = {
    "another letter in what was said": lambda data: data.replace(b"to be kept", b"to be kepT"),
    "a bit in the middle": lambda data: flipped(len(data) // 2)(data),
    "a bit of the last page": flipped(-seal.SIZE - 20),
    "a bit of the checksum": flipped(-10),
    "a bit of the words before it": flipped(-90),
    "the last byte": lambda data: data[:-1],
    "a part of the checksum": lambda data: data[:-50],
    "more than the checksum": lambda data: data[: -seal.SIZE - 1],
    "a byte too many": lambda data: data + b"\n",
}


@pytest.mark.parametrize("how", HARM.values(), ids=HARM)
def test_not_a_bit_of_a_copy_can_change_unnoticed(
    prepared_url: str, how: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    scene = played(prepared_url, "to be kept")
    backup(prepared_url, tmp_path / "copy")
    hurt = damage(tmp_path / "copy", how)
    if hurt.read_bytes() == (tmp_path / "copy").read_bytes():
        return  # PostgreSQL's are compressed: no words stand in them
    told = no(prepared_url, hurt, force=True)
    assert re.fullmatch(r".*hurt is damaged: it is not what .*\. Take another backup\.", told)
    assert said(prepared_url, scene) == ["to be kept"]


def test_the_checksum_of_a_copy_is_checked_by_hand_as_the_manual_says(
    prepared_url: str, tmp_path: Path
) -> None:
    backup(prepared_url, tmp_path / "copy")
    data = (tmp_path / "copy").read_bytes()
    last = data.splitlines()[-1].decode()
    assert last.endswith(f" is {hashlib.sha256(data[:-100]).hexdigest()}")
    by_hand = "head -c -100 copy | sha256sum; tail -n 1 copy"
    done = subprocess.run(["sh", "-c", by_hand], cwd=tmp_path, capture_output=True, check=True)
    hashed, told = done.stdout.decode().splitlines()
    assert hashed.split()[0] == told.split()[-1]


def test_a_copy_is_what_the_databases_own_tools_read(prepared_url: str, tmp_path: Path) -> None:
    played(prepared_url, "to be kept")
    backup(prepared_url, tmp_path / "copy")
    if prepared_url.startswith("sqlite"):
        with closing(sqlite3.connect(tmp_path / "copy")) as copy:
            assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert copy.execute("SELECT name FROM accounts").fetchall() == [("Ada",)]
    else:
        assert "Ada" in run_tool("pg_restore", ["--file=-", str(tmp_path / "copy")], None)


def test_a_copy_of_an_older_version_comes_back_and_it_is_told_that_it_has_no_checksum(
    prepared_url: str, empty_url: Callable[[], str], tmp_path: Path
) -> None:
    scene = played(prepared_url, "to be kept")
    backup(prepared_url, tmp_path / "copy")
    other = empty_url()
    assert restore(other, unsealed(tmp_path / "copy"), force=False) == (newest(), [seal.UNSEALED])
    assert said(other, scene) == ["to be kept"]


@pytest.mark.parametrize("how", [lambda data: data + b"x", lambda data: data[:-1]])
def test_a_copy_of_an_older_version_that_was_cut_or_added_to_is_refused(
    prepared_url: str, how: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    backup(prepared_url, tmp_path / "copy")
    hurt = damage(unsealed(tmp_path / "copy"), how)
    assert "is damaged" in no(prepared_url, hurt, force=True)


@pytest.mark.parametrize("backend", ["sqlite"])
def test_a_database_of_the_largest_pages_is_a_copy_too(prepared_url: str, tmp_path: Path) -> None:
    with closing(sqlite3.connect(str(make_url(prepared_url).database))) as mine:
        mine.execute("PRAGMA page_size=65536")
        mine.execute("VACUUM")
    backup(prepared_url, tmp_path / "copy")
    assert not seal.check_seal(unsealed(tmp_path / "copy"))


@pytest.mark.parametrize("backend", ["sqlite"])
def test_no_database_that_was_kept_is_overwritten_by_the_next_one_that_is(
    prepared_url: str, other_url: str, tmp_path: Path
) -> None:
    played(prepared_url, "to be kept")
    backup(prepared_url, tmp_path / "copy")
    mine, kept = played(other_url, "the original"), make_url(other_url).database
    told = [restore(other_url, tmp_path / "copy", force=True)[1] for _ in range(3)]
    names = [f"{kept}{OLD}{number}" for number in ("", "-2", "-3")]
    assert told == [[f"The database that was there is kept as {name}."] for name in names]
    assert said(f"sqlite:///{names[0]}", mine) == ["the original"]


@pytest.mark.parametrize("backend", ["sqlite"])
def test_a_restore_through_a_symlink_leaves_the_link_and_replaces_the_file(
    prepared_url: str, other_url: str, tmp_path: Path
) -> None:
    scene = played(prepared_url, "to be kept")
    backup(prepared_url, tmp_path / "copy")
    link = tmp_path / "link.db"
    link.symlink_to(str(make_url(other_url).database))
    restore(f"sqlite:///{link}", tmp_path / "copy", force=True)
    assert link.is_symlink()
    assert said(other_url, scene) == ["to be kept"]


@pytest.mark.parametrize("backend", ["sqlite"])
def test_what_keeps_a_database_from_being_replaced_is_told(
    prepared_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup(prepared_url, tmp_path / "copy")
    folder = f"sqlite:///{tmp_path}"
    told = no(folder, tmp_path / "copy", force=True)
    assert told == f"{tmp_path} is a folder. Name a file in it."

    def refuse(*_: object) -> int:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(os, "open", refuse)
    told = no(prepared_url, tmp_path / "copy", force=True)
    assert told.startswith("The database can't be replaced: Read-only file system (")


@pytest.mark.parametrize("backend", ["sqlite"])
def test_a_database_that_may_not_be_written_to_is_not_called_in_use(
    prepared_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup(prepared_url, tmp_path / "copy")
    real = sqlite3.connect

    def read_only(file: object, **options: object) -> sqlite3.Connection:
        opened: sqlite3.Connection = real(file, **options)  # type: ignore[call-overload]
        if "timeout" in options:
            opened.execute("PRAGMA query_only=ON")
            opened.execute("BEGIN")
        return opened

    with closing(real(str(make_url(prepared_url).database))) as mine:
        mine.execute("PRAGMA journal_mode=WAL")
    monkeypatch.setattr(sqlite3, "connect", read_only)
    told = no(prepared_url, tmp_path / "copy", force=True)
    assert told.startswith("The database can't be replaced: ")


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:"])
def test_a_database_in_memory_has_no_copy(url: str, tmp_path: Path) -> None:
    with pytest.raises(MushError, match=r"^A database in memory would lose everything\. Name a"):
        backup(url, tmp_path / "copy")


def test_a_tool_that_ends_without_a_word_is_named_with_how_it_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = tmp_path / "pg_restore"
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    for line, ended in (("exit 3", "code 3"), ("kill -11 $$", "signal 11")):
        tool.write_text(f"#!/bin/sh\n{line}\n")
        tool.chmod(0o755)
        with pytest.raises(MushError, match=f"pg_restore ended with {ended}, and said nothing"):
            run_tool("pg_restore", [], None)


@pytest.mark.parametrize("backend", ["sqlite"])
def test_a_file_serves_one_server_by_whatever_name_it_is_reached(
    prepared_url: str, tmp_path: Path
) -> None:
    file = Path(str(make_url(prepared_url).database))
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "elsewhere" / "link.db"
    link.symlink_to(file)
    open_database(prepared_url).claim()
    with pytest.raises(MushError, match=r"^Another server runs on this database"):
        open_database(f"sqlite:///{link}").claim()
    assert not list(link.parent.glob("*-serving"))


@pytest.mark.parametrize("backend", ["sqlite"])
def test_a_file_of_two_names_is_refused_by_either(prepared_url: str, tmp_path: Path) -> None:
    file, twin = Path(str(make_url(prepared_url).database)), tmp_path / "twin.db"
    shutil.copy(file, tmp_path / "whole")
    os.link(file, twin)
    for name in (file, twin):
        database = open_database(f"sqlite:///{name}")
        for use in (database.claim, database.revision, partial(database.prepare, upgrade=True)):
            with pytest.raises(MushError, match=r"has 2 names \(hard links\), and may have one\."):
                use()
        with pytest.raises(MushError, match="2 names"):
            backup(f"sqlite:///{name}", tmp_path / "copy")
    shutil.move(str(tmp_path / "whole"), file)
    assert open_database(prepared_url).revision() == newest()
