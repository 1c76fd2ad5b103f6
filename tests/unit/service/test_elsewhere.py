"""Players of other processes, in this process's picture of the world."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from mushcombat.domain.bans import Ban
from mushcombat.domain.channels import Channel
from mushcombat.domain.character import Actor, Role
from mushcombat.domain.events import Audience, Event, Fact, Moved, Who
from mushcombat.domain.ports import Place
from mushcombat.domain.processes import (
    PlayerCame,
    PlayersStirred,
    PlayerWent,
    Standing,
    WorldLoaded,
)
from mushcombat.domain.settings import Settings
from mushcombat.service.people import who_lines
from mushcombat.service.presence import Presence
from mushcombat.service.world import World
from tests.unit.service.table import presence_of, world_of
from tests.unit.support import ADA, BRAM, DOCK, NOW, RHEA, START, scene_of

OURS, THEIRS, OTHERS = 1, 2, 3
LATER = NOW + timedelta(minutes=5)


class Glass:
    """A connection that shows nothing."""


@pytest.fixture
def world() -> World:
    world = world_of(people=(RHEA,))
    world.process = OURS
    world.online[RHEA.id].screens.append(Glass())  # type: ignore[arg-type]  # nothing is written
    return world


def standing(actor: Actor = ADA, process: int = THEIRS, room: int = START) -> Standing:
    role, account = actor.role, actor.account
    return Standing(
        process, actor.id, actor.name, role, account, room, "Tall.", "walking", NOW, NOW
    )


def tell(world: World, *events: Event) -> None:
    for event in events:
        world.apply(Fact(event, Who(0, "the clock"), NOW, Audience.REFEREES))


def came(world: World, them: Standing) -> Presence:
    tell(world, PlayerCame(them))
    return world.online[them.character]


def test_who_comes_elsewhere_is_there_as_they_are(world: World) -> None:
    settings = Settings(pages_locked=True)
    ada = came(world, replace(standing(room=DOCK), settings=settings))
    assert ada.actor == Actor(ADA.id, ADA.name, Role.PLAYER, ADA.account)
    assert (ada.description, ada.doing, ada.settings) == ("Tall.", "walking", settings)
    assert world.here(DOCK) == [ada]
    assert ada.screens == []
    assert any(line.startswith("Ada: on for") for line in who_lines(world, NOW))


def test_who_walks_elsewhere_walks_here(world: World) -> None:
    ada = came(world, standing())
    tell(world, Moved(ADA.id, "Ada", START, DOCK))
    assert world.here(DOCK) == [ada]


def test_who_goes_elsewhere_is_gone(world: World) -> None:
    came(world, standing())
    tell(world, PlayerWent(THEIRS, ADA.id))
    assert ADA.id not in world.online
    tell(world, PlayerWent(THEIRS, ADA.id))
    assert world.here(START) == [world.online[RHEA.id]]


def test_who_is_connected_twice_goes_with_the_last(world: World) -> None:
    for process in (THEIRS, OTHERS):
        came(world, standing(process=process))
    tell(world, PlayerWent(THEIRS, ADA.id))
    assert world.online[ADA.id].elsewhere == {OTHERS}
    tell(world, PlayerWent(OTHERS, ADA.id))
    assert ADA.id not in world.online


def test_who_is_connected_here_too_stays(world: World) -> None:
    rhea = world.online[RHEA.id]
    assert came(world, standing(RHEA)) is rhea
    tell(world, PlayerWent(THEIRS, RHEA.id))
    assert world.online[RHEA.id] is rhea


def test_of_our_own_players_we_are_told_nothing_new(world: World) -> None:
    tell(world, PlayerCame(standing(process=OURS)))
    assert ADA.id not in world.online
    tell(world, PlayerWent(OURS, RHEA.id))
    assert RHEA.id in world.online


def test_who_stirs_elsewhere_is_not_idle(world: World) -> None:
    ada = came(world, standing())
    tell(world, PlayersStirred({ADA.id: LATER, BRAM.id: LATER}, {ADA.id: "lunch"}))
    assert (ada.active, ada.away) == (LATER, "lunch")
    tell(world, PlayersStirred({ADA.id: NOW}, {}))
    assert (ada.active, ada.away) == (LATER, "")


def test_what_one_does_here_nobody_else_knows_better(world: World) -> None:
    rhea = world.online[RHEA.id]
    rhea.away = "a call"
    tell(world, PlayersStirred({RHEA.id: LATER}, {}))
    assert (rhea.active, rhea.away) == (LATER, "a call")


def test_a_world_that_is_loaded_anew_is_as_it_is_stored(world: World) -> None:
    old, new = scene_of(ADA), replace(scene_of(BRAM), id=9, room=DOCK)
    world.load(world.rooms.values(), [old])
    came(world, standing())
    came(world, standing(BRAM, OTHERS))
    cellar = Place(77, "Cellar", "room", "")
    there = (standing(BRAM, THEIRS, DOCK), standing(RHEA, OURS, DOCK))
    ban = Ban("192.0.2.1", None, "", "Rhea", NOW)
    channel = Channel(1, "Public", "pub", Role.GUEST, everyone=True)
    tell(world, WorldLoaded((cellar,), (new,), {BRAM.id: "Bram"}, (channel,), (ban,), there))
    assert [*world.rooms] == [77]
    assert [*world.scenes] == [9]
    assert world.scene_in(old.room) is None
    assert {*world.online} == {BRAM.id, RHEA.id}
    assert world.online[BRAM.id].elsewhere == {THEIRS}
    assert {presence.name for presence in world.here(DOCK)} == {"Bram", "Rhea"}
    assert world.channels.find("pub", RHEA) == channel
    assert world.bans.of_address("192.0.2.1", NOW) == ban


def test_a_presence_of_ours_is_none_of_theirs(world: World) -> None:
    assert presence_of(ADA).elsewhere == set()
