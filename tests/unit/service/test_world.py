from __future__ import annotations

from typing import Any

import pytest

from mushcombat.domain.character import Actor
from mushcombat.domain.events import (
    Audience,
    Connected,
    Described,
    DoingSet,
    Event,
    ExitOpened,
    Fact,
    Moved,
    Paged,
    PrivacySet,
    RefereeNamed,
    RoomDug,
    SceneClosed,
    SceneInvited,
    SceneJoined,
    SceneLeft,
    SceneOpened,
    Spoken,
)
from mushcombat.domain.fight import Asked
from mushcombat.domain.ports import Place
from mushcombat.domain.preferences import Preferences
from mushcombat.domain.scene_events import ScenePaused, SceneResumed
from mushcombat.domain.settings import PagesLocked, Settings
from mushcombat.domain.state import Change, StateChanged
from mushcombat.errors import MushError
from mushcombat.service.world import World
from tests.unit.service.table import presence_of, world_of
from tests.unit.support import ADA, BRAM, DOCK, GUEST, NOW, RHEA, START, scene_of, who

NUMBER = 7


def fact(event: Event, actor: Actor = ADA, **changes: Any) -> Fact:
    values: dict[str, Any] = {"audience": Audience.ROOM, "room": START, "ledger": NUMBER}
    values |= changes
    return Fact(event, who(actor), NOW, **values)


def names(world: World, room: int) -> list[str]:
    return [presence.name for presence in world.here(room)]


OPENED = SceneOpened("Brawl", "otherspace", DOCK, "Dock 7", False, True, 1, "ab" * 32)


def test_who_arrives_is_here_and_who_departs_is_not() -> None:
    world = world_of(people=(BRAM, ADA))
    assert names(world, START) == ["Bram", "Ada"]
    assert [presence.name for presence in world.everyone()] == ["Ada", "Bram"]
    world.depart(world.online[BRAM.id])
    assert names(world, START) == ["Ada"]
    assert BRAM.id not in world.online


def test_departing_twice_does_no_harm() -> None:
    world = world_of(people=(ADA,))
    presence = world.online[ADA.id]
    world.depart(presence)
    world.depart(presence)
    world.depart(presence_of(GUEST, 99))
    assert world.everyone() == []


def test_a_room_that_is_not_known_is_an_empty_one() -> None:
    world = world_of()
    assert world.room(99) == Place(99, "Nowhere", "gone", "")
    assert world.way(99, "out") is None
    assert world.here(99) == []
    assert world.scene_in(99) is None


@pytest.mark.parametrize(("typed", "name"), [("bram", "Bram"), ("rh", "Rhea"), ("ME", "Ada")])
def test_somebody_is_found_by_name_beginning_or_me(typed: str, name: str) -> None:
    world = world_of()
    assert world.find(typed, world.everyone(), ADA, "here").name == name


def test_nobody_found_is_told_with_what_was_typed_clipped() -> None:
    world = world_of()
    with pytest.raises(MushError) as caught:
        world.find("x" * 999, world.everyone(), ADA, "connected")
    assert str(caught.value) == (f'Nobody called "{"x" * 40}" is connected. WHO lists names.')


def test_several_found_are_told_by_name() -> None:
    world = world_of(people=(ADA, Actor(20, "Adam", ADA.role, 20)))
    with pytest.raises(MushError) as caught:
        world.find("a", world.everyone(), ADA, "here")
    assert str(caught.value) == '"a" could be Ada, Adam. Type more of the name.'


def test_a_move_is_followed_and_again_when_it_is_known() -> None:
    world = world_of()
    world.apply(fact(Moved(ADA.id, "Ada", START, DOCK, "Out"), ledger=None))
    assert (names(world, START), names(world, DOCK)) == (["Bram", "Rhea"], ["Ada"])
    assert world.online[ADA.id].room == DOCK
    world.apply(fact(Moved(ADA.id, "Ada", START, DOCK), ledger=None))
    assert names(world, DOCK) == ["Ada"]


def test_a_move_of_somebody_not_connected_changes_nothing() -> None:
    world = world_of()
    world.apply(fact(Moved(GUEST.id, "Guest 1", START, DOCK)))
    assert names(world, DOCK) == []


def test_a_room_that_was_dug_is_known_with_its_kind() -> None:
    world = world_of()
    world.apply(fact(RoomDug(30, "Attic")))
    world.apply(fact(RoomDug(31, "Brawl", temporary=True)))
    assert world.room(30) == Place(30, "Attic", "room", "")
    assert world.room(31) == Place(31, "Brawl", "temporary", "")


