"""The PROXY header; Twisted's own parsers, which need it in one piece, are the second opinion."""

from __future__ import annotations

import struct
from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st
from twisted.internet.address import IPv4Address
from twisted.protocols.haproxy._v1parser import V1Parser
from twisted.protocols.haproxy._v2parser import V2Parser

from mushcombat.wire.proxy import MOST_V1, MOST_V2, V2_START, BadHeaderError, Proxied, read

ports = st.integers(0, 65_535)
rests = st.binary(max_size=20)


def v1(source: str, family: str = "TCP4", port: int = 5) -> bytes:
    other = "::1" if family == "TCP6" else "10.0.0.1"
    return f"PROXY {family} {source} {other} {port} 4201\r\n".encode()


def v2(source: str, port: int = 5, tlvs: bytes = b"", command: int = 0x21) -> bytes:
    packed = ip_address(source).packed
    family = 0x11 if len(packed) == 4 else 0x21
    body = packed + bytes(len(packed)) + struct.pack("!HH", port, 4201) + tlvs
    return V2_START + struct.pack("!BBH", command, family, len(body)) + body


@given(source=st.ip_addresses(), port=ports, rest=rests, tlvs=st.binary(max_size=30))
def test_who_is_behind_the_proxy_is_read_and_what_follows_is_left(
    source: object, port: int, rest: bytes, tlvs: bytes
) -> None:
    name = str(source)
    family = "TCP6" if ":" in name else "TCP4"
    assert read(v1(name, family, port) + rest) == Proxied(name, port, rest)
    assert read(v2(name, port, tlvs) + rest) == Proxied(name, port, rest)


@given(source=st.ip_addresses(v=4).map(str), port=ports)
def test_twisted_reads_the_same(source: str, port: int) -> None:
    for header, info in (
        (v1(source, port=port), V1Parser.parse(v1(source, port=port)[:-2])),
        (v2(source, port), V2Parser.parse(v2(source, port))),
    ):
        ours, theirs = read(header), info.source
        assert isinstance(theirs, IPv4Address)
        assert ours is not None
        assert (ours.host, ours.port) == (theirs.host, theirs.port)


@pytest.mark.parametrize("header", [v1("1.2.3.4"), v1("2001:db8::1", "TCP6"), v2("1.2.3.4")])
def test_a_header_may_come_in_any_pieces(header: bytes) -> None:
    for end in range(len(header)):
        assert read(header[:end]) is None
    assert read(header) is not None


@pytest.mark.parametrize(
    "header",
    [
        b"PROXY UNKNOWN\r\n",
        b"PROXY UNKNOWN ffff:: ::1 1 2\r\n",
        v2("1.2.3.4", command=0x20),
        V2_START + struct.pack("!BBH", 0x21, 0x00, 0),
        V2_START + struct.pack("!BBH", 0x21, 0x31, 216) + bytes(216),
    ],
)
def test_a_proxy_may_speak_for_itself(header: bytes) -> None:
    assert read(header + b"x") == Proxied(None, 0, b"x")


@pytest.mark.parametrize(
    "data",
    [
        b"connect ada x\r\n",
        b"PROXX",
        b"PROXY TCP4\r\n",
        b"PROXY TCP5 1.2.3.4 1.2.3.4 1 2\r\n",
        b"PROXY TCP4 1.2.3.4 1.2.3.4 1 2 3\r\n",
        b"PROXY TCP4 1.2.3 1.2.3.4 1 2\r\n",
        b"PROXY TCP4 ::1 ::1 1 2\r\n",
        b"PROXY TCP6 fe80::1%\x1b[31m ::1 1 2\r\n",
        b"PROXY TCP6 1.2.3.4 1.2.3.4 1 2\r\n",
        b"PROXY TCP4 1.2.3.4 1.2.3.4 65536 2\r\n",
        b"PROXY TCP4 1.2.3.4 1.2.3.4 -1 2\r\n",
        b"PROXY TCP4 1.2.3.4 1.2.3.4 1 two\r\n",
        "PROXY TCP4 1.2.3.4 1.2.3.4 ١ 2\r\n".encode(),
        b"PROXY TCP4 1.2.3.4 1.2.3.4 " + b"1" * 5000,
        b"PROXY UNKNOWN" + b" " * MOST_V1 + b"\r\n",
        V2_START + struct.pack("!BBH", 0x11, 0x11, 12) + bytes(12),
        V2_START + struct.pack("!BBH", 0x22, 0x11, 12) + bytes(12),
        V2_START + struct.pack("!BBH", 0x21, 0x11, 11) + bytes(11),
        V2_START + struct.pack("!BBH", 0x21, 0x11, MOST_V2 + 1),
    ],
    ids=lambda data: repr(data[:30]),
)
def test_what_is_no_header_is_refused_at_once(data: bytes) -> None:
    with pytest.raises(BadHeaderError):
        read(data)


@given(data=st.binary(max_size=60) | rests.map(lambda rest: V2_START + rest))
def test_no_bytes_raise_anything_else(data: bytes) -> None:
    try:
        read(data)
    except BadHeaderError:
        return


@given(words=st.text("PROXYTCP46 .:0123456789abcdef\r\n", max_size=80))
def test_nothing_like_a_line_raises_anything_else(words: str) -> None:
    try:
        read(b"PROXY " + words.encode())
    except BadHeaderError:
        return
