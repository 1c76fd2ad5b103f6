"""When the answer to a COMMIT gets lost: it is looked up before anyone is told, or tries again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from sqlalchemy.exc import OperationalError

from mushcombat.domain.command import Committed, Job, Outcome, Refused, Result
from mushcombat.domain.events import Fact
from mushcombat.storage import jobs as marks
from mushcombat.storage import writer as writers
from mushcombat.storage.jobs import KEPT, Marks
from mushcombat.storage.writer import UNKNOWN, UNSAVED, Writer
from mushcombat.storage.writes import WriteStore
from tests.contract.bench import CODEC, PATIENCE, Bench, saying, words_of

only_postgresql = pytest.mark.parametrize("backend", ["postgresql"], indirect=True)


@pytest.fixture
def scene(bench: Bench) -> int:
    return bench.scene(bench.login("Ada"))


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writers, "PAUSES", (0.01,))


def lose(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, *, first: Callable[[Any], None] | None = None
) -> None:
    """Let the answer to the next COMMIT get lost; `first` is done in its stead."""
    dialect = bench.engine.dialect
    commit = type(dialect).do_commit
    left = [first or (lambda connection: commit(dialect, connection))]

    def do_commit(connection: Any) -> None:
        if not left:
            commit(dialect, connection)
            return
        left.pop()(connection)
        raise OperationalError("COMMIT", None, Exception("the line is dead"))

    monkeypatch.setattr(dialect, "do_commit", do_commit)


def unanswered(monkeypatch: pytest.MonkeyPatch, times: int, then: Callable[[], None]) -> None:
    """Let the database not answer the next so many looks; `then` is called at each."""
    look, left = Marks.is_in, list(range(times))

    def is_in(self: Marks, *arguments: Any) -> bool:
        if left:
            left.pop()
            then()
            raise OperationalError("SELECT", None, Exception("nobody is there"))
        return look(self, *arguments)

    monkeypatch.setattr(Marks, "is_in", is_in)


def dig(store: WriteStore) -> Outcome:
    store.dig("Deck two")
    return Outcome()


def done(results: list[Result]) -> list[bool]:
    return [isinstance(result, Committed) for result in results]


def test_what_is_in_though_its_answer_was_lost_is_shown_and_not_done_again(
    bench: Bench, scene: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    lose(bench, monkeypatch)
    assert done(bench.run(saying(scene, "one"), dig, saying(scene, "two"))) == [True] * 3
    assert words_of(bench.log(scene)) == ["one", "two"]
    assert bench.value("SELECT count(*) FROM rooms WHERE name = 'Deck two'") == 1


def test_a_job_that_logs_nothing_is_not_done_again_either(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    lose(bench, monkeypatch)
    assert done(bench.run(dig)) == [True]
    assert bench.value("SELECT count(*) FROM rooms WHERE name = 'Deck two'") == 1


def test_what_is_not_in_is_done_once_more_and_is_there_once(
    bench: Bench, scene: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    lose(bench, monkeypatch, first=lambda _: None)
    assert done(bench.run(saying(scene, "one"), dig, saying(scene, "two"))) == [True] * 3
    assert words_of(bench.log(scene)) == ["one", "two"]
    assert bench.value("SELECT count(*) FROM rooms WHERE name = 'Deck two'") == 1


def test_a_job_alone_that_is_not_in_is_refused(
    bench: Bench, scene: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    lose(bench, monkeypatch, first=lambda _: None)
    assert bench.run(saying(scene, "one")) == [Refused(UNSAVED)]
    assert words_of(bench.log(scene)) == []


def test_while_nobody_answers_those_in_doubt_are_told_to_wait_and_others_are_refused(
    bench: Bench, scene: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    others: list[Job] = []

    def types() -> None:
        others.append(bench.job(saying(scene, "meanwhile")))
        bench.writer.submit(others[-1])

    lose(bench, monkeypatch)
    unanswered(monkeypatch, 3, types)
    job = bench.job(saying(scene, "one"))
    assert done(bench.run(job)) == [True]
    assert bench.held == [job]
    assert bench.delivered == [(other, Refused(UNSAVED)) for other in others]
    assert len(others) == 3
    assert words_of(bench.log(scene)) == ["one"]


def test_when_the_database_does_not_come_back_those_in_doubt_are_told_that_nobody_knows(
    bench: Bench, scene: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    lose(bench, monkeypatch)
    unanswered(monkeypatch, 1000, lambda: None)
    monkeypatch.setattr(writers, "LOOKS_FOR", 0.05)
    assert bench.run(saying(scene, "one"), saying(scene, "two")) == [Refused(UNKNOWN)] * 2
    assert words_of(bench.log(scene)) == ["one", "two"]


def test_a_writer_in_doubt_ends_soon_when_it_is_told_to(
    bench: Bench, scene: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    doubts = threading.Event()
    lose(bench, monkeypatch)
    unanswered(monkeypatch, 100_000, doubts.set)
    monkeypatch.setattr(writers, "LOOKS_AT_THE_END", 0.05)
    job = bench.job(saying(scene, "one"))
    bench.writer.submit(job)
    bench.writer.start()
    assert doubts.wait(PATIENCE)
    bench.writer.stop()
    assert bench.delivered == [(job, Refused(UNKNOWN))]


@only_postgresql
def test_a_commit_still_under_way_on_the_lost_connection_is_waited_for(
    bench: Bench, scene: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lost connection is at its COMMIT still, when a new one looks for it."""
    lost: list[psycopg.Connection[Any]] = []

    def slow(connection: Any) -> None:
        ours: psycopg.Connection[Any] = connection.driver_connection
        lost.append(ours)
        monkeypatch.setattr(ours, "close", lambda: None)

    def ends() -> None:
        while not _waits(bench):
            pass
        lost[0].commit()

    lose(bench, monkeypatch, first=slow)
    thread = threading.Thread(target=ends)
    thread.start()
    results = bench.run(saying(scene, "one"), dig)
    thread.join()
    assert done(results) == [True, True]
    assert words_of(bench.log(scene)) == ["one"]
    assert bench.value("SELECT count(*) FROM rooms WHERE name = 'Deck two'") == 1


