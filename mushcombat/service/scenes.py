"""Scenes: opening, joining, leaving, closing; what `+scene` shows.

A scene sits in one room, a room has at most one open scene; another one opened there gets a
temporary room. Only those who joined are logged. A private scene answers an outsider exactly
like one that does not exist.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from mushcombat.domain.character import Role
from mushcombat.domain.command import (
    Access,
    Call,
    Lane,
    Outcome,
    ReadContext,
    Verb,
    WriteContext,
)
from mushcombat.domain.dice import commitment
from mushcombat.domain.eras import EraClosed
from mushcombat.domain.events import (
    GAME_LEDGER,
    Audience,
    Draft,
    PrivacySet,
    RefereeNamed,
    RoomDug,
    SceneInvited,
    SceneJoined,
    SceneLeft,
    SceneOpened,
)
from mushcombat.domain.fight import OVER
from mushcombat.domain.ports import Opening, Place
from mushcombat.domain.scene import Scene, fight_settings
from mushcombat.domain.scene_events import SceneRead
from mushcombat.domain.text import clip, listing
from mushcombat.errors import MushError
from mushcombat.records import record
from mushcombat.service.parsing import nothing, one_line, scene_number, words
from mushcombat.service.people import find_player
from mushcombat.service.rooms import move_draft, start_room
from mushcombat.service.zones import dated
from mushcombat.systems import tracker
from mushcombat.systems.system import System

LONGEST_TITLE = 80


def no_scene(number: int) -> MushError:
    """Say that a scene is not there, whether it never was or is somebody else's private one."""
    return MushError("scene", f"There is no scene {number}.")


def visible_scene(context: ReadContext, number: int) -> Scene:
    """Find a scene that the actor may know of."""
    scene = context.store.scene(number)
    if scene is None or not scene.visible_to(context.actor.id):
        raise no_scene(number)
    return scene


def my_scene(context: ReadContext) -> Scene:
    """Find the scene that the actor, or an NPC, takes part in here, as the store has it now."""
    scene = context.store.scene(context.scene.id) if context.scene else None
    people = scene.participants | scene.npcs.keys() if scene else frozenset()
    if scene is None or not scene.open or context.actor.id not in people:
        hint = "Join one with +scene/join, or open one with +scene/open <title>."
        raise MushError("scene", "You are in no scene here.", hint)
    return scene


def live_scene(context: ReadContext) -> Scene:
    """Find the scene as `my_scene` does, and refuse while it is paused."""
    scene = my_scene(context)
    if scene.paused:
        raise MushError("paused", "The scene is paused: +scene/resume goes on.")
    return scene


def runs_it(context: ReadContext, scene: Scene) -> bool:
    """Tell whether the actor may close a scene and the like: its owner, a referee, staff in it."""
    me = context.actor
    return me.id == scene.owner or me.id in scene.referees or me.is_staff


@record(frozen=True, slots=True)
class Opened:
    """Arguments of +scene/open."""

    title: str
    system: str


def _opened(systems: Mapping[str, System], default: str) -> Callable[[Call], Opened]:
    def parse(call: Call) -> Opened:
        left, right = call.sides()
        system = (right or default).casefold()
        if system not in systems:
            names = listing(sorted(systems))
            raise MushError(
                "system", f'system: "{clip(system)}" is not one of this game.', f"It has {names}."
            )
        if not left:
            raise call.wrong("A scene needs a title.")
        return Opened(one_line(left, "title", LONGEST_TITLE), system)

    return parse


def _open(random_bytes: Callable[[int], bytes]) -> Callable[[WriteContext, Opened], Outcome]:
    def run(context: WriteContext, arguments: Opened) -> Outcome:
        room, drafts = _place_for_it(context, arguments.title)
        me, seed = context.actor, random_bytes(32)
        title, system = arguments.title, arguments.system
        opening = Opening(title, system, room, me.id, me.is_staff, private=False, seed=seed)
        scene = context.store.open_scene(opening, context.now)
        place = context.store.place(room)
        event = SceneOpened(
            title,
            system,
            room,
            place.name if place else "",
            private=False,
            referee=me.is_staff,
            era=1,
            commitment=commitment(seed),
        )
        return Outcome.of(*drafts, Draft(event, ledger=scene.id, room=room))

    return run


def _place_for_it(context: WriteContext, title: str) -> tuple[int, list[Draft]]:
    """Take the room where the actor stands, or a temporary one if it has a scene."""
    if all(scene.room != context.room for scene in context.store.open_scenes()):
        return context.room, []
    me = context.actor
    room, drafts = _temporary_room(context, title, context.room)
    return room, [*drafts, move_draft(context, me, context.room, room)]


def _temporary_room(context: WriteContext, title: str, origin: int) -> tuple[int, list[Draft]]:
    """Dig a room for a scene; its way back is never into another scene's room.

    That one may be gone by then, or private and none of those people's business.
    """
    place = context.store.place(origin)
    if place and place.kind == "temporary":
        origin = place.origin or start_room(context)
    room = context.store.dig(title, kind="temporary", origin=origin)
    dug = RoomDug(room, title, temporary=True)  # for the reactor's picture: nobody is told
    return room, [Draft(dug, Audience.REFEREES)]


