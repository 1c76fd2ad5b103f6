from __future__ import annotations

import pytest

from mushcombat.domain.preferences import NAMES, Preferences
from mushcombat.wire.terminal import Colours
from tests.unit.net.fakes import Link, Table, password_of, type_
from tests.unit.support import ADA, RHEA


def said(link: Link) -> str:
    return "\n".join(link.seen())


def test_set_alone_lists_what_is_in_effect_and_why(table: Table) -> None:
    session, link = table.inside()
    session.terminal.telnet, session.terminal.columns = True, 80
    session.terminal_changed()
    type_(session, "@set")
    shown = said(link)
    assert len(shown.splitlines()) > len(NAMES)
    assert "Width: 80 columns (your client says so)" in shown.replace("\n  ", " ")


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("@set colour=256", "colour", "256"),
        ("@set color 256", "colour", "256"),
        ("@set width=0", "width", "0"),
        ("set width 60", "width", "60"),
        ("@set me=NOSPOOF", "nospoof", "on"),
        ("@set me=!nospoof", "nospoof", "off"),
        ("@set me = ANSI", "colour", "on"),
        ("@nospoof on", "nospoof", "on"),
        ("@set keepalive off", "keepalive", "off"),
        ("@set encoding=ascii", "encoding", "ascii"),
        ("@set prompt=no", "prompt", "off"),
    ],
)
def test_what_a_player_sets_is_kept(table: Table, line: str, name: str, value: str) -> None:
    session, link = table.inside()
    type_(session, line)
    assert table.store.preferences(ADA.account) == {name: value}
    assert "(you set it)." in said(link)
    type_(session, f"@set {name}=auto")
    assert table.store.preferences(ADA.account) == {}
    assert "(you set it)" not in said(link)


def test_what_is_set_holds_on_all_connections_at_once(table: Table) -> None:
    session, _ = table.inside()
    other, _ = table.inside()
    other.terminal.colours = Colours.MANY
    other.terminal_changed()
    assert other.kind.colours == 256
    type_(session, "@set colour=off")
    assert (session.kind.colours, other.kind.colours) == (0, 0)
    type_(other, "@set keepalive=off", "@set prompt=off")
    assert not session.keepalive_wanted
    assert not session.prompts_marked


def test_what_is_set_is_there_at_the_next_login(table: Table) -> None:
    session, _ = table.inside()
    type_(session, "@set width=40", "QUIT")
    session.lost()
    again, _ = table.inside()
    assert again.kind.width == 39


def test_before_the_login_it_holds_at_once_and_is_kept_for_who_logs_in(table: Table) -> None:
    table.game.spoken_banner = "Welcome, in words."
    session, link = table.session()
    session.begin()
    assert said(link) == "Welcome."
    type_(session, "screenreader")
    assert session.kind.reader
    assert said(link) == "Welcome, in words.\nScreen reader: on (you set it)."
    type_(session, "set width 60", "encoding latin-1", "width auto")
    assert session.kind.width == 0
    type_(session, "width=50", "@set")
    assert session.kind.width == 49
    type_(session, f"connect Ada {password_of('Ada')}")
    stored = {"screenreader": "on", "width": "50", "encoding": "latin-1"}
    assert table.store.preferences(ADA.account) == stored
    assert session.kind.reader
    assert session.kind.encoding == "latin-1"


def test_a_bare_name_on_the_login_screen_shows_how_it_is_and_changes_nothing(
    table: Table,
) -> None:
    session, link = table.session()
    type_(session, "width 60", "colour off", "encoding ascii")
    link.seen()
    type_(session, "WIDTH", "colour", "encoding", "@set width")
    width = "Width: 60 columns (you set it)."
    assert said(link).splitlines() == [
        width,
        "Colour: off (you set it).",
        "Encoding: ascii (you set it).",
        width,
    ]
    assert session.wishes.typed == {"width": "60", "colour": "off", "encoding": "ascii"}


def test_what_is_set_before_a_login_goes_over_what_was_kept(table: Table) -> None:
    table.store.set_preference(ADA.account, "width", "40")
    table.store.set_preference(ADA.account, "colour", "off")
    first, _ = table.inside()
    second, _ = table.session()
    type_(second, "width 0", f"connect Ada {password_of('Ada')}")
    assert first.presence is second.presence
    assert first.presence is not None
    assert first.presence.preferences == Preferences(colour="off", width=0)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("@set smell=on", 'preference: "smell" is none.'),
        ("@set Bram/Pistol=5", 'preference: "Bram/Pistol" is none.'),
        ("@set me=", "is none"),
        ("@set =", "is none"),
        ("@set width=wide", "not a whole number"),
        ("@set colour=pink", "@set colour=on, off"),
        ("@nospoof maybe", '"maybe" is not one'),
    ],
)
def test_what_is_no_preference_is_refused_with_what_there_is(
    table: Table, line: str, says: str
) -> None:
    session, link = table.inside()
    type_(session, line)
    assert says in said(link)
    assert table.store.preferences(ADA.account) == {}


def test_a_bad_value_on_the_login_screen_is_refused(table: Table) -> None:
    session, link = table.session()
    type_(session, "width 3", "set smell on")
    shown = said(link)
    assert "too few" in shown
    assert "There are colour" in shown


def test_one_preference_can_be_asked_for(table: Table) -> None:
    session, link = table.inside()
    type_(session, "@set brief", "@nospoof")
    assert said(link) == "Brief: off (as usual).\nNospoof: off (as usual)."


def test_when_nothing_can_be_written_nothing_is_in_effect(table: Table) -> None:
    session, link = table.inside()
    table.writer.quick = False
    type_(session, "@set width=40", "@set brief=on")
    assert session.kind.width == 0
    table.writer.quick = True
    table.writer.work()
    session.game.reactor.advance(0)
    assert session.kind.width == 39
    assert session.kind.brief
    assert said(link).count("you set it") == 2


def test_staff_reach_sheets_by_the_sign_and_preferences_without(table: Table) -> None:
    session, link = table.inside("Rhea")
    type_(session, "set brief on", "+set Ada/Pistol=Good")
    assert table.store.preferences(RHEA.account) == {"brief": "on"}
    assert "Pistol" in said(link)


def test_a_brief_screen_is_spared_the_room_but_for_look(table: Table) -> None:
    table.store.set_preference(ADA.account, "brief", "on")
    session, link = table.session()
    type_(session, f"connect Ada {password_of('Ada')}")
    assert "A hall." not in said(link)
    type_(session, "WHO", "look")
    shown = said(link)
    assert "1 player is connected. Ada." in shown
    assert "A hall." in shown
