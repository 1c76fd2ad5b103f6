"""Files that the server writes for people are whole or not there."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mushcombat.errors import MushError
from mushcombat.storage.database import Database
from mushcombat.storage.engine import open_engine
from mushcombat.storage.files import (
    claim_file,
    keep_transcript,
    make_private,
    remove_older,
    write_lines,
)
from tests.contract.bench import CODEC
from tests.contract.program import LOCAL, refused, serving


def test_lines_are_written_with_the_folder_they_are_in(tmp_path: Path) -> None:
    file = tmp_path / "var" / "transcripts" / "1-ü.txt"
    assert write_lines(file, ["a", "", "漢"]) == 3
    assert file.read_bytes() == "a\n\n漢\n".encode()
    assert os.listdir(file.parent) == [file.name]  # noqa: PTH208 -- hidden files too


def test_a_file_that_is_there_is_replaced_whole(tmp_path: Path) -> None:
    file = tmp_path / "it.txt"
    write_lines(file, ["old"] * 100)
    seen: list[str] = []

    def lines() -> Iterator[str]:
        yield "new"
        seen.append(file.read_text())

    write_lines(file, lines())
    assert seen == ["old\n" * 100]
    assert file.read_text() == "new\n"


def test_a_writing_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    file = tmp_path / "it.txt"
    write_lines(file, ["old"])

    def lines() -> Iterator[str]:
        yield "new"
        raise ValueError("no more")

    with pytest.raises(ValueError, match="no more"):
        write_lines(file, lines())
    assert file.read_text() == "old\n"
    assert os.listdir(tmp_path) == ["it.txt"]  # noqa: PTH208 -- hidden files too


def test_a_folder_that_can_not_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "var").write_text("a file")
    with pytest.raises(MushError, match=r"could not be written: .* Tell staff\."):
        write_lines(tmp_path / "var" / "it.txt", ["x"])


def test_a_transcript_replaces_the_one_under_the_scenes_former_title_and_no_other(
    tmp_path: Path,
) -> None:
    save, folder = keep_transcript(tmp_path), tmp_path / "transcripts"
    others = ["12-old.txt", "1-old.html", "11-old.txt", "21-old.txt", "1.txt"]
    for name in (*others, "1-old.txt", "1-an-older-one.txt"):
        save(name, [name])
    assert save("1-new.txt", ["new"]) == (str(folder / "1-new.txt"), 1)
    assert save("1-new.txt", ["new", "again"])[1] == 2
    assert sorted(os.listdir(folder)) == sorted([*others, "1-new.txt"])  # noqa: PTH208 -- hidden too


def test_an_older_file_that_stays_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "1-old.txt").touch()

    def refuse(_: Path, **__: bool) -> None:
        raise PermissionError(1, "Not permitted")

    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(MushError, match=r"an older one could not be removed: Not permitted\. Tell"):
        remove_older(tmp_path / "1-new.txt")


CLAIM = """
import sys
from pathlib import Path
from mushcombat.storage.files import claim_file
claim_file(Path(sys.argv[1]))
print("claimed", flush=True)
input()
"""


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def test_a_new_database_and_all_beside_it_are_read_by_their_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "var" / "game.db"
    url = f"sqlite:///{file}"
    before = os.umask(0o022)
    try:
        Database(url, CODEC, lambda _: None, lambda: datetime.now(UTC)).prepare(upgrade=True)
        with open_engine(url).connect():
            beside = {each: mode(each) for each in file.parent.iterdir()}
    finally:
        os.umask(before)
    assert mode(file.parent) == 0o700
    assert len(beside) >= 2
    assert set(beside.values()) == {0o600}


def test_the_mode_of_what_is_there_is_left_to_its_owner(tmp_path: Path) -> None:
    file = tmp_path / "game.db"
    file.touch()
    tmp_path.chmod(0o750)
    file.chmod(0o640)
    make_private(file)
    assert (mode(tmp_path), mode(file)) == (0o750, 0o640)


def test_a_file_is_claimed_by_one_process_until_it_ends(tmp_path: Path) -> None:
    file = tmp_path / "test.db-serving"
    command = [sys.executable, "-c", CLAIM, str(file)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == b"claimed\n"
        with pytest.raises(MushError, match=r"Another server runs on this database.*postgresql"):
            claim_file(file)
        first.kill()
    claim_file(file)


def test_a_second_server_on_a_sqlite_file_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path):
        line = refused(tmp_path, "serve", "--telnet", LOCAL)
    assert "Another server runs on this database" in line
