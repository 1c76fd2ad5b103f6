"""What the database holds, read beside the server: the log as each viewer has to see it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial

from mushcombat.app import load_world
from mushcombat.domain.character import Actor
from mushcombat.domain.command import ReadContext
from mushcombat.domain.dice import FreeDice
from mushcombat.domain.events import Audience, Fact
from mushcombat.domain.fight import Asked
from mushcombat.domain.ports import Reads
from mushcombat.domain.scene import Scene
from mushcombat.domain.state import StateChanged
from mushcombat.domain.visibility import redact, viewer_of
from mushcombat.service.fights import on_arrival
from mushcombat.service.scene_log import visible_lines
from mushcombat.views.side import side_of
from tests.contract.arena import Arena, Clock, rulebook

RECENT = 200
"""Rows of the log that who types looks through for an action."""


class Now(Clock):
    """The time."""

    def __call__(self) -> datetime:
        return datetime.now(UTC)


class Seer(Arena):
    """Reads a scene while a server plays it; writes nothing.

    `shown` has what each one is to be shown as it happens: rows by number, as lines.
    """

    def __init__(self, url: str, people: Sequence[str]) -> None:
        super().__init__(url, Now())
        self._read_to = 0
        self._people = list(people)
        self.facts: list[Fact] = []
        self.shown: dict[str, list[tuple[int, str]]] = {name: [] for name in people}
        for name in people:
            self.connect(name)

    @property
    def last(self) -> int:
        """The number of the log's last row."""
        number: int = self.read(lambda store: store.last_seq(self.scene))
        return number

    def log(self) -> list[Fact]:
        """Give the newest rows, for who looks for an action that they can take back."""
        facts: list[Fact] = self.read(
            lambda store: store.log(self.scene, max(1, self.last - RECENT), self.last)
        )
        return facts

    def refresh(self) -> None:
        """Look who is in the scene now."""
        self.read(lambda store: load_world(self.world, store))
        scenes = list(self.world.scenes)
        self.scene = scenes[0] if scenes else 0

    def read_on(self) -> None:
        """Read what has come to the log, and write it as each one has to be shown it."""
        facts: list[Fact] = self.read(
            lambda store: store.log(self.scene, self._read_to + 1, self.last)
        )
        scene = self.stored_scene
        for fact in facts:
            self.facts.append(fact)
            self._read_to = fact.seq or 0
            for name in self._people:
                text = self._as_it_happens(fact, name, scene)
                if text is not None:
                    lines = text.split("\n")
                    self.shown[name] += [(self._read_to, line) for line in lines]

    def _as_it_happens(self, fact: Fact, name: str, scene: Scene) -> str | None:
        """Write a row as somebody sees it who stands there; what asks one is told to referees."""
        actor = self._actor(name)
        viewer = viewer_of(actor, scene)
        private = fact.audience is Audience.PRIVATE and not isinstance(fact.event, Asked)
        if private and actor.id not in {fact.actor.id, fact.subject}:
            return None
        seen = redact(fact, viewer)
        if seen is None or isinstance(seen.event, StateChanged):
            return None
        return rulebook().view.shown(seen, side_of(seen, actor.id, None))

    def numbered(self, name: str) -> dict[int, str]:
        """Give the log as somebody can read it later, each line whole with its number."""
        scene, actor = self.stored_scene, self._actor(name)
        viewer = viewer_of(actor, scene)
        view = rulebook().view.shown

        def look(store: Reads) -> list[str]:
            context = ReadContext(
                actor, scene.room, scene, self.clock(), FreeDice(int), store=store
            )
            return visible_lines(context, scene, viewer, (1, self._read_to), view)

        lines: list[str] = self.read(look)
        return {int(line[1:].partition(" ")[0]): line.partition("\n")[0] for line in lines}

    def asked(self, name: str) -> tuple[str, ...]:
        """Give what a player is to be told at a login: where the fight stands, what waits."""
        presence = self._by_name[name]
        tell = self.executor.unasked(presence, partial(on_arrival, rulebook().systems))
        assert tell is not None, f"{name} is in no scene"
        lines: tuple[str, ...] = self.read(tell)
        return tuple(part for line in lines for part in line.split("\n"))

    def _actor(self, name: str) -> Actor:
        return self._by_name[name].actor
