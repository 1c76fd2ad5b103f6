"""What those who look after the server are answered over HTTP: /healthz and /metrics.

`answer` is for any port that speaks HTTP; `Operators` is a port of its own, for nothing else.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any, Final

import h11
from twisted.internet.defer import Deferred, maybeDeferred, succeed
from twisted.internet.endpoints import serverFromString
from twisted.internet.interfaces import IAddress
from twisted.internet.protocol import Factory

from mushcombat.net.game import Game
from mushcombat.net.http import PLAIN, Answer, HttpProtocol, names_of, path_of
from mushcombat.net.listening import named
from mushcombat.net.metrics import CONTENT_TYPE, may_read

log = logging.getLogger(__name__)

MOST_OPEN: Final = 32
"""Connections that the operators' port has at once; more are closed."""


def answer(
    game: Game, path: str, address: str, headers: Iterable[bytes]
) -> Deferred[Answer] | None:
    """Answer a GET; None for paths that are somebody else's.

    `headers` are the names of the request's headers, in small letters. To whom may not read the
    metrics, they are not there.
    """
    if path == "/healthz":
        return game.health.ask().addCallback(_health)
    if path == "/metrics" and may_read(address, headers, game.config.metrics.addresses):
        return succeed(Answer(200, CONTENT_TYPE, game.metrics.render()))
    return None


def _health(wrong: str) -> Answer:
    return Answer(503 if wrong else 200, PLAIN, f"{wrong or 'ok'}\n".encode())


class _Pages(HttpProtocol):
    """Everything there is on the operators' port."""

    factory: _PagesFactory

    def asked(self, request: h11.Request) -> None:
        """Answer what `answer` has."""
        game = self.factory.game
        found = answer(game, path_of(request), self.host, names_of(request))
        if found is not None:
            self.answer_with(found)
        else:
            self.refuse(404)


class _PagesFactory(Factory[_Pages]):
    noisy = False

    def __init__(self, game: Game) -> None:
        self.game = game
        self.open: set[_Pages] = set()

    def buildProtocol(self, addr: IAddress | None) -> _Pages | None:  # noqa: ARG002 -- Twisted's signature
        """Make the protocol for one connection; none when there are too many."""
        if len(self.open) >= MOST_OPEN:
            return None
        protocol = _Pages(self.game.reactor)
        protocol.factory = self
        return protocol


class Operators:
    """The operators' port, on the endpoints that the configuration names."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._ports: list[Any] = []

    async def listen(self) -> None:
        """Listen; the log tells where."""
        pages = _PagesFactory(self._game)
        for description in self._game.config.metrics.listen:
            with named(f"[metrics] listen in {self._game.config.file}"):
                endpoint: Any = serverFromString(self._game.reactor, description)  # type: ignore[no-untyped-call]  # Twisted's
                port = await endpoint.listen(pages)
            self._ports.append(port)
            where = port.getHost()
            fields = {"address": f"{getattr(where, 'host', 'local')}:{getattr(where, 'port', '')}"}
            log.info("operators' port", extra={"fields": fields})

    async def stop(self) -> None:
        """Listen no more."""
        for port in self._ports:
            await maybeDeferred(port.stopListening)
