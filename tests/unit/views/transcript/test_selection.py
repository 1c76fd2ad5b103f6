"""Which rows a profile shows, and how they read by then: for every format the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mushcombat.domain.eras import DiceWords, EraClosed, SceneReopened
from mushcombat.domain.events import (
    Audience,
    Event,
    Fact,
    Moved,
    Paged,
    PoseEdited,
    PoseWithdrawn,
    PrivacySet,
    RefereeNamed,
    SceneClosed,
    SceneInvited,
    SceneJoined,
    SceneLeft,
    SceneOpened,
    Spoken,
    TraitSet,
    Unreadable,
)
from mushcombat.domain.fight import OrderMade
from mushcombat.domain.sharing import SharingAnswered, SharingAsked
from mushcombat.domain.state import Redone, StateChanged, Undone
from mushcombat.domain.transcripts import PROFILES, Amendments, Heading, LoggedRow, Source, Wanted
from mushcombat.views.transcript.selection import Selection
from tests.unit.service.table import BOOK
from tests.unit.support import ADA, BRAM, NOW, RHEA, START, who
from tests.unit.views.transcript.logs import LURKER, PRIVATE, REFEREES, ROOM, SCENE, Log

BOOKKEEPING: list[Event] = [
    SceneJoined(),
    SceneLeft(),
    SceneInvited(12, "Bram"),
    RefereeNamed(12, "Bram"),
    PrivacySet(True, 5, "x"),
    TraitSet(12, "Bram", "otherspace", "skill", "Pistol", None, 5),
    StateChanged(()),
    Undone(3, "", ()),
    Redone(3, "", ()),
    SharingAsked(),
    SharingAnswered(12, "Bram", "yes"),
    Unreadable("x", "y"),
]

FRAME: list[Event] = [
    SceneOpened("T", "otherspace", 1, "Hall", False, False, 1, "ab" * 32),
    SceneReopened("T", "otherspace", 1, "Hall", False, 2, "ab" * 32),
    DiceWords(1, "words"),
    SceneClosed(1, "x"),
    EraClosed(1, "x", 0),
]


def fact(event: Event, audience: Audience = ROOM) -> Fact:
    return Fact(event, who(BRAM), NOW, audience, START, 7, 1, 1)


def selection(profile: str, source: Source | None = None, *, ooc: bool = False) -> Selection:
    empty = Source(SCENE, Heading("Hall"), iter(()), Amendments())
    return Selection(source or empty, Wanted("text", profile, ooc))


def read_in(one: Fact, *, ooc: bool = False) -> set[str]:
    """Give the profiles in which people read a fact."""
    return {p for p in PROFILES if selection(p, ooc=ooc).shown(one) is not None}


def exported_in(one: Fact, *, ooc: bool = False) -> set[str]:
    """Give the profiles whose JSON lines show a fact."""
    payload = {} if isinstance(one.event, Unreadable) else BOOK.codec.dump(one.event)
    row = LoggedRow(one, {"payload": payload}, "", "")
    return {p for p in PROFILES if selection(p, ooc=ooc).exported(row)}


@pytest.mark.parametrize("event", BOOKKEEPING)
def test_bookkeeping_is_for_the_audit_alone(event: Event) -> None:
    assert read_in(fact(event)) == exported_in(fact(event)) == {"audit"}


@pytest.mark.parametrize("audience", [PRIVATE, REFEREES])
@pytest.mark.parametrize(
    "event", [Spoken("say", "x"), Paged(12, "Bram", "x"), *FRAME, *BOOKKEEPING]
)
def test_what_was_not_for_the_room_is_for_the_audit_alone(event: Event, audience: Audience) -> None:
    one = fact(event, audience)
    assert read_in(one) == exported_in(one) == {"audit"}


def test_ooc_talk_is_for_the_audit_and_where_it_is_asked_for_and_other_talk_for_all() -> None:
    ooc = fact(Spoken("ooc", "x"))
    assert read_in(ooc) == exported_in(ooc) == {"audit"}
    assert read_in(ooc, ooc=True) == exported_in(ooc, ooc=True) == set(PROFILES)
    for said in (Spoken("say", "x"), Spoken("pose", "x"), Spoken("emit", "x"), Spoken("set", "x")):
        assert read_in(fact(said)) == exported_in(fact(said)) == set(PROFILES)


def test_moves_and_rolls_are_results_and_no_story() -> None:
    moved = fact(Moved(11, "Ada", 1, 2))
    assert read_in(moved) == exported_in(moved) == {"results", "audit"}


@pytest.mark.parametrize("event", FRAME)
def test_what_binds_the_dice_is_in_every_proof_and_read_in_the_audit_alone(event: Event) -> None:
    assert exported_in(fact(event)) == set(PROFILES)
    assert read_in(fact(event)) == {"audit"}


def written(log: Log, profile: str) -> list[tuple[int, str]]:
    """Give number and words of what people read that was spoken."""
    shown = [selection(profile, log.source()).shown(row.fact) for row in log]
    return [
        (one.seq or 0, one.event.text)
        for one in shown
        if one is not None and isinstance(one.event, Spoken)
    ]


def proved(log: Log, profile: str) -> list[int]:
    """Give the numbers of the rows that the JSON lines show."""
    chosen = selection(profile, log.source())
    return [row.fact.seq or 0 for row in log if chosen.exported(row)]


@pytest.fixture
def edited() -> Log:
    """Write 1 and edit it twice, write 2 and withdraw it, edit 6 and withdraw that too."""
    log = Log()
    log.add(Spoken("pose", "lifts the crat."))
    log.add(Spoken("pose", "drops it."))
    log.add(PoseEdited(1, "pose", "lifts the crate"))
    log.add(PoseWithdrawn(2))
    log.add(PoseEdited(1, "pose", "lifts the crate."))
    log.add(Spoken("say", "Oh."), who(BRAM))
    log.add(PoseEdited(6, "say", "Ouch."), who(BRAM))
    log.add(PoseWithdrawn(6), who(BRAM))
    return log


@pytest.mark.parametrize("profile", ["story", "results"])
def test_an_edited_pose_reads_as_it_does_now_where_it_was_spoken(edited: Log, profile: str) -> None:
    assert written(edited, profile) == [(1, "lifts the crate.")]


@pytest.mark.parametrize("profile", ["story", "results"])
def test_a_proof_withholds_what_was_edited_and_shows_the_last_change(
    edited: Log, profile: str
) -> None:
    assert proved(edited, profile) == [4, 5, 8]


def test_an_audit_reads_every_version(edited: Log) -> None:
    chosen = selection("audit", edited.source())
    assert [row.fact for row in edited] == [chosen.shown(row.fact) for row in edited]
    assert proved(edited, "audit") == [1, 2, 3, 4, 5, 6, 7, 8]


def test_an_edit_of_ooc_talk_is_ooc_talk() -> None:
    log = Log()
    log.add(Spoken("ooc", "brb"))
    log.add(PoseEdited(1, "ooc", "bbl"))
    source = log.source()
    assert selection("story", source).shown(log.rows[0].fact) is None
    assert proved(log, "story") == []
    chosen = selection("story", source, ooc=True)
    seen = chosen.shown(log.rows[0].fact)
    assert seen is not None
    assert seen.event == Spoken("ooc", "bbl")
    assert [chosen.exported(row) for row in log] == [False, True]


def test_an_action_that_was_taken_back_is_for_the_audit_alone() -> None:
    log = Log()
    first = log.attack()
    log.add(Undone(first, "15 feet", ()), who(RHEA))
    second = log.attack(30)
    for profile, numbers in (("story", []), ("results", [5, 6, 7]), ("audit", [*range(1, 8)])):
        assert proved(log, profile) == numbers
        chosen = selection(profile, log.source())
        assert [row.fact.seq for row in log if chosen.shown(row.fact)] == numbers
    log.add(Redone(first, "", ()), who(RHEA))
    assert proved(log, "results") == [1, 2, 3, second, 6, 7]


def test_people_who_are_left_out_say_do_and_suffer_nothing() -> None:
    log = Log()
    log.add(Spoken("pose", "waits."), who(BRAM))
    log.add(Spoken("pose", "looks at Bram."))
    log.attack()
    log.add(Spoken("pose", "lurks."), LURKER)
    log.add(PoseEdited(1, "pose", "waits on."), who(BRAM))
    log.unknown = {BRAM.id: "Bram", LURKER.id: "Lurker"}
    assert written(log, "results") == [(2, "looks at Bram.")]
    assert proved(log, "results") == [2, 4]  # 3 names Bram as a target, 5 is about him
    assert len(proved(log, "audit")) == len(log.rows)


def test_an_event_that_names_more_people_is_kept_from_proof_and_paper_by_their_names() -> None:
    log = Log()
    log.unknown = {LURKER.id: "Lurker"}
    log.add(OrderMade(("Ada", "Lurker"), ((9,), (7,)), people=(ADA.id, LURKER.id)))
    log.add(OrderMade(("Ada", "Lurkers"), ((9,), (7,)), people=(ADA.id, BRAM.id)))
    assert proved(log, "results") == [2]
    assert "Lurker 7" not in log.text("text", "results")
    assert "Ada 9, Lurkers 7" in log.text("text", "results")
    assert "Ada 9, Lurker 7" in log.text("text", "audit")


class Crowded(Moved):
    """An event that lists people, and can leave some out."""

    def without(self, unknown: frozenset[int]) -> Event:
        return replace(self, name="Ada alone")


def test_a_row_that_people_read_otherwise_than_it_was_hashed_is_withheld_from_proof() -> None:
    log = Log()
    log.unknown = {LURKER.id: "Lurker"}
    log.add(Crowded(11, "Ada and others", 1, 2))
    (row,) = log.rows
    chosen = selection("results", log.source())
    seen = chosen.shown(row.fact)
    assert seen is not None
    assert seen.event == Crowded(11, "Ada alone", 1, 2)
    assert not chosen.exported(row)


def test_a_row_whose_numbers_the_scene_hides_is_withheld_from_proof_and_read_without() -> None:
    log = Log()
    log.attack(44, numbers=False)
    assert proved(log, "results") == [1, 2]
    assert proved(log, "audit") == [1, 2, 3]
    assert "44" not in log.text("text", "results") + log.text("markdown", "results")
    assert "Ada hits Bram, who is hurt" in log.text("text", "results")
