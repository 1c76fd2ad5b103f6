"""What somebody missed of the scenes they are in, for when they come back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

from mushcombat.domain.character import Actor
from mushcombat.domain.command import ReadContext
from mushcombat.domain.dice import FreeDice
from mushcombat.domain.ports import Reads
from mushcombat.domain.scene import Scene
from mushcombat.domain.visibility import viewer_of
from mushcombat.records import record
from mushcombat.service.scene_log import PAGE, Render, visible_lines

MOST = 50
"""Missed lines that are shown; of those before them, their count."""

LOOK_BACK = 1000
"""Rows of a log that are looked through for them: who was away longer is told "over"."""


@record(frozen=True, slots=True)
class Missed:
    """What somebody may see of the rows of a scene that they were not shown.

    `since` is the last row that they were shown; `over`: there are more, not looked through.
    """

    scene: Scene
    since: int
    lines: tuple[str, ...]
    over: bool

    @property
    def count(self) -> str:
        """Write how many: "1 line", "over 990 lines"."""
        lines = f"{len(self.lines)} line{'s' * (len(self.lines) != 1)}"
        return f"over {lines}" if self.over else lines


def missed_by(
    store: Reads, actor: Actor, now: datetime, ends: Mapping[int, int], render: Render
) -> Iterator[Missed]:
    """Look up to which row of each scene somebody was shown, and what came then.

    `ends` are the rows up to which it counts, by scene: what comes later they are shown anyway.
    """
    for number, end in sorted(ends.items()):
        scene = store.scene(number)
        if scene is None or actor.id not in scene.participants:
            continue
        since = store.seen(number, actor.id)
        first = max(since, end - LOOK_BACK) + 1
        context = ReadContext(actor, scene.room, scene, now, FreeDice(int), store=store)
        viewer, span = viewer_of(actor, scene), (first, end)
        lines = visible_lines(context, scene, viewer, span, render) if first <= end else []
        if lines:
            yield Missed(scene, since, tuple(lines), over=first > since + 1)


def with_lines(missed: Missed) -> tuple[str, ...]:
    """Tell who logs in what they missed."""
    zone = missed.scene.zone
    head = f'[Scene] "{missed.scene.title}": you missed {missed.count}'
    head += "" if zone == "UTC" else f", times in {zone}"
    if len(missed.lines) <= MOST and not missed.over:
        return (f"{head}.", *missed.lines)
    all_ = f"+scene/log {missed.scene.id}={_page(missed)} and the pages behind it have them all"
    return (f"{head}; the last {MOST} follow, {all_}:", *missed.lines[-MOST:])


def in_short(missed: Missed) -> tuple[str, ...]:
    """Tell who comes back into a scene's room how much they missed, and how to read it."""
    number, page = missed.scene.id, _page(missed)
    where = f"+scene/log {number}={page}"
    return (f'[Scene] "{missed.scene.title}": you missed {missed.count}: {where} shows them.',)


def _page(missed: Missed) -> int:
    """Give the page of the log that the first missed row is on."""
    return missed.since // PAGE + 1
