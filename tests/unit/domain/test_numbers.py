from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.domain.numbers import counted, parse_whole, whole
from mushcombat.errors import MushError


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("50", 50), ("+5", 5), ("-4", -4), (" 7 ", 7), ("007", 7), ("-0", 0)],
)
def test_a_whole_number_with_at_most_one_sign_is_read(text: str, number: int) -> None:
    assert parse_whole(text, "ODF", -99, 999) == number


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "+",
        "-",
        "--1",
        "+-1",
        "1-",
        "1_0",
        "1e9",
        "1.0",
        "nan",
        "inf",
        "0x10",
        "4 0",
        "٣",
        "１",
        "²",
        "1\n",
        "\t1",
        "\u30001",
        "fifty",
        "9" * 5000,
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(MushError, match="is not a whole number from 0 to 999"):
        parse_whole(text, "ODF", 0, 999)


def test_the_refusal_names_the_field_what_was_typed_and_what_it_takes() -> None:
    with pytest.raises(MushError) as caught:
        parse_whole("fifty", "ODF", 0, 999)
    assert str(caught.value) == 'ODF: "fifty" is not a whole number from 0 to 999.'
    assert caught.value.code == "field"


@pytest.mark.parametrize("text", ["-1", "1000", "999999999", "9999999999"])
def test_a_number_out_of_range_is_refused(text: str) -> None:
    with pytest.raises(MushError, match="from 0 to 999"):
        parse_whole(text, "ODF", 0, 999)


def test_the_ends_of_the_range_belong_to_it() -> None:
    assert [parse_whole(text, "modifier", -4, 4) for text in ("-4", "4")] == [-4, 4]


def test_a_long_value_is_clipped_in_the_refusal() -> None:
    with pytest.raises(MushError) as caught:
        parse_whole("9" * 5000, "damage", 0, 9999)
    assert caught.value.text == (f'damage: "{"9" * 39}…" is not a whole number from 0 to 9999.')


@given(st.text())
def test_any_text_gives_a_number_in_range_or_a_refusal(text: str) -> None:
    try:
        assert -4 <= parse_whole(text, "modifier", -4, 4) <= 4
    except MushError as refusal:
        assert refusal.text.startswith("modifier: ")  # noqa: PT017 -- either is right


@given(st.integers(-999_999_999, 999_999_999))
def test_a_number_as_printed_is_read_back(number: int) -> None:
    assert whole(str(number)) == whole(f"{number:+}") == number


def test_one_is_counted_without_an_s() -> None:
    assert [counted(number, "level") for number in (0, 1, 2)] == ["0 levels", "1 level", "2 levels"]
