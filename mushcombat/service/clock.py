"""What the clock does in scenes: questions that nobody answers, stuns that wear off."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from mushcombat.domain.character import Actor, Role
from mushcombat.domain.command import Outcome, WriteContext
from mushcombat.domain.dice import FreeDice, Throw
from mushcombat.domain.events import Who
from mushcombat.domain.ports import Writes
from mushcombat.domain.scene import Scene
from mushcombat.domain.scene_events import ScenePaused, SceneResumed
from mushcombat.systems.system import System

CLOCK = Who(0, "the clock")
"""Who acts when nobody does."""

Run = Callable[[Writes], Outcome]


class _Dice:
    """The dice of a scene, fetched only when something is thrown."""

    def __init__(self, store: Writes, scene: int) -> None:
        self._store, self._scene = store, scene

    def throw(self, count: int, sides: int, label: str) -> Throw:
        return self._store.dice(self._scene).throw(count, sides, label)


def _context(store: Writes, scene: Scene, now: datetime, present: frozenset[int]) -> WriteContext:
    actor = Actor(CLOCK.id, CLOCK.name, Role.STAFF, 0)
    dice = _Dice(store, scene.id)
    return WriteContext(actor, scene.room, scene, now, dice, present=present, store=store)


def answer_for(
    systems: Mapping[str, System], scene: int, action: int, now: datetime, present: frozenset[int]
) -> Run:
    """Make the job that goes on with an action whose time to answer is over."""

    def run(store: Writes) -> Outcome:
        found = store.scene(scene)
        if found is None or not found.open or found.paused:
            return Outcome()
        if rested(store, scene, action, now):
            return Outcome()
        return systems[found.system].due(_context(store, found, now, present), action)

    return run


def rested(store: Writes, scene: int, action: int, now: datetime) -> bool:
    """Tell whether an action has time left, since the scene was paused while it waited."""
    due = next((p.due for p in store.pending(scene) if p.action == action), None)
    if due is None:
        return False
    asked = store.action(scene, action)[-1].at
    pauses = store.kinds(scene, (ScenePaused.kind, SceneResumed.kind), since=action)
    spent, began = timedelta(), asked
    for fact in pauses:
        if isinstance(fact.event, ScenePaused):
            began = fact.at
        elif began >= asked:
            spent += fact.at - began
    return now.timestamp() < due + spent.total_seconds()


def end_stun(systems: Mapping[str, System], character: int, system: str, now: datetime) -> Run:
    """Make the job that ends a stun, in the scene that the character is in, if it is in one."""

    def run(store: Writes) -> Outcome:
        for scene in store.open_scenes():
            people = scene.participants | scene.npcs.keys()
            if character in people and scene.system == system:
                if scene.paused:
                    return Outcome()
                context = _context(store, scene, now, frozenset())
                return systems[system].stun_over(context, character)
        context = WriteContext(
            Actor(CLOCK.id, CLOCK.name, Role.STAFF, 0), 0, None, now, FreeDice(int), store=store
        )
        return systems[system].stun_over(context, character)

    return run
