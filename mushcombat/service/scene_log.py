"""Reading a scene's log inside the game: +scene/log."""

from __future__ import annotations

from collections.abc import Callable

from mushcombat.domain.command import Access, Call, Lane, Outcome, ReadContext, Verb
from mushcombat.domain.events import Fact, PoseEdited, Spoken
from mushcombat.domain.numbers import parse_whole
from mushcombat.domain.scene import Scene
from mushcombat.domain.state import StateChanged
from mushcombat.domain.visibility import Viewer, redact
from mushcombat.service.parsing import MOST_SCENES, scene_number
from mushcombat.service.scenes import my_scene, visible_scene
from mushcombat.service.versions import as_read, viewer_in
from mushcombat.service.zones import in_zone

PAGE = 50
"""Lines of a log on a page."""

UNSIGNED = frozenset({"emit", "set"})
"""Styles that don't say who wrote them."""

Render = Callable[[Fact], str]


def _log_called(call: Call) -> tuple[int | None, int | None]:
    """Parse `[scene][=page]`; None is the scene here, and its last page."""
    left, right = call.sides()
    number = scene_number(left) if left else None
    return number, parse_whole(right, "page", 1, MOST_SCENES) if right else None


def _chosen(context: ReadContext, number: int | None) -> Scene:
    return my_scene(context) if number is None else visible_scene(context, number)


def visible_lines(
    context: ReadContext, scene: Scene, viewer: Viewer, span: tuple[int, int], render: Render
) -> list[str]:
    """Give the numbered lines of a log, from one row to another, that a viewer may see."""
    shown = (redact(fact, viewer) for fact in context.store.log(scene.id, *span))
    facts = [fact for fact in shown if fact and not isinstance(fact.event, StateChanged)]
    return [
        numbered_line(scene, render, fact, mark)
        for fact, mark in as_read(context, scene, viewer, facts)
    ]


def numbered_line(scene: Scene, render: Render, fact: Fact, mark: str) -> str:
    """Write a row with its number, and its time in the scene's zone."""
    at = in_zone(fact.at, scene.zone)
    return f"#{fact.seq} {at:%H:%M:%S} {signature(fact)}{render(fact)}{mark}"


def signature(fact: Fact) -> str:
    """Name who wrote an @emit or the setting of a scene, which don't say so themselves."""
    style = fact.event.style if isinstance(fact.event, Spoken | PoseEdited) else ""
    return f"({fact.actor.name}) " if style in UNSIGNED else ""


def log_page(
    context: ReadContext,
    scene: Scene,
    viewer: Viewer,
    page: int | None,
    render: Render,
    *,
    before: str = "+scene/log {scene}={page}",
) -> tuple[str, ...]:
    """Give a page of a log with its heading; None is the last one, `before` asks for another."""
    end = context.store.last_seq(scene.id)
    pages = max(1, -(-end // PAGE))
    page = min(page or pages, pages)
    span = (page - 1) * PAGE + 1, page * PAGE
    lines = visible_lines(context, scene, viewer, span, render)
    head = f'Scene {scene.id} "{scene.title}", times in {scene.zone}, page {page} of {pages}'
    command = before.format(scene=scene.id, page=page - 1)
    hint = f" ({command} for the one before)" if page > 1 else ""
    return f"{head}{hint}:", *lines


def scene_log_verbs(render: Render) -> tuple[Verb, ...]:
    """Give the verbs of this file."""

    def log(context: ReadContext, arguments: tuple[int | None, int | None]) -> Outcome:
        scene = _chosen(context, arguments[0])
        viewer = viewer_in(context, scene)
        return Outcome.tell(*log_page(context, scene, viewer, arguments[1], render))

    guest, read = Access.GUEST, Lane.READ
    syntax = "+scene/log[ <number>][=<page>]"
    return (Verb("+scene/log", syntax, guest, read, _log_called, log),)
