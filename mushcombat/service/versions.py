"""Poses as somebody may read them: the newest words, to those who may the older ones too."""

from __future__ import annotations

from collections.abc import Iterable

from mushcombat.domain.command import ReadContext
from mushcombat.domain.events import Fact, PoseEdited, PoseWithdrawn, Spoken
from mushcombat.domain.poses import Pose, as_poses
from mushcombat.domain.scene import Scene
from mushcombat.domain.visibility import Viewer, viewer_of


def viewer_in(context: ReadContext, scene: Scene) -> Viewer:
    """Give the actor as one who looks at a scene: its referees, and staff in it, see all."""
    return viewer_of(context.actor, scene)


def sees_versions(viewer: Viewer, fact: Fact) -> bool:
    """Tell whether somebody may see how a pose read before: its author, and referees."""
    return viewer.referee or fact.actor.id == viewer.character


def poses_of(context: ReadContext, scene: Scene, spoken: Iterable[Fact]) -> list[Pose]:
    """Put rows that somebody spoke together with those that changed them since."""
    rows = list(spoken)
    numbers = [fact.seq for fact in rows if fact.seq is not None]
    return as_poses(rows, context.store.actions(scene.id, numbers) if numbers else ())


def as_read(
    context: ReadContext, scene: Scene, viewer: Viewer, facts: Iterable[Fact]
) -> list[tuple[Fact, str]]:
    """Give rows as somebody reads them, each with a mark to put behind it, '' mostly.

    Who may see the versions sees the rows as they are, and where a row reads otherwise by now.
    Anyone else sees the newest words in the place of the first, and no row that changed them.
    """
    rows = list(facts)
    spoken = (fact for fact in rows if isinstance(fact.event, Spoken))
    poses = {pose.number: pose for pose in poses_of(context, scene, spoken)}
    read: list[tuple[Fact, str]] = []
    for fact in rows:
        pose = poses.get(fact.seq or 0)
        if sees_versions(viewer, fact):
            read.append((fact, _where_now(pose) if pose else ""))
        elif pose is not None:
            read += [] if pose.withdrawn else [(pose.now, " (edited)" if pose.edited else "")]
        elif not isinstance(fact.event, PoseEdited | PoseWithdrawn):
            read.append((fact, ""))
    return read


def _where_now(pose: Pose) -> str:
    if pose.withdrawn:
        return f" (taken back by #{pose.later[-1].seq})"
    return f" (reads now as #{pose.later[-1].seq})" if pose.edited else ""
