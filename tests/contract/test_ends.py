"""The last rows of a log that the writer keeps are those that the database would give."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from mushcombat.domain.command import Committed, Outcome, Refused
from mushcombat.domain.events import Fact, Spoken
from mushcombat.errors import MushError
from mushcombat.storage.ends import MOST
from mushcombat.storage.writes import WriteStore
from tests.contract.bench import Bench, say, saying, words_of

KINDS = (Spoken.kind,)


@pytest.fixture
def scene(bench: Bench) -> int:
    return bench.scene(bench.login("Ada"))


def last(bench: Bench, scene: int, count: int, kinds: Sequence[str] = KINDS) -> list[Fact]:
    """Ask the writer, which may know, and somebody who has to read; they say the same."""
    known = bench.do(lambda store: store.tail(scene, kinds, count))
    assert known == bench.read(lambda store: store.tail(scene, kinds, count))
    return known


def test_what_was_appended_since_it_was_asked_is_at_the_end(bench: Bench, scene: int) -> None:
    bench.facts(saying(scene, "one"), saying(scene, "two"))
    assert words_of(last(bench, scene, 2)) == ["one", "two"]
    bench.facts(saying(scene, "three"))
    assert words_of(last(bench, scene, 2)) == ["two", "three"]
    assert words_of(last(bench, scene, 9)) == ["one", "two", "three"]


def test_a_job_sees_what_the_job_before_it_in_the_batch_said(bench: Bench, scene: int) -> None:
    bench.facts(saying(scene, "one"))
    last(bench, scene, 1)
    seen: list[str] = []

    def looks(store: WriteStore) -> Outcome:
        seen[:] = words_of(store.tail(scene, KINDS, 2))
        return Outcome()

    bench.run(saying(scene, "two"), looks)
    assert seen == ["one", "two"]


def test_what_a_refused_job_said_is_not_at_the_end(bench: Bench, scene: int) -> None:
    bench.facts(saying(scene, "one"))
    last(bench, scene, 1)

    def says_and_is_refused(_: WriteStore) -> Outcome:
        return Outcome.of(say(scene, "never"), say(4711, "where no log is"))

    results = bench.run(saying(scene, "two"), says_and_is_refused, saying(scene, "three"))
    assert [type(result) for result in results] == [Committed, Refused, Committed]
    assert words_of(last(bench, scene, 3)) == ["one", "two", "three"]


def test_a_job_that_fails_alone_leaves_the_end_as_it_was(bench: Bench, scene: int) -> None:
    bench.facts(saying(scene, "one"))
    last(bench, scene, 1)

    def refuses(store: WriteStore) -> Outcome:
        store.tail(scene, KINDS, 1)
        raise MushError("no", "No.")

    assert bench.run(refuses) == [Refused("No.")]
    assert words_of(last(bench, scene, 1)) == ["one"]


def test_other_kinds_are_other_rows(bench: Bench, scene: int) -> None:
    bench.facts(saying(scene, "one"))
    assert words_of(last(bench, scene, 1)) == ["one"]
    assert last(bench, scene, 1, ("turn.began",)) == []
    assert words_of(last(bench, scene, 1)) == ["one"]


def test_no_more_is_kept_than_there_is_room_for(bench: Bench, scene: int) -> None:
    bench.facts(saying(scene, "first"))
    last(bench, scene, 1)
    bench.facts(*(saying(scene, str(number)) for number in range(MOST)))
    assert len(bench.writer._memo.ends) <= MOST
    assert words_of(last(bench, scene, MOST + 1))[:2] == ["first", "0"]
    assert words_of(last(bench, scene, 2)) == [str(MOST - 2), str(MOST - 1)]
