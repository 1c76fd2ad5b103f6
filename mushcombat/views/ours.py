"""Which lines of a player's would look like one of the server's, on whatever screen.

A screen of Latin-1 or ASCII is shown what it lacks in letters that it has, and marks not at all:
what is told apart in UTF-8 may be the same there.
"""

from __future__ import annotations

from collections.abc import Callable

from mushcombat.domain import openings
from mushcombat.wire.text import transliterate

NARROW = ("latin-1", "ascii")
"""Encodings that lack letters."""


def on_any_screen(line: str, is_so: Callable[[str], bool]) -> bool:
    """Tell whether something is so of a line as it was typed, or as some screen shows it."""
    if line.isascii():
        return is_so(line)
    return is_so(line) or any(is_so(transliterate(line, encoding)) for encoding in NARROW)


def begins_like_ours(line: str) -> bool:
    """Tell whether a line begins, on some screen, as one of the server's does."""
    return on_any_screen(line, openings.begins_like_ours)
