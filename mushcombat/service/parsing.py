"""Small parsers that many verbs share: a call in, arguments out, or MushError with the usage."""

from __future__ import annotations

from mushcombat.domain.command import Call
from mushcombat.domain.numbers import parse_whole
from mushcombat.domain.text import clip
from mushcombat.errors import MushError

MOST_SCENES = 999_999_999
"""The biggest scene number that is worth looking for."""


def nothing(call: Call) -> None:
    """Take no arguments."""
    if call.text:
        raise call.wrong(f'Nothing follows this command, but "{clip(call.text)}" did.')


def words(call: Call) -> str:
    """Take any text, but some."""
    if not call.text.strip():
        raise call.wrong()
    return call.text


def maybe_words(call: Call) -> str:
    """Take any text, or none."""
    return call.text


def two_sides(call: Call) -> tuple[str, str]:
    """Take `<left>=<right>`, both of them."""
    left, right = call.sides()
    if not left or not right:
        raise call.wrong()
    return left, right


def one_line(text: str, field: str, longest: int) -> str:
    """Check a title or a name of a thing: one line of 1 to `longest` characters."""
    text = " ".join(text.split())
    if not text or len(text) > longest:
        raise MushError(field, f"{field}: that has {len(text)} characters.", f"1 to {longest} fit.")
    return text


def scene_number(text: str) -> int:
    """Read a scene's number."""
    return parse_whole(text.removeprefix("#"), "scene", 1, MOST_SCENES)
