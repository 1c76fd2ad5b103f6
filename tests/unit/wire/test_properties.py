from __future__ import annotations

from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from mushcombat.wire import codes
from mushcombat.wire.telnet import Telnet
from tests.unit.wire.streams import OPTIONS, cut_streams, one_by_one, receive_all, streams

SETTLE = 30
_option_sets = st.frozensets(st.sampled_from(OPTIONS))
_calls = st.lists(
    st.tuples(
        st.integers(0, 1),
        st.sampled_from(["local+", "local-", "remote+", "remote-", "deliver"]),
        st.sampled_from(OPTIONS),
    ),
    max_size=40,
)


def codec(agreed: frozenset[int]) -> Telnet:
    return Telnet(local=agreed, remote=agreed, max_line=12, max_subnegotiation=6)


@settings(max_examples=400, deadline=None)
@given(cut_streams(), _option_sets)
def test_the_same_bytes_give_the_same_tokens_however_they_are_cut(
    cut: tuple[bytes, list[bytes]], agreed: frozenset[int]
) -> None:
    stream, packets = cut
    whole = receive_all(codec(agreed), [stream])
    assert receive_all(codec(agreed), packets) == whole
    assert receive_all(codec(agreed), one_by_one(stream)) == whole


@settings(deadline=None)
@given(st.binary(max_size=200), _option_sets)
def test_no_bytes_at_all_raise_anything(data: bytes, agreed: frozenset[int]) -> None:
    receive_all(codec(agreed), [data, *one_by_one(data)])


@settings(deadline=None)
@given(streams, _option_sets)
def test_the_parser_recovers_from_any_bytes(stream: bytes, agreed: frozenset[int]) -> None:
    telnet = codec(agreed)
    telnet.receive(stream + b"\xff\xf1\xff\xf0\xff\xf1\r\n")
    assert telnet.receive(b"look\r\n")[-1:] == Telnet().receive(b"look\r\n")


@settings(deadline=None)
@given(cut_streams(), _option_sets)
def test_answers_never_take_more_bytes_than_what_they_answer(
    cut: tuple[bytes, list[bytes]], agreed: frozenset[int]
) -> None:
    telnet = codec(agreed)
    for packet in cut[1]:
        telnet.receive(packet)
        assert len(telnet.output()) <= len(packet) + 2


class Link:
    """Two codecs that face each other, with bytes on their way between them."""

    def __init__(self, first: frozenset[int], second: frozenset[int]) -> None:
        self.ends = (codec(first), codec(second))

    def call(self, who: int, what: str, option: int) -> None:
        end = self.ends[who]
        calls: dict[str, Callable[[int], object]] = {
            "local+": end.enable_local,
            "local-": end.disable_local,
            "remote+": end.enable_remote,
            "remote-": end.disable_remote,
            "deliver": lambda _: self.deliver(who),
        }
        calls[what](option)

    def deliver(self, who: int) -> int:
        """Bring what one end has to send to the other; give the number of bytes."""
        sent = self.ends[who].output()
        self.ends[1 - who].receive(sent)
        return len(sent)

    def settle(self) -> None:
        for _ in range(SETTLE):
            if not self.deliver(0) + self.deliver(1):
                return
        raise AssertionError("they never come to rest")


@settings(max_examples=300, deadline=None)
@given(_option_sets, _option_sets, _calls)
def test_two_codecs_that_face_each_other_come_to_rest(
    first: frozenset[int], second: frozenset[int], calls: list[tuple[int, str, int]]
) -> None:
    link = Link(first, second)
    for who, what, option in calls:
        link.call(who, what, option)
    link.settle()


@settings(max_examples=300, deadline=None)
@given(_calls)
def test_two_codecs_that_agree_to_everything_see_the_same_options_at_rest(
    calls: list[tuple[int, str, int]],
) -> None:
    link = Link(frozenset(OPTIONS), frozenset(OPTIONS))
    for who, what, option in calls:
        link.call(who, what, option)
    link.settle()
    one, two = link.ends
    for option in set(OPTIONS) - {codes.ECHO}:
        assert one.local_on(option) == two.remote_on(option)
        assert one.remote_on(option) == two.local_on(option)
