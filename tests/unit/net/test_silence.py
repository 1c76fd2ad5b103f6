"""A database that says nothing at all holds nobody up who can do without it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest
from twisted.python.threadpool import ThreadPool

from mushcombat.net.session import DOWN, Session
from mushcombat.net.silence import EVERY, LOOKS, Silence
from mushcombat.storage.writer import HELD, UNSAVED
from tests.unit.net.fakes import Link, Pool, Table, password_of, quick_hashing, type_
from tests.unit.support import ADA, BRAM, scene_of


class Company:
    """Others, who hear what crosses."""

    leads = crosses = True

    def came(self, _: object) -> None:
        pass

    def went(self, _: object) -> None:
        pass


class Hanging:
    """A pool whose work waits until it is let go."""

    def __init__(self) -> None:
        self.work: list[Callable[[], None]] = []

    def callInThreadWithCallback(  # noqa: N802 -- Twisted's
        self, done: Callable[[bool, Any], None], work: Callable[..., Any], *args: object
    ) -> None:
        self.work.append(lambda: Pool().callInThreadWithCallback(done, work, *args))


class Quiet:
    """A table whose database can stop to answer."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.pulse = 0
        self.silence = Silence(table.game, lambda: self.pulse)

    def look(self, times: int = 1) -> None:
        for _ in range(times):
            self.silence.look()

    def stop(self) -> None:
        """Let it be silent until that is noticed."""
        self.look(LOOKS)
        assert self.table.game.silent

    def answer(self) -> None:
        self.pulse += 1
        self.look()
        assert not self.table.game.silent

    def come(self, name: str) -> tuple[Session, Link]:
        """Let somebody in whom the gate has counted; nothing is done at once from then on."""
        self.table.writer.quick = True
        session, link = self.table.inside(name)
        self.table.game.sessions.add(session)
        self.table.writer.quick = False
        return session, link


@pytest.fixture
def quiet(table: Table) -> Quiet:
    """Several processes; nobody is in a scene."""
    table.game.company = Company()
    return Quiet(table)


@pytest.fixture
def scene(monkeypatch: pytest.MonkeyPatch) -> Quiet:
    made = Table(scene_of(ADA, BRAM))
    quick_hashing(monkeypatch, made)
    return Quiet(made)


def test_a_database_is_silent_when_it_has_not_answered_for_some_looks(quiet: Quiet) -> None:
    for _ in range(3):
        quiet.look(LOOKS - 1)
        assert not quiet.table.game.silent
        quiet.pulse += 1
    quiet.look(LOOKS + 1)
    assert quiet.table.game.silent
    quiet.answer()


def test_it_is_looked_at_by_the_clock_until_the_end(quiet: Quiet) -> None:
    quiet.silence.start()
    for _ in range(LOOKS):
        quiet.table.reactor.advance(EVERY)
    assert quiet.table.game.silent
    quiet.silence.stop()
    quiet.silence.stop()
    assert quiet.table.reactor.getDelayedCalls() == []


def test_a_server_that_was_stopped_for_long_takes_its_database_for_silent_no_sooner(
    quiet: Quiet,
) -> None:
    quiet.silence.start()
    quiet.table.reactor.advance(100 * EVERY)
    assert not quiet.table.game.silent
    quiet.silence.stop()


@pytest.mark.parametrize("under_way", [True, False])
def test_what_is_said_is_shown_here_once_and_what_follows_at_once(
    quiet: Quiet, under_way: bool
) -> None:
    ada, mine = quiet.come("Ada")
    _, theirs = quiet.come("Bram")
    mine.seen()
    type_(ada, "say one", "say two")
    if under_way:
        quiet.table.writer.begin()
    assert theirs.seen() == []
    quiet.stop()
    type_(ada, "say three", "page Bram=four")
    heard = ['Ada says, "one"', 'Ada says, "two"', 'Ada says, "three"', "Ada pages: four"]
    assert theirs.seen() == heard
    assert mine.seen()[:3] == ['You say, "one"', 'You say, "two"', 'You say, "three"']
    quiet.table.writer.work()
    assert (mine.seen(), theirs.seen()) == ([], [])
    quiet.answer()
    type_(ada, "say five")
    assert theirs.seen() == []
    quiet.table.writer.work()
    assert theirs.seen() == ['Ada says, "five"']


def test_who_waits_for_what_may_yet_be_saved_is_told_once_and_shown_it_in_the_end(
    scene: Quiet,
) -> None:
    ada, mine = scene.come("Ada")
    bram, theirs = scene.come("Bram")
    mine.seen()
    type_(ada, ":waits.", ":waits again.")
    scene.table.writer.begin()
    scene.stop()
    scene.look(3)
    assert (mine.seen(), theirs.seen()) == ([HELD], [])
    type_(bram, ":is refused.")
    assert theirs.seen() == [UNSAVED]
    scene.answer()
    scene.table.writer.work()
    assert theirs.seen() == ["Ada waits."]
    scene.table.writer.work()
    assert theirs.seen() == ["Ada waits again."]
    assert mine.seen() == ["Ada waits.", "Ada waits again."]


def test_what_the_writer_has_not_begun_is_refused(scene: Quiet) -> None:
    ada, mine = scene.come("Ada")
    type_(ada, ":waits.", ":waits, too.", "say on")
    scene.stop()
    assert mine.seen() == [UNSAVED] * 3
    assert b"mushcombat_writer_queue 0.0" in scene.table.game.metrics.render()
    scene.table.writer.work()
    assert mine.seen() == []


def test_reading_is_given_up_and_not_begun(quiet: Quiet) -> None:
    ada, mine = quiet.come("Ada")
    pool = Hanging()
    quiet.table.game.pool = cast("ThreadPool", pool)
    type_(ada, "+finger Bram", "+finger Bram", "say on")
    quiet.stop()
    assert mine.seen() == [DOWN, DOWN, 'You say, "on"']
    assert len(pool.work) == 1
    pool.work.pop()()
    assert mine.seen() == []


def test_who_logs_in_is_told_whether_it_waits_or_comes_later(quiet: Quiet) -> None:
    quiet.table.writer.quick = False
    early, waiting = quiet.table.session()
    early.begin()
    late, told = quiet.table.session()
    type_(early, f"connect Ada {password_of('Ada')}")
    quiet.table.writer.begin()
    waiting.seen()
    quiet.stop()
    quiet.look()
    type_(late, f"connect Ada {password_of('Ada')}", "create Zoe long-enough-word", "connect guest")
    assert waiting.seen() == [HELD]
    assert told.seen() == [DOWN, DOWN, UNSAVED]
    quiet.answer()
    quiet.table.writer.work()
    assert "Connected as Ada." in waiting.seen()


def test_a_password_is_not_changed_meanwhile(quiet: Quiet) -> None:
    ada, mine = quiet.come("Ada")
    quiet.stop()
    type_(ada, f"@password {password_of('Ada')}=another-long-word")
    assert mine.seen() == [DOWN]
