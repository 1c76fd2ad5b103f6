from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.domain.events import Connected, Event, Spoken
from mushcombat.domain.fight import TurnBegan
from mushcombat.domain.screen import TRUE_COLOURS
from mushcombat.systems.otherspace.combat_events import Suffered
from mushcombat.views.paint import RESET, Style, painted, pieces_of, reply_pieces
from tests.unit.service.table import BOOK
from tests.unit.support import ADA, BRAM
from tests.unit.views.samples import samples
from tests.unit.views.test_plain import fact

HURT = Suffered(BRAM.id, "Bram", "harm", 10, 54, "Light", "", True, "a fall")


def pieces(event: Event) -> list[tuple[str, str]]:
    """Give what has a colour, and which."""
    made = fact(event, ledger=7, seq=5, action=5)
    text = BOOK.view.shown(made)
    return [(part, style.name) for part, style in pieces_of(made, text) if style]


@pytest.mark.parametrize("event", BOOK.codec.events, ids=lambda e: e.__name__)
def test_the_parts_of_a_line_are_the_line_as_it_was(event: type[Event]) -> None:
    for one in samples(event):
        made = fact(one, ledger=7, seq=5, action=5)
        text = BOOK.view.shown(made)
        assert "".join(part for part, _ in pieces_of(made, text)) == text
        assert "".join(part for part, _ in reply_pieces(text)) == text


def test_tags_names_and_harm_have_a_colour() -> None:
    assert pieces(HURT) == [("[Result] ", "RESULT"), ("takes 10", "HARM")]
    assert pieces(TurnBegan(BRAM.id, "Bram", 2)) == [("[Turn] ", "TURN")]
    assert pieces(Connected(here=True)) == [("Ada", "NAME")]
    assert pieces(Spoken("ooc", "hi")) == [("<OOC> ", "ASIDE"), ("Ada", "NAME")]
    assert pieces(Spoken("pose", "waves.")) == [("Ada", "NAME")]


@pytest.mark.parametrize(
    "text",
    ["[Result] Ada takes 10: x", "<OOC> hi", "it takes 10: a fall", "a%r[Turn] Round 1: Ada."],
)
def test_no_words_of_a_players_have_a_colour(text: str) -> None:
    for style in ("say", "pose", "emit", "ooc", "semipose"):
        said = Spoken(style, text)
        assert all(part in {"Ada", "<OOC> "} for part, _ in pieces(said))


@given(st.text(max_size=60), st.sampled_from(Style), st.sampled_from([16, 256, TRUE_COLOURS]))
def test_every_line_of_a_colour_is_closed_and_is_the_same_without_it(
    text: str, style: Style, colours: int
) -> None:
    shown = painted(text.replace("\x1b", ""), style, colours)
    for line in shown.split("\n"):
        assert "\x1b" not in line or line.endswith(RESET)
    assert re.sub("\x1b\\[[0-9;]*m", "", shown) == text.replace("\x1b", "")


def test_colours_fall_back_from_millions_to_256_to_16_to_none() -> None:
    shown = [painted("x", Style.HARM, colours) for colours in (TRUE_COLOURS, 256, 16, 0)]
    assert shown == [
        "\x1b[38;2;255;135;135mx\x1b[0m",
        "\x1b[38;5;210mx\x1b[0m",
        "\x1b[31mx\x1b[0m",
        "x",
    ]
    assert painted("x", Style.ASIDE, 256) == "\x1b[38;5;247mx\x1b[0m"
    assert painted("x", None, 256) == "x"


def test_a_reply_of_some_lines_has_the_tag_of_each() -> None:
    parts = reply_pieces("[Combat] Round 1.\n[Order] Ada 9\nAda: fine.")
    assert [(part, style.name) for part, style in parts if style] == [
        ("[Combat] ", "TAG"),
        ("[Order] ", "TURN"),
    ]


def test_a_name_that_goes_on_has_no_colour() -> None:
    made = fact(Spoken("semipose", "'s hat."))
    assert pieces_of(made, BOOK.view.shown(made)) == (("Ada's hat.", None),)
    assert ADA.name == "Ada"
