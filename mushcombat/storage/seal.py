"""The last line of a backup: the checksum of all that stands before it.

It is inside the file, so that it goes wherever a copy of the file goes. What reads a SQLite file
or a dump of PostgreSQL knows where that ends, and does not look at what comes behind.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path
from typing import IO, Final

from mushcombat.errors import MushError

SIZE: Final = 100
"""Bytes that the line has, with a line's end before it: a round number to type after `head -c`."""

UNSEALED: Final = (
    "The backup has no checksum (it was made by hand, or by an older version):"
    " that it can be read is all that is known of it."
)

_LINE = b"\nThe SHA-256 of all bytes above is %b\n"
_SEAL = re.compile(rb"\nThe SHA-256 of all bytes above is ([0-9a-f]{64})\n")
_PIECE = 1 << 20
_SQLITES_PAGE = 16
"""Where a SQLite file tells how large its pages are: two bytes, in which 1 means 65,536."""

_DUMPS_END = bytes(5)
"""How pg_dump ends every block of data, and so the file: a number's sign and four bytes of it."""


def seal(file: Path) -> None:
    """Write the checksum of a file behind what is in it."""
    with file.open("r+b") as copy:
        digest = _digest(copy, file.stat().st_size)
        copy.write(_LINE % digest)


def check_seal(file: Path) -> bool:
    """Check a copy by its last line; tells whether it had one. MushError when it is damaged.

    Without that line it must end as its kind does: nothing was cut off or came behind, then, and
    it is no seal that was damaged.
    """
    size = file.stat().st_size
    with file.open("rb") as copy:
        found = _SEAL.fullmatch(_last(copy, size, SIZE))
        if found is None and _ends_well(copy, size):
            return False
        if found is None or _digest(copy, size - SIZE) != found[1]:
            problem = f"{file} is damaged: it is not what was written when it was made."
            raise MushError("damaged", problem, "Take another backup.")
    return True


def _digest(copy: IO[bytes], size: int) -> bytes:
    """Hash so many bytes from the beginning, a piece at a time; what is read next is behind."""
    copy.seek(0)
    hashed = hashlib.sha256()
    while size > 0 and (piece := copy.read(min(size, _PIECE))):
        hashed.update(piece)
        size -= len(piece)
    return hashed.hexdigest().encode()


def _last(copy: IO[bytes], size: int, wanted: int) -> bytes:
    copy.seek(max(0, size - wanted), os.SEEK_SET)
    return copy.read()


def _ends_well(copy: IO[bytes], size: int) -> bool:
    """Tell whether a copy that has no seal is whole pages of SQLite, or ends as a dump does."""
    copy.seek(0)
    head = copy.read(_SQLITES_PAGE + 2)
    if head.startswith(b"PGDMP"):
        return _last(copy, size, len(_DUMPS_END)) == _DUMPS_END
    page = int.from_bytes(head[_SQLITES_PAGE:], "big")
    return page > 0 and size % (65_536 if page == 1 else page) == 0
