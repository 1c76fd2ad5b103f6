"""The writer: batches, their order, and what a refused job leaves behind (nothing)."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest
from sqlalchemy import event, text

from mushcombat.domain.command import Committed, Job, Outcome, Refused, Result
from mushcombat.domain.events import Audience, Draft, SceneJoined, Spoken
from mushcombat.errors import MushError
from mushcombat.storage.attempts import BROKEN, QUICKER
from mushcombat.storage.writer import BATCH
from mushcombat.storage.writes import WriteStore
from tests.contract.bench import PATIENCE, SEED, Bench, Run, say, saying, words_of

Results = Sequence[tuple[Job, Result]]


def refuse(_: WriteStore) -> Outcome:
    raise MushError("no", "That is not to be.", "Type something else.")


def digs_then(end: Run, name: str = "Lost") -> Run:
    """Make the run of a job that digs a room before it does something else."""

    def run(store: WriteStore) -> Outcome:
        store.dig(name)
        return end(store)

    return run


def breaks(_: WriteStore) -> Outcome:
    return Outcome.tell(str(1 // 0))


def rooms(bench: Bench) -> list[str]:
    return [place.name for place in bench.read(lambda store: store.places())][2:]


def digs(name: str) -> Run:
    return digs_then(lambda _: Outcome.tell(name), name)


def test_many_queued_jobs_are_few_commits_and_come_in_their_order(bench: Bench) -> None:
    scene = bench.scene(bench.login("Ada"))
    commits: list[object] = []
    event.listen(bench.engine, "commit", commits.append)
    jobs = [bench.job(saying(scene, f"line {n}"), appends=n % 3 == 0) for n in range(2 * BATCH)]
    for job in jobs:
        bench.writer.submit(job)
    bench.writer.start()
    bench.writer.stop()
    assert len(commits) == 2
    assert [job for job, _ in bench.delivered] == jobs
    assert all(isinstance(result, Committed) for _, result in bench.delivered)
    assert words_of(bench.log(scene)) == [f"line {n}" for n in range(2 * BATCH)]


def test_stopping_commits_all_that_is_queued(bench: Bench) -> None:
    scene = bench.scene(bench.login("Ada"))
    bench.writer.start()
    for n in range(40):
        bench.writer.submit(bench.job(saying(scene, f"line {n}")))
    bench.writer.stop()
    assert len(bench.delivered) == 40
    assert len(words_of(bench.log(scene))) == 40


def test_results_are_handed_over_after_the_commit(bench: Bench) -> None:
    scene = bench.scene(bench.login("Ada"))
    stored: list[list[str]] = []
    done = threading.Event()

    def deliver(results: Results) -> None:
        stored.append(words_of(bench.log(scene)))
        done.set()

    writer = bench.make_writer(deliver)
    writer.submit(bench.job(saying(scene, "one")))
    writer.submit(bench.job(saying(scene, "two"), appends=True))
    writer.start()
    assert done.wait(PATIENCE)
    writer.stop()
    assert stored == [["one", "two"]]


def test_a_refused_job_takes_back_its_own_changes_alone(bench: Bench) -> None:
    one, two, three = bench.run(digs("One"), digs_then(refuse), digs("Three"))
    assert one == Committed((), ("One",))
    assert two == Refused("That is not to be. Type something else.")
    assert three == Committed((), ("Three",))
    assert rooms(bench) == ["One", "Three"]


@pytest.mark.parametrize("end", [refuse, breaks])
def test_a_job_refused_alone_changes_nothing(bench: Bench, end: Run) -> None:
    (result,) = bench.run(digs_then(end))
    assert isinstance(result, Refused)
    assert rooms(bench) == []


def test_a_batch_of_refused_jobs_changes_nothing(bench: Bench) -> None:
    results = bench.run(digs_then(refuse), digs_then(breaks), refuse)
    assert all(isinstance(result, Refused) for result in results)
    assert rooms(bench) == []


def throws_then(scene: int, end: Run) -> Run:
    """Make the run of a job that throws dice and logs, before it does something else."""

    def run(store: WriteStore) -> Outcome:
        store.dice(scene).throw(4, 3, "test")
        outcome = end(store)
        return Outcome((say(scene, "thrown"), *outcome.drafts), outcome.reply)

    return run


@pytest.mark.parametrize("company", [0, 1])
def test_a_refused_job_leaves_neither_rows_nor_thrown_dice(bench: Bench, company: int) -> None:
    ada = bench.login("Ada")
    scene, closed = bench.scene(ada), bench.scene(ada)
    bench.facts(bench.closes(closed))
    before = bench.rows("SELECT next_seq, head, dice_counter FROM scenes WHERE id = :it", it=scene)
    late: list[Run] = [throws_then(scene, saying(closed, "too late"))]
    results = bench.run(*late, *[saying(closed, "too late, too")] * company)
    assert [isinstance(result, Refused) for result in results] == [True] * (1 + company)
    after = bench.rows("SELECT next_seq, head, dice_counter FROM scenes WHERE id = :it", it=scene)
    assert after == before
    assert words_of(bench.log(scene)) == []


def test_jobs_round_a_refused_one_get_its_numbers_and_its_dice(bench: Bench) -> None:
    scene = bench.scene(bench.login("Ada"))
    faces: list[tuple[int, ...]] = []

    def throws(store: WriteStore) -> Outcome:
        faces.append(store.dice(scene).throw(6, 100, "test").faces)
        return refuse(store) if len(faces) == 1 else Outcome.of(say(scene, "good"))

    results = bench.run(saying(scene, "before"), throws, throws, saying(scene, "after"))
    assert [isinstance(result, Refused) for result in results] == [False, True, False, False]
    assert faces[0] == faces[1]
    assert words_of(bench.log(scene)) == ["before", "good", "after"]
    assert [fact.seq for fact in bench.log(scene)] == [1, 2, 3, 4]
    assert bench.value("SELECT dice_counter FROM scenes WHERE id = :it", it=scene) == 6


def test_a_refused_job_that_read_its_log_leaves_no_row(bench: Bench) -> None:
    scene = bench.scene(bench.login("Ada"))

    def reads_then_refuses(store: WriteStore) -> Outcome:
        assert words_of(store.log(scene, 1, 100)) == ["before"]
        store.dig("Lost")
        return refuse(store)

    bench.run(saying(scene, "before"), reads_then_refuses, saying(scene, "after"))
    assert words_of(bench.log(scene)) == ["before", "after"]
    assert rooms(bench) == ["Deck"]


def test_a_mistake_of_ours_is_told_in_general_words_and_hurts_nobody_else(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    results = bench.run(digs("One"), digs_then(breaks), digs("Three"))
    assert results[1] == Refused(BROKEN)
    assert rooms(bench) == ["One", "Three"]
    assert "ZeroDivisionError" in caplog.text


def test_of_two_scenes_opened_in_a_room_in_one_batch_the_second_is_refused(
    bench: Bench,
) -> None:
    ada, bram, deck = bench.login("Ada"), bench.login("Bram"), bench.room()
    first, second, third = bench.run(
        bench.opens(ada, deck, "First"), bench.opens(bram, deck, "Second"), digs("Other")
    )
    assert isinstance(first, Committed)
    assert second == Refused(QUICKER)
    assert isinstance(third, Committed)
    assert [scene.title for scene in bench.read(lambda s: s.open_scenes())] == ["First"]
    assert bench.value("SELECT count(*) FROM scene_seeds") == 1


def test_a_scene_in_a_room_that_has_one_is_refused_alone_too(bench: Bench) -> None:
    ada, deck = bench.login("Ada"), bench.room()
    scene = bench.scene(ada, deck)
    assert bench.run(bench.opens(ada, deck)) == [Refused(QUICKER)]
    bench.facts(bench.closes(scene))
    bench.facts(bench.opens(ada, deck))
    assert len(bench.read(lambda store: store.open_scenes())) == 1


@pytest.mark.parametrize("appends", [True, False])
def test_a_pose_in_a_closed_scene_is_refused(bench: Bench, appends: bool) -> None:
    ada = bench.login("Ada")
    closed, other = bench.scene(ada), bench.scene(ada)
    bench.facts(bench.closes(closed))
    late = bench.job(saying(closed, "late"), appends=appends)
    refused, good = bench.run(late, saying(other, "good"))
    assert "That scene is closed." in str(refused)
    assert isinstance(good, Committed)
    assert words_of(bench.log(closed)) == []
    assert words_of(bench.log(other)) == ["good"]


def test_closing_and_posing_in_one_batch_keep_their_order(bench: Bench) -> None:
    scene = bench.scene(bench.login("Ada"))
    before, late = (bench.job(saying(scene, w), appends=True) for w in ("before", "late"))
    results = bench.run(before, bench.closes(scene), late)
    assert [isinstance(result, Refused) for result in results] == [False, False, True]
    kinds = [fact.event.kind for fact in bench.log(scene)]
    assert kinds == ["scene.opened", "spoken", "scene.closed"]


def test_a_scene_whose_closing_was_refused_goes_on(bench: Bench) -> None:
    scene = bench.scene(bench.login("Ada"))

    def closes_then_breaks(store: WriteStore) -> Outcome:
        assert store.close_scene(scene, bench.clock()) == SEED
        return breaks(store)

    first, second = bench.run(closes_then_breaks, saying(scene, "going on"))
    assert first == Refused(BROKEN)
    assert isinstance(second, Committed)
    assert bench.value("SELECT status FROM scenes WHERE id = :it", it=scene) == "open"


def test_facts_of_one_job_share_their_action(bench: Bench) -> None:
    scene = bench.scene(bench.login("Ada"))
    spoken = Spoken("say", "x")
    drafts = [
        Draft(spoken, Audience.ROOM, scene),
        Draft(spoken, Audience.ROOM, scene, follows=True),
        Draft(SceneJoined(), Audience.ROOM, scene),
        Draft(spoken, Audience.ROOM, scene, action=1),
        Draft(spoken, Audience.ROOM),
    ]
    facts = bench.facts(lambda _: Outcome.of(*drafts))
    assert [(fact.seq, fact.action) for fact in facts] == [
        (2, 2),
        (3, 2),
        (4, 2),
        (5, 1),
        (None, None),
    ]
    assert facts[:4] == bench.log(scene)[1:]


def test_what_nobody_needs_kept_is_not_stored(bench: Bench) -> None:
    (fact,) = bench.facts(lambda _: Outcome.of(Draft(Spoken("say", "hello"))))
    assert (fact.seq, fact.ledger, fact.head) == (None, None, "")
    assert bench.rows("SELECT * FROM scene_log") == []


def test_jobs_see_what_earlier_ones_of_their_batch_did(bench: Bench) -> None:
    scene = bench.scene(bench.login("Ada"))
    seen: list[object] = []

    def looks(store: WriteStore) -> Outcome:
        seen.append((store.last_seq(scene), words_of(store.log(scene, 1, 9))))
        seen.append(store._session.execute(text("SELECT count(*) FROM rooms")).scalar_one())
        return Outcome()

    bench.run(saying(scene, "one"), digs("Deck two"), looks)
    assert seen == [(2, ["one"]), 4]
