"""NPCs whose coming is taken back, or stands again: they leave the scene, and come back whole."""

from __future__ import annotations

from collections.abc import Iterable

from mushcombat.domain.command import WriteContext
from mushcombat.domain.events import Draft
from mushcombat.domain.fight import OVER, PROPOSED, Combatant
from mushcombat.domain.names import name_key
from mushcombat.domain.scene import Scene
from mushcombat.domain.state import Change, Shift
from mushcombat.domain.whose import whose
from mushcombat.errors import MushError
from mushcombat.service.change_words import moved_npc
from mushcombat.service.eras import loaded
from mushcombat.systems.tracker import FightRules


def check_npcs_may_go(
    context: WriteContext, rules: FightRules, scene: Scene, changes: Iterable[Change]
) -> None:
    """Refuse to let an NPC go while something of its own is pending, or aimed at it."""
    going = {whose(change): change.about for change in changes}
    for pending in context.store.pending(scene.id):
        if pending.stage == PROPOSED:
            continue
        found = [one for one in (pending.actor, *rules.aimed_at(pending)) if one in going]
        if found:
            text = f"#{pending.action} is pending, and {going[found[0]]} would be gone."
            hint = "Finish it first: +ok or +no; +combat shows what waits."
            raise MushError("undo", text, hint)


def seen_anew(context: WriteContext, scene: Scene, shifts: Iterable[Shift]) -> list[Draft]:
    """Let the server's picture of the scene be as it is stored, if an NPC came or left."""
    moved = any(moved_npc(shift) is not None for shift in shifts)
    return [loaded(context, scene.id, scene.room)] if moved else []


def check_names_are_free(context: WriteContext, scene: Scene, changes: Iterable[Change]) -> None:
    """Refuse a redo that brings an NPC back whose name another has by now."""
    now = context.store.scene(scene.id) or scene
    names = {name_key(name): name for name in now.npcs.values()}
    for change in changes:
        taken = names.get(name_key(change.about))
        if taken:
            text = f"{change.about} can't come back: another {taken} is in the scene."
            raise MushError("redo", text, "Bring one in by another name: +npc.")


def strangers(context: WriteContext, scene: Scene, seats: Iterable[Combatant]) -> set[int]:
    """Give NPCs that fight, and are not in the scene: seats stay when a fight is over."""
    fight, now = context.store.fight(scene.id), context.store.scene(scene.id) or scene
    over = fight is None or fight.phase == OVER
    return set() if over else {s.character for s in seats if not s.player} - now.npcs.keys()
