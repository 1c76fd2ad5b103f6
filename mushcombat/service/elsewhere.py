"""Players of other processes, in this process's picture of the world."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from mushcombat.domain.character import Actor
from mushcombat.domain.events import Fact
from mushcombat.domain.processes import (
    PlayerCame,
    PlayersStirred,
    PlayerWent,
    Standing,
    WorldLoaded,
)
from mushcombat.service.presence import Presence

if TYPE_CHECKING:
    from mushcombat.service.world import World


def came(world: World, event: PlayerCame) -> None:
    """Take in who is connected to a process."""
    stand(world, event.standing)


def stand(world: World, them: Standing) -> None:
    """Take in somebody who is connected to a process; our own players we know."""
    if them.process == world.process:
        return
    presence = world.online.get(them.character)
    if presence is None:
        actor = Actor(them.character, them.name, them.role, them.account)
        presence = Presence(actor, them.room, them.description, them.doing, them.since, them.active)
        presence.settings = them.settings
        world.arrive(presence)
    presence.elsewhere.add(them.process)


def went(world: World, event: PlayerWent) -> None:
    """Take out somebody who was connected to another process, unless they still are somewhere."""
    presence = world.online.get(event.character)
    if presence is not None and event.process != world.process:
        _is_not_at(world, presence, event.process)


def _is_not_at(world: World, presence: Presence, process: int) -> None:
    presence.elsewhere.discard(process)
    if not presence.elsewhere and not presence.screens:
        world.depart(presence)


def stirred(world: World, event: PlayersStirred) -> None:
    """Note when players of other processes last typed something."""
    for character, active in event.active.items():
        presence = world.online.get(character)
        if presence is not None:
            presence.active = max(presence.active, active)
            if not presence.screens:
                presence.away = event.away.get(character, "")


def loaded(world: World, event: WorldLoaded) -> None:
    """Take in everything anew; whoever is connected here stays as they are."""
    world.load(event.places, event.scenes, event.names)
    world.bans.load(event.bans)
    world.channels.load(event.channels)
    compare(world, event.standings)


def compare(world: World, standings: Iterable[Standing]) -> None:
    """Let the players of other processes be those that are connected to one, and no others."""
    there = {(them.character, them.process) for them in standings}
    for presence in [*world.online.values()]:
        for process in [*presence.elsewhere]:
            if (presence.id, process) not in there:
                _is_not_at(world, presence, process)
    for them in standings:
        stand(world, them)
        world.stands(them.character, them.room)


CHANGES: dict[type, Callable[[World, Fact, Any], None]] = {
    PlayerCame: lambda world, _fact, event: came(world, event),
    PlayerWent: lambda world, _fact, event: went(world, event),
    PlayersStirred: lambda world, _fact, event: stirred(world, event),
    WorldLoaded: lambda world, _fact, event: loaded(world, event),
}
"""What these facts change in a world."""
