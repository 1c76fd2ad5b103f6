"""Logs in pages, logs for export, and numbers that are too big for a column."""

from __future__ import annotations

import pytest

from mushcombat.domain.events import GAME_LEDGER, Audience
from mushcombat.domain.ledger import GENESIS, digest, link
from mushcombat.domain.ports import Login
from mushcombat.errors import MushError
from mushcombat.storage import export
from mushcombat.storage.reads import ReadStore
from tests.contract.bench import Bench, saying, words_of

HUGE = [2**31, 2**63, 10**40, -1, -(2**63) - 1]


@pytest.fixture
def ada(bench: Bench) -> Login:
    return bench.login("Ada")


def test_a_log_comes_in_pages(bench: Bench, ada: Login) -> None:
    scene = bench.scene(ada)
    bench.facts(*[saying(scene, f"{n}") for n in range(2, 31)])
    assert bench.read(lambda store: store.last_seq(scene)) == 30
    pages = [bench.read(lambda s, n=n: s.log(scene, n, n + 9)) for n in (1, 11, 21, 31)]  # type: ignore[misc]
    assert [[fact.seq for fact in page] for page in pages] == [
        [*range(1, 11)],
        [*range(11, 21)],
        [*range(21, 31)],
        [],
    ]
    assert words_of(pages[2]) == [f"{n}" for n in range(21, 31)]
    assert bench.read(lambda store: store.log(scene, 7, 6)) == []
    assert [fact.seq for fact in bench.read(lambda store: store.log(scene, -5, 2))] == [1, 2]


def test_an_empty_log_ends_at_nought(bench: Bench) -> None:
    assert bench.read(lambda store: store.last_seq(GAME_LEDGER)) == 0
    assert bench.do(lambda store: store.last_seq(GAME_LEDGER)) == 0
    assert bench.read(lambda store: store.log(GAME_LEDGER, 1, 100)) == []


def test_a_logged_fact_reads_back_with_who_when_and_for_whom(bench: Bench, ada: Login) -> None:
    scene = bench.scene(ada)
    (fact,) = bench.facts(saying(scene, "hello"))
    (again,) = bench.read(lambda store: store.log(scene, 2, 2))
    assert again == fact
    assert (again.head, again.at.tzinfo, again.audience) == (fact.head, fact.at.tzinfo, "room")
    assert again.at.microsecond == 123456
    assert again.audience is Audience.ROOM


@pytest.mark.parametrize("rows", [1, 4, 5, 6, 10, 11])
def test_an_export_gives_every_row_once_whatever_the_chunk(
    bench: Bench, ada: Login, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "CHUNK", 5)
    scene = bench.scene(ada)
    bench.run(*[saying(scene, f"{n}") for n in range(2, rows + 1)])
    head = GENESIS
    exported = bench.read(lambda store: list(store.exported(scene, rows)))
    for seq, row in enumerate(exported, start=1):
        assert (row.fact.seq, row.hashed["seq"], row.fact.ledger) == (seq, seq, scene)
        assert digest(row.salt, row.hashed) == row.digest
        head = link(head, row.digest)
        assert row.fact.head == head
    assert len(exported) == rows
    assert head == bench.value("SELECT head FROM scenes WHERE id = :it", it=scene)


def test_an_export_goes_on_while_the_game_does(
    bench: Bench, ada: Login, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "CHUNK", 2)
    scene = bench.scene(ada)
    bench.run(*[saying(scene, f"{n}") for n in range(2, 7)])

    def read_slowly(store: ReadStore) -> list[int | None]:
        seen: list[int | None] = []
        for row in store.exported(scene, 6):
            seen.append(row.fact.seq)
            if row.fact.seq == 3:
                bench.facts(saying(scene, "late"))
        return seen

    assert bench.read(read_slowly) == [1, 2, 3, 4, 5, 6]
    assert bench.read(lambda store: store.last_seq(scene)) == 7


@pytest.mark.parametrize("number", HUGE)
def test_numbers_that_nothing_has_find_nothing(bench: Bench, ada: Login, number: int) -> None:
    bench.scene(ada)

    def look(store: ReadStore) -> list[object]:
        people = store.names([number, ada.character])
        return [store.scene(number), store.character(number), store.place(number), people]

    nothing = [None, None, None, {ada.character: "Ada"}]
    assert bench.read(look) == nothing
    assert bench.do(look) == nothing
    assert bench.read(lambda store: store.last_seq(number)) == 0
    assert bench.read(lambda store: store.log(number, 1, 10)) == []


@pytest.mark.parametrize("number", [abs(number) for number in HUGE if number != -1])
def test_pages_of_a_log_take_any_number(bench: Bench, ada: Login, number: int) -> None:
    scene = bench.scene(ada)
    assert bench.read(lambda store: store.log(scene, number, number + 10)) == []
    assert bench.read(lambda store: store.log(scene, -number, -number + 10)) == []
    assert bench.read(lambda store: store.log(scene, -number, number)) == bench.log(scene)


@pytest.mark.parametrize("number", HUGE)
def test_numbers_that_nothing_has_change_nothing(bench: Bench, number: int) -> None:
    with pytest.raises(MushError, match="no longer there"):
        bench.do(lambda store: store.move(number, 1))
    with pytest.raises(MushError, match="no longer there"):
        bench.do(lambda store: store.set_role(number, 1))  # type: ignore[arg-type]  # never looked at
