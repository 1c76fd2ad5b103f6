"""Byte streams as clients send them, good and bad, for the property tests."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import strategies as st

from mushcombat.wire import codes
from mushcombat.wire.telnet import Line, Telnet, Token

OPTIONS = [codes.BINARY, codes.ECHO, codes.SGA, codes.TTYPE, codes.NAWS, codes.GMCP, 255]

_negotiation = st.builds(
    lambda command, option: bytes((codes.IAC, command, option)),
    st.sampled_from(sorted(codes.OPTION_COMMANDS)),
    st.sampled_from(OPTIONS),
)
_pieces = st.one_of(
    st.sampled_from([b"\r\n", b"\r\0", b"\n\r", b"\r", b"\n", b"\0", b"\xff\xff"]),
    st.sampled_from([b"\xff\xfa", b"\xff\xfa\x18", b"\xff\xfa\x1f", b"\xff\xf0", b"\xff"]),
    st.sampled_from([b"look", b"say hello there", b"\xc3", b"\xa9", b"a"]),
    _negotiation,
    st.binary(max_size=6),
)
streams = st.lists(_pieces, max_size=40).map(b"".join)


@st.composite
def cut_streams(draw: st.DrawFn) -> tuple[bytes, list[bytes]]:
    """A stream, and the same one cut into packets, some of them empty."""
    stream = draw(streams)
    cuts = sorted(draw(st.lists(st.integers(0, len(stream)), max_size=12)))
    edges = [0, *cuts, len(stream)]
    return stream, [stream[a:b] for a, b in pairwise(edges)]


def receive_all(telnet: Telnet, packets: list[bytes]) -> tuple[list[Token], bytes]:
    """All tokens and all bytes to send of some packets."""
    tokens: list[Token] = []
    output = b""
    for packet in packets:
        tokens += telnet.receive(packet)
        output += telnet.output()
    return tokens, output


def one_by_one(data: bytes) -> list[bytes]:
    """The packets of a client that sends each byte alone."""
    return [data[i : i + 1] for i in range(len(data))]


def lines(*texts: bytes) -> list[Token]:
    """Tokens of these lines."""
    return [Line(text) for text in texts]
