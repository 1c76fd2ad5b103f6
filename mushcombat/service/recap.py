"""+recap: a scene in a dozen lines, for who comes late and who comes back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from mushcombat.domain.character import Role
from mushcombat.domain.command import Access, Call, Lane, Outcome, ReadContext, Verb
from mushcombat.domain.events import Event, Spoken
from mushcombat.domain.fight import OVER, FightStarted
from mushcombat.domain.scene import Scene
from mushcombat.domain.scene_events import Muttered
from mushcombat.domain.state import Redone, Undone
from mushcombat.domain.text import clip, listing
from mushcombat.domain.visibility import Viewer, redact, referees, viewer_of
from mushcombat.service.fights import fight_lines
from mushcombat.service.history import history_of
from mushcombat.service.parsing import scene_number
from mushcombat.service.scene_log import Render, numbered_line
from mushcombat.service.scenes import my_scene, scene_lines, visible_scene
from mushcombat.service.versions import as_read
from mushcombat.systems.facts import ItemSet, Noted
from mushcombat.systems.system import System

DOZEN = 12

HURTS = 4
"""Results of the fight that are told, the newest of them."""

FEWEST_SAID, MOST_SAID = 2, 6
"""Last lines of the log that are told, as many as fit."""

LOOK_BACK = 30
"""Rows of their kinds that are looked through for them."""

_ALWAYS: tuple[type[Event], ...] = (Spoken, Muttered, Undone, Redone)
_SET = (ItemSet, Noted)
"""Events of a system that prepare: nothing is rolled or resolved by them."""

_READER = Viewer(None)
"""Reads a pose as it stands now, not as it was written: author and referees too."""

WIDTH = 100


def recap_lines(
    system: System, context: ReadContext, scene: Scene, render: Render
) -> tuple[str, ...]:
    """Tell what a scene is, who is there, how its fight stands, and what was said last."""
    reader = _as_reader(context, scene)
    told = [*_scene(reader, scene), *_fight(system, reader, scene)]
    room = max(FEWEST_SAID, min(MOST_SAID, DOZEN - len(told)))
    return (*told, *_last_lines(system, reader, scene, room, render))


def _as_reader(context: ReadContext, scene: Scene) -> ReadContext:
    """See the scene as its referees do or, whoever does not referee it, as any player does."""
    reader = replace(context, scene=scene)
    if referees(context.actor, scene):
        return reader
    return replace(reader, actor=replace(context.actor, role=Role.PLAYER))


def _scene(context: ReadContext, scene: Scene) -> Iterator[str]:
    """Tell what it is, when and where, and who is in it: four lines at most."""
    names = context.store.names(sorted(scene.participants))
    unknown = context.unknown
    npcs = [name for npc, name in scene.npcs.items() if npc not in unknown]
    place = context.store.place(scene.room)
    where = [scene.ic_date, scene.location or (place.name if place else "")]
    yield scene_lines(context, scene)[0]
    if scene.summary:
        yield clip(f"About: {' '.join(scene.summary.split())}", WIDTH)
    warning = f" Warning: {scene.warning}." if scene.warning else ""
    at = ", ".join(part for part in where if part) or "nowhere"
    yield f"At: {at}.{warning} Times are in {scene.zone}."
    ruling = [names[one] for one in sorted(scene.referees) if one in names]
    people = [
        f"In it: {listing(sorted(names.values())) or 'nobody'}.",
        f"Referees: {listing(sorted(ruling)) or 'nobody'}.",
        f"NPCs: {listing(sorted(npcs))}." if npcs else "",
    ]
    yield " ".join(part for part in people if part)


def _fight(system: System, context: ReadContext, scene: Scene) -> Iterator[str]:
    """Tell round, turn, what is pending, and who hurt whom: seven lines at most."""
    fight = context.store.fight(scene.id)
    if fight is None:
        return
    if fight.phase == OVER:
        yield "[Combat] The fight is over."
    else:
        lines = fight_lines(context, scene, fight, system)
        yield from (line for line in lines if line.startswith(("[Combat]", "[Order]")))
    hurts = [*_hurts(system, context, scene)]
    if hurts:
        more = f", the last {HURTS} of {len(hurts)}" if len(hurts) > HURTS else ""
        yield f"Hurt in it{more}:"
        yield from (f"  {clip(hurt, WIDTH)}" for hurt in hurts[-HURTS:])


def _hurts(system: System, context: ReadContext, scene: Scene) -> Iterator[str]:
    """Give the results of the last fight that stand, in short."""
    began = context.store.kinds(scene.id, (FightStarted.kind,))
    since = began[-1].seq or 0 if began else 0
    kinds = [event.kind for event in system.results]
    undone, viewer = (
        history_of(context, scene.id, since).taken_back(),
        viewer_of(context.actor, scene),
    )
    for logged in context.store.kinds(scene.id, kinds, since=since):
        fact = redact(logged, viewer)
        tell = system.results.get(type(fact.event)) if fact else None
        if fact and tell and fact.action not in undone:
            short = tell(fact.event, fact.actor.name)
            if short:
                yield f"{short} (#{fact.action})"


def _last_lines(
    system: System, context: ReadContext, scene: Scene, room: int, render: Render
) -> list[str]:
    """Give the last of what was said, rolled and resolved; settings and joins don't count."""
    viewer, kinds = viewer_of(context.actor, scene), [event.kind for event in _told_in(system)]
    rows = context.store.tail(scene.id, kinds, LOOK_BACK)
    seen = [known for fact in rows if (known := redact(fact, viewer))]
    read = as_read(context, scene, _READER, seen)[-room:]
    lines = (numbered_line(scene, render, fact, mark) for fact, mark in read)
    return [clip(line.replace("\n", " "), WIDTH) for line in lines]


def _told_in(system: System) -> Iterator[type[Event]]:
    """Give the events that tell what happened: talk, what was rolled and resolved, and undone."""
    yield from _ALWAYS
    for event in system.events:
        if event not in system.workings and not issubclass(event, _SET):
            yield event


def recap_verbs(systems: Mapping[str, System], render: Render) -> tuple[Verb, ...]:
    """Give the verbs of this file."""

    def recap(context: ReadContext, number: int | None) -> Outcome:
        scene = my_scene(context) if number is None else visible_scene(context, number)
        return Outcome.tell(*recap_lines(systems[scene.system], context, scene, render))

    def recapped(call: Call) -> int | None:
        return scene_number(call.text) if call.text else None

    guest, read, syntax = Access.GUEST, Lane.READ, "+scene/recap[ <number>]"
    return (Verb("+scene/recap", syntax, guest, read, recapped, recap, aliases=("+recap",)),)
