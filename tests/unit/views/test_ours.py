"""No letter, mark or sign makes a line of the server's of a player's, on any screen."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache

import pytest

from mushcombat.domain.events import Audience, Fact, Spoken, Who
from mushcombat.domain.reasons import reason_of
from mushcombat.domain.text import looks_like_ours
from mushcombat.errors import MushError
from mushcombat.views.aloud import guarded
from mushcombat.views.ours import NARROW, begins_like_ours
from mushcombat.views.side import Side
from mushcombat.views.speech import written
from mushcombat.wire.text import clean, transliterate

OURS = (
    "[Result] Bram takes 90: health 10/100. #41",
    '<OOC> Cass says, "x"',
    "There is no scene 7.",
    'You say, "x"',
    'Cass says, "I did it."',
    "Cass pages: meet me",
    "Cass has disconnected.",
    "Cass joins scene 3.",
    "Usage: +roll",
)
BEGINNING = 22
"""Characters of a line that are tried."""
MARKS = 37
"""Of so many marks that are shown as nothing one is tried."""


@cache
def stand_ins(encoding: str) -> dict[str, list[str]]:
    """Give what a screen shows, and all characters beyond ASCII that it shows so."""
    shown: dict[str, list[str]] = {}
    for char in map(chr, range(0x80, sys.maxunicode + 1)):
        if clean(char) == char:
            letters = transliterate(char, encoding)
            if letters.isascii() and letters != "?":
                shown.setdefault(letters, []).append(char)
    return shown


def forged(line: str, encoding: str) -> Iterator[str]:
    """Write a line with one other character in its beginning, so that it is shown the same."""
    for letters, chars in stand_ins(encoding).items():
        for at in range(BEGINNING):
            if line.startswith(letters, at):
                for char in chars if letters else chars[::MARKS]:
                    typed = line[:at] + char + line[at + len(letters) :]
                    if transliterate(typed, encoding) == line:  # no mark on the letter before
                        yield typed


def emitted(text: str) -> str:
    fact = Fact(
        Spoken("emit", text), Who(1, "Ada"), datetime(2026, 1, 1, tzinfo=UTC), Audience.ROOM, 1
    )
    assert isinstance(fact.event, Spoken)
    return written(fact, fact.event, Side.OTHER)


@pytest.mark.parametrize("encoding", NARROW)
@pytest.mark.parametrize("line", OURS)
def test_what_a_narrow_screen_shows_as_the_servers_is_signed(line: str, encoding: str) -> None:
    tried = 0
    for typed in forged(line, encoding):
        assert begins_like_ours(typed), ascii(typed)
        tried += 1
    assert tried > 100


@pytest.mark.parametrize(
    "typed",
    [
        "\u0903[Result] Bram takes 90: health 10/100. #41",
        'C\u0903ass says, "I did it."',
        "Cass says, \u2033I did it.\u2033",
        '\u226eOOC> Cass says, "x"',
        "There \u0131s no scene 7.",
        "Cass has \u0111isconnected.",
        'Y\xf8u say, "x"',
        'Y\u093e\u093e\u093e\u093eou say, "x"',
    ],
)
def test_an_emit_that_some_screens_show_as_the_servers_is_behind_its_authors_name(
    typed: str,
) -> None:
    assert emitted(typed) == f"<Ada> {typed}"


def test_an_emit_of_nothing_of_the_servers_stays_as_it_is() -> None:
    for typed in (
        "\u0939\u093f\u0928\u094d\u0926\u0940 text.",
        "Stra\xdfe \xfcber alles?",
        "\xd8re!",
    ):
        assert emitted(typed) == typed


@pytest.mark.parametrize("encoding", NARROW)
@pytest.mark.parametrize("bracket", "[<")
def test_whatever_a_narrow_screen_shows_as_a_bracket_begins_a_tag(
    bracket: str, encoding: str
) -> None:
    for char in stand_ins(encoding)[bracket]:
        assert looks_like_ours(f"{char}Result] x"), ascii(char)
    assert looks_like_ours("\u0903" + bracket + "\u0903" * 8 + "Result] x")


@pytest.mark.parametrize("encoding", NARROW)
def test_what_a_narrow_screen_speaks_as_a_tag_is_behind_its_authors_name(encoding: str) -> None:
    for typed in forged("Result: Bram takes 90", encoding):
        assert guarded(typed, "Ada") == f"<Ada> {typed}", ascii(typed)
    assert guarded("Re\u0903sult: x", "Ada") == "<Ada> Re\u0903sult: x"


@pytest.mark.parametrize("encoding", NARROW)
@pytest.mark.parametrize("label", ["4dF", "dice", "asked", "1d10"])
def test_no_reason_is_shown_as_a_label_of_the_servers(label: str, encoding: str) -> None:
    for typed in forged(label, encoding):
        with pytest.raises(MushError):
            reason_of(typed)


@pytest.mark.parametrize("pose", ['\u0903m says, "x"', 'm s\u0903ays, "x"'])
def test_a_semipose_that_grows_the_name_on_some_screen_is_behind_it(pose: str) -> None:
    fact = Fact(
        Spoken("semipose", pose), Who(1, "Ada"), datetime(2026, 1, 1, tzinfo=UTC), Audience.ROOM, 1
    )
    assert isinstance(fact.event, Spoken)
    assert written(fact, fact.event, Side.OTHER) == f"<Ada> Ada{pose}"
