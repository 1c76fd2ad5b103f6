from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import iter_graphemes, strip_sequences
from wcwidth import width as cells

from mushcombat.domain.screen import TRUE_COLOURS, Kind
from mushcombat.views.paint import Style
from mushcombat.views.screen import present, reply, wrapped

PROBE = "Ada 👩‍🚀 コンニチハ e\u0301 שלום "
SGR = re.compile("\x1b\\[[0-9;]*m")


def lines(data: bytes, encoding: str = "utf-8") -> list[str]:
    return data.decode(encoding).removesuffix("\r\n").split("\r\n")


def closed(line: str) -> bool:
    """Tell whether no colour is left on at the end of a line."""
    codes = SGR.findall(line)
    return not codes or codes[-1] == "\x1b[0m"


def clusters(text: str) -> list[str]:
    return [one for one in iter_graphemes(text) if one.strip()]


@pytest.mark.parametrize("colours", [0, 16, 256, TRUE_COLOURS])
def test_probe_17_lines_wrap_at_the_width_between_clusters_and_close_their_colour(
    colours: int,
) -> None:
    text = PROBE * 5
    pieces = ((text, Style.NAME), (PROBE * 4, None), ("x" * 90, Style.HARM))
    shown = lines(present(pieces, Kind(colours=colours, width=39)))
    assert len(shown) > 4
    assert all(cells(line) <= 39 for line in shown)
    assert all(closed(line) for line in shown)
    assert any(SGR.search(line) for line in shown) == bool(colours)
    whole = strip_sequences(" ".join(shown))
    assert clusters(whole.replace(" ", "")) == clusters((PROBE * 9 + "x" * 90).replace(" ", ""))


@given(
    st.text(st.characters(exclude_categories=["Cc", "Cs", "Cf"]), max_size=200),
    st.integers(19, 80),
)
def test_no_line_is_wider_than_the_screen_and_nothing_but_blanks_is_lost(
    text: str, columns: int
) -> None:
    shown = wrapped(text, columns)
    assert all(cells(line) <= columns for line in shown.split("\n"))
    assert "".join(shown.split()) == "".join(text.split())


def test_a_screen_of_no_width_wraps_nothing() -> None:
    assert lines(present((("word " * 500, None),), Kind())) == ["word " * 500]


def test_what_goes_on_is_indented_so_that_no_players_words_stand_where_the_servers_begin() -> None:
    for filler in range(10, 45):
        text = f'Ada says, "{"x" * filler} [Result] Bram takes 99. {"y " * 30}"'
        first, *rest = wrapped(text, 39).split("\n")
        assert first.startswith("Ada says")
        assert rest
        assert all(line.startswith("  ") for line in rest)


def test_an_indented_line_goes_on_under_itself() -> None:
    assert wrapped("  " + "word " * 8, 20).split("\n") == [
        "  word word word",
        "    word word word",
        "    word word",
    ]


def test_empty_lines_and_short_ones_stay() -> None:
    assert wrapped("a\n\n" + "b" * 30, 20) == "a\n\n" + "b" * 20 + "\n  " + "b" * 10


def test_latin_and_ascii_screens_get_what_they_can_show_and_wrap_what_they_get() -> None:
    text = "“Zoë” pays 5 € " * 4
    shown = lines(present(((text, None),), Kind("latin-1", width=39)), "latin-1")
    assert shown[0].startswith('"Zoë" pays 5 EUR')
    assert all(len(line) <= 39 for line in shown)
    assert lines(present(((text, None),), Kind("ascii")), "ascii")[0][:16] == '"Zoe" pays 5 EUR'


def test_an_escape_in_an_old_log_paints_nothing() -> None:
    shown = present((("Ada \x1b[31mwaves\x1b[0m.", Style.NAME),), Kind(colours=16))
    assert shown == b"\x1b[1mAda [31mwaves[0m.\x1b[0m\r\n"


def test_the_tag_of_a_reply_and_a_refusal_have_a_colour_where_there_are_any() -> None:
    assert reply("[Odds] Ada", Kind(colours=16)) == b"\x1b[36m[Odds] \x1b[0mAda\r\n"
    assert reply("No.", Kind(colours=16), Style.ERROR) == b"\x1b[33mNo.\x1b[0m\r\n"
    assert reply("[Odds] Ada", Kind()) == b"[Odds] Ada\r\n"
    assert reply("No.", Kind(), Style.ERROR) == b"No.\r\n"


def test_a_reply_is_read_aloud_without_columns_rules_or_tags() -> None:
    drawn = "[Odds] Ada: 6 - 1 = 5\n----------\n  - 1 medium   OS-12\n\nEnd."
    assert (
        reply(drawn, Kind(reader=True))
        == b"Odds: Ada: 6 minus 1 is 5\r\n- 1 medium, OS-12\r\nEnd.\r\n"
    )
