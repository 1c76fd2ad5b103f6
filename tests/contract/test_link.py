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


def test_a_spoiled_batch_keeps_its_connection_and_leaves_nothing(
    bench: Bench, made: list[object]
) -> None:
    link = Link(bench.engine)
    rooms(link)
    made.clear()
    with pytest.raises(SpoiledError):
        fail(link, SpoiledError())
    assert made == []
    with link.begun() as session:
        assert session.scalar(text("SELECT count(*) FROM rooms WHERE name = 'Gone'")) == 0
    link.close()


def test_after_an_error_the_next_transaction_has_a_connection_of_its_own(
    bench: Bench, made: list[object]
) -> None:
    link = Link(bench.engine)
    rooms(link)
    made.clear()
    with pytest.raises(RuntimeError):
        fail(link, RuntimeError())
    assert rooms(link) > 0
    assert len(made) == 1
    with link.begun() as session:
        assert session.scalar(text("SELECT count(*) FROM rooms WHERE name = 'Gone'")) == 0
    link.close()


def test_a_transaction_that_cannot_be_begun_is_said_to_be_none(bench: Bench) -> None:
    link = Link(bench.engine)
    rooms(link)
    refuse_once(bench.engine)
    with pytest.raises(NotBegunError), link.begun():
        raise AssertionError("nothing is to be done here")
    assert rooms(link) > 0
    link.close()


def refuse_once(engine: Engine) -> None:
    """Let the next transaction of an engine fail when it begins."""
    left = [1]

    def fail(_: object) -> None:
        if left:
            left.pop()
            raise OperationalError("BEGIN", None, Exception("disk on fire"))

    event.listen(engine, "begin", fail)


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
