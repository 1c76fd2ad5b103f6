"""When the database itself does not do what it was asked: nothing is shown, all are told."""

from __future__ import annotations

import sqlite3
import time

import psycopg
import pytest
from sqlalchemy import Connection, event, text
from sqlalchemy.exc import OperationalError

from mushcombat.domain.command import Committed, Outcome, Refused
from mushcombat.storage import engine as engines
from mushcombat.storage.writer import UNSAVED
from mushcombat.storage.writes import WriteStore
from tests.contract.bench import PATIENCE, Bench, say, saying, words_of

only_sqlite = pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
only_postgresql = pytest.mark.parametrize("backend", ["postgresql"], indirect=True)


@pytest.fixture
def scene(bench: Bench) -> int:
    return bench.scene(bench.login("Ada"))


def refuse_commits(bench: Bench, times: int) -> None:
    """Let the next so many commits fail."""
    left = list(range(times))

    def fail(_: Connection) -> None:
        if left:
            left.pop()
            raise OperationalError("COMMIT", None, Exception("disk on fire"))

    event.listen(bench.engine, "commit", fail)


def test_a_failed_commit_shows_nothing_and_tells_everyone(bench: Bench, scene: int) -> None:
    refuse_commits(bench, 4)
    results = bench.run(saying(scene, "one"), saying(scene, "two"), saying(scene, "three"))
    assert results == [Refused(UNSAVED)] * 3
    assert words_of(bench.log(scene)) == []
    bench.facts(saying(scene, "four"))
    assert words_of(bench.log(scene)) == ["four"]
    assert [fact.seq for fact in bench.log(scene)] == [1, 2]


def test_the_writer_keeps_what_the_database_said_until_it_takes_something(
    bench: Bench, scene: int
) -> None:
    assert bench.writer.trouble == ""
    refuse_commits(bench, 1)
    bench.run(saying(scene, "one"))
    assert bench.writer.trouble == "disk on fire"
    (result,) = bench.run(lambda _: Outcome())
    assert isinstance(result, Committed)
    assert bench.writer.trouble == ""


def test_after_a_failed_commit_each_job_has_a_try_of_its_own(bench: Bench, scene: int) -> None:
    refuse_commits(bench, 2)
    results = bench.run(saying(scene, "one"), saying(scene, "two"), saying(scene, "three"))
    assert results[0] == Refused(UNSAVED)
    assert [isinstance(result, Committed) for result in results[1:]] == [True, True]
    assert words_of(bench.log(scene)) == ["two", "three"]
    assert [fact.seq for fact in bench.log(scene)] == [1, 2, 3]


def test_the_thread_lives_on_after_a_failed_commit(bench: Bench, scene: int) -> None:
    refuse_commits(bench, 1)
    jobs = [bench.job(saying(scene, "one"))]
    bench.writer.submit(jobs[0])
    bench.writer.start()
    end = time.monotonic() + PATIENCE
    while not bench.delivered:
        assert time.monotonic() < end
        time.sleep(0.01)
    jobs.append(bench.job(saying(scene, "two")))
    bench.writer.submit(jobs[1])
    bench.writer.stop()
    assert [job for job, _ in bench.delivered] == jobs
    assert words_of(bench.log(scene)) == ["two"]


def test_a_job_is_never_logged_twice(bench: Bench, scene: int) -> None:
    job = bench.job(saying(scene, "once"), appends=True)
    assert isinstance(bench.run(job)[0], Committed)
    results = bench.run(job, saying(scene, "another"))
    assert results[0] == Refused(UNSAVED)
    assert isinstance(results[1], Committed)
    assert words_of(bench.log(scene)) == ["once", "another"]


@only_sqlite
def test_a_commit_that_sqlite_itself_refuses_leaves_no_transaction_open(
    bench: Bench, scene: int
) -> None:
    def breaks_a_key_at_the_commit(store: WriteStore) -> Outcome:
        store._session.execute(text("PRAGMA defer_foreign_keys = ON"))
        store._session.execute(text("UPDATE characters SET room_id = 4711"))
        return Outcome.of(say(scene, "broken"))

    results = bench.run(saying(scene, "one"), breaks_a_key_at_the_commit, saying(scene, "two"))
    assert [isinstance(result, Committed) for result in results] == [True, False, True]
    assert results[1] == Refused(UNSAVED)
    assert words_of(bench.log(scene)) == ["one", "two"]
    assert bench.value("SELECT room_id FROM characters") == 1


