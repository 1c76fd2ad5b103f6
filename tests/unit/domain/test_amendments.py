from __future__ import annotations

from mushcombat.domain.events import Audience, Event, Fact, PoseEdited, PoseWithdrawn, Spoken
from mushcombat.domain.sharing import answered, left_out, silent, those
from mushcombat.domain.state import Redone, Undone
from mushcombat.domain.text import flush_left
from mushcombat.domain.transcripts import Amendments
from tests.unit.support import ADA, BRAM, NOW, RHEA, START, scene_of, who


def fact(seq: int, event: Event, action: int | None = None) -> Fact:
    return Fact(event, who(ADA), NOW, Audience.ROOM, START, 7, seq, action or seq)


def said(seq: int, action: int | None = None) -> Fact:
    return fact(seq, Spoken("pose", "x"), action)


def test_the_last_edit_is_the_version_and_all_are_changes_in_order() -> None:
    edits = [fact(n, PoseEdited(2, "pose", f"version {n}")) for n in (3, 5)]
    amended = Amendments([*edits, fact(6, Spoken("pose", "y"))])
    assert amended.changes(2) == edits
    assert amended.version(2) == PoseEdited(2, "pose", "version 5")
    assert not amended.withdrawn(2)
    assert amended.changes(3) == amended.changes(None) == ()
    assert amended.version(3) is None


def test_a_pose_that_was_withdrawn_has_no_version_whatever_came_before() -> None:
    edit, gone = fact(3, PoseEdited(2, "pose", "y")), fact(4, PoseWithdrawn(2))
    late = fact(5, PoseEdited(2, "pose", "z"))
    for changes in ([gone], [edit, gone], [gone, late]):
        amended = Amendments(changes)
        assert amended.withdrawn(2)
        assert amended.version(2) is None


def test_rows_of_an_action_are_taken_back_by_the_undoing_behind_them() -> None:
    undo = fact(9, Undone(5, "why", ()))
    amended = Amendments([undo])
    assert amended.taken_back(said(5)) == amended.taken_back(said(6, 5)) == undo
    assert amended.taken_back(said(7)) is None
    assert amended.taken_back(said(10, 5)) is None, "the action went on"


def test_a_redone_action_stands_and_can_be_taken_back_again() -> None:
    undo, redo = fact(9, Undone(5, "", ())), fact(10, Redone(5, "", ()))
    again = fact(11, Undone(5, "", ()))
    assert Amendments([undo, redo]).taken_back(said(5)) is None
    assert Amendments([undo, redo, again]).taken_back(said(5)) == again
    assert Amendments([redo]).taken_back(said(5)) is None


def test_what_an_action_did_before_it_went_on_stays_taken_back() -> None:
    first, second = fact(9, Undone(5, "", ())), fact(12, Undone(5, "", ()))
    amended = Amendments([first, second])
    assert amended.taken_back(said(6, 5)) == first
    assert amended.taken_back(said(10, 5)) == second
    redone = Amendments([first, second, fact(13, Redone(5, "", ()))])
    assert redone.taken_back(said(6, 5)) == first
    assert redone.taken_back(said(10, 5)) is None


def test_answers_are_of_those_who_took_part() -> None:
    consents = {ADA.id: "yes", BRAM.id: "out", 99: "no"}
    scene = scene_of(ADA, BRAM, RHEA, consents=consents, hidden=frozenset({77}))
    assert answered(scene, "yes") == {ADA.id}
    assert answered(scene, "no") == frozenset()
    assert silent(scene) == {RHEA.id}
    assert left_out(scene) == {BRAM.id, 77}
    assert those([13, 11, 50], {11: "Ada", 13: "Rhea"}) == ["Ada", "Rhea"]


def test_text_is_flush_left_whatever_shows_nothing_before_it() -> None:
    assert flush_left(" \u00a0\u2800\u200dx y ") == "x y "
    assert flush_left("x") == "x"
    assert flush_left("  ") == ""
