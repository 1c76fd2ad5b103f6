"""The one gate between facts and eyes: every view, export and protocol asks here first."""

from __future__ import annotations

from dataclasses import dataclass

from mushcombat.domain.events import Audience, Fact


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks; `referee` of the scene that the fact is in; staff count as referees."""

    character: int | None
    referee: bool = False
    everything: bool = False


PUBLIC = Viewer(character=None)
"""Anybody at all: who reads a published transcript."""

ARCHIVIST = Viewer(character=None, referee=True, everything=True)
"""Who exports for the audit: sees every row of the log."""


def redact(fact: Fact, viewer: Viewer) -> Fact | None:
    """Give the fact as this viewer may see it, or None."""
    if viewer.everything or fact.audience is Audience.ROOM:
        return fact
    if viewer.referee and fact.in_scene:
        return fact
    concerned = {fact.actor.id, fact.subject} if fact.audience is Audience.PRIVATE else set()
    return fact if viewer.character is not None and viewer.character in concerned else None
