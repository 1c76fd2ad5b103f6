"""Telling what was taken back: each change with whose it is, to those who may know of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mushcombat.domain.command import ReadContext
from mushcombat.domain.events import Audience, Draft
from mushcombat.domain.scene import Scene
from mushcombat.domain.state import Change, Redone, Undone, whose
from mushcombat.domain.visibility import Viewer, redact
from mushcombat.systems.system import System

Line = tuple[int, str]
"""A character, 0 for nobody, and what is told of them."""


def told_of(
    system: System, context: ReadContext, scene: Scene, changes: Sequence[Change]
) -> tuple[Line, ...]:
    """Tell what changes, just made, come to, person by person."""
    by_person: dict[int, list[Change]] = {}
    for change in changes:
        by_person.setdefault(whose(change), []).append(change)
    return tuple(
        (person, text)
        for person, theirs in by_person.items()
        for text in system.describe_changes(context, theirs, scene)
    )


def parted(told: Sequence[Line]) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Part people from what is told of them."""
    return tuple(person for person, _ in told), tuple(text for _, text in told)


def taken_back(context: ReadContext, scene: int) -> list[int]:
    """Give the actions that are taken back and have not been redone, the last one last."""
    state: dict[int, bool] = {}
    for fact in context.store.kinds(scene, (Undone.kind, Redone.kind)):
        if isinstance(fact.event, Undone | Redone):
            state.pop(fact.event.target, None)
            state[fact.event.target] = isinstance(fact.event, Undone)
    return [action for action, is_so in state.items() if is_so]


def draft_about(context: ReadContext, scene: Scene, action: int, event: Undone | Redone) -> Draft:
    """Draft what became of an action: for the referees alone when all of it was."""
    anybody = Viewer(None, unknown=context.store.hidden(scene.id))
    facts = context.store.action(scene.id, action)
    open_ = [replace(f, audience=Audience.ROOM) for f in facts if f.audience != Audience.REFEREES]
    seen = any(redact(fact, anybody) for fact in open_)
    return Draft(event, Audience.ROOM if seen else Audience.REFEREES, scene.id)
