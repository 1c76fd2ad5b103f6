"""Ends connections that nobody uses: not logged in for long, or idle where that is set."""

from __future__ import annotations

import logging

from twisted.internet.task import LoopingCall

from mushcombat.net.game import Game
from mushcombat.net.session import Session

log = logging.getLogger(__name__)

EVERY = 10.0
"""Seconds between two looks."""

NO_LOGIN = "You have not logged in for a long while. Connect again when you like."
IDLE = "You have typed nothing for a long while, so this connection ends. Come back when you like."


class Patience:
    """Looks at all connections now and then."""

    def __init__(self, game: Game) -> None:
        self._game = game
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
        """End what nobody uses."""
        for session in list(self._game.sessions):
            text = self._why(session)
            if text:
                session.tell(text)
                session.close(text)

    def _why(self, session: Session) -> str:
        limits, presence = self._game.config.limits, session.presence
        if presence is None:
            waited = self._game.reactor.seconds() - session.since
            return NO_LOGIN if limits.login and waited > limits.login else ""
        if not limits.idle or self._game.world.scene_of(presence.id, presence.room):
            return ""  # whoever plays may think, or be thought about, as long as they like
        idle = (self._game.clock() - presence.active).total_seconds()
        return IDLE if idle > limits.idle else ""
