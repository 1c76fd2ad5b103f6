"""Two writers on one PostgreSQL: locks, bulletins, and one order for all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from mushcombat.domain.character import Role
from mushcombat.domain.command import Committed, Job, Outcome, Refused
from mushcombat.domain.dice import commitment
from mushcombat.domain.eras import SceneLoaded
from mushcombat.domain.events import Audience, Draft, Fact, Moved, SceneOpened, Spoken, Who
from mushcombat.domain.ledger import GENESIS, link
from mushcombat.domain.processes import WorldLoaded
from mushcombat.errors import MushError
from mushcombat.storage.bulletins import drop_old
from mushcombat.storage.reads import ReadStore
from mushcombat.storage.writer import OTHERS
from mushcombat.storage.writes import WriteStore
from tests.contract.bench import PATIENCE, SEED, Bench, say, saying, words_of
from tests.contract.processes import Process, at_once, speech, stays, two

pytestmark = pytest.mark.parametrize("backend", ["postgresql"], indirect=True)

EACH = 60
"""Jobs of each process, where they run against each other."""


@pytest.fixture
def pair(bench: Bench) -> Iterator[tuple[Process, Process]]:
    with two(bench) as pair:
        yield pair


@pytest.fixture
def scene(bench: Bench) -> int:
    return bench.scene(bench.login("Ada"))


def talking(bench: Bench, process: Process, scene: int, name: str) -> None:
    """Say many things, in batches of one to four."""
    lines = [stays(bench, saying(scene, f"{name} {n}"), scene) for n in range(EACH)]
    while lines:
        batch, lines = lines[: 1 + len(lines) % 4], lines[1 + len(lines) % 4 :]
        assert all(isinstance(result, Committed) for result in process.run(*batch))


def check_chain(bench: Bench, scene: int) -> None:
    head = GENESIS
    rows = bench.rows(
        "SELECT seq, digest, head FROM scene_log WHERE scene_id = :scene ORDER BY seq", scene=scene
    )
    assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
    for row in rows:
        head = link(head, row.digest)
        assert row.head == head


def test_two_writers_share_a_log_and_show_it_in_one_order(
    bench: Bench, scene: int, pair: tuple[Process, Process]
) -> None:
    one, other = pair
    at_once((talking, bench, one, scene, "one"), (talking, bench, other, scene, "other"))
    one.look()
    other.look()
    logged = words_of(bench.log(scene))
    assert len(logged) == 2 * EACH
    assert one.said() == other.said() == logged
    check_chain(bench, scene)


def test_what_no_log_holds_has_its_place_in_the_same_order(
    bench: Bench, scene: int, pair: tuple[Process, Process]
) -> None:
    one, other = pair

    def chatting() -> None:
        for number in range(EACH):
            outcome = Outcome.of(Draft(Spoken("ooc", f"chat {number}"), room=1))
            other.run(speech(bench, outcome))

    at_once((talking, bench, one, scene, "one"), (chatting,))
    one.look()
    other.look()
    assert one.said() == other.said()
    assert len(one.said()) == 2 * EACH


def test_who_comes_in_by_a_job_that_tells_nothing_finds_all_that_was_committed_before(
    bench: Bench, scene: int, pair: tuple[Process, Process]
) -> None:
    one, other = pair
    one.run(stays(bench, saying(scene, "before"), scene))
    login = bench.job(lambda _: Outcome())
    other.run(login)
    assert [job.id for job, _ in other.delivered[-2:]] == [OTHERS.id, login.id]
    assert other.said() == ["before"]
    one.run(stays(bench, saying(scene, "after"), scene))
    other.look()
    assert other.said() == ["before", "after"]


def test_nobody_overwrites_what_another_process_has_just_changed(
    bench: Bench, scene: int, pair: tuple[Process, Process]
) -> None:
    (ada,) = [login.character for login in bench.read(lambda store: store.logins())]

    def hurts(store: WriteStore) -> Outcome:
        harm = store.condition(ada, "otherspace").harm
        store.write("condition", (ada, "otherspace"), "Ada's health", harm=harm + 1)
        store.state.changes.clear()
        return Outcome.of(say(scene, "Ouch."))

    def hurting(process: Process) -> None:
        for _ in range(EACH):
            (result,) = process.run(stays(bench, hurts, scene))
            assert isinstance(result, Committed)

    at_once(*((hurting, process) for process in pair))
    assert bench.read(lambda store: store.condition(ada, "otherspace")).harm == 2 * EACH


def test_scenes_that_share_a_character_wait_for_each_other(
    bench: Bench, pair: tuple[Process, Process]
) -> None:
    ada, bram = bench.login("Ada"), bench.login("Bram")
    scenes = [bench.scene(ada), bench.scene(bram)]
    bench.do(lambda store: store.join_scene(scenes[1], ada.character, bench.clock()))

    def hurts(scene: int) -> Job:
        def run(store: WriteStore) -> Outcome:
            harm = store.condition(ada.character, "otherspace").harm
            store.write("condition", (ada.character, "otherspace"), "", harm=harm + 1)
            store.state.changes.clear()
            return Outcome.of(say(scene, "Ouch."))

        return stays(bench, run, scene)

    def hurting(process: Process, scene: int) -> None:
        for _ in range(EACH):
            assert isinstance(process.run(hurts(scene))[0], Committed)

    at_once(*((hurting, *both) for both in zip(pair, scenes, strict=True)))
    harm = bench.read(lambda store: store.condition(ada.character, "otherspace")).harm
    assert harm == 2 * EACH


def test_who_stands_in_each_others_way_does_it_one_after_the_other(
    bench: Bench, pair: tuple[Process, Process]
) -> None:
    scenes = [bench.scene(bench.login(name)) for name in ("Ada", "Bram")]
    barrier = Barrier(2, timeout=PATIENCE)

    def crosswise(first: int, second: int) -> Job:
        """Belongs to one scene, and then writes to the other one, too."""
        tries: list[int] = []

        def run(_: WriteStore) -> Outcome:
            tries.append(1)
            if len(tries) == 1:
                barrier.wait()
            return Outcome.of(say(first, "here"), say(second, "there"))

        return stays(bench, run, first)

    def working(process: Process, first: int, second: int) -> None:
        assert isinstance(process.run(crosswise(first, second))[0], Committed)

    at_once((working, pair[0], *scenes), (working, pair[1], *reversed(scenes)))
    for scene in scenes:
        assert sorted(words_of(bench.log(scene))) == ["here", "there"]
        check_chain(bench, scene)


def test_facts_cross_as_they_are(bench: Bench, scene: int, pair: tuple[Process, Process]) -> None:
    one, other = pair
    (found,) = bench.read(lambda store: store.open_scenes())
    drafts = (
        say(scene, 'Aha, "so"\u00e9\U0001f600', Audience.PRIVATE),
        Draft(Moved(1, "Ada", 1, 2, "Out"), room=4),
        Draft(SceneLoaded(found), Audience.PRIVATE, actor=Who(0, "Nobody")),
    )
    one.run(bench.job(lambda _: Outcome.of(*drafts)))
    assert other.look() == one.shown
    assert [fact.head for fact in other.shown] == [fact.head for fact in one.shown]
    assert other.look() == []


def test_what_others_did_comes_before_what_is_done_after_it(
    bench: Bench, scene: int, pair: tuple[Process, Process]
) -> None:
    one, other = pair
    one.run(stays(bench, saying(scene, "first"), scene))
    other.run(stays(bench, saying(scene, "second"), scene))
    assert other.said() == ["first", "second"]
    one.look()
    assert one.said() == ["first", "second"]


def test_what_was_refused_crosses_to_nobody(
    bench: Bench, scene: int, pair: tuple[Process, Process]
) -> None:
    one, other = pair
    bench.run(bench.closes(scene))
    (result,) = one.run(stays(bench, saying(scene, "too late"), scene))
    assert isinstance(result, Refused)
    other.look()
    assert "too late" not in other.said()


def test_a_commit_whose_answer_was_lost_is_shown_once_by_each(
    bench: Bench, scene: int, pair: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = pair[0]
    dialect = one.writer._engine.dialect
    commit, left = type(dialect).do_commit, [1]

    def do_commit(connection: Any) -> None:
        commit(dialect, connection)
        if left:
            left.pop()
            raise OperationalError("COMMIT", None, Exception("the line is dead"))

    monkeypatch.setattr(dialect, "do_commit", do_commit)
    for words in ("in doubt", "after it"):
        (result,) = one.run(stays(bench, saying(scene, words), scene))
        assert isinstance(result, Committed)
    for process in pair:
        process.look()
        assert process.said() == ["in doubt", "after it"]


def test_a_process_alone_writes_no_bulletins(bench: Bench, scene: int) -> None:
    process = Process(bench.url)
    process.run(stays(bench, saying(scene, "nobody else hears"), scene))
    process.writer.close()
    assert bench.value("SELECT count(*) FROM bulletins") == 0


def test_what_the_command_line_does_crosses(
    bench: Bench, scene: int, pair: tuple[Process, Process]
) -> None:
    from tests.contract.bench import open_database  # noqa: PLC0415

    open_database(bench.url).perform(saying(scene, "from the host"))
    for process in pair:
        process.look()
        assert process.said() == ["from the host"]


def test_who_joins_misses_nothing_and_hears_nothing_twice(bench: Bench, scene: int) -> None:
    one = Process(bench.url)
    at_once((talking, bench, one, scene, "one"), (_join_and_listen, bench, scene))
    one.writer.close()


def _join_and_listen(bench: Bench, scene: int) -> None:
    late = Process(bench.url)
    known = late.neighbours.board.ends[scene]
    while len(bench.log(scene)) < EACH + 1:
        late.look()
    late.look()
    late.writer.close()
    assert late.said() == words_of(bench.log(scene))[max(known - 1, 0) :]


def forget_bulletins(bench: Bench) -> None:
    """Lose them all, as PostgreSQL does when it crashes."""
    with bench.engine.begin() as connection:
        connection.execute(text("TRUNCATE bulletins"))


@pytest.mark.parametrize("writes", [False, True])
def test_who_lost_touch_shows_what_logs_hold_and_loads_the_rest(
    bench: Bench, scene: int, pair: tuple[Process, Process], writes: bool
) -> None:
    one, other = pair
    one.run(stays(bench, saying(scene, "heard"), scene))
    other.look()
    one.run(stays(bench, saying(scene, "lost"), scene), bench.job(lambda s: _dig(s)))
    forget_bulletins(bench)
    if writes:
        other.run(stays(bench, saying(scene, "mine"), scene))
    else:
        one.run(stays(bench, saying(scene, "mine"), scene))
        other.look()
    assert other.said() == ["heard", "lost", "mine"]
    (world,) = [f.event for f in other.shown if isinstance(f.event, WorldLoaded)]
    assert "Hold" in [place.name for place in world.places]
    assert [s.id for s in world.scenes] == [scene]
    one.look()
    assert one.said() == ["heard", "lost", "mine"]


def _dig(store: WriteStore) -> Outcome:
    store.dig("Hold")
    return Outcome()


def test_a_scene_opened_meanwhile_is_told_from_its_beginning(
    bench: Bench, scene: int, pair: tuple[Process, Process]
) -> None:
    one, other = pair
    one.run(stays(bench, saying(scene, "heard"), scene))
    other.look()
    forget_bulletins(bench)
    owner = bench.login("Cass", Role.PLAYER)
    room = bench.room("Attic")
    one.run(bench.job(bench.opens(owner, room)))
    facts = other.look()
    assert [fact.room for fact in facts if fact.ledger not in {0, scene, None}] == [room]
    assert commitment(SEED) == _commitment(facts)


def _commitment(facts: Sequence[Fact]) -> str:
    (event,) = [fact.event for fact in facts if isinstance(fact.event, SceneOpened)]
    return event.commitment


def test_old_bulletins_are_dropped_but_never_the_newest(
    bench: Bench, scene: int, pair: tuple[Process, Process]
) -> None:
    one, other = pair
    for number in range(3):
        one.run(stays(bench, saying(scene, f"line {number}"), scene))
    other.look()
    with bench.engine.begin() as connection:
        connection.execute(text("UPDATE bulletins SET id = id - 1000000000, prior = 0"))
        drop_old(connection)
    assert bench.value("SELECT count(*) FROM bulletins") == 3  # the newest is as old as the others


def test_a_database_that_goes_away_while_the_world_is_loaded_is_told_in_a_line(
    pair: tuple[Process, Process],
) -> None:
    def lose_it(store: ReadStore, _: object) -> None:
        store._session.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))

    with pytest.raises(MushError, match=r"^The database can't be used: .*\. Check --database\.$"):
        pair[0].neighbours.join(lose_it)
