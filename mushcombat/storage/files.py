"""Files beside the database: those for people, whole or not at all; and who serves a file."""

from __future__ import annotations

import fcntl
import os
import uuid
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO

from mushcombat.errors import MushError
from mushcombat.service.publishing import Save


def write_lines(file: Path, lines: Iterable[str]) -> int:
    """Write lines as UTF-8 into a file, in the place of one that is there; gives how many.

    Another name is written first and renamed then: nobody ever reads half of it. MushError when
    the disk does not take it.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        return _written(file, lines)
    except OSError as problem:
        why = f"{file} could not be written: {problem.strerror or problem}."
        raise MushError("file", why, "Tell staff.") from problem


def _written(file: Path, lines: Iterable[str]) -> int:
    draft = file.with_name(f".{uuid.uuid4().hex}.tmp")
    count = 0
    try:
        with draft.open("x", encoding="utf-8", newline="\n") as out:
            for line in lines:
                out.write(line + "\n")
                count += 1
            out.flush()
            os.fsync(out.fileno())
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
    return count


def remove_older(file: Path) -> None:
    """Remove what took the place of a file before, under another title: `1-old.txt` of `1-new.txt`.

    Those are the files beside it that end as it does, with the same number before the first hyphen.
    MushError when the disk does not let them go.
    """
    number = file.name.partition("-")[0]
    try:
        for other in file.parent.glob(f"{number}-*{file.suffix}"):
            if other.name != file.name and other.is_file():
                other.unlink(missing_ok=True)
    except OSError as problem:
        why = f"{file} is written, but an older one could not be removed: {problem.strerror}."
        raise MushError("file", why, "Tell staff.") from problem


def make_private(file: Path) -> None:
    """Make an empty file that its owner alone reads, and a folder for it; leave what is there.

    A database holds password hashes, private scenes and the seeds of open scenes' dice, and SQLite
    gives the files beside it the same mode. Where no file can be made, who opens it will tell.
    """
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not file.exists():
        with suppress(OSError):
            file.touch(mode=0o600)


def refuse_second_names(file: Path) -> None:
    """Raise MushError for a file that hard links give more names than one."""
    if file.is_file() and file.stat().st_nlink > 1:
        problem = f"{file} has {file.stat().st_nlink} names (hard links), and may have one."
        hint = f'Stop all servers; then: cp -p "{file}" "{file}.new" && mv "{file}.new" "{file}"'
        raise MushError("database", problem, hint)


_CLAIMED: list[IO[str]] = []
"""Held until the process ends, however it ends: the system frees the locks then."""


def claim_file(file: Path) -> None:
    """Be the only process that has claimed a file. MushError when another has."""
    make_private(file)
    handle = file.open("a", encoding="utf-8")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as problem:
        handle.close()
        raise MushError(
            "database",
            "Another server runs on this database, and a SQLite file serves one.",
            "Several servers need --database postgresql://USER@HOST/NAME.",
        ) from problem
    _CLAIMED.append(handle)


def keep_transcript(folder: Path) -> Save:
    """Give what keeps the transcripts that players ask for, in a folder of their own."""

    def save(name: str, lines: Iterable[str]) -> tuple[str, int]:
        file = folder / "transcripts" / name
        count = write_lines(file, lines)
        remove_older(file)  # the title may have been another
        return str(file), count

    return save
