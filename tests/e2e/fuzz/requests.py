"""HTTP that no client should send, and some that they do; and what is in front of other ports."""

from __future__ import annotations

import random
import ssl
from collections.abc import Callable
from contextlib import suppress
from functools import cache

from tests.e2e.fuzz.streams import mutated

KEY = "AAAAAAAAAAAAAAAAAAAAAA=="
TELNET, GMCP = SUBPROTOCOLS = ("telnet.mudstandards.org", "gmcp.mudstandards.org")


def upgrade(subprotocol: str) -> bytes:
    """Ask for a WebSocket, properly."""
    return head(
        "GET /ws HTTP/1.1",
        "Host: x",
        "Connection: keep-alive, Upgrade",
        "Upgrade: websocket",
        f"Sec-WebSocket-Key: {KEY}",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits",
        f"Sec-WebSocket-Protocol: {subprotocol}",
    )


def head(*lines: str) -> bytes:
    return "\r\n".join((*lines, "", "")).encode("latin-1")


_GOOD = [
    head("GET / HTTP/1.1", "Host: x"),
    head("HEAD /healthz HTTP/1.1", "Host: x", "Connection: keep-alive"),
    head("GET /metrics?x=%00 HTTP/1.1", "Host: [::1]:80", "Accept: */*", "X-Forwarded-For: ::1"),
    head("GET http://x/ HTTP/1.0"),
    *(upgrade(one) for one in SUBPROTOCOLS),
]
_SMUGGLED = [
    head("POST / HTTP/1.1", "Host: x", "Content-Length: 6", "Transfer-Encoding: chunked")
    + b"0\r\n\r\nG",
    head("GET / HTTP/1.1", "Host: x", "Content-Length: 0", "Content-Length: 44") + _GOOD[0],
    head("GET / HTTP/1.1", "Host: x", "Content-Length: -1"),
    head("GET / HTTP/1.1", "Host: x", "Content-Length: " + "9" * 40),
    head("GET / HTTP/1.1", "Host: x", "Transfer-Encoding : chunked") + b"5\r\nhello\r\n0\r\n\r\n",
    head("GET / HTTP/1.1", "Host: x", "Transfer-Encoding: chunked") + b"ffffffffffffffff\r\n",
    head("GET / HTTP/1.1", "Host: x", "A: b", " folded: c", "\tmore") + _GOOD[0],
    head("GET / HTTP/1.1\rX: y", "Host: x\n\nGET /metrics HTTP/1.1"),
    head("GET / HTTP/1.1", "Host: x", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQ"),
    head("CONNECT x:22 HTTP/1.1", "Host: x"),
    head("TRACE /../../etc/passwd HTTP/1.1", "Host: x", "Expect: 100-continue"),
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(9),
    b"\x04\x01\x00\x50\x7f\x00\x00\x01\0",
    b"\r\n" * 3000,
    b"\n\nGET / HTTP/1.1\nHost: x\n\n",
]


class Requests:
    """Makes what is sent to a port of HTTP."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._kinds: list[Callable[[], bytes]] = [
            lambda: chance.choice(_GOOD),
            lambda: chance.choice(_GOOD) * chance.randrange(2, 30),
            lambda: mutated(chance, chance.choice(_GOOD)),
            lambda: mutated(chance, chance.choice(_SMUGGLED), 3),
            lambda: b"".join(chance.choice(_GOOD + _SMUGGLED) for _ in range(5)),
            self._huge,
            lambda: chance.randbytes(chance.randrange(300)),
            lambda: mutated(chance, hello()),
        ]

    def stream(self) -> bytes:
        """Make what one connection sends."""
        return self._chance.choice(self._kinds)()

    def _huge(self) -> bytes:
        size = self._chance.choice((1000, 16_383, 16_384, 100_000))
        return self._chance.choice(
            (
                head("GET /" + "a" * size + " HTTP/1.1", "Host: x"),
                head("GET / HTTP/1.1", "Host: x", "X: " + "\xff" * size),
                head("GET / HTTP/1.1", "Host: x", *(f"X{n}: y" for n in range(size // 8))),
                b"A" * size,
                head("POST / HTTP/1.1", "Host: x", f"Content-Length: {size}") + b"x" * size,
            )
        )


@cache
def hello() -> bytes:
    """Give what a client of TLS says first."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    out = ssl.MemoryBIO()
    link = context.wrap_bio(ssl.MemoryBIO(), out, server_hostname="game.example.org")
    with suppress(ssl.SSLWantReadError):
        link.do_handshake()
    return out.read()


PROXIED = [
    b"PROXY TCP4 192.0.2.7 192.0.2.1 5 4201\r\n",
    b"PROXY TCP6 2001:db8::1 2001:db8::2 5 4201\r\n",
    b"PROXY UNKNOWN\r\n",
    b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c" + bytes((192, 0, 2, 7, 192, 0, 2, 1, 0, 5, 16, 105)),
    b"\r\n\r\n\0\r\nQUIT\n\x20\0\0\0",
    b"\r\n\r\n\0\r\nQUIT\n\x21\x21\xff\xff" + bytes(600),
]
"""Headers of the PROXY protocol."""
