"""What the writer keeps of what it has read: never more than is still so."""

from __future__ import annotations

from sqlalchemy import event, text

from mushcombat.domain.command import Outcome, Refused
from mushcombat.errors import MushError
from mushcombat.storage import memo
from mushcombat.storage.tables import MODULES
from mushcombat.storage.writes import WriteStore
from tests.contract.bench import Bench, Run, saying, words_of

SYSTEM = "otherspace"


def level(store: WriteStore, character: int) -> int | None:
    return store.sheet(character, SYSTEM).traits.get("skill", {}).get("Pistol")


def train(store: WriteStore, character: int, level: int) -> None:
    store.set_trait(character, SYSTEM, "skill", "Pistol", level)
    store.state.changes.clear()


def test_what_is_read_twice_is_asked_once(bench: Bench) -> None:
    ada = bench.login("Ada").character
    asked: list[str] = []

    def note(_c: object, _cursor: object, statement: str, *_rest: object) -> None:
        asked.append(statement)

    def work(store: WriteStore) -> None:
        store.sheet(ada, SYSTEM)
        event.listen(bench.engine, "before_cursor_execute", note)
        store.sheet(ada, SYSTEM)
        event.remove(bench.engine, "before_cursor_execute", note)

    bench.do(work)
    assert asked == []


def test_what_a_job_writes_it_reads(bench: Bench) -> None:
    ada = bench.login("Ada").character

    def work(store: WriteStore) -> list[int | None]:
        levels = [level(store, ada)]
        for new in (3, 5):
            train(store, ada, new)
            levels.append(level(store, ada))
        return levels

    assert bench.do(work) == [None, 3, 5]


def test_what_a_refused_job_wrote_is_not_read_by_the_next(bench: Bench) -> None:
    ada = bench.login("Ada").character
    bench.do(lambda store: train(store, ada, 2))
    read: dict[str, int | None] = {}

    def refused(store: WriteStore) -> Outcome:
        train(store, ada, 7)
        read["refused"] = level(store, ada)
        raise MushError("no", "Not so.", "Type something else.")

    def next_one(store: WriteStore) -> Outcome:
        read["next"] = level(store, ada)
        return Outcome()

    assert isinstance(bench.run(refused, next_one)[0], Refused)
    assert read == {"refused": 7, "next": 2}
    assert isinstance(bench.run(refused)[0], Refused)
    bench.run(next_one)
    assert read == {"refused": 7, "next": 2}


def test_what_another_process_wrote_is_read(bench: Bench) -> None:
    ada = bench.login("Ada").character
    bench.do(lambda store: train(store, ada, 2))
    assert bench.do(lambda store: level(store, ada)) == 2
    other = Bench(bench.url)
    other.do(lambda store: train(store, ada, 6))
    other.close()
    assert bench.do(lambda store: level(store, ada)) == 6


def test_what_was_kept_does_not_outlive_the_connection(bench: Bench) -> None:
    ada = bench.login("Ada").character
    bench.do(lambda store: train(store, ada, 2))
    bench.writer.close()
    with bench.engine.begin() as connection:
        connection.execute(text("UPDATE traits SET level = 4"))
    bench.writer.close()
    assert bench.do(lambda store: level(store, ada)) == 4


def test_every_table_has_its_answers_or_none() -> None:
    tables = {
        thing
        for module in MODULES
        for thing in vars(module).values()
        if isinstance(thing, type) and hasattr(thing, "__tablename__")
    }
    everything = {"CharacterRow", "LogRow"}  # names are in every answer; no answer is of the log
    assert {t.__name__ for t in tables - set(memo._MADE_OF)} == everything


def statements(bench: Bench, *jobs: Run) -> list[str]:
    """Run a batch; gives what the database was asked and told."""
    seen: list[str] = []

    def note(_c: object, _cursor: object, statement: str, *_rest: object) -> None:
        seen.append(statement.split(" FROM ", maxsplit=1)[0].split("\n", maxsplit=1)[0])

    event.listen(bench.engine, "before_cursor_execute", note)
    bench.facts(*jobs)
    event.remove(bench.engine, "before_cursor_execute", note)
    return seen


def test_where_a_log_stands_is_asked_once_on_sqlite(bench: Bench) -> None:
    scene = bench.scene(bench.login("Ada"))
    bench.facts(saying(scene, "one"))
    asked = [each for each in statements(bench, saying(scene, "two")) if "next_seq" in each]
    reads = [each for each in asked if each.startswith("SELECT")]
    assert len(reads) == (0 if bench.engine.dialect.name == "sqlite" else 1)
    assert words_of(bench.log(scene)) == ["one", "two"]


def test_where_a_log_stands_is_asked_again_once_its_scene_was_changed(bench: Bench) -> None:
    scene = bench.scene(bench.login("Ada"))
    bench.facts(saying(scene, "one"))
    bench.do(lambda store: store.set_paused(scene, paused=True))
    paused = bench.run(saying(scene, "two"))
    assert "The scene is paused" in str(paused[0])
    bench.do(lambda store: store.set_paused(scene, paused=False))
    bench.facts(saying(scene, "three"))
    assert words_of(bench.log(scene)) == ["one", "three"]


def test_where_a_log_stands_is_asked_again_when_another_process_wrote(bench: Bench) -> None:
    scene = bench.scene(bench.login("Ada"))
    bench.facts(saying(scene, "one"))
    other = Bench(bench.url)
    other.facts(saying(scene, "two"))
    other.close()
    bench.facts(saying(scene, "three"))
    assert words_of(bench.log(scene)) == ["one", "two", "three"]
    assert [fact.seq for fact in bench.log(scene)][-3:] == [2, 3, 4]


def test_dice_that_no_row_has_shown_stay_behind_the_next_one(bench: Bench) -> None:
    scene = bench.scene(bench.login("Ada"))

    def throws(store: WriteStore) -> Outcome:
        store.dice(scene).throw(2, 6, "unseen")
        return saying(scene, "nothing seen")(store)

    bench.facts(throws)
    bench.facts(saying(scene, "next"))
    assert bench.value("SELECT max(dice_from) FROM scene_log WHERE scene_id = :it", it=scene) == 2