def test_an_exit_that_was_opened_is_a_way_beside_those_there_were() -> None:
    world = world_of()
    world.apply(fact(ExitOpened(5, START, ("Up", "u"), 30)))
    way = world.way(START, " U ")
    assert way is not None
    assert (way.id, way.destination) == (5, 30)
    assert world.way(START, "out") is not None


def test_a_description_is_taken_for_a_room_or_for_somebody_connected() -> None:
    world = world_of()
    world.apply(fact(Described("room", START, "The Landing", "New.")))
    world.apply(fact(Described("character", BRAM.id, "Bram", "Tall."), BRAM))
    world.apply(fact(Described("character", GUEST.id, "Guest 1", "Short."), GUEST))
    assert world.room(START).description == "New."
    assert world.room(START).ways
    assert world.online[BRAM.id].description == "Tall."
    assert GUEST.id not in world.online


def test_what_somebody_is_doing_is_taken_if_they_are_connected() -> None:
    world = world_of()
    world.apply(fact(DoingSet("fishing"), BRAM))
    world.apply(fact(DoingSet("nothing"), GUEST))
    assert world.online[BRAM.id].doing == "fishing"
    assert world.online[ADA.id].doing == ""


@pytest.mark.parametrize("referee", [True, False])
def test_a_scene_that_was_opened_sits_in_its_room_with_its_owner_in_it(referee: bool) -> None:
    world = world_of()
    event = SceneOpened("Brawl", "otherspace", DOCK, "Dock 7", False, referee, 1, "ab" * 32)
    world.apply(fact(event))
    scene = world.scene_in(DOCK)
    assert scene is not None
    assert (scene.id, scene.title, scene.owner, scene.open) == (NUMBER, "Brawl", ADA.id, True)
    assert scene.participants == scene.took_part == {ADA.id}
    assert scene.referees == ({ADA.id} if referee else frozenset())
    assert world.scene_of(ADA.id, DOCK) is scene
    assert world.scene_of(BRAM.id, DOCK) is None
    assert world.scene_of(ADA.id, START) is None


def test_joining_and_leaving_change_who_takes_part() -> None:
    world = world_of(scene_of(ADA))
    world.apply(fact(SceneJoined(), BRAM))
    assert world.scenes[NUMBER].participants == {ADA.id, BRAM.id}
    world.apply(fact(RefereeNamed(BRAM.id, "Bram"), RHEA))
    assert world.scenes[NUMBER].referees == {BRAM.id}
    world.apply(fact(SceneLeft(), BRAM))
    scene = world.scenes[NUMBER]
    assert scene.participants == {ADA.id}
    assert not scene.referees
    assert scene.took_part == {ADA.id, BRAM.id}


def test_a_referee_who_leaves_and_comes_back_may_rule_again() -> None:
    world = world_of(scene_of(ADA, BRAM, referees=[BRAM]))
    for event in (SceneLeft(), SceneJoined()):
        world.apply(fact(event, BRAM))
    assert world.scenes[NUMBER].referees == {BRAM.id}


def test_an_invitation_makes_a_private_scene_known() -> None:
    world = world_of(scene_of(ADA, private=True))
    assert not world.scenes[NUMBER].visible_to(BRAM.id)
    world.apply(fact(SceneInvited(BRAM.id, "Bram"), audience=Audience.PRIVATE))
    assert world.scenes[NUMBER].visible_to(BRAM.id)


def test_a_scene_made_private_sits_in_its_new_room_alone() -> None:
    world = world_of(scene_of(ADA))
    world.apply(fact(PrivacySet(True, DOCK, "Brawl")))
    assert world.scenes[NUMBER].private
    assert world.scene_in(START) is None
    assert world.scene_in(DOCK) is world.scenes[NUMBER]


def test_who_had_left_a_scene_that_becomes_private_knows_of_it_no_longer() -> None:
    world = world_of(scene_of(ADA, BRAM))
    world.apply(fact(SceneLeft(), BRAM))
    assert world.scenes[NUMBER].visible_to(BRAM.id)
    world.apply(fact(PrivacySet(True, DOCK, "Brawl")))
    assert not world.scenes[NUMBER].visible_to(BRAM.id)
    world.apply(fact(PrivacySet(False, DOCK, "Brawl")))
    assert world.scenes[NUMBER].visible_to(BRAM.id)


def test_a_scene_that_was_closed_is_gone() -> None:
    world = world_of(scene_of(ADA))
    world.apply(fact(SceneClosed(1, "ab" * 32)))
    assert (world.scenes, world.scene_in(START)) == ({}, None)


