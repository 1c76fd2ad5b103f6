"""Reminds those in the room of an idle scene; nothing is ever closed for them."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Any

from twisted.internet.defer import Deferred
from twisted.internet.task import LoopingCall
from twisted.python.failure import Failure

from mushcombat.domain.events import Draft
from mushcombat.domain.scene_events import SceneIdle
from mushcombat.net.game import Game
from mushcombat.service.clock import CLOCK
from mushcombat.service.idle import Quiet, quiet_scenes

log = logging.getLogger(__name__)

EVERY = 60.0
"""Seconds between two looks, unless a span is shorter."""


class Reminders:
    """Keeps what it said last, so that it says it once in a span; a restart may repeat it."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._said: dict[int, tuple[int, datetime]] = {}
        self._loop = LoopingCall(self._look)
        self._loop.clock = game.reactor

    def start(self) -> None:
        """Begin to look."""
        spans = self._game.config.scenes
        shortest = min(span for span in (EVERY, spans.live, spans.relaxed, spans.slow) if span)
        self._loop.start(shortest, now=False).addErrback(self._failed)

    def stop(self) -> None:
        """Look no more."""
        if self._loop.running:
            self._loop.stop()

    def _look(self) -> Deferred[Any] | None:
        """Look at the scenes whose room has anybody to remind."""
        world = self._game.world
        heard = {scene.id for scene in world.scenes.values() if world.here(scene.room)}
        if not heard or self._game.silent or not self._game.company.leads:
            return None
        found = self._game.read(lambda store: quiet_scenes(store, heard))
        return found.addCallbacks(self._remind, self._failed)

    def _remind(self, scenes: list[Quiet]) -> None:
        now = self._game.clock()
        for quiet in scenes:
            if self._is_due(quiet, now):
                self._said[quiet.scene] = quiet.last, now
                seconds = int((now - quiet.since).total_seconds())
                event = SceneIdle(quiet.scene, quiet.title, seconds)
                self._game.show(CLOCK, quiet.room, [Draft(event)])

    def _is_due(self, quiet: Quiet, now: datetime) -> bool:
        wait: int = getattr(self._game.config.scenes, quiet.pacing)
        last, at = self._said.get(quiet.scene, (quiet.last, quiet.since))
        since = at if last == quiet.last else quiet.since
        return wait > 0 and (now - since).total_seconds() >= wait

    @staticmethod
    def _failed(failure: Failure) -> None:
        log.warning("looking for idle scenes failed: %s", failure.getErrorMessage())
