"""From where a fact is seen."""

from __future__ import annotations

from enum import StrEnum

from mushcombat.domain.events import Fact, Moved


class Side(StrEnum):
    """From where a fact is seen; it is rendered once for each side, not once for each viewer."""

    ACTOR = "actor"
    SUBJECT = "subject"
    OTHER = "other"
    ORIGIN = "origin"  # of a move


def side_of(fact: Fact, character: int | None, room: int | None) -> Side:
    """Tell from which side somebody sees a fact."""
    event = fact.event
    if isinstance(event, Moved):
        return Side.ORIGIN if room == event.origin else Side.OTHER
    if character is None:
        return Side.OTHER
    if character == fact.actor.id:
        return Side.ACTOR
    return Side.SUBJECT if character == fact.subject else Side.OTHER
