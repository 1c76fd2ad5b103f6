"""Scenes in which nobody has posed for a while."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from mushcombat.domain.ports import Reads
from mushcombat.domain.poses import SPOKEN
from mushcombat.records import record


@record(frozen=True, slots=True)
class Quiet:
    """An open scene, its last pose (0 before the first), and when that was."""

    scene: int
    title: str
    room: int
    pacing: str
    last: int
    since: datetime


def quiet_scenes(store: Reads, scenes: Collection[int]) -> list[Quiet]:
    """Give since when it has been quiet in those of some scenes that are open and not paused."""
    found: list[Quiet] = []
    for scene in store.open_scenes():
        if scene.id in scenes and not scene.paused:
            last = store.tail(scene.id, SPOKEN, 1)
            number, at = (last[0].seq or 0, last[0].at) if last else (0, scene.opened_at)
            found.append(Quiet(scene.id, scene.title, scene.room, scene.pacing, number, at))
    return found
