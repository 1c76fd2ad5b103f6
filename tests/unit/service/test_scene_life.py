from __future__ import annotations

from datetime import timedelta

import pytest

from mushcombat.domain.character import Actor
from mushcombat.domain.events import GAME_LEDGER, Audience, PrivacySet, SceneClosed, Spoken
from mushcombat.domain.scene_events import ScenePaused, SceneRead, SceneResumed
from tests.unit.service.play import SCENE, Play
from tests.unit.service.table import do
from tests.unit.service.test_scenes import hidden_away
from tests.unit.support import ADA, BRAM, DOCK, GUEST, NOW, RHEA, START, MemoryStore, scene_of

OURS = frozenset({ADA.id, BRAM.id})


def private() -> Play:
    """Give a private scene that Rhea, who is staff, has no part in."""
    play = Play(people=(ADA, BRAM, RHEA, GUEST))
    play.become(private=True, participants=OURS, took_part=OURS, referees=frozenset())
    play.type(ADA, "pose waters the plant.")
    return play


@pytest.mark.parametrize(("pause", "resume"), [("pause", "resume"), ("pause", "continue")])
def test_a_scene_is_paused_and_goes_on(pause: str, resume: str) -> None:
    play = Play()
    assert play.do(ADA, f"+scene/{pause}") == ScenePaused()
    assert play.store.scenes[SCENE].paused
    assert play.world.scenes[SCENE].paused
    assert play.no(ADA, f"+scene/{pause}").startswith("Scene 7 is paused already.")
    assert play.do(RHEA, f"+scene/{resume}") == SceneResumed()
    assert not play.store.scenes[SCENE].paused
    assert not play.world.scenes[SCENE].paused
    assert play.no(ADA, f"+scene/{resume}").startswith("Scene 7 is not paused.")


@pytest.mark.parametrize("line", ["+scene/pause", "+scene/resume"])
def test_only_who_runs_a_scene_lets_it_rest(line: str) -> None:
    assert Play().no(BRAM, line).startswith("Who opened the scene decides that, or a referee.")


@pytest.mark.parametrize("line", ["say hi", "pose nods.", ";'s hat", "@emit Rain.", "ooc brb"])
def test_what_is_said_in_a_paused_scene_is_talk_in_a_room(line: str) -> None:
    play = Play()
    play.become(paused=True)
    assert isinstance(play.do(BRAM, line), Spoken)
    (fact,) = play.facts
    assert (fact.ledger, fact.room, fact.audience) == (None, START, Audience.ROOM)
    assert SCENE not in play.store.logs


def test_a_paused_scene_is_shown_as_one() -> None:
    play = Play()
    play.become(paused=True)
    assert play.type(ADA, "+scene")[0] == 'Scene 7 "Night Watch": public, paused, otherspace.'
    assert play.type(ADA, "look")[-1] == 'Scene 7 "Night Watch" is paused here. You take part.'


def test_a_paused_scene_is_closed_as_any_other() -> None:
    play = Play()
    play.become(paused=True)
    assert isinstance(play.do(ADA, "+scene/close"), SceneClosed)
    assert not play.store.scenes[SCENE].paused


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("start", "open"),
        ("create", "open"),
        ("stop", "close"),
        ("finish", "close"),
        ("end", "close"),
    ],
)
def test_what_players_type_anyway_is_understood(typed: str, meant: str) -> None:
    def events(word: str) -> list[type]:
        scenes = [scene_of(ADA)] if meant == "close" else []
        line = f"+scene/{word}" + (" T" if meant == "open" else "")
        return [type(draft.event) for draft in do(line, ADA, *scenes).drafts]

    assert events(typed) == events(meant)


def test_an_unknown_switch_is_answered_with_what_there_is() -> None:
    told = Play().no(ADA, "+scene/frobnicate")
    assert told.startswith('+scene has no switch "/frobnicate". There are: +scene, +scene/close,')
    assert "+scene/pause" in told
    assert "+scene/read" not in told


# private ones


def test_staff_read_a_private_scene_with_a_reason_and_on_the_record() -> None:
    play = private()
    told = play.type(RHEA, "+scene/read 7=a complaint")
    assert told == (
        'Scene 7 "Night Watch", times in UTC, page 1 of 1:',
        "#1 12:30:45 Ada waters the plant.",
    )
    (fact,) = play.facts
    assert fact.event == SceneRead(SCENE, "a complaint")
    assert (fact.ledger, fact.room, fact.audience) == (GAME_LEDGER, START, Audience.ROOM)
    assert play.type(ADA, "+scene")[-1] == "Read by staff: Rhea, 2026-03-01 12:30 UTC, a complaint"
    assert "Read by staff" in play.type(BRAM, "+scene 7")[-1]


def test_who_reads_what_of_a_public_scene_is_nobodys_business_but_its_peoples() -> None:
    play = private()
    play.type(RHEA, "+scene/read 7=a complaint")
    play.become(private=False)
    assert "Read by staff" in play.type(ADA, "+scene 7")[-1]
    assert "Read by staff" not in "".join(play.type(RHEA, "+scene 7"))


