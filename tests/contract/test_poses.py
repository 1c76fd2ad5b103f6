"""Poses that are mended, scenes that rest, and who may know of them, on both databases."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import insert

from mushcombat.domain.character import Role
from mushcombat.domain.events import PoseEdited, PoseWithdrawn, Spoken
from mushcombat.domain.pot import POT_KINDS
from mushcombat.domain.scene_events import ScenePaused, SceneRead, SceneResumed
from mushcombat.domain.visibility import Viewer
from mushcombat.service.pot import ROWS, order_of
from mushcombat.storage.codec import Codec
from mushcombat.storage.engine import open_engine
from mushcombat.storage.schema import LogRow
from tests.contract.arena import Arena, opened
from tests.contract.invariants import check_log

PAUSED = "The scene is paused: +scene/resume goes on."


@pytest.fixture
def arena(prepared_url: str) -> Iterator[Arena]:
    with opened(prepared_url) as arena:
        yield arena


def rows(arena: Arena) -> int:
    return len(arena.log())


def test_every_version_of_a_pose_is_a_row_of_the_chained_log(arena: Arena) -> None:
    first = arena.must("Ada", "pose lifts the crat.").action
    arena.must("Ada", "+typo crat=crate", f"+edit {first}=crate/box", "+undo/pose")
    again = arena.read(lambda store: store.actions(arena.scene, [first]))
    assert [fact.event for fact in again] == [
        Spoken("pose", "lifts the crat."),
        PoseEdited(first, "pose", "lifts the crate."),
        PoseEdited(first, "pose", "lifts the box."),
        PoseWithdrawn(first),
    ]
    assert arena.read(lambda store: store.actions(arena.scene, [])) == []
    check_log(arena)


def test_an_edit_in_one_batch_with_the_pose_finds_it(arena: Arena) -> None:
    lines = (("Ada", "pose lifts the crat."), ("Ada", "+typo crat=crate"), ("Ada", "+typo crate=x"))
    assert [said.refusal for said in arena.together(*lines)] == ["", "", ""]
    assert arena.must("Ada", "+recall").reply[-1].endswith("Ada lifts the x. (edited)")


def test_the_tail_of_a_log_is_its_last_rows_of_some_kinds(arena: Arena) -> None:
    for name in ("Ada", "Bram", "Ada"):
        arena.must(name, f"pose is {name}.")
    kinds, scene, ada = (Spoken.kind,), arena.scene, arena.id_of("Ada")
    tail = arena.read(lambda store: store.tail(scene, kinds, 2))
    assert [fact.actor.name for fact in tail] == ["Bram", "Ada"]
    assert [fact.seq for fact in tail] == [rows(arena) - 1, rows(arena)]
    last = rows(arena)
    mine = arena.read(lambda store: store.tail(scene, kinds, 9, actors=[ada], before=last))
    assert [fact.seq for fact in mine] == [last - 2]
    assert arena.read(lambda store: store.tail(scene, kinds, 9, since=last)) == []
    assert arena.read(lambda store: store.tail(scene, ("no.kind",), 9)) == []


def test_a_pose_order_reads_few_rows_however_long_the_log_is(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena.must("Ada", "pose waves.")
    last = rows(arena)
    with open_engine(arena.url).begin() as connection:
        columns = LogRow.__table__.columns
        (row,) = connection.execute(
            LogRow.__table__.select().where(columns.scene_id == arena.scene, columns.seq == last)
        ).mappings()
        bulk = [
            {**row, "seq": n, "action": n, "job": f"bulk {n}", "part": 0}
            for n in range(last + 1, 20_000)
        ]
        connection.execute(insert(LogRow), bulk)
    read: list[str] = []
    load = Codec.load

    def counted(self: Codec, kind: str, version: int, payload: str, plain: str | None) -> object:
        read.append(kind)
        return load(self, kind, version, payload, plain)

    monkeypatch.setattr(Codec, "load", counted)
    scene, present = arena.stored_scene, [arena.id_of("Ada")]
    order = arena.read(lambda s: order_of(s, scene, present, Viewer(None, everything=True)))
    assert [one.name for one in order] == ["Bram", "Cass", "Ada"]
    assert len(read) == ROWS
    assert set(read) <= set(POT_KINDS)


# scenes that rest

REFUSED = (
    ("Ada", "+roll pistol"),
    ("Ada", "+calcdamage 40/4"),
    ("Rhea", "+combat/start"),
    ("Rhea", "+npc Thug"),
    ("Rhea", "+set Ada/Pistol=Good"),
    ("Rhea", "+damage Ada=10"),
    ("Ada", "+typo lifts=drops"),
    ("Ada", "+undo/pose"),
    ("Ada", "+pot/skip"),
    ("Rhea", "+emit/set Rain."),
)


def test_a_paused_scene_logs_nothing_and_nothing_in_it_changes(arena: Arena) -> None:
    arena.must("Ada", "pose lifts the crate.")
    assert arena.must("Rhea", "+scene/pause").facts[0].event == ScenePaused()
    assert arena.stored_scene.paused
    before, log = arena.dump(), arena.log()
    for name, line in REFUSED:
        assert arena.say(name, line).refusal == PAUSED, line
    said = arena.must("Ada", "say Nobody writes this down.")
    assert said.facts[0].ledger is None
    assert said.seen["Bram"] == 'Ada says, "Nobody writes this down."\r\n'
    assert arena.must("Ada", "+roll/self pistol").facts[0].ledger is None
    assert (arena.dump(), arena.log()) == (before, log)
    assert arena.must("Ada", "+recall").reply[-1].endswith("Ada lifts the crate.")
    assert arena.must("Rhea", "+scene/resume").facts[0].event == SceneResumed()
    arena.must("Ada", "+typo lifts=drops", "+roll pistol")
    check_log(arena)


def test_people_come_and_go_in_a_paused_scene_and_it_is_closed(arena: Arena) -> None:
    arena.must("Rhea", "+scene/pause", "+scene/set title=Later", "+scene/set warning=gore")
    arena.must("Cass", "+scene/leave", "+scene/join")
    arena.must("Rhea", "+scene/private", "+scene/public", "+scene/close")
    assert not arena.stored_scene.paused
    check_log(arena)


def test_a_pose_in_one_batch_with_a_pause_is_refused_and_one_behind_a_resumption_is_not(
    arena: Arena,
) -> None:
    pause, pose = arena.together(("Rhea", "+scene/pause"), ("Ada", "pose waves."))
    assert (pause.refusal, pose.refusal) == ("", PAUSED)
    both = arena.together(("Rhea", "+scene/resume"), ("Rhea", "+roll pistol"))
    assert [said.refusal for said in both] == ["", ""]


FIGHT = (
    ("Rhea", "+give Ada=pistol"),
    ("Rhea", "+combat/start"),
    ("Ada", "+combat/join"),
    ("Bram", "+combat/join"),
    ("Ada", "+reaction"),
    ("Bram", "+reaction"),
    ("Rhea", "+order Ada=1"),
)


def attacked(arena: Arena) -> None:
    """Let Bram be asked how he defends himself; he has 60 seconds."""
    for name, line in FIGHT:
        arena.must(name, line)
    while arena.say("Ada", "+attack Bram=pistol, close").refusal:
        arena.must("Rhea", "+next")
    arena.must("Rhea", "+ok")
    assert arena.read(lambda store: store.pending(arena.scene)[0].due) is not None


def test_who_is_asked_something_keeps_the_time_that_was_left_before_a_pause(arena: Arena) -> None:
    attacked(arena)
    arena.wait(10)
    arena.must("Rhea", "+scene/pause")
    assert arena.wait(600).facts == ()
    arena.must("Rhea", "+scene/resume")
    assert arena.wait(30).facts == ()
    arena.must("Rhea", "+scene/pause")
    assert arena.wait(600).facts == ()
    arena.must("Rhea", "+scene/resume")
    assert arena.wait(19).facts == ()
    assert arena.wait(2).facts != ()
    check_log(arena)


def test_a_pause_before_a_question_gives_no_time_for_it(arena: Arena) -> None:
    arena.must("Rhea", "+scene/pause")
    arena.wait(600)
    arena.must("Rhea", "+scene/resume")
    attacked(arena)
    assert arena.wait(59).facts == ()
    assert arena.wait(2).facts != ()


def test_a_stun_waits_while_the_scene_rests(arena: Arena) -> None:
    arena.must("Rhea", "+npc Thug", "+damage Thug=40 stun", "+damage Ada=40 stun")
    until = arena.read(
        lambda store: [
            store.condition(arena.id_of(name), "otherspace").stunned_until
            for name in ("Thug", "Ada")
        ]
    )
    later = max(stamp or 0 for stamp in until) + 1

    def stunned() -> set[int]:
        return {one for one, _ in arena.read(lambda store: store.stuns_over(later))}

    both = {arena.id_of("Thug"), arena.id_of("Ada")}
    assert stunned() == both
    arena.must("Rhea", "+scene/pause")
    assert stunned() == set()
    arena.must("Rhea", "+scene/resume")
    assert stunned() == both


# who may know of a scene


def test_scenes_that_somebody_may_know_of_are_counted_and_given_in_pages(arena: Arena) -> None:
    ours = arena.scene
    arena.must("Rhea", "+scene/close")
    arena.must("Ada", "+scene/open Quiet")
    for line in ("+scene/private", "+scene/close", "+scene/open Loud", "+scene/close"):
        arena.must("Ada", line)

    def known(name: str, count: int = 9, skip: int = 0) -> tuple[list[int], int]:
        one = arena.id_of(name)
        scenes, total = arena.read(lambda store: store.scenes_known_to(one, count, skip))
        return [scene.id for scene in scenes], total

    assert known("Ada") == ([ours + 2, ours + 1, ours], 3)
    assert known("Ada", 1, 1) == ([ours + 1], 3)
    assert known("Bram") == ([ours + 2, ours], 2)
    assert known("Bram", 9, 2) == ([], 2)
    assert arena.read(lambda store: store.scenes_known_to(2**40, 9)[1]) == 2


def test_an_invitation_lets_somebody_know_of_a_private_scene(arena: Arena) -> None:
    arena.must("Ada", "+scene/leave")
    arena.must("Ada", "+scene/open Quiet")
    arena.must("Ada", "+scene/private")
    bram = arena.id_of("Bram")
    assert arena.read(lambda store: store.scenes_known_to(bram, 9)[1]) == 1
    arena.must("Ada", "+scene/invite bram")
    assert arena.read(lambda store: store.scenes_known_to(bram, 9)[1]) == 2


def test_staff_who_read_a_private_scene_are_in_the_games_ledger(arena: Arena) -> None:
    arena.create("Sten", Role.STAFF)
    arena.must("Ada", "+scene/leave")
    arena.must("Ada", "+scene/open Quiet")
    arena.must("Ada", "+scene/private")
    arena.must("Ada", "pose waters the plant.")
    quiet = arena.scene + 1
    said = arena.must("Sten", f"+scene/read {quiet}=a complaint")
    assert said.reply[-1].endswith("Ada waters the plant.")
    told = f"[Scene] Sten (staff) reads the log of scene {quiet}: a complaint\r\n"
    assert {name for name, seen in said.seen.items() if told in seen} == {"Ada"}
    ledger = arena.read(lambda store: store.kinds(0, (SceneRead.kind,)))
    assert [fact.event for fact in ledger] == [SceneRead(quiet, "a complaint")]
    assert "Read by staff: Sten, " in arena.must("Ada", "+scene").reply[-1]


def test_acts_are_the_last_rows_of_the_games_ledger_that_some_wrote(arena: Arena) -> None:
    arena.must("Rhea", "+scene/close")
    for name in ("Ada", "Bram", "Ada"):
        arena.must(name, "+heal me")  # the roll, what came of it, and what changed
        arena.wait(86_400)
    bram, ada = arena.id_of("Bram"), arena.id_of("Ada")
    kinds = ["otherspace.rolled", "otherspace.healed"]
    hers = arena.read(lambda store: store.acts([ada], 99))
    assert [fact.event.kind for fact in hers] == kinds * 2
    assert arena.read(lambda store: store.acts([ada], 3)) == hers[1:]
    both = arena.read(lambda store: store.acts([ada, bram], 99))
    assert [fact.seq for fact in both] == sorted(fact.seq for fact in both)
    assert [fact.event.kind for fact in both] == kinds * 3
    assert arena.read(lambda store: store.acts([], 9)) == []
