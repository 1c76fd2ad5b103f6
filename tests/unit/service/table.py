"""The whole table of verbs as the server has it, and an executor over a world in memory."""

from __future__ import annotations

from mushcombat.config import Config
from mushcombat.domain.character import Actor
from mushcombat.domain.command import Outcome
from mushcombat.domain.ports import Place, Way
from mushcombat.domain.scene import Scene
from mushcombat.rulebook import build_routers, load_rulebook
from mushcombat.service.executor import Executor
from mushcombat.service.presence import Presence
from mushcombat.service.router import Router
from mushcombat.service.world import World
from tests.unit.channels import PUBLIC, STAFF
from tests.unit.support import ADA, BRAM, DOCK, NOW, RHEA, START, MemoryStore

BOOK = load_rulebook(Config())
ROUTER: Router = build_routers(BOOK, World())["otherspace"]
NAMES = tuple(verb.name for verb in ROUTER.verbs)


def presence_of(actor: Actor, room: int = START) -> Presence:
    return Presence(actor, room, "", "", NOW, NOW)


def world_of(*scenes: Scene, people: tuple[Actor, ...] = (ADA, BRAM, RHEA)) -> World:
    world = World()
    ways = (Way(1, ("Out", "o", "pos"), DOCK),)
    hall = Place(START, "The Landing", "start", "A hall.", ways=ways)
    world.load([hall, Place(DOCK, "Dock 7", "room", "")], scenes)
    world.channels.load([PUBLIC, STAFF])
    for actor in people:
        world.arrive(presence_of(actor))
    return world


def executor_of(world: World, face: int = 2) -> Executor:
    """Make an executor whose dice outside scenes all show one face."""
    routers = build_routers(BOOK, world)
    return Executor(world, routers, BOOK.default, lambda: NOW, lambda sides: face - 1)


def do(
    line: str,
    actor: Actor = ADA,
    *scenes: Scene,
    store: MemoryStore | None = None,
) -> Outcome:
    """Prepare and run a line, with a store whatever its lane is."""
    world = world_of(*scenes)
    if actor.id not in world.online:
        world.arrive(presence_of(actor))
    work = executor_of(world).prepare(world.online[actor.id], line)
    return work.run(store or MemoryStore(*scenes))
