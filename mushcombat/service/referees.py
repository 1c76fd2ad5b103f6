"""Who referees a scene, what they note for each other, and handing it over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from mushcombat.domain.character import Actor, Character, Role
from mushcombat.domain.command import (
    Access,
    Lane,
    Outcome,
    ReadContext,
    Verb,
    WriteContext,
)
from mushcombat.domain.events import Audience, Draft, Fact, Who
from mushcombat.domain.fight import OVER, Told
from mushcombat.domain.refereeing import HandedOver, Noted, SteppedDown
from mushcombat.domain.scene import Scene, fight_settings
from mushcombat.domain.state import Undone
from mushcombat.domain.text import clip, listing
from mushcombat.errors import MushError
from mushcombat.service.fights import fight_lines, somebody
from mushcombat.service.history import history_of
from mushcombat.service.parsing import nothing, words
from mushcombat.service.scene_log import Render
from mushcombat.service.scenes import my_scene, scene_lines
from mushcombat.service.zones import in_zone
from mushcombat.systems import tracker
from mushcombat.systems.system import System

NOTES = 30
"""Notes that +notes lists, the newest of them."""

NOTES_HANDED_OVER = 5

WIDTH = 100
"""Characters of a note, or of a ruling's reason, where many are listed."""


# notes


def _note(context: WriteContext, text: str) -> Outcome:
    scene = my_scene(context)
    return Outcome.of(Draft(Noted(text), Audience.REFEREES, scene.id))


def _notes(render: Render, context: ReadContext, _: None) -> Outcome:
    scene = my_scene(context)
    notes = _notes_of(context, scene)
    if not notes:
        return Outcome.tell("There are no notes. +note <text> makes one.")
    earlier = len(notes) - NOTES
    lines = [_timed(fact, scene, render) for fact in notes[-NOTES:]]
    if earlier > 0:
        lines.insert(0, f"({earlier} earlier ones: +scene/log {scene.id} has them.)")
    return Outcome.tell(f"Notes of scene {scene.id}, times in {scene.zone}:", *lines)


def _notes_of(context: ReadContext, scene: Scene) -> list[Fact]:
    return context.store.kinds(scene.id, (Noted.kind,))


def _timed(fact: Fact, scene: Scene, render: Render) -> str:
    return f"{in_zone(fact.at, scene.zone):%Y-%m-%d %H:%M} {render(fact)}"


# who referees


def _list(context: ReadContext, _: None) -> Outcome:
    scene = my_scene(context)
    names = context.store.names(sorted(scene.referees))
    if not names:
        text = "Nobody is named referee here: staff in the scene may act."
        return Outcome.tell(text, "Staff name one with +scene/referee <name>.")
    shown = [
        name if one in context.present else f"{name} (not connected)" for one, name in names.items()
    ]
    return Outcome.tell(f"Referees of scene {scene.id}: {listing(sorted(shown))}.")


def _state(systems: Mapping[str, System], render: Render, context: ReadContext, _: None) -> Outcome:
    scene = my_scene(context)
    return Outcome.tell(*open_state(systems[scene.system], render, context, scene))


def _hand_over(
    systems: Mapping[str, System], render: Render, context: WriteContext, name: str
) -> Outcome:
    scene = my_scene(context)
    them = _successor(context, scene, name)
    context.store.name_referee(scene.id, them.id)
    if context.actor.id in scene.referees:
        context.store.drop_referee(scene.id, context.actor.id)
    lines = open_state(systems[scene.system], render, _as_them(context, scene, them), scene)
    text = "\n".join((f"You referee scene {scene.id} now, and this is open:", *lines))
    told = Draft(Told(text), Audience.PRIVATE, actor=Who(them.id, them.name))
    return Outcome.of(Draft(HandedOver(them.id, them.name), ledger=scene.id), told)


def _as_them(context: WriteContext, scene: Scene, them: Character) -> ReadContext:
    """See the scene as its new referee does."""
    actor = Actor(them.id, them.name, them.role, them.account or 0)
    return replace(context, actor=actor, scene=replace(scene, referees=frozenset({them.id})))


