"""The writer's connection: kept while all is well, thrown away when anything went wrong."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine, event, text
from sqlalchemy.exc import OperationalError

from mushcombat.domain.command import Committed, Outcome, Refused
from mushcombat.errors import MushError
from mushcombat.storage.attempts import SpoiledError
from mushcombat.storage.link import Link, NotBegunError
from mushcombat.storage.writes import WriteStore
from tests.contract.bench import Bench, saying, words_of


@pytest.fixture
def scene(bench: Bench) -> int:
    return bench.scene(bench.login("Ada"))


@pytest.fixture
def made(bench: Bench) -> list[object]:
    """Give the list of connections that are made from now on."""
    made: list[object] = []
    event.listen(bench.engine, "connect", lambda connection, _: made.append(connection))
    return made


def rooms(link: Link) -> int:
    with link.begun() as session:
        return int(session.connection().scalar(text("SELECT count(*) FROM rooms")) or 0)


def fail(link: Link, problem: Exception) -> None:
    """Write something, and fail."""
    with link.begun() as session:
        session.execute(text("UPDATE rooms SET name = 'Gone'"))
        raise problem


def test_transactions_one_after_the_other_have_one_connection(
    bench: Bench, scene: int, made: list[object]
) -> None:
    for words in ("one", "two", "three"):
        bench.facts(saying(scene, words))
    assert made == []
    assert words_of(bench.log(scene)) == ["one", "two", "three"]


def test_what_was_not_committed_is_undone_when_the_transaction_ends(bench: Bench) -> None:
    link = Link(bench.engine)
    before = rooms(link)
    with link.begun() as session:
        session.execute(text("UPDATE rooms SET name = 'Gone'"))
    with link.begun() as session:
        gone = session.scalar(text("SELECT count(*) FROM rooms WHERE name = 'Gone'"))
    assert (gone, rooms(link)) == (0, before)
    link.close()


@pytest.mark.parametrize(("problem", "new"), [(SpoiledError(), 0), (RuntimeError(), 1)])
def test_a_spoiled_batch_keeps_its_connection_and_any_other_error_costs_it(
    bench: Bench, made: list[object], problem: Exception, new: int
) -> None:
    link = Link(bench.engine)
    rooms(link)
    made.clear()
    with pytest.raises(type(problem)):
        fail(link, problem)
    with link.begun() as session:
        assert session.scalar(text("SELECT count(*) FROM rooms WHERE name = 'Gone'")) == 0
    assert len(made) == new
    link.close()


def test_a_connection_on_which_nothing_can_be_undone_is_another_one_next_time(
    bench: Bench, made: list[object]
) -> None:
    link = Link(bench.engine)
    rooms(link)
    made.clear()
    refuse_once(bench.engine, "rollback")
    assert rooms(link) > 0
    assert rooms(link) > 0
    assert len(made) == 1
    link.close()


def test_a_transaction_that_cannot_be_begun_is_said_to_be_none(bench: Bench) -> None:
    link = Link(bench.engine)
    rooms(link)
    refuse_once(bench.engine, "begin")
    with pytest.raises(NotBegunError), link.begun():
        raise AssertionError("nothing is to be done here")
    assert rooms(link) > 0
    link.close()


def refuse_once(engine: Engine, what: str) -> None:
    """Let the next "begin" or "rollback" of an engine fail."""
    left = [1]

    def fail(_: object) -> None:
        if left:
            left.pop()
            raise OperationalError(what, None, Exception("disk on fire"))

    event.listen(engine, what, fail)


def test_what_a_refused_job_held_in_the_session_is_not_in_the_next_transaction(
    bench: Bench, scene: int
) -> None:
    def digs_and_is_refused(store: WriteStore) -> Outcome:
        store.dig("Nowhere")
        raise MushError("no", "No.")

    results = bench.run(saying(scene, "one"), digs_and_is_refused, saying(scene, "two"))
    assert [type(result) for result in results] == [Committed, Refused, Committed]
    bench.facts(saying(scene, "three"))
    assert words_of(bench.log(scene)) == ["one", "two", "three"]
    assert bench.value("SELECT count(*) FROM rooms WHERE name = 'Nowhere'") == 0
