"""Colour: which parts of a line are worth one, and the codes for as many as a client shows."""

from __future__ import annotations

import re
from enum import Enum

from mushcombat.domain.events import Event, Fact, Spoken
from mushcombat.domain.screen import TRUE_COLOURS

RESET = "\x1b[0m"

_TAG = re.compile(r"\[(\w+)\] ")
_OOC = "<OOC> "
_TAKES = re.compile(r"\btakes \d+(?: stun)?(?=[:. ])")


class Style(Enum):
    """What a part of a line is; its red, green and blue, and its code among the sixteen."""

    TAG = ((135, 175, 175), "36")
    TURN = ((255, 215, 95), "1;33")
    RESULT = ((255, 175, 135), "1;31")
    ASKS = ((175, 215, 255), "1;36")
    NAME = ((215, 215, 255), "1")
    HARM = ((255, 135, 135), "31")
    ASIDE = ((158, 158, 158), "2")
    ERROR = ((255, 175, 95), "33")


_TAGS = {
    "Turn": Style.TURN,
    "Order": Style.TURN,
    "Result": Style.RESULT,
    "Wounds": Style.RESULT,
    "Undo": Style.RESULT,
    "Ruling": Style.ASKS,
    "Defend": Style.ASKS,
    "Counter": Style.ASKS,
    "Watch": Style.ASKS,
}

Pieces = tuple[tuple[str, Style | None], ...]
"""A text in parts, each with its style; together they are the text as it was."""


def pieces_of(fact: Fact, text: str) -> Pieces:
    """Part the line of a fact: its tag, who does it, what it costs somebody.

    What a player said or posed has no colour but its author's name: their words are opaque.
    """
    event = fact.event
    if isinstance(event, Spoken) and text.startswith(_OOC):
        return ((_OOC, Style.ASIDE), *_name(fact, text.removeprefix(_OOC)))
    tag = None if isinstance(event, Spoken) else _TAG.match(text)
    if tag is None:
        return _name(fact, text)
    style = _TAGS.get(tag[1], Style.TAG)
    return ((tag[0], style), *_body(event, fact, text[tag.end() :]))


def _name(fact: Fact, text: str) -> Pieces:
    """Part the actor's name off a text that begins with it as a whole word."""
    name = fact.actor.name
    if not text.startswith(f"{name} "):
        return ((text, None),)
    return (name, Style.NAME), (text[len(name) :], None)


def _body(event: Event, fact: Fact, text: str) -> Pieces:
    harm = _TAKES.search(text) if hasattr(event, "amount") else None
    if harm is None:
        return _name(fact, text)
    return (text[: harm.start()], None), (harm[0], Style.HARM), (text[harm.end() :], None)


def reply_pieces(text: str) -> Pieces:
    """Part a reply: the tag that each of its lines may begin with."""
    pieces: list[tuple[str, Style | None]] = []
    for line in text.splitlines(keepends=True):
        tag = _TAG.match(line)
        if tag:
            pieces.append((tag[0], _TAGS.get(tag[1], Style.TAG)))
        pieces.append((line[tag.end() :] if tag else line, None))
    return tuple(pieces)


def painted(text: str, style: Style | None, colours: int) -> str:
    """Put a text in the codes of a style, closed at the end of each line."""
    if style is None or not colours or not text.strip():
        return text
    code = _code(style, colours)
    lines = text.split("\n")
    return "\n".join(f"\x1b[{code}m{line}{RESET}" if line else line for line in lines)


def _code(style: Style, colours: int) -> str:
    rgb, sixteen = style.value
    if colours >= TRUE_COLOURS:
        return "38;2;{};{};{}".format(*rgb)
    return f"38;5;{_of_256(*rgb)}" if colours >= 256 else sixteen


def _of_256(red: int, green: int, blue: int) -> int:
    """Give the nearest of xterm's 256: its cube of 6 by 6 by 6, or its 24 greys."""
    if red == green == blue:
        return 232 + max(0, min(23, round((red - 8) / 10)))
    steps = [min(range(6), key=lambda at: abs(_LEVELS[at] - part)) for part in (red, green, blue)]
    return 16 + 36 * steps[0] + 6 * steps[1] + steps[2]


_LEVELS = (0, 95, 135, 175, 215, 255)
