"""Sockets that notice dead peers, and links that nobody reads."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any, Final

IDLE, INTERVAL, COUNT = 60, 20, 4
"""Seconds of silence before the kernel asks, seconds between questions, questions in vain."""

DEAD_MS: Final = (IDLE + INTERVAL * COUNT) * 1000
"""How long the peer may leave what we sent without an acknowledgement, in milliseconds."""

_TCP: Final = {
    "TCP_NODELAY": 1,
    "TCP_KEEPIDLE": IDLE,
    "TCP_KEEPINTVL": INTERVAL,
    "TCP_KEEPCNT": COUNT,
    "TCP_USER_TIMEOUT": DEAD_MS,
}

MOST_UNREAD: Final = 1 << 20
"""Bytes that wait for a client beyond what the kernel holds; at more, it is cut off."""


def notice_dead_peers(transport: Any) -> None:
    """Have the kernel find out within three minutes that a peer is gone.

    Small packets go at once.
    """
    found = _socket_of(transport)
    if found is None or found.family not in (socket.AF_INET, socket.AF_INET6):
        return
    found.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _TCP.items():
        option = getattr(socket, name, None)  # not every system has them all
        if option is not None:
            found.setsockopt(socket.IPPROTO_TCP, option, value)


def _socket_of(transport: Any) -> socket.socket | None:
    """Find the socket under TLS and PROXY, which wrap a transport in another one."""
    while hasattr(transport, "wrappedProtocol"):
        transport = transport.transport
    handle = transport.getHandle() if hasattr(transport, "getHandle") else None
    return handle if isinstance(handle, socket.socket) else None


class Backlog:
    """Counts what a transport can't get rid of; one of Twisted's push producers.

    Nothing is held back from the client: what is said in its room can't wait.
    """

    def __init__(self, transport: Any, too_much: Callable[[], None]) -> None:
        self._transport = transport
        self._too_much = too_much
        self._full = False
        self._waiting = 0
        transport.registerProducer(self, True)  # noqa: FBT003 -- Twisted's: it pushes

    def write(self, data: bytes) -> None:
        """Write, and count if it has to wait."""
        self._transport.write(data)
        self._waiting += len(data) if self._full else 0
        if self._waiting > MOST_UNREAD:
            self.end()
            self._too_much()

    def end(self) -> None:
        """Count no more: the connection is to close."""
        self._full, self._waiting = False, 0
        self._transport.unregisterProducer()

    def pauseProducing(self) -> None:  # noqa: N802 -- Twisted's
        """Note that the transport has enough."""
        self._full = True

    def resumeProducing(self) -> None:  # noqa: N802 -- Twisted's
        """Note that all is sent."""
        self._full, self._waiting = False, 0

    def stopProducing(self) -> None:  # noqa: N802 -- Twisted's
        """Nothing is left to stop: the connection is gone."""
