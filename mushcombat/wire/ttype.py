"""Who the client is and what it shows (TTYPE, RFC 1091, with MTTS on top of it)."""

from __future__ import annotations

import re
from typing import Final

from mushcombat.wire.terminal import Colours, Terminal

IS: Final = 0
SEND: Final = 1

ROUNDS: Final = 4
"""How often to ask; no client has more to say."""
LONGEST: Final = 40
"""Bytes of a name; who says more has nothing to tell."""

ANSI, UTF8, MANY, SCREEN_READER, TRUE = 1, 4, 8, 64, 256
"""The bits of MTTS that we heed."""

MUD_CLIENTS: Final = frozenset(
    {
        "atlantis",
        "beip",
        "beipmu",
        "blightmud",
        "cmud",
        "kildclient",
        "mudlet",
        "mushclient",
        "potato",
        "qmud",
        "tintin++",
        "tinyfugue",
        "zmud",
    }
)
"""First words of names, small letters, that no plain telnet gives."""

SEVEN_BIT: Final = "tinyfugue"
"""Debian's 5.0 beta 8 shows "naïve – come" as "naC/ve b" and swallows the rest of the line."""

_MTTS = re.compile(r"MTTS (\d{1,6})")
_UNPRINTABLE = re.compile(rb"[^ -~]")
_COLOURS = (
    (re.compile(r"TRUECOLOR|DIRECT"), Colours.TRUE),
    (re.compile(r"256COLOR"), Colours.MANY),
    (re.compile(r"ANSI|XTERM|VT\d|LINUX|SCREEN|TMUX|RXVT|KONSOLE|PUTTY"), Colours.SIXTEEN),
    (re.compile(r"DUMB"), Colours.NONE),
)


def name_of(raw: bytes) -> str:
    """Read a name or a value that a client gave: printable ASCII, '' if it is too long."""
    return "" if len(raw) > LONGEST else _UNPRINTABLE.sub(b"", raw).decode("ascii").strip()


def is_mud_client(name: str) -> bool:
    """Tell whether a client's name is that of one made for games like this."""
    return name.casefold().replace("-", " ").partition(" ")[0] in MUD_CLIENTS


def take_mtts(bits: int, terminal: Terminal) -> None:
    """Note what the bits of MTTS tell."""
    terminal.colours = next(
        (
            colours
            for bit, colours in (
                (TRUE, Colours.TRUE),
                (MANY, Colours.MANY),
                (ANSI, Colours.SIXTEEN),
            )
            if bits & bit
        ),
        Colours.NONE,
    )
    terminal.utf8 = terminal.utf8 or bool(bits & UTF8)
    terminal.screen_reader = bool(bits & SCREEN_READER)


class Rounds:
    """Asks again and again, until the client repeats itself."""

    def __init__(self) -> None:
        self._heard: list[str] = []
        self._waiting = False
        self.mtts = False
        """Its MTTS has come."""

    def ask(self) -> bytes:
        """Give what to say: SEND, or nothing while an answer is still to come."""
        if self._waiting:
            return b""
        self._waiting = True
        return bytes((SEND,))

    def again(self) -> bytes:
        """Begin anew, since what the client would say now may differ."""
        self._heard = []
        return self.ask()

    def hear(self, payload: bytes, terminal: Terminal) -> bytes:
        """Take an answer, note what it tells, and give what to say next."""
        if not self._waiting or payload[:1] != bytes((IS,)):
            return b""
        self._waiting = False
        name = name_of(payload[1:])
        repeats = name in self._heard[-1:]
        self._heard.append(name)
        if name:
            self._note(name, terminal)
        return b"" if not name or repeats or len(self._heard) >= ROUNDS else self.ask()

    def _note(self, name: str, terminal: Terminal) -> None:
        found = _MTTS.fullmatch(name)
        if found:
            self.mtts = True
            take_mtts(int(found[1]), terminal)
            return
        if len(self._heard) == 1:
            terminal.client = name
            terminal.seven_bit = name.casefold() == SEVEN_BIT
        elif len(self._heard) == 2:
            terminal.kind = name
        if terminal.colours is None:
            terminal.colours = _colours_of(name)


def _colours_of(name: str) -> Colours | None:
    """Tell what the name of a terminal says of its colours."""
    return next((colours for pattern, colours in _COLOURS if pattern.search(name.upper())), None)
