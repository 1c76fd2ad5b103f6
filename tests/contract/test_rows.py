"""Rows of fights at hand: a job reads what it has changed, and a batch writes each of them once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, event

from mushcombat.domain.command import Committed, Outcome, Refused
from mushcombat.domain.fight import Combatant
from mushcombat.errors import MushError
from mushcombat.storage import prepared
from mushcombat.storage.memo import Memo, Recorded
from mushcombat.storage.reads import ReadStore
from mushcombat.storage.rows import Rows
from mushcombat.storage.writes import WriteStore
from tests.contract.bench import Bench, Run, saying

SYSTEM = "otherspace"


class Table:
    """A scene with a fight of two."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        login = bench.login("Ada")
        self.scene = bench.scene(login)
        self.ada, self.bob = login.character, bench.login("Bob").character

        def run(store: WriteStore) -> None:
            store.write("fight", (self.scene,), "the fight", phase="on", round=1, turn=self.ada)
            for place, who in enumerate((self.ada, self.bob)):
                store.write("combatant", (self.scene, who), "somebody", place=place)

        bench.do(run)

    def harms(self, points: int, *, end: Run | None = None) -> Run:
        """Make the run of a job that changes things at hand, and nothing else, then ends so."""

        def run(store: WriteStore) -> Outcome:
            store.write("condition", (self.ada, SYSTEM), "Ada's health", harm=points)
            store.write("fight", (self.scene,), "the fight", round=points)
            return (end or saying(self.scene, "ouch"))(store)

        return run

    def harm(self) -> tuple[int, int]:
        """Give what the database holds of both."""
        value = self.bench.value
        of_ada = "SELECT harm FROM conditions WHERE character_id = :it"
        return value(of_ada, it=self.ada), value("SELECT round FROM fights")


def refuses(_: WriteStore) -> Outcome:
    raise MushError("no", "Not so.", "Type something else.")


@contextmanager
def statements(bench: Bench) -> Iterator[list[str]]:
    """Collect what is written, also what SQLAlchemy is not told of."""
    seen: list[str] = []
    direct = prepared._run_on_sqlite

    def note(_c: object, _cursor: object, statement: str, *_rest: object) -> None:
        if not statement.startswith(("SELECT", "BEGIN", "PRAGMA")):
            seen.append(statement.replace("\n", " "))

    def run(connection: Connection, statement: str, rows: Sequence[object]) -> None:
        note(connection, None, statement)
        direct(connection, statement, rows)

    event.listen(bench.engine, "before_cursor_execute", note)
    with patch.object(prepared, "_run_on_sqlite", run):
        yield seen
    event.remove(bench.engine, "before_cursor_execute", note)


def of(seen: list[str], table: str) -> list[str]:
    return [statement for statement in seen if f" {table} " in statement]


def test_many_changes_of_a_batch_are_one_statement_a_table(bench: Bench) -> None:
    table = Table(bench)
    bench.facts(table.harms(1))
    with statements(bench) as seen:
        bench.facts(*(table.harms(points) for points in range(2, 20)))
    assert len(of(seen, "conditions")) == len(of(seen, "fights")) == 1
    assert table.harm() == (19, 19)


def test_only_what_has_changed_is_written(bench: Bench) -> None:
    table = Table(bench)
    with statements(bench) as seen:
        bench.facts(table.harms(1))
        bench.facts(table.harms(1))
    assert of(seen, "fights") == []  # the round was 1 before
    assert len(of(seen, "conditions")) == 1  # the second time nothing differed
    with statements(bench) as seen:
        bench.facts(table.harms(2))
    assert ["turn" in update for update in of(seen, "fights")] == [False]


def test_a_job_reads_what_it_and_those_before_it_have_changed(bench: Bench) -> None:
    table, read = Table(bench), list[int]()

    def looks(store: WriteStore) -> Outcome:
        fight = store.fight(table.scene)
        assert fight is not None
        read.append(store.condition(table.ada, SYSTEM).harm + fight.round)
        return Outcome()

    def changes_and_looks(store: WriteStore) -> Outcome:
        drafts = table.harms(9)(store)
        looks(store)
        return drafts

    bench.run(table.harms(4), looks, changes_and_looks, looks)
    assert read == [8, 18, 18]


def test_a_refused_job_is_taken_back_without_running_the_others_again(bench: Bench) -> None:
    table, runs = Table(bench), list[str]()

    def counted(run: Run, name: str) -> Run:
        def inner(store: WriteStore) -> Outcome:
            runs.append(name)
            return run(store)

        return inner

    first, bad = table.harms(3), table.harms(8, end=refuses)
    results = bench.run(counted(first, "first"), counted(bad, "bad"), saying(table.scene, "on"))
    assert [isinstance(result, Committed) for result in results] == [True, False, True]
    assert runs == ["first", "bad"]
    assert table.harm() == (3, 3)


