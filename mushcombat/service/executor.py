"""From a player's line to work in its lane: here, in the reader pool, or in the writer."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from mushcombat.domain.character import Actor, Role
from mushcombat.domain.command import (
    Access,
    Context,
    Lane,
    Outcome,
    ReadContext,
    Verb,
    WriteContext,
)
from mushcombat.domain.dice import FreeDice, Throw
from mushcombat.domain.events import Audience, Who
from mushcombat.domain.names import match
from mushcombat.domain.numbers import FIELD
from mushcombat.domain.ports import Reads, Writes
from mushcombat.domain.scene import Scene
from mushcombat.domain.screen import PLAIN, Kind
from mushcombat.domain.text import clip
from mushcombat.errors import MushError
from mushcombat.records import record
from mushcombat.service.presence import Presence
from mushcombat.service.router import HUH, Routed, Router
from mushcombat.service.world import World
from mushcombat.systems import tracker

T = TypeVar("T")

_ACCESS = {
    Role.GUEST: Access.GUEST,
    Role.PLAYER: Access.PLAYER,
    Role.STAFF: Access.STAFF,
    Role.ADMIN: Access.ADMIN,
}

SELF = "self"
"""The switch that answers the typist alone and logs nothing."""


@record(frozen=True, slots=True)
class Work:
    """A parsed line, ready to run in its lane; `run` is handed the store, None for HERE.

    `appends`: all it may do in the writer is to append: to the scene's log, `ledger`, or to the
    lines of a channel. `stays`: what it depends on and changes belongs to that scene.
    """

    verb: Verb
    arguments: Any
    who: Who
    lane: Lane
    run: Callable[[Any], Outcome]
    room: int
    appends: bool = False
    ledger: int | None = None
    stays: bool = False


class Executor:
    """Prepares lines; knows the tables of verbs, one a rule system."""

    def __init__(
        self,
        world: World,
        routers: Mapping[str, Router],
        default_system: str,
        clock: Callable[[], datetime],
        randbelow: Callable[[int], int],
    ) -> None:
        self._world = world
        self._routers = routers
        self._default = default_system
        self._clock = clock
        self._free = FreeDice(randbelow)

    def prepare(self, presence: Presence, line: str, screen: Kind = PLAIN) -> Work:
        """Find the verb of a line typed now and parse it; its answer is read on `screen`.

        Exact names come first, then exits, channels, abbreviations. Raises MushError for what can't
        be understood, and for what the actor may not use as if it did not exist.
        """
        presence.active = self._clock()
        actor = presence.actor
        scene = self._world.scene_of(actor.id, presence.room)
        access = access_of(actor, scene)
        if scene is not None:
            stand_in = stands_in(line, scene, access)
            if stand_in:
                return self._act_for(presence, scene, *stand_in, screen)
        routed = self._route(presence, line, access, scene)
        if routed is None:
            raise self._unknown(line, access, scene)
        return self._work(presence, routed, scene, actor, screen)

    def unasked(
        self,
        presence: Presence,
        tell: Callable[[ReadContext], tuple[str, ...]],
        screen: Kind = PLAIN,
    ) -> Callable[[Reads], tuple[str, ...]] | None:
        """Prepare what somebody in a scene is told without a line; None for who is in none."""
        scene = self._world.scene_of(presence.id, presence.room)
        if scene is None:
            return None
        context = self._context(presence, scene, presence.actor, screen, self._clock())

        def run(store: Reads) -> tuple[str, ...]:
            return tell(ReadContext(**_fields(context), store=store))

        return run

    def looking(self, presence: Presence, look: Callable[[ReadContext], T]) -> Callable[[Reads], T]:
        """Prepare what somebody's client asks for by itself, as if they had typed it there."""
        scene = self._world.scene_of(presence.id, presence.room)
        context = self._context(presence, scene, presence.actor, PLAIN, self._clock())

        def run(store: Reads) -> T:
            me = presence.id
            fights = scene is not None and tracker.fights(store, scene.id, me)
            return look(ReadContext(**{**_fields(context), "fights": fights}, store=store))

        return run

    def _act_for(
        self, presence: Presence, scene: Scene, name: str, line: str, screen: Kind
    ) -> Work:
        """Let a referee act for an NPC, or answer for a player who is away."""
        people = {**scene.npcs, **self._world.participants(scene)}
        found = match(name, ((known, one) for one, known in people.items()))
        if len(found) != 1:
            raise MushError("who", f'"{clip(name)}" is nobody of this scene.', "+scene lists it.")
        routed = self._route(presence, line, Access.REFEREE, scene)
        if routed is None:
            raise self._unknown(line, Access.REFEREE, scene)
        npc = found[0] in scene.npcs
        its_own = npc and routed.verb.shown and routed.verb.access <= Access.PLAYER
        if not (routed.verb.stands_in or its_own):
            raise MushError("as", f"{routed.verb.name} is not done for somebody else.", "+help +as")
        if routed.verb.talk and scene.paused and found[0] in scene.hidden:
            # What is said in a pause is said outside the scene, where nobody is hidden.
            text = f"{people[found[0]]} is hidden, and the scene is paused."
            raise MushError("hidden", text, "+scene/resume first.")
        actor = Actor(found[0], people[found[0]], Role.PLAYER, 0)
        return self._work(presence, routed, scene, actor, screen)

    def _route(
        self, presence: Presence, line: str, access: Access, scene: Scene | None
    ) -> Routed | None:
        router = self._routers[self._system(scene)]
        routed = router.exact(line, access)
        if routed is None and self._world.way(presence.room, line):
            routed = router.exact(f"go {line}", access)
        if routed is None:
            said = self._world.channels.command(line, presence.actor)
            routed = router.exact(said, access) if said else None
        return routed or router.abbreviated(line, access)

    def _system(self, scene: Scene | None) -> str:
        return scene.system if scene else self._default

    def _unknown(self, line: str, access: Access, scene: Scene | None) -> MushError:
        """Make the refusal of what is no command here; it may be one by other rules."""
        here = self._system(scene)
        for system, router in self._routers.items():
            if system != here and router.knows(line, access):
                command = clip(line.split(maxsplit=1)[0])
                where = "This scene plays" if scene else "Outside scenes one plays"
                text = f"{command} is for scenes by the rules of {system}. {where} by {here}."
                return MushError("system", text, f"help {command} tells more.")
        return MushError("unknown", HUH)

    def _work(
        self, presence: Presence, routed: Routed, scene: Scene | None, actor: Actor, screen: Kind
    ) -> Work:
        verb, call = routed.verb, routed.call
        try:
            arguments = verb.parse(call)
        except MushError as refusal:
            raise _with_usage(verb, refusal) from None
        if verb.talk and scene is not None and scene.paused:
            scene = None
        self_only = SELF in call.switches
        now = presence.active
        context = self._context(presence, scene, actor, screen, now, self_only=self_only)
        logged = verb.shown and scene is not None and not context.self_only
        lane = Lane.WRITE if logged else verb.lane
        appends = verb.appends or (logged and verb.lane is Lane.HERE)
        run = partial(_run, verb, arguments, context, lane)
        ledger = scene.id if scene else None
        return Work(verb, arguments, context.who, lane, run, presence.room, appends, ledger, logged)

    def _context(
        self,
        presence: Presence,
        scene: Scene | None,
        actor: Actor,
        screen: Kind,
        now: datetime,
        *,
        self_only: bool = False,
    ) -> Context:
        me = presence.actor
        return Context(
            actor,
            presence.room,
            scene,
            now,
            self._free,
            self_only=self_only,
            present=self._world.present,
            by=None if actor.id == me.id else Who(me.id, me.name),
            screen=screen,
        )


