"""The one gate between facts and eyes: every view, export and protocol asks here first."""

from __future__ import annotations

from dataclasses import replace

from mushcombat.domain.character import Actor
from mushcombat.domain.events import Audience, Draft, Fact, Who
from mushcombat.domain.scene import Scene
from mushcombat.records import record


@record(frozen=True, slots=True)
class Viewer:
    """Who looks; `referee` of the scene that the fact is in; staff count as referees.

    `unknown` are characters that don't exist for them: hidden NPCs, for all but the scene's
    referees; in a published transcript also those who asked to be left out. `channels` are those
    that they hear, as far as it matters; `ignored` whose pages, whispers and channel lines they
    don't want.
    """

    character: int | None
    referee: bool = False
    everything: bool = False
    unknown: frozenset[int] = frozenset()
    channels: frozenset[int] = frozenset()
    ignored: frozenset[int] = frozenset()


PUBLIC = Viewer(character=None)
"""Anybody at all: who reads a published transcript."""

ARCHIVIST = Viewer(character=None, referee=True, everything=True)
"""Who exports for the audit: sees every row of the log."""


def referees(actor: Actor, scene: Scene) -> bool:
    """Tell whether somebody reads a scene as its referee: one of those named, or staff in it."""
    return actor.id in scene.referees or (actor.is_staff and actor.id in scene.participants)


def viewer_of(actor: Actor, scene: Scene) -> Viewer:
    """Give somebody who reads the log of a scene: its hidden NPCs are for its referees alone."""
    if referees(actor, scene):
        return Viewer(actor.id, referee=True)
    return Viewer(actor.id, unknown=scene.hidden)


def redact(fact: Fact, viewer: Viewer) -> Fact | None:
    """Give the fact as this viewer may see it, or None."""
    if viewer.unknown:
        known = _known(fact, viewer.unknown)
        return redact(known, replace(viewer, unknown=frozenset())) if known else None
    if fact.event.ignorable and fact.actor.id in viewer.ignored:
        return None
    return fact if viewer.everything or _sees(fact, viewer) else None


def _sees(fact: Fact, viewer: Viewer) -> bool:
    if fact.audience is Audience.ROOM:
        return True
    if fact.audience is Audience.CHANNEL:
        return fact.channel in viewer.channels
    if fact.audience is Audience.OTHERS:
        return not viewer.referee
    if viewer.referee and fact.in_scene:
        return True
    private = fact.audience is Audience.PRIVATE
    does = (private or fact.audience is Audience.ACTOR) and viewer.character == fact.actor.id
    meets = (private or fact.audience is Audience.SUBJECT) and viewer.character == fact.subject
    return viewer.character is not None and (does or meets)


def _known(fact: Fact, unknown: frozenset[int]) -> Fact | None:
    """Leave out who does not exist for a viewer."""
    if unknown & {fact.actor.id, fact.subject}:
        return None
    event = fact.event.without(unknown)
    return replace(fact, event=event) if event else None


def veiled(draft: Draft, actor: Who, hidden: frozenset[int]) -> tuple[Draft, ...]:
    """Give what is logged of a draft while NPCs of its scene are hidden.

    What a hidden one does or suffers is for the referees, and stays so when it is shown later. A
    fact that lists it among others is logged twice: whole for the referees, and as the others see
    it for them.
    """
    if not hidden or draft.audience is Audience.REFEREES:
        return (draft,)
    subject: int | None = getattr(draft.event, "subject", None)
    if hidden & {actor.id, subject}:
        return (replace(draft, audience=Audience.REFEREES),)
    event = draft.event.without(hidden)
    if event == draft.event:
        return (draft,)
    whole = replace(draft, audience=Audience.REFEREES)
    if event is None:
        return (whole,)
    if draft.audience is Audience.PRIVATE:
        return (replace(draft, event=event),)
    return whole, replace(draft, event=event, audience=Audience.OTHERS)
