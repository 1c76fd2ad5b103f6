"""Notices when the database says nothing any more, not even no.

Whatever waits for it then hangs in a call of the driver and can't speak for itself. So the reactor
looks whether the thread that asks the database all the time has been answered.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from twisted.internet.task import LoopingCall

from mushcombat.storage.writer import HELD

if TYPE_CHECKING:
    from mushcombat.net.game import Game

log = logging.getLogger(__name__)

EVERY = 0.5
"""Seconds between two looks."""

LOOKS = 8
"""Looks in a row without an answer that make a silence: about four seconds.

They are counted, not the seconds: a server that was stopped itself has heard nothing either.
"""


class Silence:
    """Tells a game when its database falls silent, and when it answers again.

    `pulse` gives a number that changes more often than every `LOOKS` looks while it answers.
    """

    def __init__(self, game: Game, pulse: Callable[[], int]) -> None:
        self._game = game
        self._pulse = pulse
        self._heard = pulse()
        self._looks = 0
        self._loop = LoopingCall(self.look)
        self._loop.clock = game.reactor

    def start(self) -> None:
        """Begin to look."""
        self._loop.start(EVERY, now=False)

    def stop(self) -> None:
        """Look no more."""
        if self._loop.running:
            self._loop.stop()

    def look(self) -> None:
        """Look once; who still waits one look after the silence was noticed is told so."""
        pulse = self._pulse()
        if pulse != self._heard:
            self._heard, self._looks = pulse, 0
            self._end()
            return
        self._looks += 1
        if self._looks == LOOKS:
            log.warning("the database does not answer; what can goes on without it")
            self._game.fall_silent()
        elif self._looks > LOOKS:
            self._game.hold_all(HELD)

    def _end(self) -> None:
        if self._game.silent:
            log.warning("the database answers again")
            self._game.silent = False
