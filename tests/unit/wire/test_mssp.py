from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mushcombat.wire.mssp import payload, plain

STATUS = [("NAME", "Ünder\x01\x02the\nsea"), ("GENRE", "Fantasy"), ("GENRE", "Horror")]


def test_values_of_one_name_follow_each_other() -> None:
    wanted = "\x01NAME\x02Ünder the sea\x01GENRE\x02Fantasy\x02Horror".encode()
    assert payload(STATUS) == wanted


def test_lines_have_a_tab_and_an_end() -> None:
    assert plain(STATUS).split("\n") == [
        "MSSP-REPLY-START",
        "NAME\tÜnder the sea",
        "GENRE\tFantasy",
        "GENRE\tHorror",
        "MSSP-REPLY-END",
    ]


@given(st.text())
def test_no_name_or_value_can_end_itself_or_begin_another(text: str) -> None:
    said = payload([(text, text)])[1:].replace(b"\x02", b"", 1)
    assert not set(said) & {0, 1, 2, 9, 10, 13, 255}
