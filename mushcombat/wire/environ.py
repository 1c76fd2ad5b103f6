"""What clients tell in variables (NEW-ENVIRON, RFC 1572, with the names of MNES and Mudlet)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from mushcombat.wire.terminal import UTF_8, Terminal
from mushcombat.wire.ttype import name_of, take_mtts

IS: Final = 0
SEND: Final = 1
INFO: Final = 2
VAR, VALUE, ESC, USERVAR = 0, 1, 2, 3

_VARS: Final = (b"CLIENT_NAME", b"CLIENT_VERSION", b"CHARSET", b"MTTS")
_USERVARS: Final = (b"SCREEN_READER", b"OSC_HYPERLINKS_SEND", b"WORD_WRAP")

QUESTION: Final = (
    bytes((SEND,))
    + b"".join(bytes((VAR,)) + name for name in _VARS)
    + b"".join(bytes((USERVAR,)) + name for name in _USERVARS)
)
"""By name and short: some clients crash on a long one, and the rest is no concern of ours."""

_PART = re.compile(rb"([\x00\x01\x03])((?:\x02.|[^\x00-\x03])*)", re.DOTALL)
_ESCAPED = re.compile(rb"\x02(.)", re.DOTALL)


def variables(payload: bytes) -> Iterator[tuple[str, str]]:
    """Give the variables of an IS or an INFO, names in capitals; '' for one without a value."""
    if payload[:1] not in (bytes((IS,)), bytes((INFO,))):
        return
    name = ""
    for kind, raw in _PART.findall(payload[1:]):
        word = name_of(_ESCAPED.sub(rb"\1", raw))
        if kind != bytes((VALUE,)):
            name = word.upper()
        elif name:
            yield name, word
            name = ""


def take(payload: bytes, terminal: Terminal) -> None:
    """Note what the variables tell that we know; RFC 1572 lets a client send changes unasked."""
    for name, value in variables(payload):
        match name:
            case "CLIENT_NAME" if value:
                terminal.client = value
            case "CHARSET" if value.upper() == UTF_8:
                terminal.utf8 = True
            case "MTTS" if value.isdecimal():
                take_mtts(int(value), terminal)
            case "SCREEN_READER":
                terminal.screen_reader = value == "1"
            case "OSC_HYPERLINKS_SEND":
                terminal.links = value == "1"
            case _:
                pass
