"""Who is connected, where they are, and which scenes are open: the reactor's picture.

It is loaded at the start and from then on changed by released facts alone, so it never runs
ahead of the disk. Speech that nobody needs kept is routed by it without any database.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from mushcombat.domain.bans import Ban, BanList
from mushcombat.domain.channels import ChannelDeleted, ChannelMade, ChannelSet
from mushcombat.domain.character import Actor
from mushcombat.domain.eras import EraClosed, SceneLoaded
from mushcombat.domain.events import (
    Audience,
    Described,
    DoingSet,
    Event,
    ExitOpened,
    Fact,
    Moved,
    PrivacySet,
    RefereeNamed,
    RoomDug,
    SceneClosed,
    SceneInvited,
    SceneJoined,
    SceneLeft,
    SceneOpened,
)
from mushcombat.domain.fight import Asked, NpcEntered
from mushcombat.domain.names import match
from mushcombat.domain.ports import Place, Way
from mushcombat.domain.refereeing import HandedOver, NpcShown, SteppedDown
from mushcombat.domain.scene import Scene
from mushcombat.domain.scene_events import ScenePaused, SceneResumed
from mushcombat.domain.settings import (
    Ignored,
    PagesLocked,
    Watched,
    WatchedAll,
    settings_after,
)
from mushcombat.domain.staff_events import BanLifted, BanSet
from mushcombat.domain.state import Change, StateChanged
from mushcombat.errors import MushError
from mushcombat.service.channel_book import Channels
from mushcombat.service.elsewhere import CHANGES
from mushcombat.service.presence import Presence


class World:
    """Rooms, presences and open scenes."""

    def __init__(self) -> None:
        self.rooms: dict[int, Place] = {}
        self.online: dict[int, Presence] = {}
        self.present: frozenset[int] = frozenset()  # the ids of `online`
        self.scenes: dict[int, Scene] = {}
        self.bans = BanList()
        self.channels = Channels()
        self._here: dict[int, dict[int, Presence]] = {}
        self._scene_in: dict[int, int] = {}
        self._names: dict[int, str] = {}
        self.process = 0  # ours, where there are others

    def load(
        self,
        places: Iterable[Place],
        scenes: Iterable[Scene],
        names: Mapping[int, str] = MappingProxyType({}),
    ) -> None:
        """Take in what the database holds at the start; names are of those in the scenes."""
        self._names.update(names)
        self.rooms = {place.id: place for place in places}
        self.scenes, self._scene_in = {}, {}
        for scene in scenes:
            self._put_scene(scene)

    # who is where

    def arrive(self, presence: Presence) -> None:
        """Add a player who has just connected."""
        self.online[presence.id] = presence
        self.present = frozenset(self.online)
        self._names[presence.id] = presence.name
        self._here.setdefault(presence.room, {})[presence.id] = presence

    def depart(self, presence: Presence) -> None:
        """Take out a player whose last connection is gone."""
        self.online.pop(presence.id, None)
        self.present = frozenset(self.online)
        self._here.get(presence.room, {}).pop(presence.id, None)

    def stands(self, character: int, room: int) -> None:
        """Put somebody who is connected into a room."""
        presence = self.online.get(character)
        if presence and presence.room != room:
            self._here.get(presence.room, {}).pop(presence.id, None)
            presence.room = room
            self._here.setdefault(room, {})[presence.id] = presence

    def here(self, room: int) -> list[Presence]:
        """Give those in a room, in order of arrival."""
        return list(self._here.get(room, {}).values())

    def standing_in(self, room: int) -> Mapping[int, Presence]:
        """Give those in a room by their characters' ids; a view, good until anybody moves."""
        return self._here.get(room, {})

    def is_nospoof(self, character: int) -> bool:
        """Tell whether somebody wants to see who wrote an @emit; any thread may ask."""
        presence = self.online.get(character)
        return presence is not None and presence.nospoof

    def everyone(self) -> list[Presence]:
        """Give all who are connected, by name."""
        return sorted(self.online.values(), key=lambda presence: presence.name.casefold())

    def find(self, typed: str, among: Iterable[Presence], me: Actor, where: str) -> Presence:
        """Find whom a name means; MushError for nobody, or for more than one."""
        people = list(among)
        if typed.casefold() == "me":
            typed = me.name
        found = match(typed, ((presence.name, presence) for presence in people))
        if len(found) == 1:
            return found[0]
        if not found:
            raise MushError("who", f'Nobody called "{typed[:40]}" is {where}.', "WHO lists names.")
        names = ", ".join(presence.name for presence in found[:5])
        raise MushError("who", f'"{typed[:40]}" could be {names}.', "Type more of the name.")

    def room(self, room: int) -> Place:
        """Give a room; one that is not known any more is an empty one."""
        return self.rooms.get(room) or Place(room, "Nowhere", "gone", "")

    def way(self, room: int, typed: str) -> Way | None:
        """Find an exit of a room by its whole name or an alias."""
        wanted = typed.strip().casefold()
        for way in self.room(room).ways:
            if wanted in (name.casefold() for name in way.names):
                return way
        return None

    # scenes

    def scene_in(self, room: int) -> Scene | None:
        """Give the open scene that sits in a room."""
        number = self._scene_in.get(room)
        return self.scenes[number] if number is not None else None

    def scene_of(self, character: int, room: int) -> Scene | None:
        """Give the scene in a room if the character takes part in it."""
        scene = self.scene_in(room)
        return scene if scene and character in scene.participants else None

    def participants(self, scene: Scene) -> dict[int, str]:
        """Give the participants of a scene with their names, those who are away too."""
        return {i: self._names[i] for i in scene.participants if i in self._names}

    def _put_scene(self, scene: Scene) -> None:
        old = self.scenes.get(scene.id)
        if old:
            self._scene_in.pop(old.room, None)
        self.scenes[scene.id] = scene
        self._scene_in[scene.room] = scene.id

    def _change_scene(self, fact: Fact, **changes: Any) -> None:
        scene = self.scenes.get(fact.ledger or 0)
        if scene:
            self._put_scene(replace(scene, **changes))

    # facts

    def apply(self, fact: Fact) -> None:
        """Change the picture by a released fact."""
        change = _CHANGES.get(type(fact.event))
        if change:
            change(self, fact, fact.event)

    def audience(self, fact: Fact) -> list[Presence]:
        """Give those who stand where the fact can be noticed; `redact` decides for each."""
        if isinstance(fact.event, Moved):
            if fact.event.subject not in self.online:
                return []  # nobody sees those walk who are not connected
            both = self.here(fact.event.origin) + self.here(fact.event.destination)
            return [presence for presence in both if presence.id != fact.event.subject]
        if fact.audience in {Audience.ACTOR, Audience.PRIVATE, Audience.SUBJECT}:
            concerned = {fact.actor.id: None, fact.subject: None}
            told = [self.online[i] for i in concerned if i in self.online]
            if isinstance(fact.event, Asked):  # whoever referees may have to answer for them
                told += [presence for presence in self._ruling(fact) if presence not in told]
            return told
        if fact.audience is Audience.REFEREES:
            return self._ruling(fact)
        if fact.audience is Audience.CHANNEL:
            return [*self.online.values()]
        return self.here(fact.room) if fact.room is not None else []

    def _ruling(self, fact: Fact) -> list[Presence]:
        """Give those in the fact's room who referee its scene."""
        scene = self.scenes.get(fact.ledger or 0)
        here = self.here(fact.room) if fact.room is not None else []
        return [presence for presence in here if scene and self.hears(presence, scene, fact)]

    def referees(self, presence: Presence, scene: Scene) -> bool:
        """Tell whether somebody hears what is for referees: those named, or else staff in it."""
        named = any(i in self.online for i in scene.referees)
        stands_by = presence.actor.is_staff and not named
        return presence.id in scene.referees or stands_by

    def hears(self, presence: Presence, scene: Scene, fact: Fact) -> bool:
        """Tell whether somebody hears a fact as a referee: also staff, of their own doing."""
        own = presence.actor.is_staff and presence.id == fact.actor.id
        return own or self.referees(presence, scene)

    def _moved(self, _fact: Fact, event: Moved) -> None:
        self.stands(event.subject, event.destination)

    def _dug(self, _fact: Fact, event: RoomDug) -> None:
        kind = "temporary" if event.temporary else "room"
        self.rooms[event.room] = Place(event.room, event.name, kind, "")

    def _opened_exit(self, _fact: Fact, event: ExitOpened) -> None:
        room = self.room(event.room)
        way = Way(event.exit, event.names, event.destination)
        self.rooms[room.id] = replace(room, ways=(*room.ways, way))

    def _described(self, _fact: Fact, event: Described) -> None:
        if event.what == "room":
            self.rooms[event.subject] = replace(self.room(event.subject), description=event.text)
        elif event.subject in self.online:
            self.online[event.subject].description = event.text

    def _doing(self, fact: Fact, event: DoingSet) -> None:
        if fact.actor.id in self.online:
            self.online[fact.actor.id].doing = event.text

    def _channel_made(self, _fact: Fact, event: ChannelMade) -> None:
        self.channels.made(event)

    def _channel_deleted(self, _fact: Fact, event: ChannelDeleted) -> None:
        self.channels.deleted(event)

    def _chosen(self, fact: Fact, event: Event) -> None:
        presence = self.online.get(fact.actor.id)
        if presence:
            presence.settings = settings_after(presence.settings, event)

    def _scene_opened(self, fact: Fact, event: SceneOpened) -> None:
        me = frozenset({fact.actor.id})
        self._put_scene(
            Scene(
                fact.ledger or 0,
                event.title,
                event.system,
                event.room,
                fact.actor.id,
                event.private,
                True,  # noqa: FBT003 -- the field is called open
                fact.at,
                participants=me,
                referees=me if event.referee else frozenset(),
                took_part=me,
            )
        )

    def _scene_joined(self, fact: Fact, _event: SceneJoined) -> None:
        scene = self.scenes.get(fact.ledger or 0)
        if scene:
            self._put_scene(scene.joined_by(fact.actor.id))

    def _scene_left(self, fact: Fact, _event: SceneLeft) -> None:
        scene = self.scenes.get(fact.ledger or 0)
        if scene:
            self._put_scene(scene.left_by(fact.actor.id))

    def _scene_invited(self, fact: Fact, event: SceneInvited) -> None:
        scene = self.scenes.get(fact.ledger or 0)
        if scene:
            self._change_scene(fact, invited=scene.invited | {event.subject})

    def _referee_named(self, fact: Fact, event: RefereeNamed) -> None:
        scene = self.scenes.get(fact.ledger or 0)
        if scene:
            self._change_scene(fact, referees=scene.referees | {event.subject})

    def _handed_over(self, fact: Fact, event: HandedOver) -> None:
        scene = self.scenes.get(fact.ledger or 0)
        if scene:
            self._change_scene(fact, referees=scene.referees - {fact.actor.id} | {event.subject})

    def _stepped_down(self, fact: Fact, _event: SteppedDown) -> None:
        scene = self.scenes.get(fact.ledger or 0)
        if scene:
            self._change_scene(fact, referees=scene.referees - {fact.actor.id})

    def _npc_shown(self, fact: Fact, event: NpcShown) -> None:
        scene = self.scenes.get(fact.ledger or 0)
        if scene:
            self._change_scene(fact, hidden=scene.hidden - {event.subject})

    def _privacy(self, fact: Fact, event: PrivacySet) -> None:
        scene = self.scenes.get(fact.ledger or 0)
        if scene:
            self._put_scene(scene.moved(event.room, private=event.private))

    def _changed(self, fact: Fact, event: StateChanged) -> None:
        """Take in what `+scene/set` set, or an undo of it set back; and who hides."""
        fields: dict[str, Any] = {
            c.field: c.after for c in event.changes if _of_scene(c, fact.ledger)
        }
        scene = self.scenes.get(fact.ledger or 0)
        hides = [c for c in event.changes if (c.thing, c.field) == ("npc", "hidden")]
        if scene and hides:
            fields["hidden"] = _hidden_after(scene.hidden, hides)
        if fields:
            self._change_scene(fact, **fields)

    def _npc_entered(self, fact: Fact, event: NpcEntered) -> None:
        scene = self.scenes.get(fact.ledger or 0)
        if scene:
            # Who is hidden as it comes is told of to the referees alone.
            secret = {event.subject} if fact.audience is Audience.REFEREES else set()
            npcs = {**scene.npcs, event.subject: event.name}
            self._change_scene(fact, npcs=npcs, hidden=scene.hidden | secret)

    def _scene_loaded(self, _fact: Fact, event: SceneLoaded) -> None:
        self._put_scene(event.scene)

    def _banned(self, fact: Fact, event: BanSet) -> None:
        by = fact.actor.name
        self.bans.put(Ban(event.target, event.subject, event.reason, by, fact.at, event.until))

    def _unbanned(self, _fact: Fact, event: BanLifted) -> None:
        self.bans.lift(event.target)

    def _scene_closed(self, fact: Fact, _event: SceneClosed) -> None:
        scene = self.scenes.pop(fact.ledger or 0, None)
        if scene:
            self._scene_in.pop(scene.room, None)


