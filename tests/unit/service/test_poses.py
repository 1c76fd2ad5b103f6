from __future__ import annotations

from dataclasses import replace

import pytest

from mushcombat.domain.character import Actor
from mushcombat.domain.events import Audience, PoseEdited, PoseWithdrawn, Spoken
from mushcombat.domain.preferences import Preferences
from mushcombat.domain.scene_events import SceneRead
from tests.unit.service.play import SCENE, Play
from tests.unit.support import ADA, BRAM, GUEST, RHEA, scene_of

THUG = 40
SAY = "There is no pose #{}. +recall shows those there are."


def with_thug(**changes: object) -> Play:
    scene = scene_of(ADA, BRAM, RHEA, referees=[RHEA])
    return Play(replace(scene, npcs={THUG: "Thug"}, **changes))  # type: ignore[arg-type]


@pytest.fixture
def play() -> Play:
    play = Play()
    play.type(ADA, "pose lifts the crat, and/or waits.")
    play.type(BRAM, "say waves and waves")
    return play


@pytest.mark.parametrize(
    ("line", "style", "text"),
    [
        ("+edit 1=crat/crate", "pose", "lifts the crate, and/or waits."),
        ("+edit #1 = crat / crate", "pose", "lifts the crate, and/or waits."),
        (r"+edit 1=and\/or/and", "pose", "lifts the crat, and waits."),
        ("+typo crat=crate", "pose", "lifts the crate, and/or waits."),
        ("+typo and/or =", "pose", "lifts the crat, waits."),
    ],
)
def test_ones_own_pose_is_edited_in_a_row_that_names_it(
    play: Play, line: str, style: str, text: str
) -> None:
    assert play.do(ADA, line) == PoseEdited(1, style, text)  # type: ignore[arg-type]
    (fact,) = play.facts
    assert (fact.ledger, fact.seq, fact.action) == (SCENE, 3, 1)
    assert (fact.actor.id, fact.audience) == (ADA.id, Audience.ROOM)


@pytest.mark.parametrize(
    ("line", "style"),
    [
        ("say a", "say"),
        ("pose a", "pose"),
        (";a", "semipose"),
        ("@emit a", "emit"),
        ("ooc a", "ooc"),
    ],
)
def test_every_style_of_speech_is_edited_by_its_number(play: Play, line: str, style: str) -> None:
    play.type(ADA, line)
    assert play.do(ADA, "+edit 3=a/b") == PoseEdited(3, style, "b")  # type: ignore[arg-type]


def test_the_setting_of_a_scene_is_its_authors_last_pose(play: Play) -> None:
    play.type(RHEA, "+emit/set Rain.")
    assert play.do(RHEA, "+typo Rain=Snow") == PoseEdited(3, "set", "Snow.")


def test_what_was_said_out_of_character_is_no_last_pose(play: Play) -> None:
    for _ in range(12):
        play.type(ADA, "ooc brb")
    assert play.do(ADA, "+typo crat=crate") == PoseEdited(
        1, "pose", "lifts the crate, and/or waits."
    )
    assert play.do(ADA, "+undo/pose") == PoseWithdrawn(1)
    assert play.no(ADA, "+undo/pose").startswith("You have no pose in this scene yet.")
    assert play.do(ADA, "+undo/pose 3") == PoseWithdrawn(3)


def test_a_second_edit_changes_the_newest_words_and_names_the_first_row(play: Play) -> None:
    play.type(ADA, "+typo crat=crate")
    assert play.do(ADA, "+edit 1=crate/crates") == PoseEdited(
        1, "pose", "lifts the crates, and/or waits."
    )
    assert 'hold "crate,"' in play.no(ADA, "+edit 1=crate,/box")


def test_somebody_elses_pose_is_not_edited_nor_withdrawn(play: Play) -> None:
    other = "You change your own poses alone; #1 is Ada's. +recall shows yours."
    assert play.no(BRAM, "+edit 1=crat/cat") == other
    assert play.no(RHEA, "+edit 1=crat/cat") == other
    assert play.no(RHEA, "+undo/pose 1") == other


@pytest.mark.parametrize("line", ["+typo a=b", "+undo/pose"])
def test_who_has_not_posed_has_no_last_pose(play: Play, line: str) -> None:
    assert play.no(RHEA, line).startswith("You have no pose in this scene yet.")


@pytest.mark.parametrize("number", [3, 9, 999_999_999])
def test_a_line_of_the_servers_and_one_that_is_not_there_are_no_pose(
    play: Play, number: int
) -> None:
    play.type(ADA, "+scene/set order=order")
    for line in ("+edit {}=a/b", "+undo/pose {}", "+recall/versions {}"):
        assert play.no(ADA, line.format(number)) == SAY.format(number)


def test_a_row_in_the_middle_of_an_action_is_no_pose(play: Play) -> None:
    play.type(ADA, "+typo crat=crate")
    assert play.no(ADA, "+edit 3=crate/cat") == SAY.format(3)


