"""Mending what one posed, and reading back: +edit, +typo, +undo/pose, +recall.

Nothing is overwritten: an edit is a row of the log that names the first one, and shares its
action.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import cast

from mushcombat.domain.command import Access, Call, Lane, Outcome, ReadContext, Verb, WriteContext
from mushcombat.domain.events import Draft, Fact, PoseEdited, PoseWithdrawn, Spoken
from mushcombat.domain.names import match
from mushcombat.domain.numbers import parse_whole
from mushcombat.domain.poses import (
    SPOKEN,
    Pose,
    as_poses,
    in_character,
    mended,
    read_change,
    read_slashed,
)
from mushcombat.domain.scene import Scene
from mushcombat.domain.text import clip
from mushcombat.domain.visibility import redact
from mushcombat.errors import MushError
from mushcombat.records import record
from mushcombat.service.parsing import MOST_SCENES
from mushcombat.service.scene_log import Render, signature
from mushcombat.service.scenes import live_scene, my_scene
from mushcombat.service.versions import poses_of, sees_versions, viewer_in
from mushcombat.service.zones import clock_time

FEW, MOST = 10, 50
"""Poses that +recall shows, and the most of them."""

CHUNK, CHUNKS = 100, 10
"""Rows read at a time for +recall, and how often at most."""

_EQUALS = re.compile("=")


@record(frozen=True, slots=True)
class Change:
    """Arguments of +edit and +typo; number None is the actor's last pose."""

    number: int | None
    old: str
    new: str


def _pose_number(text: str) -> int:
    return parse_whole(text.strip().removeprefix("#"), "pose", 1, MOST_SCENES)


def _edit(call: Call) -> Change:
    r"""Parse `<n>=<old>/<new>`, where `\/` is a slash of the words."""
    left, mark, right = call.text.partition("=")
    change = read_slashed(right.lstrip())
    if not left.strip() or not mark or change is None:
        raise call.wrong()
    return Change(_pose_number(left), *change)


def _typo(call: Call) -> Change:
    change = read_change(call.text, _EQUALS)
    if change is None:
        raise call.wrong()
    return Change(None, *change)


def _maybe_number(call: Call) -> int | None:
    return _pose_number(call.text) if call.text.strip() else None


def _authors(context: ReadContext, scene: Scene) -> frozenset[int]:
    """Give those whose poses are the actor's own: NPCs speak with their referees' words."""
    npcs = frozenset(scene.npcs) if context.referees else frozenset()
    return npcs | {context.actor.id}


def _own_pose(context: ReadContext, scene: Scene, number: int | None) -> Pose:
    """Find a pose of the actor's, None is the last one; MushError for any other line."""
    pose = _last_of(context, scene) if number is None else _pose(context, scene, number)
    if pose.first.actor.id not in _authors(context, scene):
        whose = f"#{pose.number} is {pose.first.actor.name}'s."
        raise MushError("pose", f"You change your own poses alone; {whose}", "+recall shows yours.")
    if pose.withdrawn:
        raise MushError("pose", f"Your pose #{pose.number} is taken back.", "Pose it anew.")
    return pose


def _pose(context: ReadContext, scene: Scene, number: int) -> Pose:
    """Find what was spoken in a row that the actor may see."""
    rows = context.store.action(scene.id, number)
    first = rows[0] if rows and rows[0].seq == number else None
    visible = first and redact(first, viewer_in(context, scene))
    if visible is None or not isinstance(visible.event, Spoken):
        raise MushError("pose", f"There is no pose #{number}.", "+recall shows those there are.")
    return as_poses([visible], rows)[0]


def _last_of(context: ReadContext, scene: Scene) -> Pose:
    """Find the last pose of the actor's that stands: what they said out of character is none."""
    authors, before = sorted(_authors(context, scene)), None
    while rows := context.store.tail(scene.id, (Spoken.kind,), FEW, actors=authors, before=before):
        told = [fact for fact in rows if _is_told(fact)]
        standing = [pose for pose in poses_of(context, scene, told) if not pose.withdrawn]
        if standing:
            return standing[-1]
        before = rows[0].seq
    raise MushError("pose", "You have no pose in this scene yet.", "say, pose or @emit one.")


def _change(context: WriteContext, change: Change) -> Outcome:
    scene = live_scene(context)
    pose = _own_pose(context, scene, change.number)
    now = cast("Spoken", pose.now.event)  # no other row is anybody's own pose
    text = mended(now.text, change.old, change.new)
    return Outcome.of(_of(pose.first, PoseEdited(pose.number, now.style, text)))


def _of(first: Fact, event: PoseEdited | PoseWithdrawn) -> Draft:
    """Draft what changes a row: for those who saw it, in its action, as of who spoke it."""
    return Draft(event, first.audience, first.ledger, first.seq, first.actor)


def _withdraw(context: WriteContext, number: int | None) -> Outcome:
    pose = _own_pose(context, live_scene(context), number)
    return Outcome.of(_of(pose.first, PoseWithdrawn(pose.number)))


