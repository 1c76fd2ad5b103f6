"""What kind of screen somebody reads on: a line is rendered once for each kind there is."""

from __future__ import annotations

from typing import NamedTuple

NARROWEST, WIDEST = 20, 500
"""Columns that a screen may have; a client that tells other numbers is brought into these."""

TRUE_COLOURS = 1 << 24
"""As many as 24 bits tell apart."""


class Kind(NamedTuple):
    """All that makes a difference to what is sent; two connections of one kind get the same bytes.

    Every viewer's is looked up for every line, hence a tuple: it is hashed in no time.
    `encoding` is utf-8, latin-1 or ascii; `colours` 0, 16, 256 or `TRUE_COLOURS`. `width` is how
    many columns a line may take, 0 for lines that are never wrapped. `reader`: it is read aloud.
    `brief`: in few words.
    """

    encoding: str = "utf-8"
    colours: int = 0
    width: int = 0
    reader: bool = False
    brief: bool = False


PLAIN = Kind()
"""UTF-8 and nothing else: what a client without any talent is shown."""
