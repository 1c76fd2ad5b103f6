"""The pose order: +pot tells who has waited longest. It advises, and never stops anybody."""

from __future__ import annotations

from collections.abc import Iterable

from mushcombat.domain.command import Access, Lane, Outcome, ReadContext, Verb, WriteContext
from mushcombat.domain.ports import Reads
from mushcombat.domain.pot import POT_KINDS, Waiting, pose_order, still_to_pose, whose_turn
from mushcombat.domain.scene import Scene
from mushcombat.domain.scene_events import PoseSkipped
from mushcombat.domain.visibility import Viewer, redact
from mushcombat.errors import MushError
from mushcombat.service.fights import somebody
from mushcombat.service.parsing import maybe_words, nothing
from mushcombat.service.people import spell_time
from mushcombat.service.scenes import live_scene, my_scene
from mushcombat.service.versions import viewer_in

ROWS, REACH = 300, 5000
"""Rows that the order is made of, and how far back in the log they are looked for."""

ADVICE = {
    "free": "free: pose when you like",
    "order": "order: who has waited longest is next",
    "3-per": "3-per: pose again once three others have",
}


def order_of(
    store: Reads, scene: Scene, present: Iterable[int], viewer: Viewer
) -> tuple[Waiting, ...]:
    """Work out the order of a scene from the end of its log.

    Everyone who takes part is in it: a referee, or an NPC, once they have posed.
    """
    since = max(0, store.last_seq(scene.id) - REACH)
    rows = store.tail(scene.id, POT_KINDS, ROWS, since=since)
    facts = [known for fact in rows if (known := redact(fact, viewer))]
    here, names = frozenset(present), store.names(sorted(scene.participants))
    people = {
        one: Waiting(one, name, here=one in here, player=one not in scene.referees)
        for one, name in names.items()
    }
    for npc, name in scene.npcs.items():
        people[npc] = Waiting(npc, name, player=False)
    order = pose_order(facts, people)
    silent = scene.referees | scene.npcs.keys()
    return tuple(one for one in order if one.posed_at is not None or one.id not in silent)


def next_in_order(store: Reads, scene: int, present: Iterable[int]) -> Waiting | None:
    """Give whose turn it is in a scene that keeps an order; None in any other."""
    found = store.scene(scene)
    if found is None or not found.open or found.paused or found.pose_order != "order":
        return None
    return whose_turn(order_of(store, found, present, Viewer(None, everything=True)))


def _pot(context: ReadContext, _: None) -> Outcome:
    scene = my_scene(context)
    order = order_of(context.store, scene, context.present, viewer_in(context, scene))
    turn = whose_turn(order) if scene.pose_order == "order" else None
    next_one = f" Next: {turn.name}." if turn else ""
    head = f"Pose order of scene {scene.id} ({ADVICE[scene.pose_order]}).{next_one}"
    never = "not yet" if context.store.last_seq(scene.id) <= ROWS else "not lately"
    return Outcome.tell(head, *(_line(context, scene, order, one, never) for one in order))


def _line(
    context: ReadContext, scene: Scene, order: Iterable[Waiting], one: Waiting, never: str
) -> str:
    parts = [spell_time(context.now - one.posed_at) + " ago" if one.posed_at else never]
    if not one.player:
        parts.append("NPC" if one.id in scene.npcs else "referee")
    elif not one.here:
        parts.append("not connected")
    elif scene.pose_order == "3-per":
        left = still_to_pose(order, one)
        parts.append(f"after {left} more" if left else "may pose")
    return f"{one.name}: {', '.join(parts)}"


def _skip(context: WriteContext, name: str) -> Outcome:
    scene = live_scene(context)
    them = somebody(context, scene, name or "me")
    if them.id != context.actor.id and not context.referees:
        raise MushError("pot", "The referee passes over others.", "Type +pot/skip for yourself.")
    return Outcome.of(context.show(PoseSkipped(them.id, them.name)))


def pot_verbs() -> tuple[Verb, ...]:
    """Give the verbs of this file."""
    guest = Access.GUEST
    pot = Verb("+pot", "+pot", guest, Lane.READ, nothing, _pot, aliases=("+poseorder",))
    skip = "+pot/skip[ <name>]"
    return (
        pot,
        Verb("+pot/skip", skip, guest, Lane.WRITE, maybe_words, _skip, shown=True),
    )
