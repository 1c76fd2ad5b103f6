from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mushcombat.wire.telnet import Telnet, escape, newlines, subnegotiation
from mushcombat.wire.text import MAX_MARKS, clean, decode_line, encode
from tests.unit.wire.streams import lines

ASTRONAUT = "\U0001f469\u200d\U0001f680"


def test_utf_8_is_told_as_such() -> None:
    assert decode_line("say café".encode()) == ("say café", True)
    assert decode_line(b"look") == ("look", True)


def test_a_line_that_is_not_utf_8_is_cp1252_as_a_whole() -> None:
    assert decode_line(b"say caf\xe9 \x93hi\x94 \xc3\xa9") == ("say café “hi” Ã©", False)


def test_a_lone_ff_is_one_character() -> None:
    assert decode_line(b"say \xff") == ("say ÿ", False)


def test_the_undefined_bytes_of_cp1252_are_marked() -> None:
    assert decode_line(b"\x81\x8d\x8f\x90\x9d") == ("\ufffd" * 5, False)


def test_encoded_surrogates_and_overlong_forms_are_not_utf_8() -> None:
    assert decode_line(b"\xed\xa0\x80")[1] is False
    assert decode_line(b"\xc0\x80")[1] is False


@settings(deadline=None)
@given(st.binary())
def test_every_line_decodes(raw: bytes) -> None:
    text, utf_8 = decode_line(raw)
    assert (text.encode() == raw) or not utf_8


@pytest.mark.parametrize(
    "junk",
    [
        "\x1b[31m",
        "\x1b[1;38;5;200m",
        "\x1b[?25l",
        "\x1b[A",
        "\x1bOA",
        "\x1b(B",
        "\x1bc",
        "\x1b]0;title\x07",
        "\x1b]8;;send:look\x1b\\",
        "\x1b]0;title\x9c",
        "\x1bPq#0\x1b\\",
        "\x1b_apc\x1b\\",
        "\x9b31m",
        "\x9d0;title\x9c",
        "\x90q\x9c",
        "\x7f",
        "\x07",
        "\x00",
        "\x85",
        "\u2028",
        "\u2029",
        "\u200e",
        "\u200f",
        "\u061c",
        "\u202a\u202b\u202c\u202d\u202e",
        "\u2066\u2067\u2068\u2069",
        "\ufeff",
        "\u200b\u2060\u00ad",
        "\U000e0041\U000e007f\U000e0001",
        "\ud800\udfff",
        "\uffff\ufffe\ufdd0\U0001ffff\U0010ffff",
    ],
)
def test_what_plays_tricks_on_a_screen_is_removed_whole(junk: str) -> None:
    assert clean(f"say he{junk}llo") == "say hello"
    assert clean(f"say hello{junk}") == "say hello"


@pytest.mark.parametrize("junk", ["\x1b", "\x1b[", "\x1b[3", "\x1b]0;title", "\x9d0;t", "\x1bPq"])
def test_an_unfinished_sequence_at_the_end_is_removed_whole(junk: str) -> None:
    assert clean(f"say hello{junk}") == "say hello"


def test_a_string_sequence_ends_where_another_sequence_begins() -> None:
    assert clean("\x1b]0;title\x1b[31mhello") == "hello"


def test_what_tinyfugue_makes_of_an_accent_leaves_the_letters_alone() -> None:
    assert clean("h\x1bC\x1b)llo") == "hllo"


@pytest.mark.parametrize(
    "text",
    [
        "plain words",
        "a\tb",
        ASTRONAUT,
        "\u2764\ufe0f",
        "1\ufe0f\u20e3",
        "\u8fbb\U000e0100",
        "コンニチハ e\u0301 שלום",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "café “hi” — ÿ \ufffd",
        "[31m",
    ],
)
def test_what_people_write_stays(text: str) -> None:
    assert clean(text) == text


def test_marks_heaped_upon_a_letter_are_cut_short() -> None:
    assert clean("z" + "\u0301" * 500 + "algo") == "z" + "\u0301" * MAX_MARKS + "algo"


