"""Reading a scene's log inside the game: +scene/log."""

from __future__ import annotations

from collections.abc import Callable

from mushcombat.domain.command import Access, Call, Lane, Outcome, ReadContext, Verb
from mushcombat.domain.events import Fact, Spoken
from mushcombat.domain.numbers import parse_whole
from mushcombat.domain.scene import Scene
from mushcombat.domain.state import StateChanged
from mushcombat.domain.visibility import redact, viewer_of
from mushcombat.service.parsing import MOST_SCENES, scene_number
from mushcombat.service.scenes import my_scene, visible_scene

PAGE = 50
"""Lines of a log on a page."""

Render = Callable[[Fact], str]


def _log_called(call: Call) -> tuple[int | None, int | None]:
    """Parse `[scene][=page]`; None is the scene here, and its last page."""
    left, right = call.sides()
    number = scene_number(left) if left else None
    return number, parse_whole(right, "page", 1, MOST_SCENES) if right else None


def _chosen(context: ReadContext, number: int | None) -> Scene:
    return my_scene(context) if number is None else visible_scene(context, number)


def visible_lines(
    context: ReadContext, scene: Scene, first: int, last: int, render: Render
) -> list[str]:
    """Give the numbered lines of a log that the actor may see."""
    viewer = viewer_of(context.actor, scene)
    facts = (redact(fact, viewer) for fact in context.store.log(scene.id, first, last))
    return [
        f"#{fact.seq} {fact.at:%H:%M:%S} {_signed(fact)}{render(fact)}"
        for fact in facts
        if fact and not isinstance(fact.event, StateChanged)
    ]


def _signed(fact: Fact) -> str:
    """Name who wrote an @emit, which does not say so itself."""
    emitted = isinstance(fact.event, Spoken) and fact.event.style == "emit"
    return f"({fact.actor.name}) " if emitted else ""


def scene_log_verbs(render: Render) -> tuple[Verb, ...]:
    """Give the verbs of this file."""

    def log(context: ReadContext, arguments: tuple[int | None, int | None]) -> Outcome:
        scene = _chosen(context, arguments[0])
        end = context.store.last_seq(scene.id)
        pages = max(1, -(-end // PAGE))
        page = min(arguments[1] or pages, pages)
        lines = visible_lines(context, scene, (page - 1) * PAGE + 1, page * PAGE, render)
        head = f'Scene {scene.id} "{scene.title}", times in UTC, page {page} of {pages}'
        hint = f" (+scene/log {scene.id}={page - 1} for the one before)" if page > 1 else ""
        return Outcome.tell(f"{head}{hint}:", *lines)

    guest, read = Access.GUEST, Lane.READ
    syntax = "+scene/log[ <number>][=<page>]"
    return (Verb("+scene/log", syntax, guest, read, _log_called, log),)
