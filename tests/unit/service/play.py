"""A scene played in memory: lines are typed, done, logged, and change the world's picture."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mushcombat.domain.character import Actor
from mushcombat.domain.command import Committed, Job
from mushcombat.domain.events import Event, Fact
from mushcombat.domain.ports import Place
from mushcombat.domain.scene import Scene
from mushcombat.errors import MushError
from tests.unit.service.table import executor_of, presence_of, world_of
from tests.unit.support import ADA, BRAM, RHEA, MemoryStore, perform, scene_of

SCENE = 7


class Play:
    """One scene, Ada's and Bram's, which Rhea referees, and the facts that came of it."""

    def __init__(self, scene: Scene | None = None, *, people: tuple[Actor, ...] = ()) -> None:
        self.scene = scene or scene_of(ADA, BRAM, RHEA, referees=[RHEA])
        self.store = MemoryStore(self.scene)
        self.world = world_of(self.scene, people=people or (ADA, BRAM, RHEA))
        self.executor = executor_of(self.world)
        self.facts: list[Fact] = []
        if self.scene.room not in self.store.rooms:
            self.store.rooms[self.scene.room] = Place(self.scene.room, "Attic", "temporary", "")

    def type(self, actor: Actor, line: str) -> tuple[str, ...]:
        """Type a line; gives the reply. MushError when it is refused."""
        if actor.id not in self.world.online:
            self.world.arrive(presence_of(actor))
        work = self.executor.prepare(self.world.online[actor.id], line)
        job = Job("1", work.who, work.room, work.run, lambda _: None, work.appends)
        result = perform(self.store, job)
        if not isinstance(result, Committed):
            raise MushError("refused", result.text)
        for fact in result.facts:
            self.world.apply(fact)
        self.facts = list(result.facts)
        return result.reply

    def become(self, **changes: Any) -> None:
        """Let the scene be another, in the store and in the world's picture."""
        scene = replace(self.store.scenes[SCENE], **changes)
        self.store.scenes[SCENE] = scene
        self.world.load(list(self.world.rooms.values()), [scene])

    def do(self, actor: Actor, line: str) -> Event:
        """Type a line that makes one fact, and give its event."""
        self.type(actor, line)
        (fact,) = self.facts
        return fact.event

    def no(self, actor: Actor, line: str) -> str:
        """Type a line that is refused; gives the words."""
        try:
            self.type(actor, line)
        except MushError as refusal:
            return str(refusal)
        raise AssertionError(f"{line} was not refused")

    def number(self) -> int:
        """Give the number of the log's last row."""
        return len(self.store.logs[SCENE])