_PREFIX = re.compile(r"\+as\s+([^=]+)=\s*(.+)|([A-Za-z][A-Za-z0-9' -]*): +(.+)", re.IGNORECASE)

_AS = re.compile(r"\+as(?![^\s=])", re.IGNORECASE)


def stands_in(line: str, scene: Scene, access: Access) -> tuple[str, str] | None:
    """Read `+as <name>=<command>` or `<NPC>: <command>` of a referee; None is another line."""
    found = _PREFIX.fullmatch(line) if access >= Access.REFEREE else None
    if found is None:
        if access >= Access.REFEREE and _AS.match(line):
            raise MushError("usage", "Usage: +as <name>=<command>")
        return None
    if found[1]:
        return found[1].strip(), found[2]
    npcs = {name.casefold() for name in scene.npcs.values()}
    return (found[3], found[4]) if found[3].casefold() in npcs else None


def access_of(actor: Actor, scene: Scene | None) -> Access:
    """Tell which verbs exist for somebody; guests never referee."""
    access = _ACCESS[actor.role]
    if access is Access.PLAYER and scene and actor.id in scene.referees:
        return Access.REFEREE
    return access


def _with_usage(verb: Verb, refusal: MushError) -> MushError:
    """Let every refusal of a call end with what to type instead."""
    if refusal.hint or refusal.code == "usage":
        return refusal
    return MushError(refusal.code, refusal.text, f"Usage: {verb.syntax}")


