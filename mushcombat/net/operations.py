"""What those who look after the server are answered over HTTP: /healthz and /metrics.

`answer` is for any port that speaks HTTP; `Operators` is a port of its own, for nothing else.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from twisted.internet.defer import maybeDeferred
from twisted.internet.endpoints import serverFromString
from twisted.web.resource import Resource
from twisted.web.server import Site

from mushcombat.net.game import Game
from mushcombat.net.metrics import CONTENT_TYPE, may_read

log = logging.getLogger(__name__)

PATIENCE = 10
"""Seconds that a client may take to ask for something."""

PLAIN = b"text/plain; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer over HTTP."""

    status: int
    content_type: bytes
    body: bytes


def answer(game: Game, path: str, address: str, headers: Iterable[bytes]) -> Answer | None:
    """Answer a GET; None for paths that are somebody else's.

    `headers` are the names of the request's headers, in small letters. To whom may not read the
    metrics, they are not there.
    """
    if path == "/healthz":
        well = not game.closing
        return Answer(200, PLAIN, b"ok\n") if well else Answer(503, PLAIN, b"going down\n")
    if path == "/metrics" and may_read(address, headers, game.config.metrics.addresses):
        return Answer(200, CONTENT_TYPE, game.metrics.render())
    return None


class _Pages(Resource):
    """Everything there is on the operators' port."""

    isLeaf = True  # noqa: N815 -- Twisted's

    def __init__(self, game: Game) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # Twisted's
        self._game = game

    def render_GET(self, request: Any) -> bytes:
        """Answer GET, and HEAD, which Twisted makes of it."""
        names = [bytes(name).lower() for name, _ in request.requestHeaders.getAllRawHeaders()]
        host = getattr(request.getClientAddress(), "host", "local")
        path = request.path.decode("latin-1")
        found = answer(self._game, path, host, names)
        found = found or Answer(404, PLAIN, b"There is nothing here.\n")
        request.setResponseCode(found.status)
        request.setHeader(b"content-type", found.content_type)
        request.setHeader(b"cache-control", b"no-store")
        return found.body


class Operators:
    """The operators' port, on the endpoints that the configuration names."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._ports: list[Any] = []

    async def listen(self) -> None:
        """Listen; the log tells where."""
        site: Any = Site(_Pages(self._game), timeout=PATIENCE)  # type: ignore[no-untyped-call]  # Twisted's
        site.noisy = False
        for description in self._game.config.metrics.listen:
            endpoint: Any = serverFromString(self._game.reactor, description)  # type: ignore[no-untyped-call]  # Twisted's
            port = await endpoint.listen(site)
            self._ports.append(port)
            where = port.getHost()
            fields = {"address": f"{getattr(where, 'host', 'local')}:{getattr(where, 'port', '')}"}
            log.info("operators' port", extra={"fields": fields})

    async def stop(self) -> None:
        """Listen no more."""
        for port in self._ports:
            await maybeDeferred(port.stopListening)
