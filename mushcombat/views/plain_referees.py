"""What referees do among themselves, as lines; and how they see what only they do."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from mushcombat.domain.events import Audience, Event, Fact
from mushcombat.domain.refereeing import HandedOver, Noted, NpcHidden, NpcShown, SteppedDown

_NUMBER = re.compile(r" #\d+$")


def _noted(fact: Fact, event: Noted) -> str:
    return f"[Note] {fact.actor.name}: {event.text} #{fact.seq}"


def _hidden(fact: Fact, event: NpcHidden) -> str:
    how = f"Only referees know of it: +npc/show {event.name} ends that."
    return f"[Hidden] {fact.actor.name} hides {event.name}. {how} #{fact.action}"


def _shown(fact: Fact, event: NpcShown) -> str:
    return f"[Hidden] {fact.actor.name} shows {event.name}. #{fact.action}"


def _handed_over(fact: Fact, event: HandedOver) -> str:
    return f"{fact.actor.name} hands the scene over to {event.name}. #{fact.action}"


def _stepped_down(fact: Fact, _event: SteppedDown) -> str:
    return f"{fact.actor.name} referees the scene no longer. #{fact.action}"


REFEREE_LINES: dict[type[Event], Callable[[Fact, Any], str]] = {
    Noted: _noted,
    NpcHidden: _hidden,
    NpcShown: _shown,
    HandedOver: _handed_over,
    SteppedDown: _stepped_down,
}


def marked(fact: Fact, line: str) -> str:
    """Mark what referees alone see of a scene and others usually would too; before its number."""
    secret = fact.audience is Audience.REFEREES and fact.in_scene
    if not secret or fact.event.is_theirs():
        return line
    number = _NUMBER.search(line)
    return f"{line[: number.start()]} (hidden){number[0]}" if number else f"{line} (hidden)"
