"""Whether the server is well: it is not about to end, and its database answers and takes things.

Anybody may ask, as often as they like: one look at a time is under way, in a thread of those that
read, and its result is good for a while. Nothing is written to find out: players' lines do that.
Only when the last of them could not be saved, and perhaps nobody types any more, each look lets
the writer try a job that does nothing, one at a time.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Final

from twisted.internet.defer import Deferred, succeed
from twisted.python.failure import Failure

from mushcombat.domain.command import Outcome, Result
from mushcombat.domain.events import Who
from mushcombat.domain.ports import Reads
from mushcombat.errors import MushError

if TYPE_CHECKING:
    from mushcombat.net.game import Game

log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 5.0
"""How long the database may take to answer."""

GOOD_FOR: Final = 1.0
"""Seconds for which the result of a look is told to all who ask."""

WELL = ""
GOING_DOWN = "going down"
NO_ANSWER = "the database does not answer"
NOT_TAKEN = "the database takes nothing"

_NOBODY = Who(0, "the server")


class Health:
    """Looks at one game's database when somebody asks."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._waiting: list[Deferred[str]] = []
        self._looking = False
        self._trying = False
        self._told = WELL
        self._until = float("-inf")
        self._patience: Any = None  # Twisted's delayed call

    def ask(self) -> Deferred[str]:
        """Fire, within `LOOK_SECONDS`, with what is wrong in a few words; "" when nothing is."""
        if self._game.closing:
            return succeed(GOING_DOWN)
        if self._waiting:
            return self._wait()
        if self._looking or self._game.reactor.seconds() < self._until:
            return succeed(self._told)
        asked = self._wait()
        self._look()
        return asked

    def _wait(self) -> Deferred[str]:
        asked: Deferred[str] = Deferred()
        self._waiting.append(asked)
        return asked

    def _look(self) -> None:
        self._looking = True
        self._patience = self._game.reactor.callLater(LOOK_SECONDS, self._tell, NO_ANSWER)
        self._game.read(_any_row).addCallbacks(self._found, self._failed)

    def _found(self, _: object) -> None:
        if not self._game.writer.trouble:
            self._over(WELL)
            return
        self._try()
        self._over(NOT_TAKEN)

    def _try(self) -> None:
        """Let the writer commit the mark that every job leaves; the next look finds how it went."""
        if not self._trying:
            self._trying = True
            self._game.write(_NOBODY, None, lambda _: Outcome(), self._tried, stays=True)

    def _tried(self, _: Result) -> None:
        self._trying = False

    def _failed(self, failure: Failure) -> None:
        if not isinstance(failure.value, MushError):  # that one the log tells of already
            log.error("looking at the database failed: %s", failure.getErrorMessage())
        self._over(NO_ANSWER)

    def _over(self, told: str) -> None:
        """Take what came of a look, be it after the time it had: then it is for those to come."""
        self._looking = False
        if self._patience.active():
            self._patience.cancel()
        self._tell(told)

    def _tell(self, told: str) -> None:
        self._told, self._until = told, self._game.reactor.seconds() + GOOD_FOR
        waiting, self._waiting = self._waiting, []
        for asked in waiting:
            asked.callback(told)


def _any_row(store: Reads) -> object:
    """Read something small that is always there or always not: that it is read is the answer."""
    return store.place(0)
