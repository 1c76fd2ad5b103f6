"""Looks once a second for what the clock has to do, and gives the writer the jobs for it."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from twisted.internet.defer import Deferred
from twisted.internet.task import LoopingCall
from twisted.python.failure import Failure

from mushcombat.domain.command import Result
from mushcombat.domain.ports import Reads
from mushcombat.net.game import Game
from mushcombat.service.clock import CLOCK, Run, answer_for, end_stun
from mushcombat.systems.system import System

log = logging.getLogger(__name__)

EVERY = 1.0
"""Seconds between two looks."""

Due = tuple[list[tuple[int, int]], list[tuple[int, str]]]


class Alarms:
    """What is due stands in the database, so a restart forgets nothing."""

    def __init__(self, game: Game, systems: Mapping[str, System]) -> None:
        self._game = game
        self._systems = systems
        self._loop = LoopingCall(self._look)
        self._loop.clock = game.reactor

    def start(self) -> None:
        """Begin to look."""
        self._loop.start(EVERY, now=False).addErrback(self._failed)

    def stop(self) -> None:
        """Look no more."""
        if self._loop.running:
            self._loop.stop()

    def _look(self) -> Deferred[Any] | None:
        if self._game.silent or not self._game.company.leads:
            return None
        now = int(self._game.clock().timestamp())

        def due(store: Reads) -> Due:
            return store.due(now), store.stuns_over(now)

        return self._game.read(due).addCallbacks(self._act, self._failed)

    def _act(self, found: Due) -> None:
        now, present = self._game.clock(), frozenset(self._game.world.online)
        for scene, action in found[0]:
            room = self._room(scene)
            self._submit(answer_for(self._systems, scene, action, now, present), room)
        for character, system in found[1]:
            presence = self._game.world.online.get(character)
            room = presence.room if presence else None
            self._submit(end_stun(self._systems, character, system, now), room)

    def _room(self, scene: int) -> int | None:
        known = self._game.world.scenes.get(scene)
        return known.room if known else None

    def _submit(self, run: Run, room: int | None) -> None:
        self._game.write(CLOCK, room, run, self._done)

    @staticmethod
    def _done(result: Result) -> None:
        """Nobody waits for an answer; what was done is shown as any fact is."""

    @staticmethod
    def _failed(failure: Failure) -> None:
        log.warning("looking at the clock failed: %s", failure.getErrorMessage())
