"""What is known of the client at the other end of a link; no I/O."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

UTF_8: Final = "UTF-8"
LATIN_1: Final = "ISO-8859-1"
ASCII: Final = "US-ASCII"

_ENCODINGS: Final = {UTF_8: "utf-8", LATIN_1: "latin-1", ASCII: "ascii"}


class Colours(IntEnum):
    """How many colours a client shows, as far as it told (MTTS bits 1, 8 and 256)."""

    NONE = 0
    SIXTEEN = 16
    MANY = 256
    TRUE = 1 << 24


@dataclass(slots=True)
class Terminal:
    """What a client told of itself, in whatever order; nothing here is ever waited for.

    `columns` and `rows` are 0 until it tells (RFC 1073); `charset` is what both agreed on
    (RFC 2066), '' until then. `client` (also by GMCP) and `kind` are the client's own words
    (RFC 1091), cleaned but not to be trusted. `screen_reader` is what the client says, not what
    the player set.
    """

    telnet: bool = False
    """It has sent an IAC, so it is no netcat."""
    charset: str = ""
    utf8: bool = False
    """It said so, by MTTS or CHARSET."""
    colours: Colours | None = None
    """None: it did not tell."""
    columns: int = 0
    rows: int = 0
    client: str = ""
    kind: str = ""
    screen_reader: bool = False
    marks_prompts: bool = False
    """It takes EOR (RFC 885) after a prompt."""
    gmcp: bool = False
    """It takes GMCP (option 201)."""
    latin_1: bool = False
    """It has sent a line that is no UTF-8. What CHARSET or MTTS say counts for more."""
    seven_bit: bool = False
    """It is one that loses what follows a character beyond ASCII, unless CHARSET says otherwise."""
    links: bool = False
    """It shows OSC 8 links that send a command (NEW-ENVIRON)."""

    @property
    def encoding(self) -> str:
        """What to send text in: "utf-8", or "latin-1" or "ascii" if it told or showed so."""
        if self.charset:
            return _ENCODINGS[self.charset]
        if self.utf8:
            return "utf-8"
        if self.latin_1:
            return "latin-1"
        return "ascii" if self.seven_bit else "utf-8"
