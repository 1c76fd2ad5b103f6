"""The PROXY protocol without I/O: whose connection a load balancer hands on, v1 and v2.

As haproxy's doc/proxy-protocol.txt has it: a header before any other byte, a line of text in
version 1, binary in version 2.
"""

from __future__ import annotations

import struct
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

from mushcombat.records import record

V1_START: Final = b"PROXY "
V2_START: Final = b"\r\n\r\n\0\r\nQUIT\n"

MOST_V1: Final = 107
"""Bytes of a version 1 header at most, its CR LF with them."""

MOST_V2: Final = 2048
"""Bytes behind the first 16 of a version 2 header that we take; addresses and TLVs."""

_V2_HEAD: Final = struct.Struct("!12sBBH")
_V2_ADDRESSES: Final = {0x11: ("!4s4sHH", IPv4Address), 0x21: ("!16s16sHH", IPv6Address)}
_LOCAL, _PROXY = 0x20, 0x21


class BadHeaderError(ValueError):
    """What came is no PROXY header."""


@record(frozen=True, slots=True)
class Proxied:
    """A header that was read, and what came behind it.

    `host` is who connected to the proxy; None where it does not say so (its own health checks).
    """

    host: str | None
    port: int
    rest: bytes


def read(data: bytes) -> Proxied | None:
    """Read the header that data begins with; None if there is more to come of it.

    BadHeaderError as soon as it can't be one any more.
    """
    if data[: len(V2_START)] == V2_START[: len(data)]:
        return _v2(data)
    if data[: len(V1_START)] == V1_START[: len(data)]:
        return _v1(data)
    raise BadHeaderError("no PROXY header")


def _v1(data: bytes) -> Proxied | None:
    line, end, rest = data.partition(b"\r\n")
    if not end:
        if len(data) >= MOST_V1:
            raise BadHeaderError("no end of the line")
        return None
    if len(line) + len(end) > MOST_V1:
        raise BadHeaderError("too long a line")
    words = line.decode("latin-1").split(" ")
    if words[1] == "UNKNOWN":
        return Proxied(None, 0, rest)
    host, port = _named(words)
    return Proxied(host, port, rest)


def _named(words: list[str]) -> tuple[str, int]:
    """Read `PROXY TCP4 <source> <destination> <source port> <destination port>`."""
    versions = {"TCP4": 4, "TCP6": 6}
    if len(words) != 6 or words[1] not in versions or "%" in words[2]:  # no zones here
        raise BadHeaderError("not six known words")
    try:
        ends = [ip_address(word) for word in words[2:4]]
    except ValueError as problem:
        raise BadHeaderError("no address") from problem
    if any(end.version != versions[words[1]] for end in ends):
        raise BadHeaderError("addresses of another family")
    ports = [_port(word) for word in words[4:]]
    return str(ends[0]), ports[0]


def _port(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= 5 and int(word) <= 65_535):
        raise BadHeaderError("no port")
    return int(word)


def _v2(data: bytes) -> Proxied | None:
    if len(data) < _V2_HEAD.size:
        return None
    _, command, family, length = _V2_HEAD.unpack_from(data)
    if command not in (_LOCAL, _PROXY) or length > MOST_V2:
        raise BadHeaderError("another version, or too long")
    end = _V2_HEAD.size + length
    if len(data) < end:
        return None
    body, rest = data[_V2_HEAD.size : end], data[end:]
    if command == _LOCAL or family not in _V2_ADDRESSES:
        return Proxied(None, 0, rest)
    form, kind = _V2_ADDRESSES[family]
    if length < struct.calcsize(form):
        raise BadHeaderError("too short for its addresses")
    source, _destination, port, _ = struct.unpack_from(form, body)
    return Proxied(str(kind(source)), port, rest)
