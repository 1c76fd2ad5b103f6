"""Text of a line: bytes to characters, without what plays tricks on a screen, and back."""

from __future__ import annotations

import re
import unicodedata

from mushcombat.wire.telnet import escape, newlines

MAX_MARKS = 8
"""Most combining marks (joiners counted too) that may follow each other."""

# Strings (OSC, DCS, SOS, PM, APC) end with BEL or ST, at another ESC or at the end of the
# text; CSI and the two-character sequences are those of ECMA-48. The three characters of
# ESC ( B are one sequence, but only for usual character sets: tf 5.0b8 sends ESC ) for the
# second byte of an "é", and the letter after it is the player's.
_SEQUENCE = (
    "(?:\x1b[\\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\\\|\x9c)?"
    "|(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]?"
    "|\x1b[()*+][0-2AB]"
    "|\x1b[NO][ -~]?"
    "|\x1b[ -~]?"
)

_INVISIBLE = (
    "\x00-\x08\x0a-\x1f\x7f-\x9f"  # C0 but TAB, DEL, C1
    "\u00ad\u180e\u200b\ufeff"  # soft hyphen, Mongolian separator, zero-width spaces
    "\u061c\u200e\u200f\u202a-\u202e"  # bidi marks, embeddings and overrides
    "\u2028\u2029"  # line and paragraph separators
    "\u2060-\u206f"  # word joiner, invisible operators, bidi isolates, deprecated
    "\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"  # marks of annotation, notation
    "\ud800-\udfff\ufdd0-\ufdef"  # lone surrogates, noncharacters
    "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"  # tags; variation selectors lie between
    + "".join(
        f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000)
    )
)
_UNWANTED = re.compile(f"{_SEQUENCE}|[{_INVISIBLE}]")

_JOINERS = "\u200c\u200d"
_TRANSLITERATION = {
    **dict.fromkeys("‘’‚‛′‹›", "'"),
    **dict.fromkeys("“”„‟″", '"'),
    **dict.fromkeys("‐‑‒–—―−", "-"),
    **dict.fromkeys(_JOINERS, ""),
    "•": "*",
    "⁄": "/",
    "€": "EUR",
    "Œ": "OE",
    "œ": "oe",
    "Ł": "L",
    "ł": "l",
    "Đ": "D",
    "đ": "d",
    "ı": "i",
    "ẞ": "SS",
}
_ASCII = {
    "´": "'",
    "\xa0": " ",
    "«": '"',
    "»": '"',
    "Æ": "AE",
    "æ": "ae",
    "Ø": "O",
    "ø": "o",
    "Ð": "D",
    "ð": "d",
    "Þ": "Th",
    "þ": "th",
    "ß": "ss",
    "×": "x",
    "÷": "/",
    "·": "*",
    "£": "GBP",
    "©": "(c)",
    "®": "(R)",
}
"""What ASCII lacks of Latin-1 and decomposes into nothing that it has."""
_LAST = {"latin-1": "\xff", "ascii": "\x7f"}


def decode_line(raw: bytes) -> tuple[str, bool]:
    """Decode one whole line; True if it was UTF-8 (plain ASCII is).

    What is not strict UTF-8 is cp1252 as a whole; its five undefined bytes become U+FFFD.
    """
    try:
        return raw.decode("utf-8"), True
    except UnicodeDecodeError:
        return raw.decode("cp1252", errors="replace"), False


def clean(text: str) -> str:
    """Remove from an input line what controls a terminal, turns text around or can't be seen.

    Escape sequences go whole, with C0 (but TAB), DEL, C1, line separators, bidi controls, tag
    characters, surrogates and noncharacters. ZWJ, ZWNJ and variation selectors stay: emoji and
    several scripts need them. More than `MAX_MARKS` combining marks in a row are cut short.
    Cleaning twice is the same as once.
    """
    if text.isascii() and text.isprintable():  # nearly every line
        return text
    kept = _UNWANTED.sub("", text)
    return kept if kept.isascii() else _cap_marks(kept)


def _cap_marks(text: str) -> str:
    kept = []
    run = 0
    for char in text:
        run = run + 1 if char in _JOINERS or _is_mark(char) else 0
        if run <= MAX_MARKS:
            kept.append(char)
    return "".join(kept)


def _is_mark(char: str) -> bool:
    return unicodedata.category(char).startswith("M")


def encode(text: str, encoding: str) -> bytes:
    """Encode output for the wire: line ends CR LF, FF doubled.

    `encoding` is "utf-8" (a lone surrogate becomes "?"), "latin-1" or "ascii" (what these lack
    is transliterated, and "?" where that can't be); another one raises ValueError.
    """
    text = newlines(text)
    if encoding == "utf-8":
        return text.encode("utf-8", errors="replace")  # there is no byte FF in it
    return escape(transliterate(text, encoding).encode(encoding))


def transliterate(text: str, encoding: str) -> str:
    """Write text with the characters of an encoding alone; UTF-8 has them all.

    Twice is the same as once. An encoding that is none of ours raises ValueError.
    """
    if encoding == "utf-8" or (encoding in _LAST and text.isascii()):
        return text
    if encoding not in _LAST:
        raise ValueError(f"can't send text as {encoding}")
    last = _LAST[encoding]
    composed = unicodedata.normalize("NFC", text)
    return "".join(c if c <= last else _transliterated(c, last) for c in composed)


def _transliterated(char: str, last: str) -> str:
    """Write one character with those up to `last`; a mark that composes with nothing goes."""
    known = _TRANSLITERATION.get(char) or _ASCII.get(char)
    if known is not None or char in _JOINERS:
        return known or ""
    letters = [c for c in unicodedata.normalize("NFKD", char) if not _is_mark(c)]
    return "".join(_letter(c, last) for c in letters)


def _letter(char: str, last: str) -> str:
    """Write a letter without its marks."""
    return char if char <= last else _TRANSLITERATION.get(char) or _ASCII.get(char, "?")
