"""What staff ordered, done once the ledger holds it: ending connections, and the server."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from mushcombat.domain.bans import covers
from mushcombat.domain.events import Fact
from mushcombat.domain.staff_events import (
    STAFF_EVENTS,
    BanSet,
    Booted,
    ShutdownCancelled,
    ShutdownSet,
)
from mushcombat.net.game import Game
from mushcombat.net.session import Session

log = logging.getLogger(__name__)

MINUTE = 60.0


class Enforcer:
    """Looks at the facts that were shown; `stop` ends the server."""

    def __init__(self, game: Game, stop: Callable[[], object]) -> None:
        self._game = game
        self._stop = stop
        self._countdown: list[Any] = []  # Twisted's delayed calls

    def look(self, facts: Sequence[Fact]) -> None:
        """Do what facts order."""
        for fact in facts:
            if isinstance(fact.event, STAFF_EVENTS):
                log.info("staff act", extra={"fields": _fields(fact)})
            match fact.event:
                case Booted(subject):
                    self._end(self._of(subject), "")
                case BanSet(target, subject):
                    self._banned(target, subject, fact)
                case ShutdownSet(minutes):
                    self._count_down(minutes, fact)
                case ShutdownCancelled():
                    self._cancel()
                    self._tell_all(fact)
                case _:
                    pass

    def _of(self, character: int) -> list[Session]:
        sessions = self._game.sessions
        return [s for s in sessions if s.presence and s.presence.id == character]

    def _banned(self, target: str, subject: int | None, fact: Fact) -> None:
        if subject is not None:
            self._end(self._of(subject), "")  # they were shown the fact, being its subject
            return
        there = [s for s in self._game.sessions if covers(target, s.address)]
        self._end(there, self._game.publisher.line(fact))

    def _end(self, sessions: Iterable[Session], text: str) -> None:
        for session in list(sessions):
            if text:
                session.tell(text)
            session.close(text or "Staff end this connection.")

    # the end

    def _count_down(self, minutes: int, fact: Fact) -> None:
        self._cancel()
        self._tell_all(fact)
        later = self._game.reactor.callLater
        if minutes > 1:
            last = "[Server] One minute left: the server ends then."
            self._countdown.append(later((minutes - 1) * MINUTE, self._say, last))
        self._countdown.append(later(minutes * MINUTE, self._stop_now))

    def _stop_now(self) -> None:
        if not self._game.closing:
            self._stop()

    def _cancel(self) -> None:
        calls, self._countdown = self._countdown, []
        for call in calls:
            if call.active():
                call.cancel()

    def _tell_all(self, fact: Fact) -> None:
        self._say(self._game.publisher.line(fact))

    def _say(self, text: str) -> None:
        for session in list(self._game.sessions):
            session.tell(text)


def _fields(fact: Fact) -> dict[str, object]:
    """Give what the log tells of an act; why it was done stands in the ledger alone."""
    return {"staff": fact.actor.name, "act": fact.event.kind, "row": fact.seq}
