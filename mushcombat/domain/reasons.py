"""Reasons that are typed behind a number or an act, and stand in the server's own lines."""

from __future__ import annotations

import re
import unicodedata

from mushcombat.domain.text import as_seen, clip
from mushcombat.errors import MushError

_QUOTES = frozenset("\u201a\u201e")
"""Low quotation marks, which Unicode counts among the brackets."""
_SIGN = re.compile(r"[\W_]+")
_OURS = re.compile(r"(?:dice)?\d*d(?:\d+|f)|asked|dice", re.IGNORECASE)
"""What the server itself calls the dice and the asked modifier, signs left out."""
_LONGEST_LABEL = 24


def reason_of(typed: str) -> str:
    """Give a typed reason as it is shown; MushError for one that is a label of the server's.

    It stands in parentheses within a sum, so it has no brackets and no `=` of its own: else
    `steam) + 3 (4dF` would be read as a reason and a throw.
    """
    kept = "".join(map(_kept, typed))
    reason = " ".join(kept.split()) if kept != typed else typed.strip()
    if _OURS.fullmatch(_SIGN.sub("", as_seen(reason, _LONGEST_LABEL))):
        text = f'reason: "{clip(reason)}" is what the server itself calls a term.'
        raise MushError("reason", text, "Type what it is for, like steam or bad light.")
    return reason


def _kept(char: str) -> str:
    category = "" if char in _QUOTES else unicodedata.category(char)
    if category == "Pe":
        return ""
    return " " if category == "Ps" or char == "=" else char
