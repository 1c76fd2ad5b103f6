from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.wire.charset import Charset, canonical, decode
from mushcombat.wire.terminal import ASCII, LATIN_1, UTF_8, Terminal
from mushcombat.wire.text import encode

REJECTED = b"\x03"


@pytest.mark.parametrize(
    ("name", "known"),
    [
        (b"utf-8", UTF_8),
        (b"UTF8", UTF_8),
        (b"iso-8859-1", LATIN_1),
        (b"ISO_8859-1", LATIN_1),
        (b"latin1", LATIN_1),
        (b"Latin-1", LATIN_1),
        (b"us-ascii", ASCII),
        (b"ANSI_X3.4-1968", ASCII),
        (b"ISO-8859-15", ""),
        (b"windows-1252", ""),
        (b"", ""),
    ],
)
def test_only_what_we_really_do_is_known_in_any_spelling(name: bytes, known: str) -> None:
    assert canonical(name) == known


def test_our_request_is_made_once_and_offers_utf_8_first() -> None:
    charset = Charset()
    assert charset.request() == b"\x01;UTF-8;ISO-8859-1;US-ASCII"
    assert charset.request() == b""


def test_what_the_client_accepts_is_agreed_on_in_any_case() -> None:
    charset = Charset()
    charset.request()
    assert charset.hear(b"\x02utf-8") == (b"", UTF_8)
    assert charset.hear(b"\x02iso-8859-1") == (b"", LATIN_1)


@pytest.mark.parametrize("said", [b"\x03", b"\x02KOI8-R", b"\x02", b"", b"\x06", b"\x07", b"\x63x"])
def test_what_agrees_on_nothing_changes_nothing_and_has_no_answer(said: bytes) -> None:
    charset = Charset()
    charset.request()
    assert charset.hear(said) == (b"", "")


def test_an_acceptance_of_nothing_that_we_asked_is_not_heard() -> None:
    assert Charset().hear(b"\x02UTF-8") == (b"", "")


def test_a_translation_table_is_refused() -> None:
    """RFC 2066: TTABLE-IS is answered TTABLE-REJECTED."""
    assert Charset().hear(b"\x04\x01;a;\x08\x00\x00\x00b;") == (b"\x05", "")


@pytest.mark.parametrize(
    ("listed", "answer", "agreed"),
    [
        (b";utf-8;latin-1", b"\x02utf-8", UTF_8),
        (b";iso-8859-1;UTF-8", b"\x02UTF-8", UTF_8),
        (b" KOI8-R iso-8859-1 us-ascii", b"\x02iso-8859-1", LATIN_1),
        (b",us-ascii", b"\x02us-ascii", ASCII),
        (b"[TTABLE]\x01;UTF-8", b"\x02UTF-8", UTF_8),
        (b";KOI8-R;CP437", REJECTED, ""),
        (b"", REJECTED, ""),
        (b";", REJECTED, ""),
        (b"[TTABLE]", REJECTED, ""),
    ],
)
def test_a_request_is_answered_in_the_clients_own_spelling(
    listed: bytes, answer: bytes, agreed: str
) -> None:
    assert Charset().hear(b"\x01" + listed) == (answer, agreed)


def test_a_request_that_crosses_ours_is_rejected_and_ours_still_counts() -> None:
    """RFC 2066: the server rejects, so that only one of the two is in effect."""
    charset = Charset()
    charset.request()
    assert charset.hear(b"\x01;ISO-8859-1") == (REJECTED, "")
    assert charset.hear(b"\x02UTF-8") == (b"", UTF_8)


@pytest.mark.parametrize("answer", [b"\x02UTF-8", b"\x03"])
def test_a_request_after_the_answer_to_ours_is_heard(answer: bytes) -> None:
    charset = Charset()
    charset.request()
    charset.hear(answer)
    assert charset.hear(b"\x01;ISO-8859-1") == (b"\x02ISO-8859-1", LATIN_1)


def test_a_request_is_heard_when_ours_was_never_answered() -> None:
    """BeipMU says nothing to a list that it does not like."""
    charset = Charset()
    charset.request()
    charset.give_up()
    assert charset.hear(b"\x01;UTF-8") == (b"\x02UTF-8", UTF_8)
    assert charset.hear(b"\x02ISO-8859-1") == (b"", LATIN_1)


@given(st.lists(st.binary(max_size=60)))
def test_no_answer_is_longer_than_what_it_answers(said: list[bytes]) -> None:
    charset = Charset()
    charset.request()
    for payload in said:
        answer, _ = charset.hear(payload)
        assert len(answer) <= max(1, len(payload))


def test_without_an_agreement_a_line_is_utf_8_or_cp1252() -> None:
    assert decode("é".encode(), "") == ("é", True)
    assert decode(b"\xe9 \x93", "") == ("é “", False)


def test_agreed_latin_1_is_read_as_that_even_if_it_looks_like_utf_8() -> None:
    assert decode("é".encode(), LATIN_1) == ("Ã©", True)
    assert decode(b"\xe9 \x93", LATIN_1) == ("é “", True)


@pytest.mark.parametrize("charset", [UTF_8, ASCII])
def test_who_agreed_and_sends_something_else_is_understood_and_not_taken_at_its_line(
    charset: str,
) -> None:
    assert decode(b"\xe9", charset) == ("é", True)


@pytest.mark.parametrize(
    ("terminal", "encoding"),
    [
        (Terminal(), "utf-8"),
        (Terminal(latin_1=True), "latin-1"),
        (Terminal(latin_1=True, utf8=True), "utf-8"),
        (Terminal(latin_1=True, utf8=True, charset=UTF_8), "utf-8"),
        (Terminal(charset=LATIN_1), "latin-1"),
        (Terminal(utf8=True, charset=LATIN_1), "latin-1"),
        (Terminal(charset=ASCII), "ascii"),
        (Terminal(seven_bit=True), "ascii"),
        (Terminal(seven_bit=True, latin_1=True), "latin-1"),
        (Terminal(seven_bit=True, charset=UTF_8, utf8=True), "utf-8"),
    ],
)
def test_what_was_agreed_on_counts_most_then_mtts_then_what_was_seen(
    terminal: Terminal, encoding: str
) -> None:
    assert terminal.encoding == encoding


def test_ascii_is_sent_without_any_other_character() -> None:
    sent = encode("“Éa” – ß Ærø ½ 日 «x» ÿ\n", "ascii")
    assert sent == b'"Ea" - ss AEro 1/2 ? "x" y\r\n'


@given(st.text())
def test_what_is_sent_as_ascii_is_ascii(text: str) -> None:
    assert encode(text, "ascii").isascii()