@pytest.mark.parametrize(
    "line", ["+edit", "+edit 1", "+edit 1=a", "+edit =a/b", "+edit 1=/b", "+typo a", "+typo =b"]
)
def test_an_edit_that_lacks_something_is_answered_with_the_usage(play: Play, line: str) -> None:
    assert play.no(ADA, line).startswith("Usage: +")


@pytest.mark.parametrize("number", ["0", "-1", "1.5", "9" * 30, "x"])
def test_a_number_that_is_none_is_refused(play: Play, number: str) -> None:
    for line in (f"+edit {number}=a/b", f"+undo/pose {number}", f"+recall/versions {number}"):
        assert play.no(ADA, line).startswith('pose: "')


def test_a_withdrawn_pose_is_the_last_no_more_and_changed_no_more(play: Play) -> None:
    play.type(ADA, "pose waits.")
    assert play.do(ADA, "+undo/pose") == PoseWithdrawn(3)
    assert play.facts[0].action == 3
    assert play.no(ADA, "+undo/pose 3") == "Your pose #3 is taken back. Pose it anew."
    assert play.no(ADA, "+edit 3=waits/x").startswith("Your pose #3 is taken back.")
    assert play.do(ADA, "+undo/pose") == PoseWithdrawn(1)
    assert play.no(ADA, "+undo/pose").startswith("You have no pose in this scene yet.")


def test_the_last_pose_is_found_behind_many_withdrawn_ones(play: Play) -> None:
    for _ in range(25):
        play.type(ADA, "pose errs.")
        play.type(ADA, "+undo/pose")
    assert play.do(ADA, "+undo/pose") == PoseWithdrawn(1)


def test_referees_change_what_their_npcs_said_and_players_do_not() -> None:
    play = with_thug()
    play.type(RHEA, "Thug: pose growls.")
    assert play.do(RHEA, "+typo growls=howls") == PoseEdited(1, "pose", "howls.")
    assert play.facts[0].actor.name == "Thug"
    assert play.do(RHEA, "Thug: +edit 1=howls/yowls") == PoseEdited(1, "pose", "yowls.")
    assert play.no(ADA, "+edit 1=yowls/x").endswith("#1 is Thug's. +recall shows yours.")
    assert play.do(RHEA, "+undo/pose 1") == PoseWithdrawn(1)


def test_what_a_hidden_npc_said_is_no_pose_to_players() -> None:
    play = with_thug(hidden=frozenset({THUG}))
    play.type(RHEA, "Thug: pose growls.")
    assert play.no(ADA, "+edit 1=growls/x") == SAY.format(1)
    assert play.type(ADA, "+recall") == ("There is no pose in scene 7 yet.",)
    assert "Nobody called" in play.no(ADA, "+recall thug")
    assert play.type(RHEA, "+recall thug")[1:] == ("#1 12:30 Thug growls.",)


@pytest.mark.parametrize("line", ["+edit 1=crat/x", "+typo crat=x", "+undo/pose 1"])
def test_nothing_is_edited_in_a_paused_or_a_closed_scene(play: Play, line: str) -> None:
    play.type(RHEA, "+scene/pause")
    assert play.no(ADA, line) == "The scene is paused: +scene/resume goes on."
    play.type(RHEA, "+scene/close")
    assert play.no(ADA, line).startswith("You are in no scene here.")


# reading back


def test_recall_shows_the_last_poses_with_their_numbers_and_newest_words(play: Play) -> None:
    play.type(ADA, "+typo crat=crate")
    play.type(BRAM, "ooc brb")
    play.type(RHEA, "+emit/set Rain.%rCold.")
    play.type(BRAM, "pose coughs.")
    play.type(BRAM, "+undo/pose")
    assert play.type(ADA, "+recall") == (
        "Last poses of scene 7, times in UTC:",
        "#1 12:30 Ada lifts the crate, and/or waits. (edited)",
        '#2 12:30 Bram says, "waves and waves"',
        "#5 12:30 Rain.\n  Cold.",
    )
    assert play.type(ADA, "+repose 1")[1:] == ("#5 12:30 Rain.\n  Cold.",)
    assert play.type(ADA, "repose bram")[1:] == ('#2 12:30 Bram says, "waves and waves"',)
    assert play.type(BRAM, "+recall me=5")[1:] == ('#2 12:30 Bram says, "waves and waves"',)


def test_who_wrote_an_emit_is_recalled_to_those_who_ask(play: Play) -> None:
    play.type(BRAM, "@emit It rains.")
    assert play.type(ADA, "+recall 1")[1] == "#3 12:30 It rains."
    play.world.online[ADA.id].preferences = Preferences(nospoof=True)
    assert play.type(ADA, "+recall 1")[1] == "#3 12:30 (Bram) It rains."


def test_recall_goes_back_as_far_as_it_must(play: Play) -> None:
    for _ in range(250):
        play.type(BRAM, "ooc noise")
    lines = play.type(ADA, "+recall 50")
    assert [line[:2] for line in lines[1:]] == ["#1", "#2"]
    for _ in range(60):
        play.type(BRAM, "pose nods.")
    assert len(play.type(ADA, "+recall 50")) == 51
    assert len(play.type(ADA, "+recall")) == 11


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("+recall 0", 'poses: "0" is not a whole number from 1 to 50.'),
        ("+recall 51", 'poses: "51" is not'),
        ("+recall -3", 'poses: "-3" is not'),
        ("+recall bram=0", 'poses: "0" is not'),
        ("+recall =5", "Usage: +recall"),
        ("+recall dirk", 'Nobody called "dirk" was in the scene.'),
        ("+recall/versions", "Usage: +recall/versions <number>"),
    ],
)
def test_recalling_what_is_none_is_refused(play: Play, line: str, said: str) -> None:
    assert play.no(ADA, line).startswith(said)


