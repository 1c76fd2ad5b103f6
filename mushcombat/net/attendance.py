"""Who has been shown which lines of a scene, so that who comes back can be told the rest.

Whoever takes part, is connected and stands in the scene's room is shown every line: so it is
enough to know the last line of a scene and who is there. What follows from that is noted in the
database every few seconds, and when somebody goes; not of somebody whose connection has not taken
all that it was sent. After a crash a few lines may be told twice.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from twisted.internet.defer import Deferred, succeed
from twisted.internet.task import LoopingCall
from twisted.python.failure import Failure

from mushcombat.domain.command import Outcome, Result
from mushcombat.domain.events import Fact, Moved, PrivacySet, SceneClosed, SceneJoined, SceneOpened
from mushcombat.domain.ports import Reads, Writes
from mushcombat.errors import MushError
from mushcombat.service.catch_up import Missed, in_short, missed_by, with_lines
from mushcombat.service.clock import CLOCK
from mushcombat.service.presence import Presence
from mushcombat.views.screen import reply

if TYPE_CHECKING:
    from mushcombat.net.game import Game

log = logging.getLogger(__name__)

EVERY = 5.0
"""Seconds between two notes of who has seen what."""

Tell = Callable[[Missed], tuple[str, ...]]

Show = Callable[[Sequence[str]], bool]
"""Shows lines, if there are any; tells whether anybody could be shown them."""


class Attendance:
    """The last line of each open scene, and whose cursors are to be noted."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._last: dict[int, int] = {}
        self._grown: set[int] = set()  # scenes with lines since the last note
        self._marks: dict[tuple[int, int], int] = {}  # scene, character: to be noted
        self._behind: set[tuple[int, int]] = set()  # those who are yet to be told what they missed
        self._known: set[tuple[int, int]] = set()  # those who are, or once were, in a scene
        self._until: dict[int, tuple[int, int]] = {}  # who goes: their scene, the last row shown
        self._loop = LoopingCall(self.save)
        self._loop.clock = game.reactor

    def load(self, last: Mapping[int, int]) -> None:
        """Take in the last lines of the scenes that are open at the start, and their people."""
        self._last.update(last)
        scenes = self._game.world.scenes.values()
        self._known = {(scene.id, who) for scene in scenes for who in scene.took_part}

    def start(self) -> None:
        """Begin to take notes."""
        self._loop.start(EVERY, now=False)

    def stop(self) -> None:
        """Note it all a last time."""
        if self._loop.running:
            self._loop.stop()
        self.save()

    # what is shown

    def released(self, facts: Sequence[Fact]) -> None:
        """Take facts that were shown to those who are there."""
        before = dict(self._last) if any(isinstance(f.event, _COMING) for f in facts) else {}
        for fact in facts:
            if fact.in_scene and fact.ledger is not None and fact.seq is not None:
                self._last[fact.ledger] = fact.seq
                self._grown.add(fact.ledger)
            if isinstance(fact.event, SceneOpened) and fact.ledger is not None:
                self._known.add((fact.ledger, fact.actor.id))
            if isinstance(fact.event, SceneClosed):
                self._last.pop(fact.ledger or 0, None)
                self._grown.discard(fact.ledger or 0)
        if any(isinstance(fact.event, PrivacySet) for fact in facts):
            return  # the scene moves, and its people with it
        for who in dict.fromkeys(_comers(facts)):
            presence = self._game.world.online.get(who)
            if presence:
                self._goes(presence, facts)
                self._comes(presence, before)

    def _goes(self, presence: Presence, facts: Sequence[Fact]) -> None:
        """Note what somebody had seen who walks out of the room of their scene."""
        for fact in facts if presence.screens else ():
            if isinstance(fact.event, Moved) and fact.event.subject == presence.id:
                scene = self._game.world.scene_in(fact.event.origin)
                if scene and presence.id in scene.participants and presence.room != scene.room:
                    self._mark(scene.id, presence.id)
                    self.save()

    def _comes(self, presence: Presence, before: Mapping[int, int]) -> None:
        """Tell somebody who was in the scene here before how much they missed."""
        scene = self._game.world.scene_of(presence.id, presence.room)
        if scene is None:
            return
        # Who is connected to another process alone, that one tells.
        if presence.screens and (scene.id, presence.id) in self._known:
            ends = {scene.id: before.get(scene.id, 0)}
            self._tell(presence, ends, in_short, partial(_show_all, presence))
        self._known.add((scene.id, presence.id))

    # who comes and goes

    def arrived(self, presence: Presence, show: Show) -> Deferred[None]:
        """Tell somebody who was not connected what they missed; fires when they are told."""
        scenes = self._game.world.scenes.values()
        mine = [scene.id for scene in scenes if presence.id in scene.participants]
        if not mine:
            return succeed(None)
        ends = {number: self._last.get(number, 0) for number in mine}
        return self._tell(presence, ends, with_lines, show)

    def closing(self, presence: Presence) -> None:
        """Keep in mind what somebody has seen on a connection that shows nothing from here on."""
        scene = self._game.world.scene_of(presence.id, presence.room)
        self._until.pop(presence.id, None)
        if scene:
            self._until[presence.id] = scene.id, self._last.get(scene.id, 0)

    def left(self, presence: Presence, *, shown: bool = True) -> None:
        """Note what somebody had seen whose last connection is gone: not what came after its end.

        Not `shown`: it had not taken all that it was sent. What was noted before stands then.
        """
        scene, last = self._until.pop(presence.id, (0, 0))
        if scene and shown:
            self._mark(scene, presence.id, last)
            self.save()
        self._behind = {(number, who) for number, who in self._behind if who != presence.id}

    def _mark(self, scene: int, character: int, last: int | None = None) -> None:
        """Note that somebody has seen all up to a row, unless they are yet to be told of some."""
        if (scene, character) not in self._behind:
            self._marks[scene, character] = self._last.get(scene, 0) if last is None else last

    def _tell(
        self, presence: Presence, ends: Mapping[int, int], tell: Tell, show: Show
    ) -> Deferred[None]:
        """Tell somebody what they missed of scenes up to certain lines, then let them be even."""
        pairs = {(number, presence.id) for number in ends}
        self._behind |= pairs
        now, line = self._game.clock(), self._game.publisher.line

        def look(store: Reads) -> list[Missed]:
            return list(missed_by(store, presence.actor, now, ends, line))

        def told(missed: list[Missed]) -> None:
            here = self._game.world.online.get(presence.id) is presence
            if here and show([line for each in missed for line in tell(each)]):
                self._behind -= pairs
                self._even(presence, ends)

        def failed(failure: Failure) -> None:
            # They stay behind: what is not told now is told when they come back.
            known = isinstance(failure.value, MushError)
            why = failure.getErrorMessage() if known else failure.getTraceback()
            log.error("looking for missed lines failed: %s", why)

        return self._game.read(look).addCallbacks(told, failed)

    def _even(self, presence: Presence, ends: Mapping[int, int]) -> None:
        """Note what somebody knows who was told: who stands elsewhere, no more than that."""
        here = self._game.world.scene_of(presence.id, presence.room)
        for number, end in ends.items():
            if here and here.id == number:
                self._mark(number, presence.id)
            else:
                known = self._marks.get((number, presence.id), 0)
                self._marks[number, presence.id] = max(known, end)

    # notes

    def save(self) -> None:
        """Give the writer what is new, all in one job."""
        rows = self._take()
        if not rows:
            return

        def run(store: Writes) -> Outcome:
            store.saw([(scene, who, seq) for (scene, who), seq in sorted(rows.items())])
            return Outcome()

        self._game.write(CLOCK, None, run, self._saved)

    def _take(self) -> dict[tuple[int, int], int]:
        world, rows = self._game.world, self._marks
        later: set[int] = set()
        for number in self._grown:
            scene = world.scenes.get(number)
            for who in scene.participants if scene else ():
                presence = world.online.get(who)
                # Who is connected to another process alone, that one takes notes of.
                here = presence if presence and presence.screens else None
                if scene is None or here is None or here.room != scene.room:
                    continue
                if all(screen.behind for screen in here.screens):
                    later.add(number)  # what they have not taken yet, they have not seen
                else:
                    self._mark(number, who)
        self._marks, self._grown = {}, later
        return rows

    @staticmethod
    def _saved(result: Result) -> None:
        """Nobody waits for it; where it failed, a few lines will be told twice."""


def _show_all(presence: Presence, lines: Sequence[str]) -> bool:
    """Show lines to every connection of somebody."""
    text = "\n".join(lines)
    for screen in presence.screens if lines else ():
        screen.write(reply(text, screen.kind))
    return bool(presence.screens)


_COMING = Moved | SceneJoined


def _comers(facts: Sequence[Fact]) -> Iterator[int]:
    """Give those who walked, or joined a scene."""
    for fact in facts:
        if isinstance(fact.event, Moved):
            yield fact.event.subject
        elif isinstance(fact.event, SceneJoined):
            yield fact.actor.id
