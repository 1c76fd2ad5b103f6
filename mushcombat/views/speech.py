"""What players say, pose and emit, as plain text."""

from __future__ import annotations

from mushcombat.domain.events import Fact, Spoken
from mushcombat.domain.text import as_seen, signed, spoken
from mushcombat.views.ours import begins_like_ours, on_any_screen
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
            return glued(name, text)
        case "emit" | "set":
            return signed(text, name, begins_like_ours)
        case "ooc":
            return f"<OOC> {posed_or_said(name, text)}"


def says(name: str, text: str) -> str:
    """Write speech."""
    return f'{name} says, "{spoken(text)}"'


def glued(name: str, text: str) -> str:
    """Write a pose right behind a name: `'s hat`; behind `<Ada> ` if it makes a line of ours.

    Only what goes on with the name does: Ada's `;m says, "x"` is no word of Adam's.
    """

    def grows(line: str) -> bool:
        goes_on = as_seen(line, len(name) + 1)[len(name) :]
        return goes_on.isalnum() or goes_on == "-"

    line = f"{name}{spoken(text)}"
    ours = on_any_screen(line, grows) and begins_like_ours(line)
    return f"<{name}> {line}" if ours else line


def posed_or_said(name: str, text: str) -> str:
    """Let `:` and `;` pose where words are expected, as MUSH people are used to."""
    if text.startswith(":"):
        return f"{name} {spoken(text[1:])}"
    return glued(name, text[1:]) if text.startswith(";") else says(name, text)
