from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mushcombat.wire.telnet import Command, Line, LineTooLong, Telnet, escape
from tests.unit.wire.streams import lines, one_by_one, receive_all


@pytest.mark.parametrize("ending", [b"\r\n", b"\r\0", b"\n", b"\r", b"\n\r"])
def test_every_known_line_end_ends_one_line(ending: bytes) -> None:
    data = b"look" + ending + b"say hi" + ending
    for packets in ([data], one_by_one(data)):
        assert receive_all(Telnet(), packets)[0] == lines(b"look", b"say hi")


def test_a_cr_that_ends_a_packet_and_the_lf_that_opens_the_next_are_one_line_end() -> None:
    telnet = Telnet()
    assert telnet.receive(b"look\r") == lines(b"look")
    assert telnet.receive(b"\nsay hi\r\n") == lines(b"say hi")


def test_a_lone_cr_at_the_end_of_a_packet_gives_its_line_at_once() -> None:
    telnet = Telnet()
    assert telnet.receive(b"look\r") == lines(b"look")
    assert telnet.receive(b"who\r") == lines(b"who")


def test_a_cr_and_the_nul_of_the_next_packet_are_one_line_end() -> None:
    telnet = Telnet()
    assert telnet.receive(b"look\r") == lines(b"look")
    assert telnet.receive(b"\0\r") == lines(b"")


def test_a_lone_cr_before_text_ends_a_line() -> None:
    assert Telnet().receive(b"a\rb\r") == lines(b"a", b"b")


def test_empty_lines_between_full_line_ends_are_given() -> None:
    assert Telnet().receive(b"\r\n\r\n\n\n") == lines(b"", b"", b"", b"")


def test_cr_lf_after_a_bare_lf_loses_no_typed_line() -> None:
    assert Telnet().receive(b"a\n\r\nb\r\n") == lines(b"a", b"", b"b")
    assert Telnet().receive(b"a\n\r\0b\n\rc\n") == lines(b"a", b"b", b"c")


def test_a_cr_that_is_the_second_half_of_lf_cr_swallows_nothing_itself() -> None:
    assert receive_all(Telnet(), [b"a\n", b"\r", b"\n", b"b\n"])[0] == lines(b"a", b"", b"b")


def test_a_command_between_cr_and_lf_does_not_make_two_line_ends_of_them() -> None:
    assert Telnet().receive(b"a\r\xff\xf1\nb\n") == [Line(b"a"), Command(241), Line(b"b")]


def test_a_nul_in_text_is_dropped() -> None:
    assert Telnet().receive(b"l\0oo\0k\r\n") == lines(b"look")


def test_text_without_a_line_end_waits() -> None:
    telnet = Telnet()
    assert telnet.receive(b"say caf\xc3") == []
    assert telnet.receive(b"\xa9\r\n") == lines("say café".encode())


def test_a_doubled_ff_is_one_byte_of_text() -> None:
    telnet = Telnet()
    assert telnet.receive(b"say \xff\xff\r\nlook\r\n") == lines(b"say \xff", b"look")
    assert telnet.output() == b""


def test_a_doubled_ff_that_is_cut_in_half_is_one_byte_of_text() -> None:
    assert receive_all(Telnet(), [b"say \xff", b"\xff!\r\n"])[0] == lines(b"say \xff!")


def test_a_line_of_the_longest_length_is_given() -> None:
    assert Telnet(max_line=5).receive(b"12345\r\n") == lines(b"12345")


def test_nuls_and_doubling_do_not_count_towards_the_length() -> None:
    assert Telnet(max_line=3).receive(b"a\0\0\0\xff\xffb\r\n") == lines(b"a\xffb")


def test_a_line_that_is_too_long_is_told_once_and_the_next_is_normal() -> None:
    telnet = Telnet(max_line=5)
    assert telnet.receive(b"12345") == []
    assert telnet.receive(b"6") == [LineTooLong()]
    assert telnet.receive(b"789" * 100) == []
    assert telnet.receive(b"x\r\nlook\r\n") == lines(b"look")


def test_a_line_too_long_in_one_packet_is_told_once() -> None:
    assert Telnet(max_line=5).receive(b"123456\nlook\n") == [LineTooLong(), Line(b"look")]


def test_an_endless_line_takes_no_memory() -> None:
    telnet = Telnet(max_line=100)
    tokens, _ = receive_all(telnet, [b"x" * 1000] * 1000)
    assert tokens == [LineTooLong()]


def test_two_thousand_lines_in_one_write_come_in_order() -> None:
    typed = [b"say %d" % n for n in range(2000)]
    assert Telnet().receive(b"".join(line + b"\r\n" for line in typed)) == lines(*typed)


def test_large_pieces_are_not_taken_byte_by_byte() -> None:
    data = b"say hello there, how are you all\r\n" * 120_000
    began = time.process_time()
    assert len(Telnet().receive(data)) == 120_000
    assert time.process_time() - began < 1  # some 0.05 s; 4 s at a step per byte


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_no_typed_byte_is_lost_whatever_the_line_ends(text: bytes) -> None:
    tokens = Telnet().receive(escape(text) + b"\n")
    given_back = b"".join(token.raw for token in tokens if isinstance(token, Line))
    assert given_back == text.translate(None, b"\r\n\0")


@settings(deadline=None)
@given(st.lists(st.binary(min_size=1, max_size=20), max_size=10))
def test_what_is_escaped_comes_out_as_it_was(typed: list[bytes]) -> None:
    typed = [line.translate(None, b"\r\n\0") for line in typed]
    wire = b"".join(escape(line) + b"\r\n" for line in typed)
    assert Telnet().receive(wire) == lines(*typed)
