"""Facts about a scene's eras and the sharing of its transcript, as lines of plain text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mushcombat.domain.eras import DiceWords, SceneReopened
from mushcombat.domain.events import Event, Fact, SceneClosed
from mushcombat.domain.sharing import OUT, SharingAnswered, SharingAsked


def _words(fact: Fact, event: DiceWords, _side: object) -> str:
    return f'[Seed] {fact.actor.name} gives the dice words: "{event.words}"'


def _reopened(fact: Fact, event: SceneReopened, _side: object) -> str:
    title = f'Scene {fact.ledger} "{event.title}"'
    return f"{title} is open again, era {event.era}. Dice commitment: {event.commitment}."


def closed(fact: Fact, event: SceneClosed, _side: object) -> str:
    """Write what a transcript is checked with: the seed, and the head of the chain."""
    return (
        f"Scene {fact.ledger} is closed. Dice seed: {event.seed}. Chain head: {fact.head}."
        " (mushcombat verify checks an exported transcript.)"
    )


def _asked(fact: Fact, _event: SharingAsked, _side: object) -> str:
    how = "Answer with +scene/share yes, no, or out: out leaves your lines and your name out."
    return f"[Share] {fact.actor.name} asks to share the transcript of scene {fact.ledger}. {how}"


def _answered(fact: Fact, event: SharingAnswered, _side: object) -> str:
    if fact.actor.id != event.subject:
        return f"[Share] {fact.actor.name} leaves {event.name} out of the transcript."
    if event.answer == OUT:
        return f"[Share] {event.name} is left out of the transcript."
    return f"[Share] {event.name} says {event.answer}."


ERA_LINES: Mapping[type[Event], Callable[[Fact, Any, Any], str]] = {
    DiceWords: _words,
    SceneReopened: _reopened,
    SharingAsked: _asked,
    SharingAnswered: _answered,
}
