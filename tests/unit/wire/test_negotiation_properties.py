"""Whatever a client says: little is answered, nothing loops, and how it was cut does not matter."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from mushcombat.wire import codes
from mushcombat.wire.telnet import subnegotiation
from tests.unit.wire.peers import Server
from tests.unit.wire.streams import one_by_one

ONCE = 28 + 120 + 100 + 8 * 6 + 3 * 4
"""Bytes that are said once: our REQUEST, the question for variables, MSSP, SENDs and offers."""

OPTIONS = [
    codes.BINARY,
    codes.ECHO,
    codes.SGA,
    codes.TIMING_MARK,
    codes.TTYPE,
    codes.EOR,
    codes.NAWS,
    codes.NEW_ENVIRON,
    codes.CHARSET,
    codes.MSSP,
    codes.GMCP,
    99,
]
_option = st.sampled_from(OPTIONS)
_negotiation = st.builds(
    lambda command, option: bytes((codes.IAC, command, option)),
    st.sampled_from(sorted(codes.OPTION_COMMANDS)),
    _option,
)
_payload = st.one_of(
    st.sampled_from([b"\0Mudlet", b"\0MTTS 301", b"\0MTTS 9", b"\0XTERM", b"\0"]),
    st.sampled_from([b"\x01;UTF-8", b"\x01 latin-1 x", b"\x02UTF-8", b"\x02US-ASCII", b"\x03"]),
    st.sampled_from([b"\x04", b"\0\x50\0\x18", b"\0\xff\0\x18", b"\x02\x03SCREEN_READER\x011"]),
    st.binary(max_size=12),
)
_pieces = st.one_of(
    _negotiation,
    _negotiation,
    st.builds(subnegotiation, _option, _payload),
    st.sampled_from([b"look\r\n", b"caf\xc3", b"\xa9\n", b"\xe9\r", b"\xff\xf6", b"\xff"]),
    st.binary(max_size=4),
)
streams = st.lists(_pieces, max_size=40).map(b"".join)


def all_of(packets: list[bytes]) -> tuple[object, ...]:
    server = Server()
    said = b"".join(server.hear(packet) for packet in packets)
    return server.terminal, server.lines, said


@settings(max_examples=300, deadline=None)
@given(streams, st.lists(st.integers(0, 400), max_size=12))
def test_the_same_bytes_are_answered_alike_however_they_are_cut(
    stream: bytes, cuts: list[int]
) -> None:
    edges = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    packets = [stream[a:b] for a, b in pairwise(edges)]
    assert all_of(packets) == all_of([stream]) == all_of(one_by_one(stream))


@settings(max_examples=300, deadline=None)
@given(streams)
def test_no_more_is_answered_than_was_said_but_for_what_is_said_once(stream: bytes) -> None:
    server = Server()
    answers = server.hear(stream) + server.quiet() + server.quiet()
    assert len(answers) <= len(stream) + ONCE


def test_nothing_can_be_repeated_to_get_more_out_than_is_put_in() -> None:
    for first in OPTIONS:
        for said in (
            bytes((255, 253, first, 255, 254, first)),
            bytes((255, 251, first, 255, 252, first)),
            bytes((255, 251, first)) + subnegotiation(first, b"\0x"),
            bytes((255, 253, first)) + subnegotiation(first, b"\x01;UTF-8"),
        ):
            server = Server()
            assert len(server.hear(said * 200)) <= len(said) * 200 + ONCE, (first, said)


def talk(first: Server, second: Server, on_the_way: bytes) -> int:
    """Let two servers answer each other until they are done; gives how many bytes that took."""
    said, total = second.hear(on_the_way), 0
    for _ in range(30):
        total += len(said)
        if not said:
            return total
        first, second = second, first
        said = second.hear(said)
    raise AssertionError("they never come to rest")


@settings(max_examples=300, deadline=None)
@given(streams)
def test_two_servers_that_face_each_other_come_to_rest(stream: bytes) -> None:
    first, second = Server(), Server()
    talk(first, second, first.begun)
    talk(second, first, second.begun)
    talk(first, second, stream)
    talk(first, second, first.quiet())
    talk(second, first, second.quiet())


class Echoing:
    """A peer that sends back whatever comes: the worst that a loop can be made of."""

    def __init__(self) -> None:
        self.server = Server()

    def rounds(self, most: int) -> int:
        """Tell after how many rounds nothing is said any more."""
        said = self.server.begun
        for done in range(most):
            said = self.server.hear(said)
            if not said:
                return done
        return most


def test_a_peer_that_sends_everything_back_is_soon_answered_no_more() -> None:
    assert Echoing().rounds(20) < 10
