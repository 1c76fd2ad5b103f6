"""Which scenes there are, and what one is: +scene, +scene/info, +scene/list."""

from __future__ import annotations

from mushcombat.domain.command import Access, Call, Lane, Outcome, ReadContext, Verb
from mushcombat.domain.numbers import parse_whole
from mushcombat.domain.poses import SPOKEN
from mushcombat.domain.scene import Scene
from mushcombat.domain.text import clip
from mushcombat.service.parsing import MOST_SCENES, scene_number
from mushcombat.service.people import spell_time
from mushcombat.service.scenes import my_scene, scene_lines, scene_state, visible_scene

PAGE = 20
"""Scenes on a page of `+scene/list all`."""

NONE = "No scene is open. Open one with +scene/open <title>."


def _shown(call: Call) -> int | None:
    return scene_number(call.text) if call.text else None


def _show(context: ReadContext, number: int | None) -> Outcome:
    scene = my_scene(context) if number is None else visible_scene(context, number)
    return Outcome.tell(*scene_lines(context, scene))


def _listed(call: Call) -> int:
    """Parse nothing, which is page 0: the open ones; or `all[=<page>]`."""
    if not call.text:
        return 0
    word, page = call.sides()
    if word.casefold() != "all":
        raise call.wrong(f'"{clip(word)}" is no list of scenes.')
    return parse_whole(page, "page", 1, MOST_SCENES) if page else 1


def _list(context: ReadContext, page: int) -> Outcome:
    if page:
        return _list_all(context, page)
    scenes = [s for s in context.store.open_scenes() if s.visible_to(context.actor.id)]
    return Outcome.tell(*([_line(context, scene) for scene in scenes] or [NONE]))


def _list_all(context: ReadContext, page: int) -> Outcome:
    me = context.actor.id
    _, total = context.store.scenes_known_to(me, 1)
    if not total:
        return Outcome.tell(NONE)
    pages = max(1, -(-total // PAGE))
    page = min(page, pages)
    scenes, _ = context.store.scenes_known_to(me, PAGE, (page - 1) * PAGE)
    more = f" (+scene/list all={page + 1} for more)" if page < pages else ""
    head = f"Scenes, newest first, page {page} of {pages}{more}:"
    return Outcome.tell(head, *(_line(context, scene) for scene in scenes))


def _line(context: ReadContext, scene: Scene) -> str:
    pacing = "" if scene.pacing == "live" else scene.pacing
    about = "; ".join(part for part in (scene.location, scene.kind, pacing) if part)
    parts = [scene_state(scene), *_company(context, scene)]
    warning = f" Warning: {scene.warning}" if scene.warning else ""
    return (
        f'Scene {scene.id} "{scene.title}"{f" ({about})" if about else ""}: '
        f"{', '.join(parts)}.{warning}"
    )


def _company(context: ReadContext, scene: Scene) -> tuple[str, str]:
    """Tell how many are in it, and when somebody last posed; of a closed one, when it was."""
    if not scene.open:
        return f"{len(scene.took_part)} took part", f"{scene.opened_at:%Y-%m-%d}"
    last = context.store.tail(scene.id, SPOKEN, 1)
    when = f"last pose {spell_time(context.now - last[0].at)} ago" if last else "no pose yet"
    return f"{len(scene.participants)} in it", when


def scene_list_verbs() -> tuple[Verb, ...]:
    """Give the verbs of this file."""
    guest, read = Access.GUEST, Lane.READ
    return (
        Verb("+scene", "+scene[ <number>]", guest, read, _shown, _show, aliases=("+scene/info",)),
        Verb(
            "+scene/list",
            "+scene/list[ all[=<page>]]",
            guest,
            read,
            _listed,
            _list,
            aliases=("+scenes",),
        ),
    )
