"""Who is about: WHO, +where, +finger, @doing, @desc, and what `look` shows."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from mushcombat.domain.character import Character
from mushcombat.domain.command import (
    Access,
    Call,
    Context,
    Lane,
    Outcome,
    ReadContext,
    Verb,
    WriteContext,
)
from mushcombat.domain.events import GAME_LEDGER, Audience, Described, DoingSet, Draft
from mushcombat.domain.ports import Reads
from mushcombat.domain.text import listing, looks_like_ours, signed
from mushcombat.errors import MushError
from mushcombat.service.parsing import maybe_words, nothing, one_line, words
from mushcombat.service.presence import Presence
from mushcombat.service.world import World

LONGEST_DOING = 60
LONGEST_DESCRIPTION = 4000
IDLE_SHOWN = timedelta(minutes=1)
"""Shorter than that nobody counts as idle in +where."""


def spell_time(span: timedelta) -> str:
    """Write a span shortly: 12s, 5m, 3h, 2d."""
    seconds = max(0, int(span.total_seconds()))
    for size, unit in ((86400, "d"), (3600, "h"), (60, "m")):
        if seconds >= size:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"


def who_lines(world: World, now: datetime, *, brief: bool = False) -> tuple[str, ...]:
    """List who is connected, each player once; brief gives their names alone."""
    people = world.everyone()
    lines = [
        f"{p.name}: on for {spell_time(now - p.since)}, idle {spell_time(now - p.active)}"
        + (f", away ({p.away})" if p.away else "")
        + (f", {p.doing}" if p.doing else "")
        for p in people
    ]
    count = (
        "1 player is connected." if len(people) == 1 else f"{len(people)} players are connected."
    )
    if brief and people:
        return (f"{count} {listing([p.name for p in people])}.",)
    return (*lines, count)


def room_lines(world: World, presence: Presence, *, brief: bool = False) -> tuple[str, ...]:
    """Describe the room that somebody stands in; brief leaves its description to `look`."""
    room = world.room(presence.room)
    # A temporary room is called what a player called the scene.
    mark = "<room> " if looks_like_ours(room.name) else ""
    lines = [f"{mark}{room.name} (#{room.id})"]
    if room.description and not brief:
        lines.append(signed(room.description, "description"))
    others = [p.name for p in world.here(room.id) if p.id != presence.id]
    if others:
        lines.append(f"Here: {listing(others)}.")
    if room.ways:
        lines.append("Exits: " + ", ".join(_exit_name(way.names) for way in room.ways) + ".")
    scene = world.scene_in(room.id)
    if scene and scene.visible_to(presence.id):
        part = "You take part." if presence.id in scene.participants else f"+scene/join {scene.id}"
        state = "paused" if scene.paused else "open"
        lines.append(f'Scene {scene.id} "{scene.title}" is {state} here. {part}')
    return tuple(lines)


def _exit_name(names: tuple[str, ...]) -> str:
    shortest = min(names, key=len)
    return f"{names[0]} <{shortest}>" if shortest != names[0] else names[0]


def _look_at(presence: Presence) -> tuple[str, ...]:
    if not presence.description:
        return (f"{presence.name} has no description yet.",)
    return (presence.name, signed(presence.description, presence.name))


def find_player(context: ReadContext, typed: str) -> Character:
    """Find one player in the store; MushError for none or several."""
    return one_player(context.store, context.actor.name, typed)


def one_player(store: Reads, me: str, typed: str) -> Character:
    """Find one player; "me" is whoever is called that. MushError for none or several."""
    found = store.find_players(me if typed.casefold() == "me" else typed)
    if len(found) == 1:
        return found[0]
    if not found:
        raise MushError("who", f'There is no player called "{typed[:40]}".', "WHO lists names.")
    names = ", ".join(character.name for character in found[:5])
    raise MushError("who", f'"{typed[:40]}" could be {names}.', "Type more of the name.")


def _described_thing(call: Call) -> tuple[str, str]:
    left, right = call.sides()
    if right is None or not left:
        raise call.wrong()
    if len(right) > LONGEST_DESCRIPTION:
        raise call.wrong(f"A description has at most {LONGEST_DESCRIPTION} characters.")
    return left, right


def _describe(context: WriteContext, arguments: tuple[str, str]) -> Outcome:
    thing, text = arguments
    if thing.casefold() == "here":
        return _describe_room(context, text)
    if thing.casefold() not in {"me", context.actor.name.casefold()}:
        raise MushError("desc", "You describe yourself, or staff a room.", "Try @desc me=<text>.")
    context.store.describe_character(context.actor.id, text)
    event = Described("character", context.actor.id, context.actor.name, text)
    return Outcome.of(Draft(event, Audience.PRIVATE), reply=("Your description is set.",))


def _describe_room(context: WriteContext, text: str) -> Outcome:
    if not context.actor.is_staff:
        raise MushError("desc", "Only staff describe rooms.", "Try @desc me=<text>.")
    context.store.describe_room(context.room, text)
    place = context.store.place(context.room)
    event = Described("room", context.room, place.name if place else "", text)
    return Outcome.of(
        Draft(event, Audience.REFEREES, GAME_LEDGER), reply=("The room is described.",)
    )


def _doing(context: WriteContext, text: str) -> Outcome:
    text = one_line(text, "doing", LONGEST_DOING) if text else ""
    context.store.set_doing(context.actor.id, text)
    reply = f"WHO says that you are doing: {text}" if text else "WHO says nothing about you now."
    return Outcome.of(Draft(DoingSet(text), Audience.PRIVATE), reply=(reply,))


def people_verbs(world: World) -> tuple[Verb, ...]:
    """Give the verbs of this file."""

    def who(context: Context, _: None) -> Outcome:
        return Outcome.tell(*who_lines(world, context.now, brief=context.screen.brief))

    def where(context: Context, _: None) -> Outcome:
        places: dict[tuple[str, int], list[str]] = {}
        for presence in world.everyone():
            places.setdefault(_place(world, presence.room), []).append(
                _with_idle(presence, context.now)
            )
        lines = [f"{place}: {listing(names)}" for (place, _), names in places.items()]
        return Outcome.tell(*(lines or ["Nobody is connected."]))

    def look(context: Context, thing: str) -> Outcome:
        me = world.online[context.actor.id]
        if not thing or thing.casefold() == "here":
            return Outcome.tell(*room_lines(world, me))
        here = world.here(context.room)
        return Outcome.tell(*_look_at(world.find(thing, here, context.actor, "here")))

    def finger(context: ReadContext, name: str) -> Outcome:
        them = find_player(context, name)
        # A look-up in a dict is all that this thread does with the reactor's picture.
        return Outcome.tell(*_finger_lines(context, them, world.online.get(them.id)))

    player, write = Access.PLAYER, Lane.WRITE
    desc = Verb("@desc", "@desc me=<text>", player, write, _described_thing, _describe)
    return (
        Verb("who", "who, or WHO", Access.GUEST, Lane.HERE, nothing, who),
        Verb("+where", "+where", Access.GUEST, Lane.HERE, nothing, where),
        Verb("look", "look[ <name>]", Access.GUEST, Lane.HERE, maybe_words, look, aliases=("l",)),
        Verb("+finger", "+finger <name>", Access.GUEST, Lane.READ, words, finger),
        Verb("@doing", "@doing[ <text>]", player, write, maybe_words, _doing),
        replace(desc, aliases=("@describe",)),
    )


def _finger_lines(
    context: ReadContext, them: Character, presence: Presence | None
) -> tuple[str, ...]:
    if presence:
        about = [
            f"Connected: for {spell_time(context.now - presence.since)}",
            f"Idle: {spell_time(context.now - presence.active)}",
            *([f"Away: {presence.away}"] if presence.away else []),
        ]
    else:
        about = [f"Last login: {_last_login(context, them)}"]
    doing = [f"Doing: {them.doing}"] if them.doing else []
    return (f"Name: {them.name}", f"Role: {them.role}", *about, *doing)


def _with_idle(presence: Presence, now: datetime) -> str:
    """Name somebody for +where, with how long they have been idle, or that they are away."""
    idle = now - presence.active
    shown = ["away"] if presence.away else []
    shown += [spell_time(idle)] if idle >= IDLE_SHOWN else []
    return f"{presence.name} ({', '.join(shown)})" if shown else presence.name


def _place(world: World, room: int) -> tuple[str, int]:
    """Name a room for +where; the temporary ones are one, so that nobody tells who is with whom."""
    place = world.room(room)
    return ("somewhere private", 0) if place.kind == "temporary" else (place.name, room)


def _last_login(context: ReadContext, character: Character) -> str:
    login = context.store.login(character.name)
    at = login.last_login_at if login else None
    return f"{at:%Y-%m-%d %H:%M} UTC" if at else "never"
