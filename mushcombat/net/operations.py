"""What the web port answers those who look after the server: /healthz and /metrics."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mushcombat.net.game import Game
from mushcombat.net.metrics import CONTENT_TYPE, may_read

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
