"""However long a log is, what is asked of it finds its rows by an index, on both databases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from sqlalchemy import Connection, event, insert, text

from mushcombat.domain.events import Spoken
from mushcombat.domain.fight import FightStarted, TurnBegan
from mushcombat.domain.state import STATE_EVENTS
from mushcombat.storage.engine import open_engine
from mushcombat.storage.reads import Readers, ReadStore
from mushcombat.storage.schema import LogRow
from tests.contract.arena import Arena, opened
from tests.contract.bench import CODEC

ROWS = 5_000
TURNS = FightStarted.kind, TurnBegan.kind
STATE = [each.kind for each in STATE_EVENTS]

Ask = Callable[[ReadStore, int, int], Any]

ASKED: dict[str, tuple[str, Ask]] = {
    "an action": ("ix_scene_log_action", lambda s, scene, _: s.action(scene, 7)),
    "some actions": ("ix_scene_log_action", lambda s, scene, _: s.actions(scene, [*range(50)])),
    "rare kinds": ("ix_scene_log_unspoken", lambda s, scene, _: s.kinds(scene, STATE)),
    "rare kinds behind a row": (
        "ix_scene_log_unspoken",
        lambda s, scene, _: s.kinds(scene, STATE, 100),
    ),
    "the last of rare kinds": (
        "ix_scene_log_unspoken",
        lambda s, scene, _: s.tail(scene, TURNS, 16),
    ),
    "the last that a silent one said": (
        "ix_scene_log_actor",
        lambda s, scene, silent: s.tail(scene, (Spoken.kind,), 10, actors=[silent]),
    ),
}
"""What is asked of a log, and the index that is to find it."""


@pytest.fixture
def arena(prepared_url: str) -> Iterator[Arena]:
    with opened(prepared_url) as arena:
        yield arena


def lengthen(arena: Arena) -> None:
    """Let the last row of the log be followed by thousands like it, two speakers in turn."""
    columns, last = LogRow.__table__.columns, len(arena.log())
    here = columns.scene_id == arena.scene, columns.seq == last
    engine = open_engine(arena.url)
    speakers = arena.id_of("Ada"), arena.id_of("Bram")
    with engine.begin() as connection:
        (row,) = connection.execute(LogRow.__table__.select().where(*here)).mappings()
        bulk = [
            {**row, "seq": n, "action": n, "job": f"{n}", "part": 0, "actor_id": speakers[n % 2]}
            for n in range(last + 1, last + ROWS)
        ]
        connection.execute(insert(LogRow), bulk)
        if engine.dialect.name == "postgresql":  # it does so by itself, once it finds the time
            connection.execute(text("ANALYZE scene_log"))
    engine.dispose()


def plans(url: str, ask: Callable[[ReadStore], Any]) -> list[str]:
    """Ask, and give how each statement found its rows."""
    engine = open_engine(url, read_only=True)
    found: list[str] = []
    how = "EXPLAIN QUERY PLAN" if engine.dialect.name == "sqlite" else "EXPLAIN"

    def explain(
        connection: Connection, _: object, statement: str, parameters: Any, *_more: object
    ) -> None:
        if "scene_log" in statement and not statement.startswith("EXPLAIN"):
            steps: Sequence[Any] = connection.exec_driver_sql(
                f"{how} {statement}", parameters
            ).all()
            found.append("\n".join(str(step[-1]) for step in steps))

    event.listen(engine, "after_cursor_execute", explain)
    readers = Readers(engine, CODEC)
    readers.run(ask)
    readers.close()
    return found


def test_what_is_asked_of_a_long_log_is_found_by_an_index(arena: Arena) -> None:
    arena.must("Ada", "pose waves.")
    lengthen(arena)
    silent = arena.id_of("Cass")
    for what, (index, ask) in ASKED.items():
        (plan,) = plans(arena.url, lambda store, ask=ask: ask(store, arena.scene, silent))  # type: ignore[misc]
        assert index in plan, what


def test_rows_that_an_index_finds_come_in_the_logs_order(arena: Arena) -> None:
    numbers = [arena.must("Ada", f"pose waves {n} times.").action for n in range(3)]
    rows = arena.read(lambda store: store.actions(arena.scene, numbers[::-1]))
    assert [fact.seq for fact in rows] == numbers
    for name, lost in (("Ada", 5), ("Bram", 6), ("Ada", 7)):
        arena.must("Rhea", f"+damage {name}={lost}")
    kinds = sorted({fact.event.kind for fact in arena.log()} - {Spoken.kind})
    found = arena.read(lambda store: store.kinds(arena.scene, kinds))
    assert [fact.seq for fact in found] == sorted(fact.seq or 0 for fact in found)
    tail = arena.read(lambda store: store.tail(arena.scene, kinds, 3))
    assert tail == found[-3:]
    assert arena.read(lambda s: s.tail(arena.scene, kinds, 9, before=tail[0].seq))[-1] == found[-4]


def test_a_recap_of_a_second_fight_does_not_ask_for_what_was_before_it(arena: Arena) -> None:
    before = arena.must("Rhea", "+damage Ada=5").action
    arena.must("Rhea", "+combat/start", f"+undo {before}", f"+redo {before}", f"+undo {before}")
    assert any(line.startswith("[Combat]") for line in arena.must("Rhea", "+recap").reply)
