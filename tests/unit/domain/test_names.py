from __future__ import annotations

import ast
import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mushcombat
from mushcombat.domain.names import check_name, match, name_key
from mushcombat.domain.openings import TAGS
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


@pytest.mark.parametrize(
    "name",
    [
        "There",
        "there is",
        "Health",
        "Huh",
        "From",
        "Round",
        "Round 2",
        "Scene 12",
        "Connected",
        "Nobody",
        "Welcome",
        "Usage",
        "Result",
        "Turn",
        "You say",
        "Out",
        "The",
        "The server",
        "Long",
        "Bram has",
        "Ada pages",
        "To",
    ],
)
def test_a_name_that_poses_could_make_a_line_of_the_servers_of_is_refused(name: str) -> None:
    with pytest.raises(MushError, match="is a word that the game uses itself"):
        check_name(name)


@pytest.mark.parametrize("tag", sorted(TAGS))
def test_a_tag_of_the_servers_lines_is_no_name(tag: str) -> None:
    with pytest.raises(MushError, match="is a word that the game uses itself"):
        check_name(tag.title())


def first_words() -> set[str]:
    """Give the words that what is refused, and what views write, begins with."""
    found: set[str] = set()
    for file in Path(mushcombat.__file__).parent.rglob("*.py"):
        nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
        calls = [n for n in nodes if isinstance(n, ast.Call) and len(n.args) > 1]
        refusals = [n.args[1] for n in calls if getattr(n.func, "id", "") == "MushError"]
        views = [n for n in nodes if file.parent.name == "views" and isinstance(n, ast.JoinedStr)]
        found |= {word for text in refusals + views for word in begun_by(text)}
    return found


def begun_by(text: ast.expr) -> list[str]:
    part = text.values[0] if isinstance(text, ast.JoinedStr) else text
    written = part.value if isinstance(part, ast.Constant) else ""
    assert isinstance(written, str)
    return re.findall(r"^([A-Z][a-z]+)\b.* ", written)


def test_no_first_word_of_the_servers_is_a_name() -> None:
    words = first_words()
    assert {"There", "You", "That", "Scene", "From"} <= words
    free = []
    for word in words:
        with suppress(MushError):
            free.append(check_name(word))
    assert free == []


@pytest.mark.parametrize(
    "name",
    [
        "T'Pring",
        "Bob",
        "Al",
        "Jean-Luc",
        "R2 D2",
        "Anna Maria",
        "a" * 24,
        "Guestling",
        "Rose",
        "Hunter",
        "Will",
        "Mark",
        "Long John",
        "Guard 1",
        "Combat Medic",
        "The Captain",
        "Nathan",
        "May",
        "Heath",
        "Roy",
        "Theresa",
    ],
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