def _hidden_after(hidden: frozenset[int], changes: Iterable[Change]) -> frozenset[int]:
    """Tell who hides after some were hidden or shown, or an undo did either."""
    for change in changes:
        npc = {int(json.loads(change.key)[0])}
        hidden = hidden | npc if change.after else hidden - npc
    return hidden


def _of_scene(change: Change, scene: int | None) -> bool:
    return change.thing == "scene" and json.loads(change.key) == [scene]


_CHANGES: dict[type, Callable[[World, Fact, Any], None]] = {
    Moved: World._moved,
    RoomDug: World._dug,
    ExitOpened: World._opened_exit,
    Described: World._described,
    DoingSet: World._doing,
    ChannelMade: World._channel_made,
    ChannelDeleted: World._channel_deleted,
    ChannelSet: World._chosen,
    Ignored: World._chosen,
    Watched: World._chosen,
    WatchedAll: World._chosen,
    PagesLocked: World._chosen,
    SceneOpened: World._scene_opened,
    SceneJoined: World._scene_joined,
    SceneLeft: World._scene_left,
    SceneInvited: World._scene_invited,
    RefereeNamed: World._referee_named,
    PrivacySet: World._privacy,
    ScenePaused: lambda world, fact, _: world._change_scene(fact, paused=True),
    SceneResumed: lambda world, fact, _: world._change_scene(fact, paused=False),
    StateChanged: World._changed,
    NpcEntered: World._npc_entered,
    NpcShown: World._npc_shown,
    HandedOver: World._handed_over,
    SteppedDown: World._stepped_down,
    SceneClosed: World._scene_closed,
    EraClosed: World._scene_closed,
    SceneLoaded: World._scene_loaded,
    **CHANGES,
    BanSet: World._banned,
    BanLifted: World._unbanned,
}
