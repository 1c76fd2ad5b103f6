"""What is asked of +odds: who strikes whom, with what, and how things stand."""

from __future__ import annotations

from mushcombat.domain.command import Call
from mushcombat.records import record


@record(frozen=True, slots=True)
class Question:
    """Arguments of +odds, as typed."""

    attacker: str
    weapon: str
    target: str
    choice: str
    modifiers: tuple[str, ...]


def read_question(call: Call) -> Question:
    """Parse `<attacker>/<weapon>=<target>[/<defence>][, <modifier> ...]`."""
    left, right = call.sides()
    attacker, slash, weapon = left.partition("/")
    target, *modifiers = (part.strip() for part in (right or "").split(","))
    name, _, choice = target.partition("/")
    if not slash or not attacker.strip() or not weapon.strip() or not name.strip():
        raise call.wrong()
    items = tuple(item for item in modifiers if item)
    return Question(attacker.strip(), weapon.strip(), name.strip(), choice.strip(), items)
