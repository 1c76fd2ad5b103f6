"""What lists of games ask a server for (MSSP, option 70, and the plain line of the same name)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

REQUEST: Final = "mssp-request"
"""The line that asks for it at the login screen, in small letters."""

VAR, VAL = b"\x01", b"\x02"

_UNWANTED = re.compile("[\x00-\x1f\x7f-\x9f]+")


def cleaned(text: str) -> str:
    """Remove what would end a name, a value or a line: 0, 1, 2; UTF-8 has no FF."""
    return _UNWANTED.sub(" ", text).strip()


def payload(status: Iterable[tuple[str, str]]) -> bytes:
    """Write names and values for the subnegotiation, as UTF-8; several of a name are a list."""
    said = b""
    last = ""
    for name, value in status:
        if name != last:
            said += VAR + cleaned(name).encode(errors="replace")
        said += VAL + cleaned(value).encode(errors="replace")
        last = name
    return said


def plain(status: Iterable[tuple[str, str]]) -> str:
    """Write them as lines, for who asks with a line; ended by a line of its own."""
    rows = (f"{cleaned(name)}\t{cleaned(value)}" for name, value in status)
    return "\n".join(("MSSP-REPLY-START", *rows, "MSSP-REPLY-END"))