def test_joiners_between_marks_do_not_lengthen_the_heap() -> None:
    assert len(clean("z" + ("\u0301" * 4 + "\u200d\u202e") * 50)) == 1 + MAX_MARKS


_tricky = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from("\x1b\x1b[](OP\\\x07\x9b\x9c\x9d;31mA \u0301\u0308\u200d\u202e\ufeff"),
        st.characters(categories=["Cs", "Cc", "Cf", "Cn", "Mn"]),
    )
)


@settings(deadline=None)
@given(_tricky)
def test_cleaning_twice_is_the_same_as_once(text: str) -> None:
    assert clean(clean(text)) == clean(text)


@settings(deadline=None)
@given(_tricky)
def test_nothing_forbidden_is_left(text: str) -> None:
    cleaned = clean(text).replace("\t", "")
    assert not {unicodedata.category(char) for char in cleaned} & {"Cc", "Cs", "Zl", "Zp"}
    assert not re.search("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]", cleaned)
    assert not re.search("[\ufdd0-\ufdef\U000e0000-\U000e007f]", cleaned)
    assert not [char for char in cleaned if ord(char) & 0xFFFE == 0xFFFE]
    marks = "".join("M" if unicodedata.category(char)[0] == "M" else "." for char in cleaned)
    assert "M" * (MAX_MARKS + 1) not in marks


@settings(deadline=None)
@given(_tricky)
def test_cleaning_only_takes_away(text: str) -> None:
    rest = iter(text)
    assert all(char in rest for char in clean(text))


@pytest.mark.parametrize("end", ["\r\n", "\n", "\r", "\n\r", "\r\0"])
def test_every_line_end_is_written_as_cr_lf(end: str) -> None:
    assert newlines(f"a{end}b{end}") == "a\r\nb\r\n"


@settings(deadline=None)
@given(st.text("ab\r\n"))
def test_no_line_end_but_cr_lf_is_left_and_doing_it_twice_changes_nothing(text: str) -> None:
    written = newlines(text)
    assert newlines(written) == written
    assert not {"\r", "\n"} & set(written.replace("\r\n", ""))
    assert "\r\r\n" not in written


def test_output_is_utf_8_with_full_line_ends() -> None:
    assert encode("café\n", "utf-8") == b"caf\xc3\xa9\r\n"
    assert encode("\ud800", "utf-8") == b"?"


@pytest.mark.parametrize(
    ("text", "wire"),
    [
        ("café\n", b"caf\xe9\r\n"),
        ("e\u0301", b"\xe9"),
        ("“hi” ‘you’ – and — so…", b"\"hi\" 'you' - and - so..."),
        ("ő ﬁ ① ⅓ Ł €", b"o fi 1 1/3 L EUR"),
        ("コ\u4e2d", b"??"),
        (ASTRONAUT + "\ufe0f", b"??"),
        ("q\u0308", b"q"),
        ("ÿ", b"\xff\xff"),
        ("\ud800", b"?"),
    ],
)
def test_latin_1_output_is_transliterated_where_it_must_be(text: str, wire: bytes) -> None:
    assert encode(text, "latin-1") == wire


def test_an_encoding_that_we_do_not_speak_is_an_error() -> None:
    with pytest.raises(ValueError, match="utf-7"):
        encode("x", "utf-7")


@settings(deadline=None)
@given(st.text(), st.sampled_from(["utf-8", "latin-1"]))
def test_output_never_holds_a_lone_ff(text: str, encoding: str) -> None:
    assert b"\xff" not in encode(text, encoding).replace(b"\xff\xff", b"")


@settings(deadline=None)
@given(st.text(st.characters(max_codepoint=0xFF, exclude_characters="\r\n\0")))
def test_latin_1_text_comes_through_the_wire_unchanged(text: str) -> None:
    assert Telnet().receive(encode(text + "\n", "latin-1")) == lines(text.encode("latin-1"))


def test_ff_is_doubled_in_data_and_in_subnegotiations() -> None:
    assert escape(b"a\xffb") == b"a\xff\xffb"
    assert subnegotiation(31, b"\x00\xff") == b"\xff\xfa\x1f\x00\xff\xff\xff\xf0"
