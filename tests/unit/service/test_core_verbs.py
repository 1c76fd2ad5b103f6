from __future__ import annotations

from datetime import timedelta

import pytest

from mushcombat.domain.character import Actor
from mushcombat.domain.command import Outcome
from mushcombat.domain.events import (
    GAME_LEDGER,
    Audience,
    Described,
    DoingSet,
    ExitOpened,
    Moved,
    Paged,
    RoomDug,
    Spoken,
    TraitSet,
    Whispered,
)
from mushcombat.domain.ports import Place
from mushcombat.domain.scene import Scene
from mushcombat.domain.staff_events import Teleported
from mushcombat.errors import MushError
from mushcombat.service.people import spell_time
from tests.unit.service.table import do, executor_of, world_of
from tests.unit.support import ADA, BRAM, DOCK, GUEST, RHEA, START, MemoryStore, scene_of

SCENE = scene_of(ADA, BRAM)


def no(line: str, actor: Actor = ADA, *scenes: Scene, store: MemoryStore | None = None) -> str:
    with pytest.raises(MushError) as caught:
        do(line, actor, *scenes, store=store)
    return str(caught.value)


def events(outcome: Outcome) -> list[object]:
    return [draft.event for draft in outcome.drafts]


@pytest.mark.parametrize(
    ("line", "event"),
    [
        ('say /Tomorrow/, a=b = "q"', Spoken("say", '/Tomorrow/, a=b = "q"')),
        ('"Hi %s {0}', Spoken("say", "Hi %s {0}")),
        (":waves.", Spoken("pose", "waves.")),
        (";'s hat", Spoken("semipose", "'s hat")),
        ("\\It rains.", Spoken("emit", "It rains.")),
        ("@emit It rains.", Spoken("emit", "It rains.")),
        ("+ooc hi", Spoken("ooc", "hi")),
    ],
)
def test_what_is_said_is_kept_to_the_letter(line: str, event: Spoken) -> None:
    assert events(do(line)) == [event]


@pytest.mark.parametrize("line", ["page bram=a=b", "page BRAM = a=b", 'page "bram"=a=b'])
def test_a_page_is_private_and_never_logged(line: str) -> None:
    (draft,) = do(line, ADA, SCENE).drafts
    assert draft.event == Paged(BRAM.id, "Bram", "a=b")
    assert (draft.audience, draft.ledger) == (Audience.PRIVATE, None)


def test_a_whisper_is_private_and_never_logged() -> None:
    (draft,) = do("whisper bram psst, you", ADA, SCENE).drafts
    assert draft.event == Whispered(BRAM.id, "Bram", "psst, you")
    assert (draft.audience, draft.ledger) == (Audience.PRIVATE, None)


@pytest.mark.parametrize("line", ["page zed=hi", "whisper zed=hi", "look zed"])
def test_nobody_of_that_name_is_told(line: str) -> None:
    assert no(line).startswith('Nobody called "zed" is ')


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(-5, "0s"), (0, "0s"), (59, "59s"), (60, "1m"), (3599, "59m"), (3600, "1h"), (172800, "2d")],
)
def test_a_span_is_told_shortly(seconds: int, told: str) -> None:
    assert spell_time(timedelta(seconds=seconds)) == told


def test_who_lists_each_player_once() -> None:
    assert do("WHO").reply == (
        "Ada: on for 0s, idle 0s",
        "Bram: on for 0s, idle 0s",
        "Rhea: on for 0s, idle 0s",
        "3 players are connected.",
    )


def test_where_lists_rooms_and_who_is_in_them() -> None:
    assert do("+where").reply == ("The Landing: Ada, Bram and Rhea",)


def test_look_shows_the_room_its_people_exits_and_scene() -> None:
    assert do("look", ADA, SCENE).reply == (
        "The Landing (#1)",
        "A hall.",
        "Here: Bram and Rhea.",
        "Exits: Out <o>.",
        'Scene 7 "Night Watch" is open here. You take part.',
    )
    assert do("look here", RHEA, SCENE).reply[-1].endswith("is open here. +scene/join 7")


def test_look_says_nothing_of_somebody_elses_private_scene() -> None:
    hidden = scene_of(BRAM, private=True)
    assert not [line for line in do("look", ADA, hidden).reply if "Scene" in line]


def test_look_shows_somebody_as_they_described_themselves() -> None:
    world = world_of()
    world.online[BRAM.id].description = "[Roll] Ada: 9%rTall."
    executor = executor_of(world)
    them = executor.prepare(world.online[ADA.id], "look bram").run(None)
    assert them.reply == ("Bram", "<Bram> [Roll] Ada: 9\n  Tall.")
    me = executor.prepare(world.online[ADA.id], "l me").run(None)
    assert me.reply == ("Ada has no description yet.",)


def test_a_room_with_a_name_like_the_servers_lines_is_marked() -> None:
    world = world_of()
    world.rooms[START] = Place(START, "[Roll] Ada: 9", "temporary", "")
    executor = executor_of(world)
    seen = executor.prepare(world.online[ADA.id], "look").run(None).reply
    assert seen[0] == "<room> [Roll] Ada: 9 (#1)"
    where = executor.prepare(world.online[ADA.id], "+where").run(None).reply
    assert where == ("somewhere private: Ada, Bram and Rhea",)