def test_a_closed_private_scene_is_read_on_the_record_and_no_room_is_told() -> None:
    play = private()
    play.become(open=False)
    play.type(RHEA, "+scene/read 7/1=a complaint")
    assert play.facts[0].audience is Audience.REFEREES


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("+scene/read 8=x", "There is no scene 8."),
        ("+scene/read 7", "Usage: +scene/read <number>[/<page>]=<reason>"),
        ("+scene/read 7=", "Usage: +scene/read"),
        ("+scene/read x=y", 'scene: "x" is not a whole number'),
        ("+scene/read 7/x=y", 'page: "x" is not a whole number'),
        ("+scene/read 7=" + "x" * 201, "reason: that has 201 characters."),
    ],
)
def test_a_reading_that_lacks_something_is_refused(line: str, said: str) -> None:
    assert private().no(RHEA, line).startswith(said)


def test_a_scene_that_one_may_read_needs_no_reason() -> None:
    said = "Scene 7 needs no reason of yours to be read. Type +scene/log 7."
    assert Play().no(RHEA, "+scene/read 7=nosy") == said


def test_reading_on_the_record_leads_from_page_to_page() -> None:
    play = private()
    for _ in range(50):
        play.type(ADA, "pose waits.")
    head, *_ = play.type(RHEA, "+scene/read 7=a complaint")
    assert head.endswith("page 2 of 2 (+scene/read 7/1=<reason> for the one before):")


def test_a_private_scene_in_a_temporary_room_is_rid_of_those_who_have_no_part() -> None:
    store = hidden_away(scene_of(ADA))
    store.move(BRAM.id, store.characters[ADA.id].room)
    moved, hidden = do("+scene/private", ADA, scene_of(ADA), store=store).drafts
    assert getattr(moved.event, "subject", None) == BRAM.id
    assert isinstance(hidden.event, PrivacySet)
    assert store.characters[BRAM.id].room == DOCK


@pytest.mark.parametrize("actor", [BRAM, RHEA, GUEST])
@pytest.mark.parametrize("line", ["+scene 7", "+scene/info 7", "+scene/log 7", "+scene/join 7"])
def test_a_private_scene_of_others_is_answered_like_none(actor: Actor, line: str) -> None:
    hidden = Play(scene_of(ADA, private=True), people=(ADA, BRAM, RHEA, GUEST))
    other = line.replace("7", "8")
    assert hidden.no(actor, line).replace("7", "8") == hidden.no(actor, other)


# lists


def test_the_list_tells_what_a_scene_is_and_when_somebody_posed() -> None:
    play = Play()
    play.become(location="Dock 7", kind="combat", pacing="relaxed", warning="gore")
    assert play.type(BRAM, "+scene/list") == (
        'Scene 7 "Night Watch" (Dock 7; combat; relaxed): public, open, 3 in it, no pose yet.'
        " Warning: gore",
    )
    play.type(ADA, "pose waves.")
    assert "last pose 0s ago." in play.type(BRAM, "+scenes")[0]


def test_the_list_of_all_holds_closed_ones_page_by_page_and_no_private_one_of_others() -> None:
    store = MemoryStore()
    for number in range(1, 42):
        scene = scene_of(ADA, title=f"T{number}", open=False, private=number == 41)
        store.scenes[number] = scene
    head, *lines = do("+scene/list all", BRAM, store=store).reply
    assert head == "Scenes, newest first, page 1 of 2 (+scene/list all=2 for more):"
    assert (len(lines), lines[0]) == (
        20,
        'Scene 7 "T40": public, closed, 1 took part, 2026-03-01.',
    )
    assert do("+scene/list all=9", BRAM, store=store).reply[0].endswith("page 2 of 2:")
    assert (
        do("+scene/list all", ADA, store=store)
        .reply[0]
        .startswith("Scenes, newest first, page 1 of 3")
    )


def test_a_list_of_nothing_says_how_to_begin() -> None:
    none = ("No scene is open. Open one with +scene/open <title>.",)
    assert do("+scene/list all", BRAM, store=MemoryStore()).reply == none
    assert do("+scene/list", BRAM, store=MemoryStore()).reply == none


@pytest.mark.parametrize("line", ["+scene/list some", "+scene/list all=0", "+scene/list all=x"])
def test_a_list_that_is_none_is_refused(line: str) -> None:
    assert "Usage: +scene/list[ all[=<page>]]" in Play().no(ADA, line)


def test_how_long_ago_somebody_posed_is_told_shortly() -> None:
    play = Play()
    play.type(ADA, "pose waves.")
    fact = play.store.logs[SCENE][0]
    object.__setattr__(fact, "at", NOW - timedelta(hours=5))
    assert "last pose 5h ago" in play.type(ADA, "+scene/list")[0]
