"""Clients that ask again for data they were given: a script of theirs was loaded anew."""

from __future__ import annotations

import pytest

from mushcombat.net.data import MESSAGES_AT_ONCE
from mushcombat.net.session import Session
from tests.unit.net.fakes import Table, type_
from tests.unit.net.test_data import ALL, given, packages, scene_game, scripted, wants
from tests.unit.support import ADA


def says(session: Session, message: str) -> None:
    session.gmcp(message.encode())
    session.game.reactor.advance(0)


def test_who_asks_again_is_told_again_how_things_stand(table: Table) -> None:
    session, link = table.inside()
    wants(session)
    first = given(link)
    wants(session)
    assert given(link) == first
    wants(session, '["Char.Name 1"]')
    assert packages(link) == ["Char.Name"]


def test_who_adds_what_they_have_is_told_that_again_and_nothing_else(table: Table) -> None:
    session, link = scripted(table, ADA)
    says(session, 'Core.Supports.Add ["Char 1"]')
    assert packages(link) == ["Char.Name", "Char.Status", "Char.Vitals"]
    says(session, 'Core.Supports.Add ["Room.Players 1"]')
    assert packages(link) == ["Room.Players"]
    says(session, 'Core.Supports.Remove ["Scene 1"]')
    assert packages(link) == []


def test_who_asks_many_times_at_once_is_told_once(table: Table) -> None:
    session, link = scripted(table, ADA)
    for _ in range(50):
        session.gmcp(f"Core.Supports.Set {ALL}".encode())
    session.game.reactor.advance(0)
    told = packages(link)
    assert told
    assert len(told) == len(set(told))


def test_a_scene_that_ends_as_they_ask_again_is_told_to_be_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = scene_game(monkeypatch)
    rhea, _ = table.inside("Rhea")
    ada, link = table.inside("Ada")
    wants(ada)
    assert dict(given(link))["Scene.Info"]["state"] == "open"
    ada.gmcp(f"Core.Supports.Set {ALL}".encode())
    type_(rhea, "+scene/close")
    assert dict(given(link))["Scene.Info"]["state"] == "none"


def test_messages_count_as_lines(table: Table) -> None:
    session, link = table.inside()
    limits = table.game.config.limits
    for _ in range(limits.lines_burst + MESSAGES_AT_ONCE):
        session.gmcp(b"Core.Ping")
    session.received(1)
    assert "PAUSE" in link.done
