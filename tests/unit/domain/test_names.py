from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.domain.names import check_name, match, name_key
from mushcombat.errors import MushError

HINT = "Names have 2 to 24 letters, digits, spaces, apostrophes or hyphens, a letter first."


@pytest.mark.parametrize(
    "name",
    [
        "\u200b",
        "\u200b\u200b",
        "Bob\u200e",
        "Воb",  # two Cyrillic letters
        "Вob",
        "#1",
        "+x",
        "@x",
        "",
        "B",
        "a" * 200,
        "a" * 25,
        " Bob",
        "Bob ",
        "Bob  Roy",
        "Bob\tRoy",
        "Bob\n",
        "'Pring",
        "-x",
        "1st",
        "Zoë",
        "Bob=Roy",
        "Bob/Roy",
        "Bob<x>",
        "[Bob]",
        "Bob;Roy",
        "B%r",
        "Ｂｏｂ",
    ],
)
def test_a_name_with_something_odd_in_it_is_refused_with_a_reason(name: str) -> None:
    with pytest.raises(MushError) as caught:
        check_name(name)
    assert caught.value.code == "name"
    assert caught.value.hint == HINT
    assert caught.value.text.startswith("That name has ")


def test_a_name_of_a_wrong_length_is_refused_with_its_length() -> None:
    with pytest.raises(MushError, match=r"^That name has 200 characters\. Names have 2 to 24"):
        check_name("a" * 200)
    with pytest.raises(MushError, match=r"^That name has 1 character\."):
        check_name("x")
    with pytest.raises(MushError, match=r"^That name has 0 characters\."):
        check_name("")


@pytest.mark.parametrize(
    "name", ["here", "HERE", "me", "Server", "game", "OOC", "guest", "Guest 7", "guest12", "Wizard"]
)
def test_a_word_that_the_game_uses_itself_is_refused_in_any_case(name: str) -> None:
    with pytest.raises(MushError) as caught:
        check_name(name)
    assert str(caught.value) == f'"{name}" is a word that the game uses itself. Pick another.'


@pytest.mark.parametrize("name", ["here", "Guest 7", "Admin"])
def test_the_command_line_may_make_what_nobody_may_pick(name: str) -> None:
    assert check_name(name, reserved=False) == name


def test_the_command_line_may_not_make_an_odd_name_either() -> None:
    with pytest.raises(MushError, match="something in it that names can't have"):
        check_name("Bob\u200e", reserved=False)


@pytest.mark.parametrize(
    "name", ["T'Pring", "Bob", "Al", "Jean-Luc", "R2 D2", "Anna Maria", "a" * 24, "Guestling"]
)
def test_a_good_name_is_taken_whole(name: str) -> None:
    assert check_name(name) == name


@given(st.text(max_size=30))
def test_no_name_is_ever_shortened_or_changed(name: str) -> None:
    try:
        assert check_name(name) is name
    except MushError:
        return
    assert re.fullmatch("[A-Za-z][A-Za-z0-9' -]{1,23}", name)


def test_two_names_that_differ_in_case_alone_are_the_same() -> None:
    assert name_key("BOB") == name_key("Bob") == name_key("bob")
    assert name_key("Bob") != name_key("Rob")


PEOPLE = [("Bob", 1), ("Bobby", 2), ("Ada", 3), ("Adam", 4)]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("bob", [1]),
        ("BOBB", [2]),
        ("bo", [1, 2]),
        (" ada ", [3]),
        ("adam", [4]),
        ("a", [3, 4]),
        ("x", []),
        ("", []),
        ("   ", []),
        ("dam", []),
    ],
)
def test_a_typed_name_finds_its_own_or_those_it_begins(typed: str, found: list[int]) -> None:
    assert match(typed, PEOPLE) == found
