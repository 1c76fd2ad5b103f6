"""A transport in memory that notes what is done to it, whatever stands on it."""

from __future__ import annotations

from typing import Any

from twisted.internet.address import IPv4Address


class Pipe:
    """What a protocol asks of its transport."""

    def __init__(self, host: str = "127.0.0.1") -> None:
        self.sent = b""
        self.done: list[str] = []
        self.host = host
        self.producer: Any = None

    def write(self, data: bytes) -> None:
        self.sent += data

    def take(self) -> bytes:
        """Give what was sent since this was last asked."""
        sent, self.sent = self.sent, b""
        return sent

    def getPeer(self) -> Any:  # noqa: N802 -- Twisted's names, all of these
        return IPv4Address("TCP", self.host, 5)

    def loseConnection(self) -> None:  # noqa: N802
        self.done.append("lose")

    def abortConnection(self) -> None:  # noqa: N802
        self.done.append("abort")

    def pauseProducing(self) -> None:
        self.done.append("pause")

    def resumeProducing(self) -> None:
        self.done.append("resume")

    def registerProducer(self, producer: Any, streaming: bool) -> None:  # noqa: N802
        self.producer = producer

    def unregisterProducer(self) -> None:  # noqa: N802
        self.producer = None
