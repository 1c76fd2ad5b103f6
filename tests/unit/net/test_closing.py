"""What is released while a connection ends was not shown on it, and is told at the next login.

Other servers of the game, and others at this one, go on meanwhile.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from mushcombat.domain.command import Outcome
from mushcombat.domain.events import Draft, Spoken
from mushcombat.net.session import Session
from tests.unit.net.fakes import Table, password_of, quick_hashing, type_
from tests.unit.support import ADA, BRAM, RHEA, START, scene_of, who

SCENE = scene_of(ADA, BRAM, RHEA, referees=[RHEA])


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    table = Table(SCENE)
    table.game.attendance.load({SCENE.id: 0})
    quick_hashing(monkeypatch, table)
    return table


def say(table: Table, text: str) -> None:
    """Let Bram say something in the scene."""
    draft = Draft(Spoken("say", text), ledger=SCENE.id)
    table.game.write(who(BRAM), START, lambda _: Outcome.of(draft), lambda _: None)


def missed_at_login(table: Table) -> list[str]:
    """Log Ada in; gives what Bram said that she is told as missed."""
    again, link = table.session()
    type_(again, f"connect Ada {password_of('Ada')}")
    return re.findall(r'Bram says, "(\w+)"', "\n".join(link.seen()))


def ended(session: Session) -> None:
    session.goodbye("The server is going down now.")


def quits(session: Session) -> None:
    type_(session, "QUIT")


@pytest.mark.parametrize("end", [ended, quits])
def test_what_happens_while_a_connection_closes_is_told_at_the_next_login(
    table: Table, end: Callable[[Session], None]
) -> None:
    session, _ = table.inside("Ada")
    say(table, "seen")
    end(session)
    say(table, "one")  # by another server, it may be
    table.game.attendance.save()
    session.lost()
    assert missed_at_login(table) == ["one"]


def test_what_happens_while_a_broken_link_waits_for_its_last_line_is_told_at_the_next_login(
    table: Table,
) -> None:
    session, _ = table.inside("Ada")
    say(table, "seen")
    session.wait()
    session.lost()
    say(table, "one")
    session.proceed()
    assert missed_at_login(table) == ["one"]


def test_who_comes_back_while_their_old_connection_closes_is_told_what_that_was_not_shown(
    table: Table,
) -> None:
    old, _ = table.inside("Ada")
    say(table, "seen")
    table.game.attendance.save()
    ended(old)
    say(table, "one")
    assert missed_at_login(table) == ["one"]