def _waits(bench: Bench) -> bool:
    """Tell whether anybody waits for another's transaction to end."""
    with psycopg.connect(bench.url, autocommit=True, connect_timeout=5) as other:
        row = other.execute(
            "SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'"
            " AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())"
        ).fetchone()
    return bool(row and row[0])


def test_on_sqlite_a_logged_row_is_the_mark_of_its_transaction(bench: Bench, scene: int) -> None:
    before = bench.value("SELECT count(*) FROM recent_jobs")
    job = bench.job(saying(scene, "one"))
    bench.facts(job)
    marks_left = bench.value("SELECT count(*) FROM recent_jobs") - before
    assert marks_left == (0 if bench.engine.dialect.name == "sqlite" else 1)
    assert Marks(bench.clock).is_in(bench.engine, job.id)
    assert not Marks(bench.clock).is_in(bench.engine, "another")


def test_marks_are_swept_when_nobody_can_look_for_them_any_more(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(marks, "SWEPT_EVERY", 1)
    bench.facts(dig)
    bench.clock.now += KEPT + timedelta(minutes=1)
    job = bench.job(dig)
    bench.facts(job)
    bench.facts(dig)
    ids = [row.id for row in bench.rows("SELECT id FROM recent_jobs ORDER BY at")]
    assert len(ids) == 2
    assert ids[0] == job.id


def test_a_line_that_can_not_be_written_hurts_no_other_and_the_thread_lives_on(
    bench: Bench, scene: int
) -> None:
    """Half of a surrogate pair can't be encoded: the driver's own error, at the writing of rows."""

    def broken(fact: Fact) -> str:
        return "\ud800" if words_of([fact]) == ["two"] else ""

    writer = Writer(bench.engine, CODEC, broken, bench.clock, bench.delivered.extend)
    for words in ("one", "two", "three"):
        writer.submit(bench.job(saying(scene, words), appends=True))
    writer.start()
    writer.stop()
    results = [result for _, result in bench.delivered]
    assert done(results) == [True, False, True]
    assert results[1] == Refused(UNSAVED)
    assert words_of(bench.log(scene)) == ["one", "three"]
