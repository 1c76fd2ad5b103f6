from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.domain.numbers import parse_whole
from mushcombat.errors import MushError
from mushcombat.systems.otherspace.fields import parse_level, parse_roll
from mushcombat.systems.otherspace.tables import Tables


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("6", 6),
        ("+6", 6),
        ("-3", -3),
        ("Great", 6),
        ("great", 6),
        (" SUPERB ", 7),
        ("Legendary+2", 10),
        ("terrible-3", -2),
        ("99", 99),
        ("-99", -99),
        ("Legendary+91", 99),
    ],
)
def test_os_4_a_result_is_a_number_or_a_word(tables: Tables, text: str, level: int) -> None:
    assert parse_roll(text, "attack roll", tables) == level


def test_os_4_words_and_numbers_mean_the_same(tables: Tables) -> None:
    words = [parse_roll(text, "roll", tables) for text in ["Great", "Fair"]]
    assert words == [parse_roll(text, "roll", tables) for text in ["6", "4"]] == [6, 4]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "+",
        "--1",
        "1e9",
        "1_0",
        "100",
        "-100",
        "Legendary+92",
        "Terrible-101",
        "Good+1",
        "٣",
        "１",
        "9" * 5000,
        "Legendary+" + "9" * 5000,
    ],
)
def test_os_4_anything_else_is_refused(tables: Tables, text: str) -> None:
    with pytest.raises(MushError, match="neither a whole number from -99 to 99 nor a word"):
        parse_roll(text, "attack roll", tables)


def test_os_4_the_refusal_names_the_field_and_what_it_takes(tables: Tables) -> None:
    with pytest.raises(MushError) as caught:
        parse_roll("x", "attack roll", tables)
    assert str(caught.value) == (
        'attack roll: "x" is neither a whole number from -99 to 99 '
        "nor a word from Terrible to Legendary."
    )


def test_os_4_a_long_value_is_clipped_in_the_refusal(tables: Tables) -> None:
    with pytest.raises(MushError) as caught:
        parse_roll("x" * 5000, "attack roll", tables)
    assert caught.value.text.startswith(f'attack roll: "{"x" * 39}…" is neither')


@given(level=st.integers(-99, 99))
def test_os_4_a_word_as_printed_is_read_back(tables: Tables, level: int) -> None:
    assert parse_roll(tables.ladder.word(level), "roll", tables) == level
    assert parse_roll(str(level), "roll", tables) == level


@given(text=st.text() | st.from_regex(r"(?i)(legendary|terrible|fair)[+-]?[0-9]*", fullmatch=True))
def test_os_4_any_text_gives_a_level_in_range_or_a_refusal(tables: Tables, text: str) -> None:
    try:
        assert -99 <= parse_roll(text, "roll", tables) <= 99
    except MushError as refusal:
        assert refusal.text.startswith("roll: ")  # noqa: PT017 -- either is right


def test_a_level_may_be_asked_for_in_another_range(tables: Tables) -> None:
    span = tables.fields.strength
    assert parse_level("good", "Strength", span, tables) == 5
    with pytest.raises(MushError, match=r"Strength: .* from 0 to 20 nor a word"):
        parse_level("Terrible-2", "Strength", span, tables)


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("roll", -99, 99),
        ("odf", 0, 999),
        ("ddf", 0, 999),
        ("strength", 0, 20),
        ("psi", 0, 20),
        ("intelligence", 0, 20),
        ("constitution", 0, 20),
        ("damage", 0, 9999),
    ],
)
def test_os_38_os_39_each_field_has_its_range(
    tables: Tables, name: str, low: int, high: int
) -> None:
    span = getattr(tables.fields, name)
    assert (span.low, span.high) == (low, high)
    assert parse_whole(str(high), name, span.low, span.high) == high
