"""A scene that rests and goes on, and staff who read a private one: on the record."""

from __future__ import annotations

from mushcombat.domain.command import Access, Call, Lane, Outcome, Verb, WriteContext
from mushcombat.domain.events import GAME_LEDGER, Audience, Draft
from mushcombat.domain.numbers import parse_whole
from mushcombat.domain.scene import Scene
from mushcombat.domain.scene_events import ScenePaused, SceneRead, SceneResumed
from mushcombat.domain.visibility import Viewer
from mushcombat.errors import MushError
from mushcombat.records import record
from mushcombat.service.parsing import MOST_SCENES, nothing, one_line, scene_number, two_sides
from mushcombat.service.scene_log import Render, log_page
from mushcombat.service.scenes import no_scene, scene_i_run

LONGEST_REASON = 200


def _pause(context: WriteContext, _: None) -> Outcome:
    scene = scene_i_run(context)
    if scene.paused:
        raise MushError("paused", f"Scene {scene.id} is paused already.", "+scene/resume goes on.")
    context.store.set_paused(scene.id, paused=True)
    return Outcome.of(Draft(ScenePaused(), ledger=scene.id))


def resume(context: WriteContext, _: None) -> Outcome:
    """Let a paused scene go on."""
    scene = scene_i_run(context)
    if not scene.paused:
        raise MushError("paused", f"Scene {scene.id} is not paused.", "+scene/pause lets it rest.")
    context.store.set_paused(scene.id, paused=False)
    return Outcome.of(Draft(SceneResumed(), ledger=scene.id))


@record(frozen=True, slots=True)
class Reading:
    """Arguments of +scene/read; page None is the last one."""

    scene: int
    page: int | None
    reason: str


def _reading(call: Call) -> Reading:
    """Parse `<scene>[/<page>]=<reason>`."""
    left, reason = two_sides(call)
    number, _, page = left.partition("/")
    return Reading(
        scene_number(number),
        parse_whole(page, "page", 1, MOST_SCENES) if page else None,
        one_line(reason, "reason", LONGEST_REASON),
    )


def _on_record(scene: Scene, reason: str) -> Draft:
    """Draft the entry that staff read a scene: its room is told, and the game's ledger keeps it."""
    event = SceneRead(scene.id, reason)
    if scene.open:
        return Draft(event, ledger=GAME_LEDGER, room=scene.room)
    return Draft(event, Audience.REFEREES, GAME_LEDGER)


def scene_life_verbs(render: Render) -> tuple[Verb, ...]:
    """Give the verbs of this file."""

    def read(context: WriteContext, wanted: Reading) -> Outcome:
        scene = context.store.scene(wanted.scene)
        if scene is None:
            raise no_scene(wanted.scene)
        if scene.visible_to(context.actor.id):
            hint = f"Type +scene/log {scene.id}."
            raise MushError("scene", f"Scene {scene.id} needs no reason of yours to be read.", hint)
        viewer = Viewer(context.actor.id, referee=True)
        again = "+scene/read {scene}/{page}=<reason>"
        lines = log_page(context, scene, viewer, wanted.page, render, before=again)
        return Outcome.of(_on_record(scene, wanted.reason), reply=lines)

    player, write = Access.PLAYER, Lane.WRITE
    syntax = "+scene/read <number>[/<page>]=<reason>"
    pause = Verb("+scene/pause", "+scene/pause", player, write, nothing, _pause)
    return (
        pause,
        Verb("+scene/resume", "+scene/resume", player, write, nothing, resume),
        Verb("+scene/read", syntax, Access.STAFF, write, _reading, read),
    )
