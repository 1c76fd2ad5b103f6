"""What the database holds, read beside the server: the log as each viewer has to see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from mushcombat.app import load_world
from mushcombat.domain.character import Actor
from mushcombat.domain.command import ReadContext
from mushcombat.domain.dice import FreeDice
from mushcombat.domain.events import Audience, Fact, PoseEdited, PoseWithdrawn, Spoken
from mushcombat.domain.fight import Asked, Told
from mushcombat.domain.ports import Reads
from mushcombat.domain.scene import Scene
from mushcombat.domain.state import StateChanged
from mushcombat.domain.visibility import redact, viewer_of
from mushcombat.service.fights import on_arrival
from mushcombat.service.scene_log import signature, visible_lines
from mushcombat.views.side import side_of
from tests.contract.arena import Arena, Clock, rulebook

RECENT = 200
"""Rows of the log that who types looks through for an action."""


class Now(Clock):
    """The time."""

    def __call__(self) -> datetime:
        return datetime.now(UTC)


def _line(fact: Fact) -> str:
    """Write a row of somebody's words as it can be read with nothing changed."""
    return f"#{fact.seq} {fact.at:%H:%M:%S} {signature(fact)}{rulebook().view.shown(fact)}"


class Seer(Arena):
    """Reads a scene while a server plays it; writes nothing.

    `shown` has what each one is to be shown as it happens: rows by number, as lines. `questions`
    are those lines of it that are told again at a login, while they wait for an answer.
    """

    def __init__(self, url: str, people: Sequence[str]) -> None:
        super().__init__(url, Now())
        self._read_to = 0
        self._people = list(people)
        self.facts: list[Fact] = []
        self.questions: set[str] = set()
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

    def read_on(self, last: int) -> None:
        """Read what has come to the log up to a row; write it as each one has to be shown it."""
        facts: list[Fact] = self.read(lambda store: store.log(self.scene, self._read_to + 1, last))
        scene = self.stored_scene
        for fact in facts:
            self.facts.append(fact)
            self._read_to = fact.seq or 0
            for name in self._people:
                text = self._as_it_happens(fact, name, scene)
                if text is not None:
                    lines = text.split("\n")
                    self.shown[name] += [(self._read_to, line) for line in lines]
                    self.questions |= set(lines) if isinstance(fact.event, Asked | Told) else set()

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
        """Give the log as somebody can read it later, each row whole with its number."""
        scene, actor = self.stored_scene, self._actor(name)
        viewer = viewer_of(actor, scene)
        view = rulebook().view.shown

        def look(store: Reads) -> list[str]:
            context = ReadContext(
                actor, scene.room, scene, self.clock(), FreeDice(int), store=store
            )
            return visible_lines(context, scene, viewer, (1, self._read_to), view)

        lines: list[str] = self.read(look)
        return {int(line[1:].partition(" ")[0]): line for line in lines}

    def older(self) -> dict[int, set[str]]:
        """Give how poses could be read, as `numbered` gives them, before they were changed."""
        spoken = {fact.seq: fact for fact in self.facts if isinstance(fact.event, Spoken)}
        found: dict[int, set[str]] = {}
        for fact in self.facts:
            event = fact.event
            if not isinstance(event, PoseEdited | PoseWithdrawn) or event.row not in spoken:
                continue
            pose = spoken[event.row]
            texts = found.setdefault(event.row, {_line(pose)})
            if isinstance(event, PoseEdited):
                edited = replace(pose, event=Spoken(event.style, event.text))
                texts |= {f"{_line(edited)} (edited)", f"{_line(pose)} (reads now as #{fact.seq})"}
        return found

    def asked(self, name: str) -> tuple[str, ...]:
        """Give what a player is to be told at a login: where the fight stands, what waits."""
        presence = self._by_name[name]
        tell = self.executor.unasked(presence, partial(on_arrival, rulebook().systems))
        assert tell is not None, f"{name} is in no scene"
        lines: tuple[str, ...] = self.read(tell)
        return tuple(part for line in lines for part in line.split("\n"))

    def _actor(self, name: str) -> Actor:
        return self._by_name[name].actor
