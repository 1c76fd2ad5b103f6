"""A player's words on their way to a screen: opaque, and never like a line of the server's."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from itertools import islice

_SUBSTITUTION = re.compile(r"%([rRtTbB%])")
_MEANING = {"r": "\n", "t": "    ", "b": " ", "%": "%"}
_BRACKETS = (
    "[<\u2039\u02c2\u1438\u2045\u2308\u230a\u27e6\u27e8\u27ea\u27ec\u276c\u276e\u2770\u2772\u298b\u298d\u298f"
    "\u2991\u2997\u29fc\u2e22\u2e24\u3008\u300a\u3010\u3014\u3016\u3018\u301a"
)
"""Brackets, and those that are drawn like them but that NFKC leaves as they are."""
_TAG = re.compile(rf"[{re.escape(_BRACKETS)}]\W{{0,3}}\w")
_DRAWN_ALIKE = str.maketrans(
    "\u0410\u0412\u0415\u0405\u0406\u0408\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425"
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0501\u04bb\u051b\u051d"
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"
    "\u03b1\u03b9\u03bd\u03bf\u03c1\u03c5"
    "\u0110\u0111\xd0\xf0\u0131\u0141\u0142\xd8\xf8",
    "ABESIJKMHOPCTYXaeopcyxijsdhqwABEZHIKMNOPTYXaivopuDdDdiLlOo",
)
"""Letters of Cyrillic and Greek, and the Latin ones that they are drawn like; and those with a
stroke or without a dot, which decompose into nothing."""
_INVISIBLE = frozenset({"Cf", "Mn", "Mc", "Me", "Cc", "Zs", "Zl", "Zp"})
"""What shows nothing, and marks: where a screen lacks those, they go without a trace."""
_SPACES = frozenset({"Zs", "Zl", "Zp", "Cc"})
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that show nothing: the fillers of Hangul, the empty Braille cell."""
_HEAD = 24
_MOST_BETWEEN = 10
"""Marks and joiners that can hide behind one letter, and it."""
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
    start = flush_left(line)[: _HEAD * _MOST_BETWEEN]
    letters = start if start.isascii() else unicodedata.normalize("NFKD", start)
    return _TAG.match("".join(islice(filter(_is_seen, letters), _HEAD))) is not None


def _is_seen(char: str) -> bool:
    return unicodedata.category(char) not in _INVISIBLE and char not in _BLANK


def flush_left(text: str) -> str:
    """Give text that begins with something that is seen."""
    start = next((at for at, char in enumerate(text) if _is_seen(char)), len(text))
    return text[start:]


def as_seen(text: str, most: int) -> str:
    """Give the beginning of a text as an eye takes it, in letters that are compared.

    Without what is not seen, and with one letter for all that look like it: full-width ones,
    those with marks, and those of Greek and Cyrillic that are drawn as Latin ones are.
    """
    start = flush_left(text)[: most * _MOST_BETWEEN]
    if start.isascii():
        return start[:most]
    spaced = "".join(" " if _is_space(char) else char for char in start)
    letters = unicodedata.normalize("NFKD", spaced).translate(_DRAWN_ALIKE)
    return "".join(char for char in letters if char == " " or _is_seen(char))[:most]


def _is_space(char: str) -> bool:
    return unicodedata.category(char) in _SPACES or char in _BLANK


def spoken(text: str) -> str:
    """Write what a player said with its substitutions; lines after the first are indented."""
    return expand(text).replace("\n", "\n" + INDENT)


def signed(text: str, author: str, is_ours: Callable[[str], bool] = looks_like_ours) -> str:
    """Write text that begins with a player's own words; behind `<Ada> ` if it looks like ours."""
    shown = spoken(text)
    return f"<{author}> {shown}" if is_ours(shown) else shown


def clip(text: str, length: int = CLIP) -> str:
    """Shorten what was typed for a message about it."""
    return text if len(text) <= length else text[: length - 1] + "…"


def listing(words: list[str], last: str = "and") -> str:
    """Write "a, b and c", with another word before the last one if need be."""
    if len(words) < 2:
        return "".join(words)
    return ", ".join(words[:-1]) + f" {last} " + words[-1]
