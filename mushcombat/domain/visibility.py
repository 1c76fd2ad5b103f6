"""The one gate between facts and eyes: every view, export and protocol asks here first."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mushcombat.domain.events import Audience, Fact


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks; `referee` of the scene that the fact is in; staff count as referees.

    `unknown` are characters that don't exist for them: hidden NPCs, for all but the scene's
    referees; in a published transcript also those who asked to be left out.
    """

    character: int | None
    referee: bool = False
    everything: bool = False
    unknown: frozenset[int] = frozenset()


PUBLIC = Viewer(character=None)
"""Anybody at all: who reads a published transcript."""

ARCHIVIST = Viewer(character=None, referee=True, everything=True)
"""Who exports for the audit: sees every row of the log."""


def redact(fact: Fact, viewer: Viewer) -> Fact | None:
    """Give the fact as this viewer may see it, or None."""
    if viewer.unknown:
        known = _known(fact, viewer.unknown)
        return redact(known, replace(viewer, unknown=frozenset())) if known else None
    if viewer.everything or fact.audience is Audience.ROOM:
        return fact
    if viewer.referee and fact.in_scene:
        return fact
    concerned = {fact.actor.id, fact.subject} if fact.audience is Audience.PRIVATE else set()
    return fact if viewer.character is not None and viewer.character in concerned else None


def _known(fact: Fact, unknown: frozenset[int]) -> Fact | None:
    """Leave out who does not exist for a viewer."""
    if unknown & {fact.actor.id, fact.subject}:
        return None
    event = fact.event.without(unknown)
    return replace(fact, event=event) if event else None
