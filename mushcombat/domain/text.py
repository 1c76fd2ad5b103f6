"""A player's words on their way to a screen: opaque, and never like a line of the server's."""

from __future__ import annotations

import re
import unicodedata
from itertools import islice

_SUBSTITUTION = re.compile(r"%([rRtTbB%])")
_MEANING = {"r": "\n", "t": "    ", "b": " ", "%": "%"}
_TAG = re.compile(r"[\[<]\W{0,3}\w")
_INVISIBLE = frozenset({"Cf", "Mn", "Me", "Cc", "Zs", "Zl", "Zp"})
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that show nothing: the fillers of Hangul, the empty Braille cell."""
_HEAD = 24
INDENT = "  "
CLIP = 40


def expand(text: str) -> str:
    """Replace %r (new line), %t (tab, four spaces), %b (space) and %% (percent sign)."""
    if "%" not in text:
        return text
    return _SUBSTITUTION.sub(lambda found: _MEANING[found[1].lower()], text)


def word_list(text: str) -> list[str]:
    """Split what was typed into words, at blanks and at %r, %t and %b; a %% stays as it is."""
    apart = _SUBSTITUTION.sub(lambda found: found[0] if found[1] == "%" else " ", text)
    return apart.split()


def looks_like_ours(line: str) -> bool:
    """Tell whether a line begins as the server's own lines do: `[Word]` or `<Word>`.

    Spaces and invisible characters before the bracket, and other signs that stand for it
    (full-width ones), fool nobody who reads a screen less than closely; so they count.
    """
    seen = "".join(islice(filter(_is_seen, line), _HEAD))
    return _TAG.match(unicodedata.normalize("NFKC", seen)) is not None


def _is_seen(char: str) -> bool:
    return unicodedata.category(char) not in _INVISIBLE and char not in _BLANK


def flush_left(text: str) -> str:
    """Give text that begins with something that is seen."""
    start = next((at for at, char in enumerate(text) if _is_seen(char)), len(text))
    return text[start:]


def spoken(text: str) -> str:
    """Write what a player said with its substitutions; lines after the first are indented."""
    return expand(text).replace("\n", "\n" + INDENT)


def signed(text: str, author: str) -> str:
    """Write text that begins with a player's own words; behind `<Ada> ` if it looks like ours."""
    shown = spoken(text)
    return f"<{author}> {shown}" if looks_like_ours(shown) else shown


def clip(text: str, length: int = CLIP) -> str:
    """Shorten what was typed for a message about it."""
    return text if len(text) <= length else text[: length - 1] + "…"


def listing(words: list[str], last: str = "and") -> str:
    """Write "a, b and c", with another word before the last one if need be."""
    if len(words) < 2:
        return "".join(words)
    return ", ".join(words[:-1]) + f" {last} " + words[-1]