def test_a_name_that_two_have_is_no_name() -> None:
    play = Play(scene_of(ADA, BRAM, RHEA, npcs={THUG: "Brick"}))
    assert play.no(ADA, "+recall br").startswith('"br" could be Bram, Brick.')


def test_times_are_shown_in_the_scenes_zone(play: Play) -> None:
    play.become(zone="Asia/Tokyo")
    head, first, *_ = play.type(ADA, "+recall")
    assert head == "Last poses of scene 7, times in Asia/Tokyo:"
    assert first.startswith("#1 21:30 Ada ")


# versions


def edited() -> Play:
    scene = scene_of(ADA, BRAM, RHEA, referees=[RHEA])
    play = Play(scene, people=(ADA, BRAM, RHEA, GUEST))
    play.type(ADA, "pose lifts the crat.")
    play.type(ADA, "+typo crat=crate")
    play.type(ADA, "+typo crate=box")
    return play


@pytest.mark.parametrize("actor", [ADA, RHEA])
def test_the_author_and_referees_see_every_version(actor: Actor) -> None:
    assert edited().type(actor, "+recall/versions 1") == (
        "Versions of #1, times in UTC:",
        "#1 12:30 Ada lifts the crat.",
        "#2 12:30 [Edit] #1 reads now: Ada lifts the crate.",
        "#3 12:30 [Edit] #1 reads now: Ada lifts the box.",
    )


def test_others_see_the_newest_version_alone() -> None:
    play = edited()
    assert play.no(BRAM, "+recall/versions 1").startswith("Who wrote #1 sees its versions")
    assert play.type(BRAM, "+scene/log")[1:] == ("#1 12:30:45 Ada lifts the box. (edited)",)
    assert play.type(BRAM, "+why 1") == ("#1 Ada lifts the box, 12:30:45 UTC",)
    play.type(ADA, "+undo/pose")
    assert play.type(BRAM, "+scene/log")[1:] == ()


def test_staff_in_the_scene_see_versions_and_staff_outside_do_not() -> None:
    play = edited()
    play.become(referees=frozenset())
    assert len(play.type(RHEA, "+recall/versions 1")) == 4
    play.become(participants=frozenset({ADA.id, BRAM.id}))
    assert play.type(RHEA, "+scene/log 7")[1:] == ("#1 12:30:45 Ada lifts the box. (edited)",)


def test_the_log_shows_its_rows_as_they_are_to_the_author_and_where_they_read_anew() -> None:
    play = edited()
    rows = [
        "#1 12:30:45 Ada lifts the crat. (reads now as #3)",
        "#2 12:30:45 [Edit] #1 reads now: Ada lifts the crate.",
        "#3 12:30:45 [Edit] #1 reads now: Ada lifts the box.",
    ]
    assert list(play.type(ADA, "+scene/log")[1:]) == rows
    assert list(play.type(RHEA, "+scene/log")[1:]) == rows
    play.type(ADA, "+undo/pose")
    assert play.type(RHEA, "+scene/log")[1::3] == (
        "#1 12:30:45 Ada lifts the crat. (taken back by #4)",
        "#4 12:30:45 [Edit] Ada takes back #1.",
    )


def test_staff_who_read_a_private_scene_on_the_record_see_its_rows_as_they_are() -> None:
    play = edited()
    ours = frozenset({ADA.id, BRAM.id})
    play.become(private=True, participants=ours, took_part=ours, referees=frozenset())
    told = play.type(RHEA, "+scene/read 7=a complaint")
    assert told[1] == "#1 12:30:45 Ada lifts the crat. (reads now as #3)"
    assert [fact.event for fact in play.facts] == [SceneRead(SCENE, "a complaint")]


def test_a_pose_that_begins_like_a_line_of_the_servers_stays_its_authors(play: Play) -> None:
    play.type(BRAM, "@emit Roll Ada")
    play.type(BRAM, "+typo Roll=[Roll]")
    assert play.type(ADA, "+recall 1")[1] == "#3 12:30 <Bram> [Roll] Ada (edited)"


def test_a_setting_is_the_referees_and_edited_by_them(play: Play) -> None:
    assert play.do(RHEA, "+emit/set Rain.") == Spoken("set", "Rain.")
    assert play.do(RHEA, "+typo Rain=Snow") == PoseEdited(3, "set", "Snow.")
    assert "has no switch" in play.no(ADA, "@emit/set Rain.")
    assert "has no switch" in play.no(ADA, "+emit/set Rain.")
    play.become(participants=frozenset({ADA.id}))
    assert play.no(RHEA, "+emit/set Rain.").startswith("You are in no scene here.")