def _successor(context: WriteContext, scene: Scene, name: str) -> Character:
    """Find who takes the scene over: here, no guest, and not a fighter of it (OS-56)."""
    them = somebody(context, scene, name)
    if them.id == context.actor.id:
        raise MushError("referee", "That is you.", "+ref/handover <somebody else>")
    if them.account is None or them.role is Role.GUEST:
        what = "an NPC" if them.account is None else "a guest"
        raise MushError("referee", f"{them.name} is {what}.", "Name a player of the scene.")
    if them.id not in context.present:
        raise MushError("referee", f"{them.name} is not connected.", "Name somebody who is.")
    if _fights(context, scene, them.id):
        text = f"{them.name} fights in this one, and so can't referee it (OS-56)."
        raise MushError("referee", text, "Name another, or +combat/leave them first.")
    return them


def _fights(context: WriteContext, scene: Scene, character: int) -> bool:
    fight = context.store.fight(scene.id)
    on = fight is not None and fight.phase != OVER
    return on and tracker.combatant(context, scene.id, character) is not None


def _step_down(context: WriteContext, _: None) -> Outcome:
    scene, me = my_scene(context), context.actor
    if me.id not in scene.referees:
        text = "You are not named referee here; as staff you act all the same."
        raise MushError("referee", text, "+ref lists who is named.")
    tracker.check_keeps_referee(context.store, scene, me.id)
    context.store.drop_referee(scene.id, me.id)
    return Outcome.of(Draft(SteppedDown(), ledger=scene.id))


# the open state


def open_state(
    system: System, render: Render, context: ReadContext, scene: Scene
) -> tuple[str, ...]:
    """Tell a referee all that is open: settings, fight, what waits for them, secrets, notes."""
    fight = context.store.fight(scene.id)
    mine = replace(scene, referees=scene.referees | {context.actor.id})
    on = fight is not None and fight.phase != OVER
    return (
        scene_lines(context, scene)[0],
        f"Settings: {fight_settings(scene)}.",
        *(fight_lines(context, scene, fight, system) if fight and on else ("No fight is on.",)),
        *system.waiting(context, mine),
        f"Hidden: {listing(sorted(scene.npcs[npc] for npc in scene.hidden)) or 'nobody'}.",
        *_last_notes(context, scene, render),
        *_last_undone(context, scene, render),
    )


def _last_notes(context: ReadContext, scene: Scene, render: Render) -> Iterator[str]:
    notes = _notes_of(context, scene)
    if notes:
        yield f"Notes, times in {scene.zone}:"
    for fact in notes[-NOTES_HANDED_OVER:]:
        yield clip(_timed(fact, scene, render).replace("\n", " "), WIDTH)
    if len(notes) > NOTES_HANDED_OVER:
        yield f"({len(notes)} notes in all: +notes.)"


def _last_undone(context: ReadContext, scene: Scene, render: Render) -> Iterator[str]:
    undone = history_of(context, scene.id).taken_back()
    for fact in reversed(context.store.kinds(scene.id, (Undone.kind,)) if undone else []):
        if isinstance(fact.event, Undone) and fact.event.target == undone[-1]:
            yield f"Last taken back: {render(fact)}"
            return


def referee_verbs(systems: Mapping[str, System], render: Render) -> tuple[Verb, ...]:
    """Give the verbs of this file."""
    referee, read, write = Access.REFEREE, Lane.READ, Lane.WRITE
    state, hand_over = partial(_state, systems, render), partial(_hand_over, systems, render)
    handing = "+ref/handover <name>"
    rows = (
        Verb("+ref", "+ref", Access.GUEST, read, nothing, _list),
        Verb("+ref/state", "+ref/state", referee, read, nothing, state),
        Verb("+ref/handover", handing, referee, write, words, hand_over),
        Verb("+ref/step", "+ref/step", referee, write, nothing, _step_down),
    )
    return (
        Verb("+note", "+note <text>", referee, write, words, _note, aliases=("+ref/note",)),
        Verb("+notes", "+notes", referee, read, nothing, partial(_notes, render)),
        *(replace(row, aliases=(row.name.replace("+ref", "+referee"),)) for row in rows),
    )