@pytest.mark.parametrize(
    "event",
    [
        SceneJoined(),
        SceneLeft(),
        SceneInvited(BRAM.id, "Bram"),
        RefereeNamed(BRAM.id, "Bram"),
        PrivacySet(True, DOCK, "x"),
        SceneClosed(1, ""),
        Spoken("say", "hi"),
        Connected(True),
    ],
)
@pytest.mark.parametrize("ledger", [None, 99])
def test_a_fact_of_a_scene_that_is_not_known_changes_nothing(
    event: Event, ledger: int | None
) -> None:
    world = world_of()
    world.apply(fact(event, ledger=ledger))
    assert world.scenes == {}


def test_what_is_said_in_a_room_can_be_noticed_by_those_in_it() -> None:
    world = world_of()
    world.arrive(presence_of(GUEST, DOCK))
    heard = world.audience(fact(Spoken("say", "hi")))
    assert [presence.name for presence in heard] == ["Ada", "Bram", "Rhea"]
    assert world.audience(fact(Spoken("say", "hi"), room=None)) == []


def test_what_is_private_can_be_noticed_by_the_two_of_them_wherever_they_are() -> None:
    world = world_of()
    world.arrive(presence_of(GUEST, DOCK))
    page = fact(Paged(GUEST.id, "Guest 1", "hi"), audience=Audience.PRIVATE)
    assert [presence.name for presence in world.audience(page)] == ["Ada", "Guest 1"]
    to_self = fact(Paged(ADA.id, "Ada", "hi"), audience=Audience.PRIVATE)
    assert [presence.name for presence in world.audience(to_self)] == ["Ada"]
    gone = fact(Paged(99, "Gone", "hi"), audience=Audience.PRIVATE)
    assert [presence.name for presence in world.audience(gone)] == ["Ada"]


def test_a_move_can_be_noticed_at_both_ends_but_not_by_who_moves() -> None:
    world = world_of()
    world.arrive(presence_of(GUEST, DOCK))
    move = fact(Moved(ADA.id, "Ada", START, DOCK))
    world.apply(move)
    assert [presence.name for presence in world.audience(move)] == ["Bram", "Rhea", "Guest 1"]


def test_a_question_reaches_who_is_asked_and_those_who_referee_that_scene() -> None:
    world = world_of(scene_of(ADA, BRAM, RHEA, referees=[RHEA]))
    asked = fact(Asked(BRAM.id, "Bram", "Well?"), BRAM, audience=Audience.PRIVATE)
    assert [presence.name for presence in world.audience(asked)] == ["Bram", "Rhea"]
    elsewhere = fact(
        Asked(BRAM.id, "Bram", "Well?"), BRAM, audience=Audience.PRIVATE, ledger=NUMBER + 1
    )
    assert [presence.name for presence in world.audience(elsewhere)] == ["Bram"]


def test_a_pause_and_what_is_set_change_the_picture_and_so_does_taking_it_back() -> None:
    world = world_of(scene_of(ADA, BRAM))
    world.apply(fact(ScenePaused()))
    assert world.scenes[NUMBER].paused
    world.apply(fact(SceneResumed()))
    assert not world.scenes[NUMBER].paused
    change = Change("scene", "[7]", "title", "Night Watch", "Day Watch")
    other = Change("scene", "[8]", "title", "x", "y")
    harm = Change("condition", '[7,"otherspace"]', "harm", 0, 1)
    world.apply(fact(StateChanged((change, other, harm)), audience=Audience.REFEREES))
    assert world.scenes[NUMBER].title == "Day Watch"
    back = Change("scene", "[7]", "title", "Day Watch", "Night Watch")
    world.apply(fact(StateChanged((back,)), audience=Audience.REFEREES))
    assert world.scenes[NUMBER].title == "Night Watch"
    world.apply(fact(StateChanged((other, harm)), audience=Audience.REFEREES))
    assert world.scenes[NUMBER].title == "Night Watch"


def test_whether_somebody_wants_to_see_who_wrote_an_emit_is_known() -> None:
    world = world_of(people=(ADA,))
    world.online[ADA.id].preferences = Preferences(nospoof=True)
    assert world.is_nospoof(ADA.id)
    assert not world.is_nospoof(BRAM.id)


def test_what_somebody_chose_is_taken_if_they_are_connected() -> None:
    world = world_of(people=(ADA,))
    for actor in (ADA, BRAM):
        world.apply(fact(PagesLocked(True), actor=actor, audience=Audience.PRIVATE))
    assert world.online[ADA.id].settings == Settings(pages_locked=True)
