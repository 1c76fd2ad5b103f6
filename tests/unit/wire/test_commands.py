from __future__ import annotations

import pytest

from mushcombat.wire import codes
from mushcombat.wire.telnet import (
    Command,
    Line,
    OptionChanged,
    Subnegotiation,
    Telnet,
    subnegotiation,
)
from tests.unit.wire.streams import lines, one_by_one, receive_all


def with_options(*options: int, max_subnegotiation: int = 16384) -> Telnet:
    """A codec whose peer performs these options already."""
    telnet = Telnet(remote=options, max_subnegotiation=max_subnegotiation)
    for option in options:
        telnet.receive(bytes((codes.IAC, codes.WILL, option)))
    telnet.output()
    return telnet


@pytest.mark.parametrize("code", sorted(codes.SIMPLE_COMMANDS))
def test_a_command_of_one_byte_is_told_and_leaves_the_line_alone(code: int) -> None:
    data = b"lo\xff" + bytes((code,)) + b"ok\r\n"
    for packets in ([data], one_by_one(data)):
        telnet = Telnet()
        assert receive_all(telnet, packets) == ([Command(code), Line(b"look")], b"")


def test_odd_commands_and_stray_bytes_after_iac_do_not_stop_the_next_line() -> None:
    telnet = Telnet()
    tokens = telnet.receive(b"\xff\xec\xff\xee\xff\xf0\xff\x01\xff\x41look\r\n")
    assert tokens == [Command(codes.EOF), Command(codes.ABORT), Line(b"look")]
    assert telnet.output() == b""


@pytest.mark.parametrize("code", range(codes.EOF))
def test_iac_and_a_byte_that_is_no_command_are_both_dropped(code: int) -> None:
    data = b"a\xff" + bytes((code,)) + b"b\n"
    assert Telnet().receive(data) == lines(b"ab")


def test_a_subnegotiation_sent_byte_by_byte_never_becomes_a_line() -> None:
    data = b"\xff\xfa\x18\x00Mudlet\xff\xf0look\r\n"
    tokens, _ = receive_all(with_options(codes.TTYPE), one_by_one(data))
    assert tokens == [Subnegotiation(codes.TTYPE, b"\0Mudlet"), Line(b"look")]
    assert receive_all(Telnet(), one_by_one(data))[0] == lines(b"look")


def test_a_subnegotiation_of_an_option_that_we_perform_is_given() -> None:
    telnet = Telnet(local=[codes.GMCP])
    tokens = telnet.receive(b"\xff\xfd\xc9\xff\xfa\xc9Core.Hello {}\xff\xf0")
    changed = OptionChanged(codes.GMCP, local=True, on=True)
    assert tokens == [changed, Subnegotiation(codes.GMCP, b"Core.Hello {}")]


def test_a_subnegotiation_of_an_option_that_is_off_is_discarded() -> None:
    telnet = Telnet(remote=[codes.TTYPE])
    assert telnet.receive(b"\xff\xfa\x18\x00Mudlet\xff\xf0look\n") == lines(b"look")
    telnet.receive(b"\xff\xfb\x18\xff\xfc\x18")
    assert telnet.receive(b"\xff\xfa\x18\x00Mudlet\xff\xf0look\n") == lines(b"look")


def test_a_doubled_ff_in_a_subnegotiation_is_one_byte() -> None:
    telnet = with_options(codes.NAWS)
    naws = telnet.receive(b"\xff\xfa\x1f\x00\xff\xff\x00\x18\xff\xf0")
    assert naws == [Subnegotiation(codes.NAWS, b"\x00\xff\x00\x18")]


def test_an_ff_that_a_client_forgot_to_double_in_a_window_size_is_kept() -> None:
    telnet = with_options(codes.NAWS)
    tokens = telnet.receive(b"\xff\xfa\x1f\x00\xff\x00\x32\xff\xf0look\r\n")
    assert tokens == [Subnegotiation(codes.NAWS, b"\x00\xff\x00\x32"), Line(b"look")]


@pytest.mark.parametrize("data", [b"\xff\xfa\xff\xf0", b"\xff\xf0", b"\xff\xfa\xff\xff\xff\xf0"])
def test_an_empty_or_odd_subnegotiation_does_no_harm(data: bytes) -> None:
    telnet = with_options(codes.TTYPE)
    assert telnet.receive(data + b"look\r\n") == lines(b"look")
    assert telnet.output() == b""


def test_a_subnegotiation_of_option_255_does_no_harm() -> None:
    for start in (b"\xff\xfa\xff\xff", b"\xff\xfa\xff\x01"):
        assert Telnet().receive(start + b"abc\xff\xf0look\n") == lines(b"look")


def test_a_subnegotiation_without_payload_is_given() -> None:
    telnet = with_options(codes.TTYPE)
    assert telnet.receive(b"\xff\xfa\x18\xff\xf0") == [Subnegotiation(codes.TTYPE, b"")]


def test_a_negotiation_in_a_subnegotiation_ends_it_and_is_obeyed() -> None:
    telnet = with_options(codes.TTYPE, codes.NAWS)
    tokens = telnet.receive(b"\xff\xfa\x18\x00tf\xff\xfc\x1flook\r\n")
    changed = OptionChanged(codes.NAWS, local=False, on=False)
    assert tokens == [Subnegotiation(codes.TTYPE, b"\0tf"), changed, Line(b"look")]
    assert telnet.output() == b"\xff\xfe\x1f"


def test_a_subnegotiation_without_its_end_is_ended_by_the_next() -> None:
    telnet = with_options(codes.TTYPE, codes.NAWS)
    tokens = telnet.receive(b"\xff\xfa\x18\x00tf\xff\xfa\x1f\0\x50\0\x18\xff\xf0look\r\n")
    sizes = Subnegotiation(codes.NAWS, b"\0\x50\0\x18")
    assert tokens == [Subnegotiation(codes.TTYPE, b"\0tf"), sizes, Line(b"look")]


def test_a_subnegotiation_of_the_largest_size_is_given() -> None:
    telnet = with_options(codes.GMCP, max_subnegotiation=10)
    assert telnet.receive(subnegotiation(codes.GMCP, b"\xff" * 10)) == [
        Subnegotiation(codes.GMCP, b"\xff" * 10)
    ]


def test_a_subnegotiation_too_large_is_discarded_and_the_link_goes_on() -> None:
    data = subnegotiation(codes.GMCP, b"x" * 10 + b"\xff") + b"look\r\n"
    for packets in ([data], one_by_one(data)):
        telnet = with_options(codes.GMCP, max_subnegotiation=10)
        assert receive_all(telnet, packets)[0] == lines(b"look")
        assert telnet.receive(subnegotiation(codes.GMCP, b"x")) != []


def test_five_thousand_bytes_in_a_subnegotiation_are_not_too_many_by_default() -> None:
    payload = b"A " + b"[" * 5000 + b"\0\xff"
    telnet = with_options(codes.GMCP)
    assert telnet.receive(subnegotiation(codes.GMCP, payload)) == [
        Subnegotiation(codes.GMCP, payload)
    ]


def test_a_line_goes_on_after_a_subnegotiation_in_its_middle() -> None:
    telnet = with_options(codes.NAWS)
    tokens = telnet.receive(b"lo" + subnegotiation(codes.NAWS, b"\0\x50\0\x18") + b"ok\r\n")
    assert tokens[-1] == Line(b"look")
