from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.domain.text import (
    CLIP,
    clip,
    expand,
    listing,
    looks_like_ours,
    signed,
    spoken,
    word_list,
)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("a%rb", "a\nb"),
        ("a%Rb", "a\nb"),
        ("a%tb", "a    b"),
        ("a%bb", "a b"),
        ("100%%", "100%"),
        ("%%r", "%r"),
        ("%%%r", "%\n"),
        ("50% off %x %", "50% off %x %"),
        ("{name} $HOME \\n %(x)s", "{name} $HOME \\n %(x)s"),
        ("nothing", "nothing"),
        ("", ""),
    ],
)
def test_only_the_documented_substitutions_are_made_and_once(typed: str, shown: str) -> None:
    assert expand(typed) == shown


@pytest.mark.parametrize(
    "line",
    [
        "[Roll] Ada: 8",
        "<OOC> Ada says",
        "[roll]",
        "<x",
        "  [Damage] 99",
        "\t[Damage] 99",
        "\u200b[Roll]",
        "\u200e\u200f[Roll]",
        "\xa0\u3000[Roll]",
        "［Roll］ Ada: 8",
        "＜OOC＞ Ada",
        "﹤OOC﹥ Ada",
        "[\u200bRoll]",
        "[\u0301Roll]",
        "[ Roll ]",
        "[*Roll]",
        "[42]",
        "[Würfel]",
        " " * 30 + "[Roll]",
        " \u200d\u200d\u200d\u200d\u200d\u200d\u200d\u200d" * 3 + "[Roll]",
        "\u2800[Roll]",
        "\u3164<OOC> Ada",
        "\u27e6Result] Ada",
        "\u3010Result\u3011",
        "\u27e8OOC\u27e9 Ada",
        "\u2770OOC\u2771 Ada",
        "\u2039OOC\u203a Ada",
    ],
)
def test_a_line_that_begins_like_the_servers_own_is_noticed(line: str) -> None:
    assert looks_like_ours(line)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "Roll",
        "Ada [Roll]",
        "[",
        "<>",
        "<---- there",
        "(Roll)",
        "x <b>",
        "<<<<<x",
        "«Halt!»",
        "„Halt!“",
    ],
)
def test_other_lines_are_left_alone(line: str) -> None:
    assert not looks_like_ours(line)


def test_a_bracket_far_down_the_line_is_not_its_beginning() -> None:
    assert not looks_like_ours("x" * 30 + "[Roll]")


def test_lines_after_a_new_line_are_indented() -> None:
    assert spoken("one%r[Roll] Ada: 8%rthree") == "one\n  [Roll] Ada: 8\n  three"
    assert spoken("plain") == "plain"


def test_text_that_looks_like_the_servers_is_shown_behind_its_author() -> None:
    assert signed("[Roll] Ada: 8", "Bram") == "<Bram> [Roll] Ada: 8"
    assert signed("The lights go out.", "Bram") == "The lights go out."
    assert signed("A%r[Roll]", "Bram") == "A\n  [Roll]"
    assert signed("%b[Roll]", "Bram") == "<Bram>  [Roll]"


def test_text_that_begins_with_an_empty_line_cannot_pass_for_the_servers() -> None:
    lines = signed("%r[Roll] Ada: 8", "Bram").split("\n")
    assert all(line.startswith(("<Bram>", "  ")) for line in lines)


@given(st.lists(st.sampled_from(["%r", "%b", "%t", "%%", "[", "<", "Roll", "\u200b", " "])))
def test_no_line_of_a_players_text_begins_like_the_servers(parts: list[str]) -> None:
    first, *rest = signed("".join(parts), "Bram").split("\n")
    assert first.startswith("<Bram> ") or not looks_like_ours(first)
    assert all(line.startswith("  ") for line in rest)


def test_a_long_text_is_clipped_and_a_short_one_is_not() -> None:
    assert clip("x" * CLIP) == "x" * CLIP
    assert clip("x" * (CLIP + 1)) == "x" * (CLIP - 1) + "…"
    assert clip("abcdef", 4) == "abc…"


@given(st.text(), st.integers(1, 50))
def test_a_clipped_text_is_never_longer_than_asked(text: str, length: int) -> None:
    assert len(clip(text, length)) <= length


@pytest.mark.parametrize(
    ("words", "written"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")],
)
def test_a_list_is_written_with_commas_and_an_and(words: list[str], written: str) -> None:
    assert listing(words) == written


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("", []),
        ("%r%b %T", []),
        (" meet me%rat%bnoon ", ["meet", "me", "at", "noon"]),
        ("100%% sure", ["100%%", "sure"]),
        ("a%%rb", ["a%%rb"]),
        ("50% of it", ["50%", "of", "it"]),
    ],
)
def test_words_are_apart_at_blanks_and_what_stands_for_them(typed: str, words: list[str]) -> None:
    assert word_list(typed) == words
