"""Frames of a WebSocket that no client should send, and some that they do (RFC 6455)."""

from __future__ import annotations

import random
import struct
import zlib
from collections.abc import Callable

from tests.e2e.fuzz.streams import LOGIN, Telnet, cut, mutated

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
CONTROL = (CLOSE, PING, PONG)
MOST_BYTES = 65_536

_TEXTS = [
    b"Core.Ping",
    b'Core.Hello {"client": "x"}',
    b'Core.Supports.Set ["Char 1", "Room 1", "Comm.Channel 1", "Scene 1"]',
    b"Core.Supports.Add " + b"[" * 900,
    "Comm.Channel.Text {\u202e".encode(),
    b"",
]
_NO_TEXTS = [b"\xff\xfe", b"\xed\xa0\x80", "Core.Hello \u30b3".encode()[:-1], b"\xf4\x90\x80\x80"]
_LINES = [b"look", b"say hello\r\nsay again", LOGIN, b"WHO\xff\xff\n", b"help \x1b[2J", b"\xe3\x82"]


def frame(
    data: bytes, opcode: int, *, bits: int = 0x80, mask: bytes | None = bytes(4), size: int = -1
) -> bytes:
    """Write a frame; the size it tells may be another than it has."""
    size = len(data) if size < 0 else size
    masked = 0 if mask is None else 0x80
    if size < 126:
        length = struct.pack("!B", masked | size)
    elif size < 1 << 16:
        length = struct.pack("!BH", masked | 126, size)
    else:
        length = struct.pack("!BQ", masked | 127, size)
    body = data if mask is None else _masked(data, mask)
    return struct.pack("!B", bits | opcode) + length + (mask or b"") + body


def _masked(data: bytes, mask: bytes) -> bytes:
    if mask == bytes(4):
        return data
    whole = (mask * (len(data) // 4 + 1))[: len(data)]
    return (int.from_bytes(data, "big") ^ int.from_bytes(whole, "big")).to_bytes(len(data), "big")


class Frames:
    """Makes what is sent once a WebSocket is open."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._telnet = Telnet(chance)
        self._proper: list[Callable[[], bytes]] = [
            lambda: self._frame(self._telnet.stream()[:MOST_BYTES], BINARY),
            lambda: self._frame(chance.choice(_LINES), BINARY),
            lambda: self._frame(
                chance.randbytes(chance.randrange(126)), chance.choice(CONTROL[1:])
            ),
            lambda: self._fragments(BINARY, chance.choice(_LINES)),
        ]
        self._data: list[Callable[[], bytes]] = [
            lambda: self._frame(chance.choice(_TEXTS), TEXT),
            lambda: self._fragments(TEXT, chance.choice(_TEXTS)),
        ]
        self._odd: list[Callable[[], bytes]] = [
            lambda: chance.randbytes(chance.randrange(64)),
            lambda: self._frame(b"x" * chance.choice((126, 70_000)), chance.choice(CONTROL)),
            lambda: self._frame(chance.randbytes(9), chance.randrange(16)),
            lambda: frame(b"abc", BINARY, mask=None),
            lambda: frame(zlib.compress(b"look" * 9), chance.choice((TEXT, BINARY)), bits=0xC0),
            lambda: frame(b"x" * 9, BINARY, bits=chance.randrange(16) << 4),
            lambda: frame(b"x", BINARY, size=chance.choice((5, 4000, 1 << 20, (1 << 64) - 1))),
            lambda: b"\x82\xfe\0\x03" + bytes(4) + b"abc",  # a length longer than it has to be
            lambda: self._frame(b"x" * (MOST_BYTES + chance.randrange(2)), BINARY),
            lambda: self._frame(b"", BINARY) * chance.choice((1, 200)),
            lambda: self._fragments(TEXT, chance.choice(_NO_TEXTS)),
            lambda: self._frame(chance.choice(_TEXTS), TEXT),
            self._end,
            self._endless,
        ]

    def stream(self, *, texts: bool) -> bytes:
        """Make frames: mostly proper ones, so that what is odd comes to a socket that is open.

        `texts`: the subprotocol has messages of text.
        """
        chance = self._chance
        kinds = self._proper + self._data * texts
        proper = b"".join(chance.choice(kinds)() for _ in range(chance.randrange(12)))
        odd = chance.choice(self._odd)() if chance.random() < 0.7 else b""
        more = b"".join(chance.choice(kinds)() for _ in range(chance.randrange(3)))
        whole = proper + odd + more
        return mutated(chance, whole, 4) if chance.random() < 0.3 else whole

    def _frame(self, data: bytes, opcode: int, bits: int = 0x80) -> bytes:
        mask = self._chance.choice((bytes(4), self._chance.randbytes(4)))
        return frame(data, opcode, bits=bits, mask=mask)

    def _fragments(self, opcode: int, data: bytes) -> bytes:
        """Write a message in parts, some of them empty, with control frames in between."""
        made, parts = b"", cut(self._chance, data, self._chance.randrange(1, 6))
        for number, part in enumerate(parts):
            bits = 0x80 if number == len(parts) - 1 else 0
            made += self._frame(part, 0 if number else opcode, bits)
            if self._chance.random() < 0.3:
                made += self._frame(b"still there?", PING)
        return made

    def _end(self) -> bytes:
        """Close, properly or not; something follows."""
        code = struct.pack("!H", self._chance.choice((1000, 1001, 999, 1005, 5000, 0)))
        reason = self._chance.choice((b"", b"bye", b"\xff", b"x" * 123))
        return self._frame(self._chance.choice((b"", b"\x03", code + reason)), CLOSE)

    def _endless(self) -> bytes:
        """Write a message that no part of is the last."""
        first = self._frame(b"", self._chance.choice((TEXT, BINARY)), 0)
        size = self._chance.choice((0, 1, 900, 9000))
        return first + self._frame(b"x" * size, 0, 0) * self._chance.choice((1, 90))
