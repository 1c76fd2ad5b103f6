"""Whether the server is well: one look at the database for all who ask, and an end to waiting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest
from twisted.python.threadpool import ThreadPool

from mushcombat.errors import MushError
from mushcombat.net.health import GOING_DOWN, GOOD_FOR, LOOK_SECONDS, NO_ANSWER, NOT_TAKEN, WELL
from tests.unit.net.fakes import Pool, Table


class Hanging:
    """A pool whose work waits until it is let go."""

    def __init__(self) -> None:
        self.work: list[Callable[[], None]] = []

    def callInThreadWithCallback(  # noqa: N802 -- Twisted's
        self, done: Callable[[bool, Any], None], work: Callable[..., Any], *args: object
    ) -> None:
        self.work.append(lambda: Pool().callInThreadWithCallback(done, work, *args))

    def go(self) -> None:
        work, self.work = self.work, []
        for each in work:
            each()


@pytest.fixture
def pool(table: Table) -> Hanging:
    hanging = Hanging()
    table.game.pool = cast("ThreadPool", hanging)
    return hanging


def ask(table: Table) -> list[str]:
    """Ask; what is told comes into the list."""
    told: list[str] = []
    table.game.health.ask().addCallback(told.append)
    return told


def test_a_server_whose_database_answers_is_well(table: Table) -> None:
    assert ask(table) == [WELL]


def test_many_who_ask_at_once_share_one_look(table: Table, pool: Hanging) -> None:
    told = [ask(table) for _ in range(1000)]
    assert len(pool.work) == 1
    pool.go()
    assert told == [[WELL]] * 1000


def test_a_look_is_good_for_a_while_and_then_there_is_another(table: Table, pool: Hanging) -> None:
    ask(table)
    pool.go()
    assert [ask(table) for _ in range(3)] == [[WELL]] * 3
    assert pool.work == []
    table.reactor.advance(GOOD_FOR)
    assert ask(table) == []
    assert len(pool.work) == 1


def test_a_database_that_hangs_is_told_of_in_time_and_asked_no_second_time(
    table: Table, pool: Hanging
) -> None:
    first = ask(table)
    table.reactor.advance(LOOK_SECONDS - 1)
    second = ask(table)
    assert first == second == []
    table.reactor.advance(1)
    assert first == second == [NO_ANSWER]
    table.reactor.advance(100 * LOOK_SECONDS)
    assert [ask(table) for _ in range(3)] == [[NO_ANSWER]] * 3
    assert len(pool.work) == 1


def test_a_database_that_answers_again_is_well_again(table: Table, pool: Hanging) -> None:
    ask(table)
    table.reactor.advance(LOOK_SECONDS)
    pool.go()
    assert ask(table) == [WELL]
    table.reactor.advance(GOOD_FOR)
    told = ask(table)
    pool.go()
    assert told == [WELL]


@pytest.mark.parametrize("fault", [MushError("unread", "It can't be read."), RuntimeError("odd")])
def test_a_database_that_can_not_be_read_is_told_of(
    table: Table, fault: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    table.readers.fault = fault
    assert ask(table) == [NO_ANSWER]
    assert ("odd" in caplog.text) == isinstance(fault, RuntimeError)
    table.readers.fault = None
    table.reactor.advance(GOOD_FOR)
    assert ask(table) == [WELL]


def test_a_database_that_takes_nothing_is_told_of_until_it_takes_something(table: Table) -> None:
    table.writer.trouble, table.writer.quick = "disk is full", False
    for _ in range(3):
        assert ask(table) == [NOT_TAKEN]
        table.reactor.advance(GOOD_FOR)
    (job,) = table.writer.jobs  # it is tried once at a time, however many ask
    assert job.run(table.store).drafts == ()
    table.writer.work()
    assert ask(table) == [NOT_TAKEN]
    assert len(table.writer.jobs) == 1
    table.writer.trouble = ""
    table.writer.work()
    table.reactor.advance(GOOD_FOR)
    assert ask(table) == [WELL]
    assert table.writer.jobs == []


def test_a_server_that_is_about_to_end_asks_its_database_no_more(
    table: Table, pool: Hanging
) -> None:
    table.game.closing = True
    assert ask(table) == [GOING_DOWN]
    assert pool.work == []
