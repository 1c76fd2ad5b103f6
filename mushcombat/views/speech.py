"""What players say, pose and emit, as plain text."""

from __future__ import annotations

from mushcombat.domain.events import Fact, Spoken
from mushcombat.domain.text import signed, spoken
from mushcombat.views.side import Side


def written(fact: Fact, event: Spoken, side: Side) -> str:
    """Write what somebody spoke; who said it reads "You say"."""
    name, text = fact.actor.name, event.text
    match event.style:
        case "say":
            return f'You say, "{spoken(text)}"' if side is Side.ACTOR else says(name, text)
        case "pose":
            return f"{name} {spoken(text)}"
        case "semipose":
            return f"{name}{spoken(text)}"
        case "emit" | "set":
            return signed(text, name)
        case "ooc":
            return f"<OOC> {posed_or_said(name, text)}"


def says(name: str, text: str) -> str:
    """Write speech."""
    return f'{name} says, "{spoken(text)}"'


def posed_or_said(name: str, text: str) -> str:
    """Let `:` and `;` pose where words are expected, as MUSH people are used to."""
    if text.startswith(":"):
        return f"{name} {spoken(text[1:])}"
    return f"{name}{spoken(text[1:])}" if text.startswith(";") else says(name, text)
