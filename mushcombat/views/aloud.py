"""Text that a screen reader speaks: sentences and "Name: value", nothing that is drawn.

What is spoken can't be told apart by where it stands or what it looks like. So the server's own
lines begin with the word of their tag and a colon, and a player's line that would begin so gets
its author's name before it.
"""

from __future__ import annotations

import re
import unicodedata

from mushcombat.domain.text import flush_left
from mushcombat.views.ours import begins_like_ours, on_any_screen

_TAG = re.compile(r"\[(\w+)\] +")
_LOGGED = re.compile(r"((?:#\d+ )?(?:\d\d:\d\d(?::\d\d)? )?(?:\([^()]+ is asked\.\) )?)\[(\w+)\] +")
"""A tag, in a log behind the number of its row, the time, and who is asked."""
_HEALTH = re.compile(r"(?<=ealth )(-?\d+)/(?=100\b)")
_NUMBER = re.compile(r" ?\(?#(\d+)\)?$")
_COLUMNS = re.compile(r"(?<=\S) {2,}(?=\S)")
_RULE = re.compile(r"[\W_]{3,}")
_LIKE_OURS = re.compile(r"\W*\w+\s*:")
_HEAD = 64
_UNHEARD = frozenset({"Cf", "Mn", "Mc", "Me"})
_WORDS = (
    (re.compile(r"(?<=[\w)]) - (?=[\w(])"), " minus "),
    (re.compile(r"(?<=[\w)]) \+ (?=[\w(])"), " plus "),
    (re.compile(r"(?<=\d) x (?=[\w(])"), " times "),
    (re.compile(r" = (?=-?\d)"), " is "),
    (re.compile(r"(?<!\S)-(?=\d)"), "minus "),
    (re.compile(r" > "), " against "),
    (re.compile(r"(?<=\d)/(?=\d)"), " of "),
    (re.compile(r"#(?=\d)"), "number "),
)


def aloud(text: str) -> str:
    """Give lines of the server's as they are spoken: without indents, columns, rules or tags."""
    lines = (_spoken(line) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def _spoken(written: str) -> str:
    line = written.strip()
    if _RULE.fullmatch(line):
        return ""
    tag = _LOGGED.match(line)
    if tag:
        return f"{tag[1]}{tag[2]}: {in_words(_plain(line[tag.end() :]))}"
    # Indented lines may be a player's, who went on behind a %r.
    goes_on = written.startswith(" ") and sounds_like_ours(line)
    return f"Also, {_plain(line)}" if goes_on else _plain(line)


def _plain(line: str) -> str:
    return _COLUMNS.sub(", ", _HEALTH.sub(r"\1 of ", line))


def untagged(text: str) -> str:
    """Write the tag that a text begins with as a word and a colon; all else stays."""
    return _TAG.sub(r"\1: ", text, count=1) if _TAG.match(text) else text


def in_words(text: str) -> str:
    """Write sums with words for their signs: many readers leave a minus out."""
    for sign, word in _WORDS:
        text = sign.sub(word, text)
    return text


def guarded(text: str, author: str) -> str:
    """Put the author before each line of theirs that begins as the server's do when spoken.

    The first one has been looked at for the eye, or is the server's own; the others are told from
    those by their indent, which nobody hears.
    """
    first, *others = text.split("\n")
    theirs = [sounds_like_ours(first), *(map(_could_be_ours, others))]
    lines = zip([first, *others], theirs, strict=True)
    return "\n".join(f"<{author}> {line}" if like else line for line, like in lines)


def _could_be_ours(line: str) -> bool:
    return sounds_like_ours(line) or begins_like_ours(line)


def sounds_like_ours(line: str) -> bool:
    """Tell whether a line begins with a word and a colon; marks and what is unseen don't count."""
    if line[:_HEAD].isascii():
        return _heard_like_ours(line)
    return on_any_screen(line, _heard_like_ours)


def _heard_like_ours(line: str) -> bool:
    head = line[:_HEAD]
    if head.isascii():
        return ":" in head and _LIKE_OURS.match(head) is not None
    letters = unicodedata.normalize("NFKD", flush_left(line)[:_HEAD])
    seen = "".join(char for char in letters if unicodedata.category(char) not in _UNHEARD)
    return _LIKE_OURS.match(seen) is not None


def numbered(text: str) -> str:
    """Say the number of an action at the end of a line as a sentence."""
    return _NUMBER.sub(r" Action \1.", text)
