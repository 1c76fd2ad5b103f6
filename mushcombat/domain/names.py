"""What a player may be called, and how a typed name finds somebody."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeVar

from mushcombat.domain.openings import can_begin_ours
from mushcombat.errors import MushError

SHORTEST, LONGEST = 2, 24

_RESERVED_WORDS = """
me here home you all none nobody nothing everyone somebody room scene system server game ooc ic
guest admin administrator staff referee ref npc player who quit help connect create look new null
god wizard
"""
RESERVED = frozenset(_RESERVED_WORDS.split())
"""Words that commands use as names, or that stand for the game and those who run it."""

_SHAPE = re.compile(r"[A-Za-z](?:[A-Za-z0-9'-]| (?=[A-Za-z0-9]))*")
_GUEST = re.compile(r"guest[ \d]*")

T = TypeVar("T")


def name_key(name: str) -> str:
    """Give what two names that are the same have in common: no regard to case."""
    return name.casefold()


def check_name(name: str) -> str:
    """Give the name back whole, or refuse it with a reason; never a shortened one.

    ASCII letters, digits, single spaces, apostrophes and hyphens, 2 to 24 characters, a
    letter first; nothing that the game calls something itself, or begins its own lines with.
    """
    hint = "Names have 2 to 24 letters, digits, spaces, apostrophes or hyphens, a letter first."
    if not SHORTEST <= len(name) <= LONGEST:
        count = "1 character" if len(name) == 1 else f"{len(name)} characters"
        raise MushError("name", f"That name has {count}.", hint)
    if not _SHAPE.fullmatch(name):
        raise MushError("name", "That name has something in it that names can't have.", hint)
    if _is_ours(name):
        raise MushError("name", f'"{name}" is a word that the game uses itself.', "Pick another.")
    return name


def _is_ours(name: str) -> bool:
    key = name_key(name)
    return key in RESERVED or _GUEST.fullmatch(key) is not None or can_begin_ours(name)


def taken(name: str) -> MushError:
    """Say that somebody has that name."""
    return MushError("name", f'The name "{name}" is taken.', "Pick another.")


def match(typed: str, named: Iterable[tuple[str, T]]) -> list[T]:
    """Find whom a typed name means: those of exactly that name, else those it begins.

    Case does not matter. One result is a find, none is nobody, more are ambiguous.
    """
    key = name_key(typed.strip())
    if not key:
        return []
    everyone = [(name_key(name), thing) for name, thing in named]
    exact = [thing for name, thing in everyone if name == key]
    return exact or [thing for name, thing in everyone if name.startswith(key)]