def test_what_a_refused_job_had_written_takes_nothing_of_the_others_along(bench: Bench) -> None:
    table = Table(bench)

    def digs(store: WriteStore) -> Outcome:
        store.dig("Lost")
        return refuses(store)

    first, bad = table.harms(3), table.harms(8, end=digs)
    results = bench.run(first, bad, table.harms(5), saying(table.scene, "on"))
    assert [isinstance(result, Refused) for result in results] == [False, True, False, False]
    assert table.harm() == (5, 5)
    assert "Lost" not in [place.name for place in bench.read(lambda store: store.places())]


def test_what_was_not_written_yet_is_taken_back_as_well(bench: Bench) -> None:
    table = Table(bench)

    def describes(store: WriteStore) -> Outcome:
        store.describe_character(table.bob, "not so")
        return refuses(store)

    results = bench.run(table.harms(3), describes, table.harms(4))
    assert [isinstance(result, Refused) for result in results] == [False, True, False]
    assert bench.value("SELECT description FROM characters WHERE id = :it", it=table.bob) == ""


def test_a_job_refused_alone_leaves_nothing_at_hand(bench: Bench) -> None:
    table = Table(bench)
    bench.facts(table.harms(2))
    assert isinstance(bench.run(table.harms(7, end=refuses))[0], Refused)
    assert bench.do(lambda store: store.condition(table.ada, SYSTEM).harm) == 2


def test_what_came_and_went_within_a_batch_is_not_written(bench: Bench) -> None:
    table = Table(bench)

    def comes_and_goes(store: WriteStore) -> Outcome:
        store.write("item", (table.ada, SYSTEM, "knife"), "Ada's knife", count=1)
        store.remove("item", (table.ada, SYSTEM, "knife"), "Ada's knife")
        return Outcome.of(*saying(table.scene, "dropped it")(store).drafts)

    with statements(bench) as seen:
        bench.facts(comes_and_goes)
    assert of(seen, "items") == []


def test_questions_to_the_tables_see_what_is_not_written_yet(bench: Bench) -> None:
    table, found = Table(bench), list[object]()

    def run(store: WriteStore) -> None:
        key, about = (table.scene, 5), "what is pending"
        store.write("pending", key, about, kind="attack", actor_id=1, stage="roll", due=50)
        store.write("condition", (table.ada, SYSTEM), "Ada's health", stunned_until=60)
        found.extend([store.due(50), store.due(49), store.stuns_over(60), store.stuns_over(59)])

    bench.do(run)
    assert found == [[(table.scene, 5)], [], [(table.ada, SYSTEM)], []]


def test_a_seat_has_the_name_that_its_character_has_now(bench: Bench) -> None:
    table = Table(bench)

    def seats(store: WriteStore) -> list[Combatant]:
        return store.combatants(table.scene)

    before = bench.do(seats)
    bench.do(lambda store: store.describe_character(table.ada, "tall"))
    assert bench.do(seats) == before
    assert [seat.name for seat in before] == ["Ada", "Bob"]
    assert [seat.player for seat in before] == [True, True]


KEYS = st.tuples(st.integers(0, 1), st.sampled_from(["knife", "rope"]))
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), KEYS, st.integers(0, 2)),
        st.tuples(st.just("remove"), KEYS, st.none()),
        st.tuples(st.sampled_from(["flush", "job", "back"]), st.none(), st.none()),
    ),
    max_size=25,
)


@pytest.mark.parametrize("kept", [True, False])
@settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps=STEPS)
def test_rows_at_hand_and_in_the_table_are_the_same_after_any_steps(
    bench: Bench, kept: bool, steps: list[tuple[str, tuple[int, str] | None, int | None]]
) -> None:
    people = people_of(bench)
    with bench.engine.begin() as connection, Recorded(connection) as session:
        rows = Rows()
        rows.begin(session)
        model: dict[tuple[int, str, str], int] = {}
        before = dict(model)
        for what, key, count in steps:
            if what == "flush":
                rows.flush()
            elif what == "job":
                rows.begin_job()
                before = dict(model)
            elif what == "back":
                rows.take_back()
                model = dict(before)
            elif key is not None:
                whole = (people[key[0]], SYSTEM, key[1])
                row = None if count is None else {"count": count, "in_use": False}
                rows.put("item", whole, row)
                if count is None:
                    model.pop(whole, None)
                else:
                    model[whole] = count
        rows.flush()
        seen = rows if kept else Rows()
        seen.begin(session)
        held = {key: row["count"] for who in people for key, row in seen.group("item", who).items()}
        assert held == model
        connection.rollback()


def people_of(bench: Bench) -> list[int]:
    """Give two characters, made once."""

    def known(store: ReadStore) -> list[int]:
        return [login.character for login in store.logins()]

    return bench.read(known) or [bench.login(name).character for name in ("Ada", "Bob")]


def test_a_memo_that_has_grown_too_large_begins_anew(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(bench)
    monkeypatch.setattr("mushcombat.storage.memo.MOST", 0)
    monkeypatch.setattr("mushcombat.storage.memo.COUNTED_EVERY", 2)
    memo = Memo()
    with bench.engine.begin() as connection, Recorded(connection) as session:
        memo.begin(session)
        memo.rows.group("fight", table.scene)
        memo.keep()
        assert len(memo.rows) == 1
        memo.begin(session)
        assert len(memo.rows) == 0
