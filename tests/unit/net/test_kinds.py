from __future__ import annotations

import pytest

from mushcombat.domain.preferences import NAMES, NONE_SET, Preferences
from mushcombat.domain.screen import PLAIN, TRUE_COLOURS, Kind
from mushcombat.net.kinds import effects, kind_of
from mushcombat.wire.terminal import Colours, Terminal

MUDLET = Terminal(telnet=True, charset="UTF-8", utf8=True, colours=Colours.TRUE, columns=100)


@pytest.mark.parametrize(
    ("terminal", "wanted", "kind"),
    [
        (Terminal(), NONE_SET, PLAIN),
        (Terminal(telnet=True), NONE_SET, Kind(colours=16)),
        (MUDLET, NONE_SET, Kind(colours=TRUE_COLOURS, width=99)),
        (MUDLET, Preferences(colour="16", width=0, encoding="latin-1"), Kind("latin-1", 16)),
        (MUDLET, Preferences(colour="on"), Kind(colours=TRUE_COLOURS, width=99)),
        (Terminal(), Preferences(colour="on"), Kind(colours=16)),
        (MUDLET, Preferences(colour="off", width=40), Kind(width=39)),
        (MUDLET, Preferences(screenreader=True), Kind(reader=True)),
        (MUDLET, Preferences(screenreader=True, colour="256"), Kind(colours=256, reader=True)),
        (MUDLET, Preferences(screenreader=True, width=60), Kind(width=59, reader=True)),
        (Terminal(telnet=True, screen_reader=True), NONE_SET, Kind(reader=True)),
        (
            Terminal(telnet=True, screen_reader=True),
            Preferences(screenreader=False),
            Kind(colours=16),
        ),
        (Terminal(columns=5), NONE_SET, Kind(width=19)),
        (Terminal(columns=9999), NONE_SET, Kind(width=499)),
        (Terminal(charset="US-ASCII"), NONE_SET, Kind("ascii")),
        (Terminal(charset="ISO-8859-1"), NONE_SET, Kind("latin-1")),
        (Terminal(telnet=True, colours=Colours.NONE), Preferences(brief=True), Kind(brief=True)),
    ],
)
def test_what_a_player_set_goes_before_what_the_client_told(
    terminal: Terminal, wanted: Preferences, kind: Kind
) -> None:
    assert kind_of(terminal, wanted) == kind


def test_a_line_that_was_no_utf_8_counts_until_something_else_says_so() -> None:
    assert kind_of(Terminal(latin_1=True), NONE_SET).encoding == "latin-1"
    assert kind_of(Terminal(utf8=True, latin_1=True), NONE_SET).encoding == "utf-8"
    assert kind_of(Terminal(charset="US-ASCII", latin_1=True), NONE_SET).encoding == "ascii"
    assert kind_of(Terminal(latin_1=True), Preferences(encoding="utf-8")).encoding == "utf-8"


def test_every_preference_is_listed_with_its_reason() -> None:
    found = effects(MUDLET, Preferences(width=0, brief=True, keepalive=False))
    assert [*found] == [*NAMES]
    assert found["colour"] == "true (your client says so)"
    assert found["width"] == "0, lines are never wrapped (you set it)"
    assert found["encoding"] == "utf-8 (your client says so)"
    assert found["screenreader"] == "off (your client does not tell)"
    assert found["brief"] == "on (you set it)"
    assert found["keepalive"] == "off (you set it)"
    assert found["prompt"] == "on (as usual)"
    bare = effects(Terminal(latin_1=True), NONE_SET)
    assert bare["colour"] == "off (your client speaks no telnet)"
    assert bare["encoding"] == "latin-1 (so your client types)"
    lossy = effects(Terminal(seven_bit=True), NONE_SET)
    assert lossy["encoding"] == "ascii (your client loses other characters)"
    assert effects(Terminal(columns=80), NONE_SET)["width"].startswith("80 columns")
    assert effects(Terminal(telnet=True), NONE_SET)["colour"].startswith("16 ")
    aloud = effects(Terminal(screen_reader=True), NONE_SET)
    assert aloud["screenreader"] == "on (your client says so)"
    assert "screen reader" in aloud["colour"]
    assert "screen reader" in aloud["width"]