# reading back


@record(frozen=True, slots=True)
class Recall:
    """Arguments of +recall: how many, and of whom, '' for all."""

    count: int = FEW
    name: str = ""


def _recalled(call: Call) -> Recall:
    """Parse `[n]` or `<name>[=<n>]`."""
    left, right = call.sides()
    if not left and right is None:
        return Recall()
    if not left:
        raise call.wrong()
    if right is None and not left[:1].isalpha():
        return Recall(parse_whole(left, "poses", 1, MOST))
    return Recall(parse_whole(right, "poses", 1, MOST) if right else FEW, left)


def _authors_called(context: ReadContext, scene: Scene, typed: str) -> list[int]:
    """Find who took part, or is an NPC, by name."""
    unknown = viewer_in(context, scene).unknown
    people = {**context.store.names(sorted(scene.took_part)), **scene.npcs}
    me = context.actor.name if typed.casefold() == "me" else typed
    found = match(me, ((name, one) for one, name in people.items() if one not in unknown))
    if not found:
        problem = f'Nobody called "{clip(typed)}" was in the scene.'
        raise MushError("who", problem, "+scene lists who is.")
    if len(found) > 1:
        names = ", ".join(people[one] for one in found[:5])
        raise MushError("who", f'"{clip(typed)}" could be {names}.', "Type more of the name.")
    return found


def last_poses(
    context: ReadContext, scene: Scene, count: int, authors: Sequence[int] | None = None
) -> list[Pose]:
    """Give the last poses that stand and that the actor may see, oldest first."""
    viewer, found = viewer_in(context, scene), list[Pose]()
    before: int | None = None
    for _ in range(CHUNKS):
        rows = context.store.tail(scene.id, SPOKEN, CHUNK, actors=authors, before=before)
        if not rows or len(found) >= count:
            break
        before = rows[0].seq
        seen = [known for fact in rows if (known := redact(fact, viewer)) and _is_told(known)]
        found = [p for p in poses_of(context, scene, seen) if not p.withdrawn] + found
    return found[-count:]


def _is_told(fact: Fact) -> bool:
    """Tell whether +recall shows a row: poses and settings, and nothing said out of character."""
    setting = isinstance(fact.event, Spoken) and fact.event.style == "set"
    return setting or in_character(fact)


def pose_verbs(render: Render, nospoof: Callable[[int], bool]) -> tuple[Verb, ...]:
    """Give the verbs of this file; `nospoof` tells who wants to see who wrote an @emit."""
    guest, write, back = Access.GUEST, Lane.WRITE, "+undo/pose[ <number>]"
    return (
        Verb("+edit", "+edit <number>=<old>/<new>", guest, write, _edit, _change, shown=True),
        Verb("+typo", "+typo <old>=<new>", guest, write, _typo, _change, shown=True),
        Verb("+undo/pose", back, guest, write, _maybe_number, _withdraw, shown=True),
        *_recall_verbs(render, nospoof),
    )


def _recall_verbs(render: Render, nospoof: Callable[[int], bool]) -> tuple[Verb, ...]:
    def line(context: ReadContext, scene: Scene, pose: Pose) -> str:
        now, at = pose.now, clock_time(pose.first.at, context.now, scene.zone)
        author = signature(now) if nospoof(context.actor.id) else ""
        mark = " (edited)" if pose.edited else ""
        return f"#{pose.number} {at} {author}{render(now)}{mark}"

    def recall(context: ReadContext, wanted: Recall) -> Outcome:
        scene = my_scene(context)
        authors = _authors_called(context, scene, wanted.name) if wanted.name else None
        poses = last_poses(context, scene, wanted.count, authors)
        if not poses:
            return Outcome.tell(f"There is no pose in scene {scene.id} yet.")
        head = f"Last poses of scene {scene.id}, times in {scene.zone}:"
        return Outcome.tell(head, *(line(context, scene, pose) for pose in poses))

    def versions(context: ReadContext, number: int) -> Outcome:
        scene = my_scene(context)
        pose = _pose(context, scene, number)
        if not sees_versions(viewer_in(context, scene), pose.first):
            problem = f"Who wrote #{number} sees its versions, and the scene's referees."
            raise MushError("pose", problem, "+recall shows the newest.")
        lines = [
            f"#{fact.seq} {clock_time(fact.at, context.now, scene.zone)} {render(fact)}"
            for fact in (pose.first, *pose.later)
        ]
        return Outcome.tell(f"Versions of #{number}, times in {scene.zone}:", *lines)

    guest, read = Access.GUEST, Lane.READ
    syntax = "+recall[ <number>|<name>[=<number>]]"
    return (
        Verb("+recall", syntax, guest, read, _recalled, recall, aliases=("+repose",)),
        Verb("+recall/versions", "+recall/versions <number>", guest, read, _called, versions),
    )


def _called(call: Call) -> int:
    if not call.text.strip():
        raise call.wrong()
    return _pose_number(call.text)
