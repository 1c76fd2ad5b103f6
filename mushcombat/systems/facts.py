"""What fights of every system have in their logs, and how it reads.

Each system has these with a kind of its own: a log tells which system wrote it.
"""

from __future__ import annotations

from typing import Literal

from mushcombat.domain.breakdown import Term
from mushcombat.domain.events import Event
from mushcombat.records import record

NOTHING = "nothing"
"""What old logs have in the place of what was put away, in hand or worn."""


@record(frozen=True, slots=True)
class Ruled(Event):
    """A referee allowed an action, with terms of their own, or did not, with a reason."""

    allowed: bool
    terms: tuple[Term, ...]
    reason: str

    def is_theirs(self) -> bool:
        """Tell that what is allowed shows in the roll, and only a refusal is for the room."""
        return self.allowed


@record(frozen=True, slots=True)
class Noted(Event):
    """Something the room is told about the subject."""

    subject: int
    name: str
    text: str


@record(frozen=True, slots=True)
class ItemSet(Event):
    """The subject was given, lost, took up or put away something."""

    subject: int
    name: str
    item: str
    what: Literal["given", "taken", "in hand", "worn", "put away", "taken off"]
    reason: str = ""


def ruled(event: Ruled, actor: str) -> str:
    """Write what the referee said."""
    reason = f": {event.reason}" if event.reason else ""
    if not event.allowed:
        return f"[Ruling] {actor} does not allow it{reason}."
    terms = "".join(f" {term.op} {term.text}" for term in event.terms)
    return f"[Ruling] {actor} allows it{terms}{reason}."


def item_set(event: ItemSet, actor: str) -> str:
    """Write what happened to an item."""
    reason = f" ({event.reason})" if event.reason else ""
    match event.what:
        case "given":
            return f"{event.name} is given: {event.item}{reason}."
        case "taken":
            return f"{event.name} no longer has: {event.item}{reason}."
        case "put away" if event.item == NOTHING:
            return f"{actor} puts away what they had."
        case "put away":
            return f"{actor} puts the {event.item} away."
        case "taken off":
            return f"{actor} takes the {event.item} off."
        case _:
            return f"{actor} has {event.item} {event.what}."


def noted(event: Noted, _actor: str) -> str:
    """Write a remark about somebody."""
    return f"[Combat] {event.name} {event.text}."
