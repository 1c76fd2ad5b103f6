"""Sockets that notice dead peers, and tell what their peers have not taken yet."""

from __future__ import annotations

import socket
import sys
from fcntl import ioctl
from termios import TIOCOUTQ
from typing import Any, Final

from twisted.internet.interfaces import ISSLTransport
from twisted.internet.tcp import Connection

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


def notice_dead_peers(transport: Any) -> None:
    """Have the kernel find out within three minutes that a peer is gone.

    Small packets go at once.
    """
    found = socket_of(transport)
    if found is None or found.family not in (socket.AF_INET, socket.AF_INET6):
        return
    found.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _TCP.items():
        option = getattr(socket, name, None)  # not every system has them all
        if option is not None:
            found.setsockopt(socket.IPPROTO_TCP, option, value)


def socket_of(transport: Any) -> socket.socket | None:
    """Find the socket under TLS and PROXY, which wrap a transport in another one."""
    while hasattr(transport, "wrappedProtocol"):
        transport = transport.transport
    handle = transport.getHandle() if hasattr(transport, "getHandle") else None
    return handle if isinstance(handle, socket.socket) else None


def plain_socket(transport: Any) -> socket.socket | None:
    """Give the socket of a transport that writes to it what it is given, and nothing else.

    None for TLS, PROXY and WebSocket.
    """
    plain = isinstance(transport, Connection) and not transport.TLS
    return socket_of(transport) if plain else None


def say_no_more(transport: Any) -> None:
    """Send what is written and then the end, but read on until the peer closes.

    What has no half to close, TLS and WebSocket, is closed in its own way. Nothing here ends that
    a peer keeps open: who calls this has to cut it off in time.
    """
    half = getattr(transport, "loseWriteConnection", None)
    if half is None or ISSLTransport.providedBy(transport):
        transport.loseConnection()
    else:
        half()


def unsent(transport: Any) -> int:
    """Give the bytes in the kernel that the other side has not acknowledged, 0 if none can tell."""
    found = socket_of(transport)
    try:
        answer = ioctl(found.fileno(), TIOCOUTQ, bytes(4)) if found else bytes(4)
    except (OSError, ValueError):  # it is closed
        return 0
    return int.from_bytes(answer, sys.byteorder)
