from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.views.aloud import aloud, guarded, in_words, sounds_like_ours


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("[Order] Ada 9, Thug 7", "Order: Ada 9, Thug 7"),
        ("[Roll]   Ada: 6   x", "Roll: Ada: 6, x"),
        (
            "#12 20:00:00 [Roll] Ada: 6 - 1 = 5. #12",
            "#12 20:00:00 Roll: Ada: 6 minus 1 is 5. number 12",
        ),
        ("20:00 [Turn] Round 1: Ada.", "20:00 Turn: Round 1: Ada."),
        ("(Ada is asked.) [Defend] #5: 4 - 2", "(Ada is asked.) Defend: number 5: 4 minus 2"),
        ("Ada: health 64/100, stun 5.", "Ada: health 64 of 100, stun 5."),
        ("Name      Level", "Name, Level"),
        ("==========", ""),
        ("---- ----", ""),
        ("  Turn: Bram, round 9.", "Also, Turn: Bram, round 9."),
        ("  and more", "and more"),
        ('Ada says, "6 - 1"', 'Ada says, "6 - 1"'),
    ],
)
def test_lines_that_are_drawn_are_spoken(written: str, spoken: str) -> None:
    assert aloud(written) == spoken


def test_signs_have_words() -> None:
    assert in_words("ODF 50 + 5 x (6 - 4) - DDF 20 = 40") == (
        "ODF 50 plus 5 times (6 minus 4) minus DDF 20 is 40"
    )
    assert in_words("= -11, at -2, 64/100, Ada > Bram") == (
        "= minus 11, at minus 2, 64 of 100, Ada against Bram"
    )


@pytest.mark.parametrize(
    "line",
    [
        "Result: x",
        "result : x",
        "  Result: x",
        "\u3164 Result: x",
        "Re\u0334sult: x",
        "Ｒｅｓｕｌｔ： x",
        "* Result: x",
        "Résult: x",
    ],
)
def test_what_sounds_like_the_server_has_its_author_before_it(line: str) -> None:
    assert sounds_like_ours(line)
    assert guarded(line, "Ada") == f"<Ada> {line}"


@pytest.mark.parametrize(
    "line", ["It rains: again", "Rain", "", ":", "Zoë waves: hi", "x" * 99 + ":"]
)
def test_other_lines_stay_as_they_are(line: str) -> None:
    assert guarded(line, "Ada") == line


@given(st.text(max_size=100))
def test_what_is_spoken_has_no_tag_rule_or_column_and_no_line_of_blanks(text: str) -> None:
    spoken = aloud(text)
    assert not any(line.startswith(" ") or not line for line in spoken.split("\n")) or spoken == ""