def _join(context: WriteContext, number: int | None) -> Outcome:
    scene = _scene_to_join(context, number)
    me = context.store.character(context.actor.id)
    drafts = []
    if me and me.room != scene.room:
        drafts.append(move_draft(context, me, me.room, scene.room))
    if context.actor.id in scene.participants:
        return Outcome.of(*drafts, reply=(f"You are in scene {scene.id}.",))
    context.store.join_scene(scene.id, context.actor.id, context.now)
    return Outcome.of(*drafts, Draft(SceneJoined(), ledger=scene.id, room=scene.room))


def _scene_to_join(context: WriteContext, number: int | None) -> Scene:
    if number is None:
        here = [s for s in context.store.open_scenes() if s.room == context.room]
        here = [s for s in here if s.visible_to(context.actor.id)]
        if not here:
            raise MushError("scene", "No scene is open here.", "+scene/list names those there are.")
        scene = here[0]
    else:
        scene = visible_scene(context, number)
    if not scene.open:
        raise MushError("scene", f"Scene {scene.id} is closed.", f"+scene/log {scene.id} shows it.")
    invited = context.actor.id in scene.invited | scene.took_part
    if context.actor.role is Role.GUEST and not invited:
        raise MushError(
            "guest", "Guests join a scene when somebody in it asks them.", "Ask for +scene/invite."
        )
    return scene


def _leave(systems: Mapping[str, System], context: WriteContext, _: None) -> Outcome:
    """Leave the scene, and the fight that is on in it; one that needs a referee keeps one."""
    scene = my_scene(context)
    tracker.check_keeps_referee(context.store, scene, context.actor.id)
    context.store.leave_scene(scene.id, context.actor.id, context.now)
    drafts = [Draft(SceneLeft(), ledger=scene.id)]
    fight = context.store.fight(scene.id)
    seat = tracker.combatant(context, scene.id, context.actor.id)
    if seat is not None and fight is not None and fight.phase != OVER:
        drafts += tracker.leave(context, systems[scene.system].fight, seat)
    place = context.store.place(scene.room)
    if place and place.kind == "temporary":
        me, back = context.actor, place.origin or start_room(context)
        drafts.append(move_draft(context, me, scene.room, back))
    return Outcome.of(*drafts)


def _close(systems: Mapping[str, System], context: WriteContext, _: None) -> Outcome:
    """Close the scene; a fight that is on ends first, so that its wounds are not forgotten."""
    scene = my_scene(context)
    if not runs_it(context, scene):
        raise MushError("scene", "Who opened the scene closes it, or a referee.", "+scene/leave?")
    if scene.paused:
        context.store.set_paused(scene.id, paused=False)
    system = systems[scene.system]
    fight = context.store.fight(scene.id)
    over = tracker.stop(context, system.fight) if fight and fight.phase != OVER else []
    last = system.scene_ends(context)
    era, seed = context.store.era(scene.id), context.store.close_scene(scene.id, context.now)
    drafts = [Draft(EraClosed(era.number, seed.hex(), len(era.words)), ledger=scene.id)]
    return Outcome.of(*over, *last.drafts, *drafts, *_empty(context, scene))


def _empty(context: WriteContext, scene: Scene) -> list[Draft]:
    """Send everyone back from a temporary room, and let it go."""
    place = context.store.place(scene.room)
    if place is None or place.kind != "temporary":
        return []
    back = place.origin or start_room(context)
    moves = [
        move_draft(context, them, scene.room, back) for them in context.store.occupants(scene.room)
    ]
    context.store.retire_room(scene.room)
    return moves


def _invite(context: WriteContext, name: str) -> Outcome:
    scene, them = my_scene(context), find_player(context, name)
    if them.id in scene.participants:
        return Outcome.tell(f"{them.name} is in the scene.")
    context.store.invite(scene.id, them.id)
    event = SceneInvited(them.id, them.name)
    return Outcome.of(Draft(event, Audience.PRIVATE, scene.id))


def _referee(context: WriteContext, name: str) -> Outcome:
    scene, them = my_scene(context), find_player(context, name)
    if them.id not in scene.participants:
        raise MushError("scene", f"{them.name} is not in the scene.", "+scene/join comes first.")
    if them.role is Role.GUEST:
        raise MushError("guest", "Guests never referee.", "Name a player.")
    if tracker.fights(context.store, scene.id, them.id):
        text = f"{them.name} fights here, and nobody referees their own fight (OS-56)."
        raise MushError("referee", text, "Name another, or let them +combat/leave first.")
    context.store.name_referee(scene.id, them.id)
    return Outcome.of(Draft(RefereeNamed(them.id, them.name), ledger=scene.id))


