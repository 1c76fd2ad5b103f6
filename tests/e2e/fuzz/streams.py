"""Bytes of telnet that no client should send, and some that they do."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise

from tests.e2e.harness import PASSWORD
from tests.unit.wire.conversation import all_of_them

PIECES = 40

_SAID = [conversation.telnet for conversation in all_of_them()]
_LINES = [
    b"look\r\n",
    b"say hello\n",
    b"WHO\r",
    b"+roll fair\r\0",
    "say h\u00e9 \u30b3\r\n".encode(),
]
LOGIN = f"connect ada {PASSWORD}\r\n".encode()


def mutated(chance: random.Random, whole: bytes, most: int = 8) -> bytes:
    """Put bytes in, take some out, write over others, in up to so many places."""
    data = bytearray(whole)
    for _ in range(chance.randrange(most) if data else 0):
        at = chance.randrange(len(data) + 1)
        match chance.randrange(3):
            case 0:
                data[at:at] = chance.randbytes(1)
            case 1:
                del data[at : at + chance.randrange(1, 4)]
            case _:
                data[at : at + 1] = chance.randbytes(1)
    return bytes(data)


def cut(chance: random.Random, stream: bytes, times: int = 4) -> list[bytes]:
    """Cut bytes into packets, anywhere."""
    cuts = sorted(chance.randrange(len(stream) + 1) for _ in range(times))
    return [stream[a:b] for a, b in pairwise([0, *cuts, len(stream)])]


class Telnet:
    """Makes streams of telnet."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._kinds: list[Callable[[], bytes]] = [
            self._junk,
            self._negotiation,
            self._subnegotiation,
            lambda: mutated(chance, chance.choice(_SAID)),
            lambda: chance.choice(_LINES),
        ]

    def stream(self) -> bytes:
        """Make some of everything."""
        count = self._chance.randrange(1, PIECES)
        return b"".join(self._chance.choice(self._kinds)() for _ in range(count))

    def _junk(self) -> bytes:
        return self._chance.randbytes(self._chance.randrange(64))

    def _negotiation(self) -> bytes:
        verb, option = self._chance.randrange(236, 256), self._chance.randrange(256)
        return bytes((255, verb, option)) * self._chance.choice((1, 1, 1, 50))

    def _subnegotiation(self) -> bytes:
        option = self._chance.choice((24, 31, 39, 42, 70, 201, self._chance.randrange(255)))
        size = self._chance.choice((0, 1, 4, 40, 20_000))
        payload = bytes((self._chance.randrange(6),)) + self._chance.randbytes(size)
        return bytes((255, 250, option)) + payload + b"\xff\xf0"