class _SceneDice:
    """The dice of a scene, fetched only when something is thrown."""

    def __init__(self, store: Writes, scene: int) -> None:
        self._store = store
        self._scene = scene

    def throw(self, count: int, sides: int, label: str) -> Throw:
        return self._store.dice(self._scene).throw(count, sides, label)


_CONTEXT = tuple(field.name for field in fields(Context))


def _fields(context: Context) -> dict[str, Any]:
    return {name: getattr(context, name) for name in _CONTEXT}


def _run(verb: Verb, arguments: Any, context: Context, lane: Lane, store: Any) -> Outcome:
    """Run a verb with the context of its lane; in a scene, the dice are the scene's."""
    if lane is Lane.WRITE or lane is Lane.READ:
        context = _with_store(verb, context, lane, store)
    try:
        outcome = verb.run(context, arguments)
    except MushError as refusal:
        # What a field may hold is known only here where it depends on the sheet or the rules.
        raise (_with_usage(verb, refusal) if refusal.code == FIELD else refusal) from None
    return _to_self(outcome) if context.self_only else outcome


def _with_store(verb: Verb, context: Context, lane: Lane, store: Any) -> ReadContext:
    """Give a verb what it reads or writes with."""
    given = _fields(context)
    given["fights"] = _fights(verb, context, store)
    if lane is Lane.READ:
        return ReadContext(**given, store=store)
    if context.scene and verb.shown:
        given["dice"] = _SceneDice(store, context.scene.id)
    return WriteContext(**given, store=store)


def _fights(verb: Verb, context: Context, store: Any) -> bool:
    """Tell whether who might referee fights here; MushError when that is what they want (OS-56)."""
    rules = context.by is not None or (context.referees and verb.lane is not Lane.HERE)
    if context.scene is None or not rules:
        return False
    me = context.by or context.who
    found = tracker.fights(store, context.scene.id, me.id)
    if found and (context.by is not None or verb.access is Access.REFEREE):
        text = "You fight in this one, so you don't referee it (OS-56)."
        raise MushError("referee", text, "Ask another, or +combat/leave first.")
    return found


def _to_self(outcome: Outcome) -> Outcome:
    """Turn what the room would have been shown into what the actor alone is."""
    for draft in outcome.drafts:
        if draft.ledger is not None or draft.audience is not Audience.ACTOR:
            break
    else:
        return outcome
    drafts = tuple(replace(d, ledger=None, audience=Audience.ACTOR) for d in outcome.drafts)
    return replace(outcome, drafts=drafts)