def _private(context: WriteContext, _: None) -> Outcome:
    """Make the scene private: its people move to a temporary room, nobody else hears more."""
    scene = scene_i_run(context)
    place = context.store.place(scene.room)
    if place and place.kind == "temporary":
        outcome = _set_privacy(context, scene, private=True, room=place.id, place=place.name)
        return Outcome.of(*_without_others(context, scene, place), *outcome.drafts)
    room, drafts = _temporary_room(context, scene.title, scene.room)
    outcome = _set_privacy(context, scene, private=True, room=room, place=scene.title)
    moves = [
        move_draft(context, them, scene.room, room)
        for them in context.store.occupants(scene.room)
        if them.id in scene.participants
    ]
    return Outcome.of(*drafts, *moves, *outcome.drafts)


def _without_others(context: WriteContext, scene: Scene, place: Place) -> list[Draft]:
    """Send those away from a temporary room who have no part in what goes on there."""
    back, after = place.origin or start_room(context), scene.moved(place.id, private=True)
    return [
        move_draft(context, them, place.id, back)
        for them in context.store.occupants(place.id)
        if them.account is not None and not after.visible_to(them.id)
    ]


def _public(context: WriteContext, _: None) -> Outcome:
    scene = scene_i_run(context)
    place = context.store.place(scene.room)
    name = place.name if place else ""
    return _set_privacy(context, scene, private=False, room=scene.room, place=name)


def scene_i_run(context: WriteContext) -> Scene:
    """Find the scene that the actor is in and may close and the like, or refuse."""
    scene = my_scene(context)
    if not runs_it(context, scene):
        raise MushError("scene", "Who opened the scene decides that, or a referee.", "Ask them.")
    return scene


def _set_privacy(
    context: WriteContext, scene: Scene, *, private: bool, room: int, place: str
) -> Outcome:
    context.store.set_privacy(scene.id, private=private, room=room)
    return Outcome.of(Draft(PrivacySet(private, room, place), ledger=scene.id, room=room))


def scene_lines(context: ReadContext, scene: Scene) -> tuple[str, ...]:
    """Describe a scene in "Name: value" lines."""
    names = context.store.names([*scene.participants])
    place = context.store.place(scene.room)
    referees = [names[i] for i in sorted(scene.referees) if i in names]
    told = {
        "Summary": scene.summary,
        "Place": place.name if place else "nowhere",
        "Location": scene.location,
        "Date": scene.ic_date,
        "Type": scene.kind,
        "Warning": scene.warning,
        "Pose order": "" if scene.pose_order == "free" else scene.pose_order,
        "Pacing": "" if scene.pacing == "live" else scene.pacing,
        "Zone": "" if scene.zone == "UTC" else scene.zone,
        "Fights": fight_settings(scene, unusual=True),
        "Since": dated(scene.opened_at, scene.zone),
        "In it": listing(sorted(names.values())) or "nobody",
        "Referees": listing(referees) or "nobody",
        "Lines": str(context.store.last_seq(scene.id)),
    }
    head = f'Scene {scene.id} "{scene.title}": {scene_state(scene)}, {scene.system}.'
    lines = (f"{name}: {text}" for name, text in told.items() if text)
    return (head, *lines, *_readings(context, scene))


def _readings(context: ReadContext, scene: Scene) -> tuple[str, ...]:
    """Tell the people of a scene which staff read its log while it was private, and why."""
    if context.actor.id not in scene.took_part:
        return ()
    return tuple(
        f"Read by staff: {fact.actor.name}, {dated(fact.at, scene.zone)}, {fact.event.reason}"
        for fact in context.store.kinds(GAME_LEDGER, (SceneRead.kind,))
        if isinstance(fact.event, SceneRead) and fact.event.scene == scene.id
    )


def scene_state(scene: Scene) -> str:
    """Write how a scene stands: public or private, open, paused or closed."""
    stage = ("paused" if scene.paused else "open") if scene.open else "closed"
    return f"{'private' if scene.private else 'public'}, {stage}"


def _joined(call: Call) -> int | None:
    return scene_number(call.text) if call.text else None


def scene_verbs(
    systems: Mapping[str, System], default: str, random_bytes: Callable[[int], bytes]
) -> tuple[Verb, ...]:
    """Give the verbs of this file."""
    write = Lane.WRITE
    opened, open_ = _opened(systems, default), _open(random_bytes)
    syntax = "+scene/open <title>[=<system>]"
    player, guest = Access.PLAYER, Access.GUEST
    return (
        Verb(
            "+scene/open",
            syntax,
            player,
            write,
            opened,
            open_,
            aliases=("+scene/start", "+scene/create"),
        ),
        Verb("+scene/join", "+scene/join[ <number>]", guest, write, _joined, _join),
        Verb("+scene/leave", "+scene/leave", guest, write, nothing, partial(_leave, systems)),
        Verb(
            "+scene/close",
            "+scene/close",
            player,
            write,
            nothing,
            partial(_close, systems),
            aliases=("+scene/end", "+scene/stop", "+scene/finish"),
        ),
        Verb("+scene/invite", "+scene/invite <name>", player, write, words, _invite),
        Verb("+scene/referee", "+scene/referee <name>", Access.STAFF, write, words, _referee),
        Verb("+scene/private", "+scene/private", player, write, nothing, _private),
        Verb("+scene/public", "+scene/public", player, write, nothing, _public),
    )