def test_finger_tells_a_few_facts() -> None:
    told = do("+finger bram").reply
    assert told[:2] == ("Name: Bram", "Role: player")
    assert "Connected: for 0s" in told
    assert do("+finger guest").reply[-1] == "Last login: never"
    assert no("+finger zed") == 'There is no player called "zed". WHO lists names.'


def test_players_describe_themselves_and_staff_rooms() -> None:
    store = MemoryStore()
    mine = do("@desc me=Tall.%rGrey.", store=store)
    assert events(mine) == [Described("character", ADA.id, "Ada", "Tall.%rGrey.")]
    assert store.characters[ADA.id].description == "Tall.%rGrey."
    (draft,) = do("@desc here=New.", RHEA, store=store).drafts
    assert draft.event == Described("room", START, "The Landing", "New.")
    assert (draft.audience, draft.ledger) == (Audience.REFEREES, GAME_LEDGER)
    assert no("@desc here=x") == "Only staff describe rooms. Try @desc me=<text>."
    assert no("@desc bram=x").startswith("You describe yourself")
    assert "at most 4000 characters" in no("@desc me=" + "x" * 4001)


def test_doing_is_one_line_or_nothing() -> None:
    store = MemoryStore()
    assert events(do("@doing  a   walk", store=store)) == [DoingSet("a walk")]
    assert store.characters[ADA.id].doing == "a walk"
    assert do("@doing", store=store).reply == ("WHO says nothing about you now.",)
    assert no("@doing " + "x" * 61) == "doing: that has 61 characters. 1 to 60 fit."


def test_an_exit_leads_on_and_home_leads_back() -> None:
    store = MemoryStore()
    store.open_exit(START, ["Out", "o"], DOCK)
    assert events(do("o", store=store)) == [Moved(ADA.id, "Ada", START, DOCK, "Out")]
    assert store.characters[ADA.id].room == DOCK
    assert events(do("home", store=store)) == [Moved(ADA.id, "Ada", DOCK, START)]
    assert do("home", store=store).reply == ("You are there.",)
    assert no("go nowhere") == 'There is no exit "nowhere" here. look lists the exits.'


def test_staff_dig_open_and_teleport() -> None:
    store = MemoryStore()
    dug = do("@dig Attic=Up;u,Down;d", RHEA, store=store)
    assert events(dug) == [
        RoomDug(3, "Attic"),
        ExitOpened(1, START, ("Up", "u"), 3),
        ExitOpened(1, 3, ("Down", "d"), START),
    ]
    assert {draft.ledger for draft in dug.drafts} == {GAME_LEDGER}
    opened = do("@open Ladder=dock", RHEA, store=store)
    assert events(opened) == [ExitOpened(2, START, ("Ladder",), DOCK)]
    assert events(do("@tel bram=#3", RHEA, store=store)) == [
        Moved(BRAM.id, "Bram", START, 3),
        Teleported(BRAM.id, "Bram", 3, "Attic"),
    ]
    assert do("@tel bram=attic", RHEA, store=store).reply == ("Bram is there.",)
    assert no("@tel #99", RHEA).startswith('There is no room "#99".')
    store.dig("Dock 8")
    assert no("@tel dock", RHEA, store=store).startswith('There is more than one room "dock".')
    assert no("@dig X=" + ";".join(["a" * 40] * 6), RHEA).startswith("The exit has too many names")


def test_os_7_staff_set_levels_outside_scenes_on_the_games_own_log() -> None:
    store = MemoryStore()
    (draft,) = do("+set ada/pist=good", RHEA, store=store).drafts
    assert draft.event == TraitSet(ADA.id, "Ada", "otherspace", "skill", "Pistol", None, 5)
    assert (draft.audience, draft.ledger) == (Audience.PRIVATE, GAME_LEDGER)
    assert "Pistol: Good (5)" in do("+sheet", ADA, store=store).reply
    (again,) = do("+set ada/pistol=none", RHEA, store=store).drafts
    assert again.event == TraitSet(ADA.id, "Ada", "otherspace", "skill", "Pistol", 5, None)


def test_os_56_a_referee_sets_levels_of_those_in_the_scene_alone() -> None:
    mine = scene_of(ADA, BRAM, referees=[ADA])
    (draft,) = do("+set bram/pistol=5", ADA, mine).drafts
    assert draft.ledger == mine.id
    assert no("+set rhea/pistol=5", ADA, mine) == "Rhea is not in your scene. Ask staff."


def test_a_sheet_is_for_its_owner_staff_and_those_in_the_scene() -> None:
    assert do("+sheet").reply[0] == "Ada, OtherSpace: Millennium"
    assert do("+sheet bram", RHEA).reply[0].startswith("Bram, ")
    assert do("+sheet bram", ADA, SCENE).reply[0].startswith("Bram, ")
    assert no("+sheet bram") == "Bram is not in your scene. Ask staff."
    assert do("+sheet me", GUEST).reply[0].startswith("Guest 1, ")
