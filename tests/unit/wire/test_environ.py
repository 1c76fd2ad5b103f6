from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mushcombat.wire.environ import take, variables
from mushcombat.wire.terminal import Colours, Terminal


def known(payload: bytes) -> Terminal:
    terminal = Terminal()
    take(payload, terminal)
    return terminal


def test_variables_of_both_kinds_are_read_with_their_values() -> None:
    payload = b"\0\0CLIENT_NAME\x01TinTin++\x03screen_reader\x011\0EMPTY\x01\0NONE"
    assert list(variables(payload)) == [
        ("CLIENT_NAME", "TinTin++"),
        ("SCREEN_READER", "1"),
        ("EMPTY", ""),
    ]


def test_bytes_behind_an_esc_are_part_of_a_value() -> None:
    assert list(variables(b"\0\0A\x01x\x02\x01y\x02\0z")) == [("A", "xyz")]


def test_a_value_without_a_name_and_a_second_value_are_left_out() -> None:
    assert list(variables(b"\0\x01lost\0A\x01one\x01two")) == [("A", "one")]


def test_only_is_and_info_tell_anything() -> None:
    assert known(b"\x01\0CLIENT_NAME\x01x") == known(b"") == known(b"\0") == Terminal()
    assert known(b"\x02\0CLIENT_NAME\x01x").client == "x"


def test_what_mud_clients_tell_is_noted() -> None:
    told = known(
        b"\0\0CLIENT_NAME\x01Mudlet\0CHARSET\x01utf-8\0MTTS\x01365"
        b"\x03OSC_HYPERLINKS_SEND\x011\x03WORD_WRAP\x01100"
    )
    assert told == Terminal(
        client="Mudlet", utf8=True, colours=Colours.TRUE, screen_reader=True, links=True
    )


def test_what_is_empty_or_no_number_changes_nothing() -> None:
    told = known(b"\0\0CLIENT_NAME\x01\0CHARSET\x01KOI8-R\0MTTS\x01many\0PATH\x01/bin")
    assert told == Terminal()


def test_what_was_told_can_be_taken_back() -> None:
    terminal = Terminal(screen_reader=True, links=True)
    take(b"\x02\x03SCREEN_READER\x01\x03OSC_HYPERLINKS_SEND\x010", terminal)
    assert terminal == Terminal()


@given(st.binary(max_size=200))
def test_no_bytes_at_all_make_trouble(payload: bytes) -> None:
    for prefix in (b"", b"\0", b"\x02"):
        terminal = known(prefix + payload)
        assert len(terminal.client) <= 40
