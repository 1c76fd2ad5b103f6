"""How things stand, as GMCP messages: who and where somebody is, their scene, its fight.

What `look`, `+scene` and `+combat` tell the same person, and no more. docs/gmcp.md has the schemas.
"""

from __future__ import annotations

from mushcombat.domain.events import Fact
from mushcombat.domain.fight import OrderMade, TurnBegan
from mushcombat.domain.scene import Scene
from mushcombat.domain.visibility import Viewer, redact
from mushcombat.service.presence import Presence
from mushcombat.service.standing import FightStands
from mushcombat.service.world import World
from mushcombat.views.gmcp import Data, player

NO_SCENE: Data = {
    "scene": None,
    "title": "",
    "system": "",
    "state": "none",
    "private": False,
    "joined": False,
    "referee": False,
    "people": [],
    "referees": [],
    "npcs": [],
}

NO_FIGHT: Data = {
    "scene": None,
    "phase": "none",
    "round": 0,
    "current": None,
    "yours": False,
    "order": [],
}


def char_name(me: Presence) -> Data:
    """Name the character, as Char.Name does."""
    return player(me.name)


def room_info(world: World, me: Presence) -> Data:
    """Describe the room that somebody stands in, as Room.Info does."""
    room = world.room(me.room)
    exits = {way.names[0]: way.destination for way in room.ways}
    return {"num": room.id, "name": room.name, "area": room.kind, "exits": exits}


def room_players(world: World, me: Presence) -> list[Data]:
    """List who is connected and stands here, as Room.Players does; NPCs are the scene's."""
    return [player(one.name) for one in world.here(me.room)]


def channel_list(world: World, me: Presence) -> list[Data]:
    """List the channels that exist for somebody, as Comm.Channel.List does."""
    return [
        {
            "name": channel.name,
            "caption": channel.name,
            "command": f"+{channel.alias}",
            "on": world.channels.hears(me, channel.id),
        }
        for channel in world.channels.known_to(me.actor)
    ]


def scene_here(world: World, me: Presence) -> Scene | None:
    """Give the scene in the room that somebody stands in, if it exists for them."""
    scene = world.scene_in(me.room)
    return scene if scene and scene.visible_to(me.id) else None


def scene_info(world: World, me: Presence) -> Data:
    """Describe the scene here, as Scene.Info does; hidden NPCs are for who hears as a referee."""
    scene = scene_here(world, me)
    if scene is None:
        return NO_SCENE
    people = world.participants(scene)
    known = set(scene.npcs) - (frozenset() if world.referees(me, scene) else scene.hidden)
    return {
        "scene": scene.id,
        "title": scene.title,
        "system": scene.system,
        "state": "paused" if scene.paused else "open",
        "private": scene.private,
        "joined": me.id in scene.participants,
        "referee": me.id in scene.referees,
        "people": sorted(people.values()),
        "referees": sorted(people[one] for one in scene.referees if one in people),
        "npcs": sorted(scene.npcs[one] for one in known),
    }


def combat_turn(stands: FightStands | None, viewer: Viewer, me: int) -> Data:
    """Tell whose turn it is, as Combat.Turn does, of those who exist for the viewer.

    During the turn of somebody who does not, it is nobody's, as `+combat` says it.
    """
    if stands is None:
        return NO_FIGHT
    order, turn = (_seen(fact, viewer) for fact in (stands.order, stands.turn))
    placed: Data = {"order": []}
    if order is not None and isinstance(order.event, OrderMade):
        rows = zip(order.event.names, order.event.ranks, strict=True)
        placed = {"order": [{"name": name, "rank": list(rank)} for name, rank in rows]}
    whose = turn.event if turn is not None and isinstance(turn.event, TurnBegan) else None
    return {
        "scene": stands.scene,
        "phase": stands.phase,
        "round": stands.round,
        "current": whose.name if whose and whose.name else None,
        "yours": whose is not None and whose.subject == me,
        **placed,
    }


def _seen(fact: Fact | None, viewer: Viewer) -> Fact | None:
    return redact(fact, viewer) if fact else None


KNOWN_UNTOLD: Data = {"Scene.Info": NO_SCENE, "Combat.Turn": NO_FIGHT, "Comm.Channel.List": []}
"""What a client takes for granted until it is told otherwise: so it need not be told this."""
