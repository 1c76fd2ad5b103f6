"""Facts about poses and a scene's life as plain text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from mushcombat.domain.events import Event, Fact, PoseEdited, PoseWithdrawn, Spoken
from mushcombat.domain.scene_events import (
    Muttered,
    MutteredTo,
    PoseSkipped,
    PoseTurn,
    SceneIdle,
    ScenePaused,
    SceneRead,
    SceneResumed,
)
from mushcombat.domain.text import spoken
from mushcombat.service.people import spell_time
from mushcombat.views.side import Side
from mushcombat.views.speech import written


def _pose_edited(fact: Fact, event: PoseEdited, side: Side) -> str:
    now = written(fact, Spoken(event.style, event.text), side)
    return f"[Edit] #{event.row} reads now: {now}"


def _pose_withdrawn(fact: Fact, event: PoseWithdrawn, _side: Side) -> str:
    return f"[Edit] {fact.actor.name} takes back #{event.row}."


def _paused(fact: Fact, _event: ScenePaused, _side: Side) -> str:
    what = f"{fact.actor.name} pauses scene {fact.ledger}"
    return f"[Scene] {what}: what is said and done is not logged until +scene/resume."


def _resumed(fact: Fact, _event: SceneResumed, _side: Side) -> str:
    what = f"{fact.actor.name} lets scene {fact.ledger} go on"
    return f"[Scene] {what}: what is said and done is logged again."


def _read(fact: Fact, event: SceneRead, side: Side) -> str:
    who = "You read" if side is Side.ACTOR else f"{fact.actor.name} (staff) reads"
    return f"[Scene] {who} the log of scene {event.scene}: {event.reason}"


def _idle(_fact: Fact, event: SceneIdle, _side: Side) -> str:
    since = spell_time(timedelta(seconds=event.seconds))
    what = f'[Scene] Nobody has posed in scene {event.scene} "{event.title}" for {since}.'
    return f"{what} +scene/pause lets it rest, +scene/close ends it."


def _muttered(fact: Fact, event: Muttered, side: Side) -> str:
    if side is not Side.OTHER:
        return f'Those here hear: "{spoken(event.text)}"'
    to = f" to {event.to}" if event.to else ""
    return f'{fact.actor.name} mutters{to}, "{spoken(event.text)}"'


def _muttered_to(fact: Fact, event: MutteredTo, side: Side) -> str:
    if side is Side.ACTOR:
        to = f" to {event.to}" if event.to else ""
        return f'You mutter{to}, "{spoken(event.text)}"'
    who = f"{event.by} mutters to {event.to}" if event.by else f"{fact.actor.name} mutters to you"
    return f'{who}, "{spoken(event.text)}"'


def _skipped(fact: Fact, event: PoseSkipped, _side: Side) -> str:
    if fact.actor.id == event.subject:
        return f"[Pot] {event.name} passes."
    return f"[Pot] {fact.actor.name} passes over {event.name}."


def _turn(_fact: Fact, event: PoseTurn, _side: Side) -> str:
    return f"[Pot] You have waited longest in scene {event.scene}: your pose. (+pot)"


SCENE_LINES: Mapping[type[Event], Callable[[Fact, Any, Side], str]] = {
    PoseEdited: _pose_edited,
    PoseWithdrawn: _pose_withdrawn,
    ScenePaused: _paused,
    SceneResumed: _resumed,
    SceneRead: _read,
    SceneIdle: _idle,
    Muttered: _muttered,
    MutteredTo: _muttered_to,
    PoseSkipped: _skipped,
    PoseTurn: _turn,
}
