"""What staff order is done when it is in the ledger; and who is kept out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mushcombat.config import Config
from mushcombat.domain.character import Role
from mushcombat.net import staff_acts
from mushcombat.net.enforcer import Enforcer
from mushcombat.net.patience import EVERY, IDLE, NO_LOGIN, Patience
from mushcombat.net.session import Session
from tests.unit.net.fakes import Link, Table, password_of, quick_hashing, type_
from tests.unit.support import ADA, BRAM, NOW, RHEA, scene_of


class Court:
    """A game in which Rhea is an admin, and an enforcer listens."""

    def __init__(self, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        self.table = table
        store = table.store
        store.set_role(RHEA.account, Role.ADMIN)
        store.characters[RHEA.id] = replace(store.characters[RHEA.id], role=Role.ADMIN)
        self.stopped: list[str] = []
        table.game.shown = Enforcer(table.game, lambda: self.stopped.append("STOP")).look
        monkeypatch.setattr(staff_acts, "hash_password", lambda word: f"hash of {word}")

    def inside(self, name: str, address: str) -> tuple[Session, Link]:
        session, link = self.table.session(address)
        session.begin()
        type_(session, f"connect {name} {password_of(name)}")
        assert session.presence is not None
        link.seen()
        return session, link


@pytest.fixture
def court(table: Table, monkeypatch: pytest.MonkeyPatch) -> Court:
    return Court(table, monkeypatch)


def test_who_is_booted_is_told_why_and_disconnected_everywhere(court: Court) -> None:
    rhea, mine = court.inside("Rhea", "192.0.2.1")
    _, theirs = court.inside("Bram", "192.0.2.2")
    _, second = court.inside("Bram", "192.0.2.3")
    court.table.writer.quick = False
    type_(rhea, "@boot bram=a novel")
    assert theirs.seen() == []
    court.table.writer.work()
    told = ["[Server] Rhea boots you: a novel", "CLOSE"]
    assert theirs.seen() == told
    assert second.seen() == told
    assert "[Server] Rhea boots Bram: a novel" in mine.seen()


def test_who_is_banned_by_name_is_disconnected_and_can_not_come_back(court: Court) -> None:
    rhea, _ = court.inside("Rhea", "192.0.2.1")
    bram, theirs = court.inside("Bram", "192.0.2.2")
    type_(rhea, "@ban bram=3d, threats")
    end = "until 2026-03-04 12:30 UTC: threats"
    assert theirs.seen() == [f"[Server] Rhea bans you {end}", "CLOSE"]
    bram.lost()
    again, link = court.table.session("198.51.100.9")
    type_(again, "connect Bram wrong-word")
    assert "banned" not in "".join(link.seen())
    type_(again, f"connect Bram {password_of('Bram')}")
    assert link.seen() == [f"You are banned here {end}", "CLOSE"]
    assert again.presence is None
    type_(rhea, "@ban/remove bram")
    later, link = court.table.session()
    type_(later, f"connect Bram {password_of('Bram')}")
    assert later.presence is not None


def test_a_banned_address_is_disconnected_and_kept_out_until_the_end(court: Court) -> None:
    rhea, _ = court.inside("Rhea", "192.0.2.1")
    _, inside = court.inside("Bram", "198.51.100.9")
    waiting, outside = court.table.session("198.51.100.10")
    waiting.begin()
    outside.seen()
    type_(rhea, "@ban 198.51.100.0/24=1h, floods")
    told = "[Server] Rhea bans 198.51.100.0/24 until 2026-03-01 13:30 UTC: floods"
    assert inside.seen() == [told, "CLOSE"]
    assert outside.seen() == [told, "CLOSE"]
    late, link = court.table.session("198.51.100.11")
    late.begin()
    assert link.seen()[-1] == "CLOSE"
    court.table.game.gate.clock = lambda: NOW.replace(hour=14)
    late, link = court.table.session("198.51.100.11")
    late.begin()
    assert link.seen() == ["Welcome."]


def test_a_new_password_works_one_time_and_is_told_to_whom_it_was_made_for(court: Court) -> None:
    rhea, mine = court.inside("Rhea", "192.0.2.1")
    type_(rhea, "@newpassword bram")
    (word,) = [line for line in mine.seen() if line.startswith("The one-time password is ")]
    password = word.removeprefix("The one-time password is ")
    session, link = court.table.session()
    type_(session, f"connect Bram {password}")
    assert any("worked this one time" in line for line in link.seen())
    assert session.presence is not None
    again, link = court.table.session()
    type_(again, f"connect Bram {password}")
    assert again.presence is None


def test_a_typed_new_password_is_repeated_nowhere(court: Court) -> None:
    rhea, mine = court.inside("Rhea", "192.0.2.1")
    _, theirs = court.inside("Bram", "192.0.2.2")
    type_(rhea, "@newpassword bram=kite over water", "@newpassword bram=tiny")
    seen = mine.seen()
    assert "The password is set." in seen
    assert any(line.startswith("A password has 6 to 128") for line in seen)
    assert theirs.seen() == ["[Server] Rhea replaces your password by one that works one time."]
    assert "kite" not in "".join(seen)
    assert "kite" not in str(court.table.store.logs)


def test_a_refused_new_password_lets_the_next_line_run(court: Court) -> None:
    rhea, mine = court.inside("Rhea", "192.0.2.1")
    type_(rhea, "@newpassword nobody=kite over water", "say on")
    assert mine.seen()[-1] == 'You say, "on"'
    court.table.hashing.broken = True
    type_(rhea, "@newpassword bram=kite over water", "say on")
    assert mine.seen()[-1] == 'You say, "on"'


def test_the_server_ends_at_once_or_after_a_countdown(court: Court) -> None:
    rhea, mine = court.inside("Rhea", "192.0.2.1")
    _, theirs = court.inside("Bram", "192.0.2.2")
    type_(rhea, "@shutdown 5=new disk")
    assert theirs.seen() == ["[Server] Rhea ends the server in 5 minutes: new disk"]
    court.table.reactor.advance(4 * 60)
    assert theirs.seen() == ["[Server] One minute left: the server ends then."]
    court.table.reactor.advance(59)
    assert court.stopped == []
    court.table.reactor.advance(1)
    assert court.stopped == ["STOP"]
    type_(rhea, "@shutdown")
    court.table.reactor.advance(0)
    assert court.stopped == ["STOP", "STOP"]
    assert mine.seen()[-1] == "[Server] Rhea ends the server now."


def test_a_countdown_is_replaced_or_cancelled(court: Court) -> None:
    rhea, _ = court.inside("Rhea", "192.0.2.1")
    _, theirs = court.inside("Bram", "192.0.2.2")
    for line in ("@shutdown 5", "@shutdown 1", "@shutdown/cancel"):
        type_(rhea, line)
    assert theirs.seen()[-1] == "[Server] Rhea lets the server run on."
    court.table.reactor.advance(3600)
    assert court.stopped == []


def test_a_server_that_ends_already_is_not_ended_again(court: Court) -> None:
    rhea, _ = court.inside("Rhea", "192.0.2.1")
    type_(rhea, "@shutdown 1")
    court.table.game.closing = True
    court.table.reactor.advance(60)
    assert court.stopped == []


# patience


def test_who_does_not_log_in_is_told_and_disconnected(table: Table) -> None:
    session, link = table.session()
    session.begin()
    link.seen()
    patience = Patience(table.game)
    table.reactor.advance(table.game.config.limits.login)
    patience.look()
    assert link.seen() == []
    table.reactor.advance(1)
    patience.look()
    assert link.seen() == [NO_LOGIN, "CLOSE"]


def idle_table(monkeypatch: pytest.MonkeyPatch, idle: int, *, scene: bool = False) -> Table:
    config = Config.model_validate({"limits": {"idle": idle}})
    table = Table(*([scene_of(ADA, BRAM)] if scene else []), config=config)
    quick_hashing(monkeypatch, table)
    return table


def look_after_an_hour(table: Table) -> list[str]:
    session, link = table.session()
    session.begin()
    type_(session, f"connect Ada {password_of('Ada')}")
    link.seen()
    table.game.clock = lambda: NOW.replace(hour=13)
    patience = Patience(table.game)
    patience.start()
    table.reactor.advance(EVERY)
    patience.stop()
    patience.stop()
    return link.seen()


def test_nobody_is_idle_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    assert look_after_an_hour(idle_table(monkeypatch, 0)) == []


def test_who_is_idle_for_too_long_is_told_and_disconnected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert look_after_an_hour(idle_table(monkeypatch, 3600)) == []
    assert look_after_an_hour(idle_table(monkeypatch, 3599)) == [IDLE, "CLOSE"]


def test_who_plays_in_the_scene_where_they_stand_is_never_idle(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert look_after_an_hour(idle_table(monkeypatch, 60, scene=True)) == []
