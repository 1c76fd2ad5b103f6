from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.domain.names import check_name
from mushcombat.domain.openings import begins_like_ours
from mushcombat.errors import MushError


@pytest.mark.parametrize(
    "line",
    [
        'Scene 12 "Dock" is open. Dice commitment: 00.',
        "There is no scene 7.",
        "Health 60/100 (harm 40, stun 0)",
        "Connected as Ada.",
        "Round 2, Ada's turn.",
        "3 players are connected.",
        'Huh?  (Type "help" for help.)',
        "Usage: +roll",
        "The server is going down now.",
        "Nobody is connected.",
        'You say, "x"',
        "You paged Bram with 'x'",
        "Your health is 0.",
        "From afar, Ada waves.",
        "To (Ada, Bram) Cass pages: x",
        'Out of character, Ada says, "x"',
        "Bram has connected.",
        "Bram has disconnected.",
        "Ada pages: x",
        'Bram says, "I yield"',
        "Ann-Marie O'Neill 2 whispers, \u201cx\u201d",
        'Bram mutters to Cass, "x"',
        "Bram joins scene 7.",
        "Bram arrives.",
        "Bram leaves by north.",
        "Bram (NPC, template thug) is in the scene.",
        "(Bram is asked.) x",
        "[Roll] x",
        "   There   is no scene 7.",
        "\u2800There\u00a0is no scene 7.",
        "T\u200dhere is no scene 7.",
        "\uff33cene 7",
        "\u0405cene 7",
        'B\u0433am says, "x"',
    ],
)
def test_a_line_that_begins_like_one_of_the_servers_without_a_tag_is_noticed(line: str) -> None:
    assert begins_like_ours(line)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "The lights go out.",
        "Bram's ship docks.",
        "A bell rings.",
        "A ship arrives.",
        "The crowd leaves.",
        "Nobody moves.",
        "Nothing happens.",
        "There goes the neighbourhood.",
        "Round the corner comes a cab.",
        "From the dark, a shot.",
        "Rain.",
        "She says nothing.",
        "Two guards arrive.",
        "Result or not, it rains.",
    ],
)
def test_what_an_emit_usually_says_stays_as_it_is(line: str) -> None:
    assert not begins_like_ours(line)


WORDS = ["There", "is", "no", "Scene", "7", "Health", "You", "say", "The", "server", "Bram"]


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=3), st.integers(1, 3))
def test_no_name_and_the_words_behind_it_make_a_line_without_a_tag(
    words: list[str], length: int
) -> None:
    name = " ".join(words[:length])
    try:
        check_name(name)
    except MushError:
        return
    assert not begins_like_ours(" ".join([name, *words[length:], "connected."]))