@only_postgresql
def test_a_connection_lost_between_batches_is_made_again(bench: Bench, scene: int) -> None:
    ours = bench.do(lambda s: s._session.execute(text("SELECT pg_backend_pid()")).scalar_one())
    end_connection(bench, ours)
    results = bench.run(saying(scene, "one"), saying(scene, "two"))
    assert [isinstance(result, Committed) for result in results] == [True, True]
    assert words_of(bench.log(scene)) == ["one", "two"]


@only_postgresql
def test_a_job_alone_does_not_notice_that_the_connection_was_lost(bench: Bench, scene: int) -> None:
    ours = bench.do(lambda s: s._session.execute(text("SELECT pg_backend_pid()")).scalar_one())
    end_connection(bench, ours)
    assert isinstance(bench.run(saying(scene, "one"))[0], Committed)
    assert words_of(bench.log(scene)) == ["one"]


@only_postgresql
def test_a_job_alone_that_loses_each_connection_is_refused(bench: Bench, scene: int) -> None:
    def loses_it(store: WriteStore) -> Outcome:
        process = store._session.execute(text("SELECT pg_backend_pid()")).scalar_one()
        end_connection(bench, process)
        store.dig("Deck two")
        return Outcome.of(say(scene, "two"))

    assert bench.run(loses_it) == [Refused(UNSAVED)]
    assert words_of(bench.log(scene)) == []


@only_postgresql
def test_a_connection_lost_within_a_batch_loses_and_doubles_nothing(
    bench: Bench, scene: int
) -> None:
    tries: list[int] = []

    def loses_it_once(store: WriteStore) -> Outcome:
        tries.append(store._session.execute(text("SELECT pg_backend_pid()")).scalar_one())
        if len(tries) == 1:
            end_connection(bench, tries[0])
        store.dig("Deck two")
        return Outcome.of(say(scene, "two"))

    results = bench.run(saying(scene, "one"), loses_it_once, saying(scene, "three"))
    assert [isinstance(result, Committed) for result in results] == [True, True, True]
    assert words_of(bench.log(scene)) == ["one", "two", "three"]
    assert bench.value("SELECT count(*) FROM rooms WHERE name = 'Deck two'") == 1
    assert len(set(tries)) == 2


def end_connection(bench: Bench, process: int) -> None:
    with psycopg.connect(bench.url, autocommit=True, connect_timeout=5) as other:
        wait = "SELECT pg_terminate_backend(%s, %s)"
        assert other.execute(wait, (process, int(PATIENCE) * 1000)).fetchone() == (True,)


@only_sqlite
def test_a_file_locked_for_too_long_refuses_and_then_serves_again(
    bench: Bench, scene: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "BUSY_MS", 50)
    writer = bench.make_writer(bench.delivered.extend, engines.open_engine(bench.url))
    other = sqlite3.connect(bench.url.removeprefix("sqlite:///"), isolation_level=None)
    jobs = [bench.job(saying(scene, words)) for words in ("one", "two")]
    other.execute("BEGIN IMMEDIATE")
    assert [result for _, result in writer.run(jobs)] == [Refused(UNSAVED)] * 2
    other.execute("ROLLBACK")
    other.close()
    assert all(isinstance(result, Committed) for _, result in writer.run(jobs))
    writer.close()
    assert words_of(bench.log(scene)) == ["one", "two"]


@only_sqlite
def test_what_is_queued_behind_a_batch_that_could_not_begin_is_refused_with_it(
    bench: Bench, scene: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "BUSY_MS", 50)
    writer = bench.make_writer(bench.delivered.extend, engines.open_engine(bench.url))
    other = sqlite3.connect(bench.url.removeprefix("sqlite:///"), isolation_level=None)
    first, later = (bench.job(saying(scene, words)) for words in ("one", "two"))
    other.execute("BEGIN IMMEDIATE")
    writer.submit(later)
    assert writer.run([first]) == [(first, Refused(UNSAVED)), (later, Refused(UNSAVED))]
    other.execute("ROLLBACK")
    other.close()
    writer.start()
    writer.stop()
    assert bench.delivered == []
    assert words_of(bench.log(scene)) == []


@only_sqlite
def test_on_a_full_disk_only_what_does_not_fit_is_refused(bench: Bench, scene: int) -> None:
    pages = bench.value("PRAGMA page_count")

    def narrow(connection: sqlite3.Connection, _: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages + 4}")

    event.listen(bench.engine, "connect", narrow)
    bench.writer.close()
    results = bench.run(saying(scene, "one"), saying(scene, "x" * 100_000), saying(scene, "two"))
    assert [isinstance(result, Committed) for result in results] == [True, False, True]
    assert results[1] == Refused(UNSAVED)
    assert words_of(bench.log(scene)) == ["one", "two"]
