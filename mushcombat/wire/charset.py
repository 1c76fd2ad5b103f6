"""Which characters both use (CHARSET, RFC 2066), and reading lines that are written in them."""

from __future__ import annotations

from typing import Final

from mushcombat.wire.terminal import ASCII, LATIN_1, UTF_8
from mushcombat.wire.text import decode_line

REQUEST: Final = 1
ACCEPTED: Final = 2
REJECTED: Final = 3
TTABLE_IS: Final = 4
TTABLE_REJECTED: Final = 5

OFFER: Final = b";UTF-8;ISO-8859-1;US-ASCII"
"""Ours, the best first: Mudlet and BeipMU take the first they know."""

_TTABLE: Final = b"[TTABLE]"
_KNOWN: Final = {
    b"UTF8": UTF_8,
    b"ISO88591": LATIN_1,
    b"LATIN1": LATIN_1,
    b"USASCII": ASCII,
    b"ASCII": ASCII,
    b"ANSIX3.41968": ASCII,
}


def canonical(name: bytes) -> str:
    """Give the name that we use for a character set that we really do, '' for others."""
    return _KNOWN.get(name.upper().replace(b"-", b"").replace(b"_", b""), "")


def decode(raw: bytes, charset: str) -> tuple[str, bool]:
    """Decode a line as agreed; without an agreement, False tells that it was no UTF-8.

    ISO-8859-1 is read as cp1252, which has letters where the other one has only controls.
    In other cases it is as `decode_line` says: a client that agreed to UTF-8 and sends
    something else is still understood.
    """
    if raw.isascii():  # nearly every line: it reads the same in all of them
        return raw.decode("ascii"), True
    if charset == LATIN_1:
        return raw.decode("cp1252", errors="replace"), True
    text, is_utf8 = decode_line(raw)
    return text, is_utf8 or bool(charset)


class Charset:
    """What is said about character sets on one link; we are the server (RFC 2066)."""

    def __init__(self) -> None:
        self._asked = False
        self._crossing = False  # an answer to our REQUEST may still be under way

    def request(self) -> bytes:
        """Give our REQUEST, the first time."""
        if self._asked:
            return b""
        self._asked = self._crossing = True
        return bytes((REQUEST,)) + OFFER

    def give_up(self) -> None:
        """Wait no more for an answer: one that comes still counts."""
        self._crossing = False

    def hear(self, payload: bytes) -> tuple[bytes, str]:
        """Take what the client says; give the answer, and what is agreed on by it ('': nothing).

        A REQUEST that crosses ours is rejected, as RFC 2066 has servers do.
        """
        verb, rest = payload[:1], payload[1:]
        if verb == bytes((REQUEST,)):
            return self._choose(rest)
        if verb == bytes((TTABLE_IS,)):
            return bytes((TTABLE_REJECTED,)), ""
        agreed = ""
        if self._asked and verb in (bytes((ACCEPTED,)), bytes((REJECTED,))):
            self._crossing = False
            agreed = canonical(rest) if verb == bytes((ACCEPTED,)) else ""
        return b"", agreed

    def _choose(self, rest: bytes) -> tuple[bytes, str]:
        """Accept one of the client's list in its own spelling: UTF-8, or the first we do."""
        if rest.startswith(_TTABLE):
            rest = rest[len(_TTABLE) + 1 :]  # and a version
        names = rest[1:].split(rest[:1]) if rest else []
        known = [(name, canonical(name)) for name in names if canonical(name)]
        if self._crossing or not known:
            return bytes((REJECTED,)), ""
        name, agreed = next((pair for pair in known if pair[1] == UTF_8), known[0])
        return bytes((ACCEPTED,)) + name, agreed
