from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.wire.terminal import Colours, Terminal
from mushcombat.wire.ttype import ROUNDS, Rounds, is_mud_client, take_mtts

SEND = b"\x01"


def told(*names: bytes) -> tuple[Terminal, int]:
    """Give what is known after these answers, and how often was asked."""
    rounds, terminal = Rounds(), Terminal()
    asked = len(rounds.ask())
    for name in names:
        asked += len(rounds.hear(b"\0" + name, terminal))
    return terminal, asked


def test_asking_goes_on_until_the_client_repeats_itself() -> None:
    terminal, asked = told(b"TINTIN++", b"xterm-256color", b"MTTS 271", b"MTTS 271")
    assert asked == 4
    assert (terminal.client, terminal.kind) == ("TINTIN++", "xterm-256color")
    assert terminal.colours is Colours.TRUE
    assert terminal.utf8
    assert not terminal.screen_reader


def test_a_plain_telnet_repeats_itself_at_once() -> None:
    terminal, asked = told(b"XTERM-256COLOR", b"XTERM-256COLOR")
    assert asked == 2
    assert terminal.kind == "XTERM-256COLOR"
    assert terminal.colours is Colours.MANY


def test_after_four_rounds_it_is_enough() -> None:
    terminal, asked = told(b"TINYFUGUE", b"ANSI-ATTR", b"ANSI", b"UNKNOWN", b"more")
    assert asked == ROUNDS
    assert (terminal.client, terminal.kind) == ("TINYFUGUE", "ANSI-ATTR")
    assert terminal.colours is Colours.SIXTEEN


@pytest.mark.parametrize("name", [b"x" * 41, b"", b"\x00\x07"])
def test_a_name_that_is_none_ends_the_asking(name: bytes) -> None:
    terminal, asked = told(name, b"Mudlet")
    assert asked == 1
    assert terminal == Terminal()


def test_what_is_no_answer_or_was_not_asked_for_is_not_heard() -> None:
    rounds, terminal = Rounds(), Terminal()
    assert rounds.hear(b"\0Mudlet", terminal) == b""
    rounds.ask()
    assert rounds.hear(b"\x01", terminal) == b""
    assert rounds.hear(b"", terminal) == b""
    assert terminal == Terminal()
    assert rounds.hear(b"\0Mudlet", terminal) == SEND


def test_names_are_cleaned_of_what_is_not_printable() -> None:
    assert told(b"Mud\x1b[31mlet\xff \n")[0].client == "Mud[31mlet"


@pytest.mark.parametrize(
    ("bits", "colours"),
    [
        (0, Colours.NONE),
        (4, Colours.NONE),
        (1, Colours.SIXTEEN),
        (3, Colours.SIXTEEN),
        (9, Colours.MANY),
        (256 + 8 + 1, Colours.TRUE),
        (256, Colours.TRUE),
    ],
)
def test_mtts_tells_the_colours(bits: int, colours: Colours) -> None:
    terminal = Terminal(colours=Colours.SIXTEEN)
    take_mtts(bits, terminal)
    assert terminal.colours is colours


def test_mtts_tells_of_a_screen_reader_and_takes_it_back() -> None:
    terminal = Terminal()
    heard = []
    for bits in (64 + 1, 1):
        take_mtts(bits, terminal)
        heard.append(terminal.screen_reader)
    assert heard == [True, False]


def test_mtts_that_lacks_utf_8_does_not_undo_what_charset_agreed_on() -> None:
    terminal = Terminal(charset="UTF-8", utf8=True)
    take_mtts(1, terminal)
    assert terminal.utf8


def test_mtts_counts_for_more_than_a_terminals_name() -> None:
    assert told(b"Mudlet", b"ANSI-TRUECOLOR")[0].colours is Colours.TRUE
    assert told(b"Mudlet", b"ANSI-TRUECOLOR", b"MTTS 9")[0].colours is Colours.MANY


@pytest.mark.parametrize("name", [b"MTTS", b"MTTS x", b"MTTS -1", b"MTTS 99999999"])
def test_a_bad_mtts_is_just_a_name(name: bytes) -> None:
    assert told(b"a", b"b", name)[0].colours is None


@pytest.mark.parametrize(
    ("name", "colours"),
    [
        (b"DUMB", Colours.NONE),
        (b"vt100", Colours.SIXTEEN),
        (b"linux", Colours.SIXTEEN),
        (b"screen-256color", Colours.MANY),
        (b"XTERM-TRUECOLOR", Colours.TRUE),
        (b"UNKNOWN", None),
    ],
)
def test_the_name_of_a_terminal_tells_its_colours(name: bytes, colours: Colours | None) -> None:
    assert told(name)[0].colours is colours


@pytest.mark.parametrize(
    "name", ["Mudlet", "TINTIN++", "mushclient", "Potato", "KildClient", "Mudlet 4.19"]
)
def test_clients_made_for_games_are_known(name: str) -> None:
    assert is_mud_client(name)


@pytest.mark.parametrize("name", ["", "XTERM-256COLOR", "ANSI", "windows telnet"])
def test_others_are_not(name: str) -> None:
    assert not is_mud_client(name)


@given(st.lists(st.binary(max_size=50), max_size=30))
def test_a_client_is_asked_four_times_at_most(names: list[bytes]) -> None:
    terminal, asked = told(*names)
    assert asked <= ROUNDS
    for word in (terminal.client, terminal.kind):
        assert len(word) <= 40
        assert word.isascii()
        assert not word or word.isprintable()
