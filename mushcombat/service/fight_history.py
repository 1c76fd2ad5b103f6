"""What an undo or a redo must leave of a fight: nothing in pieces, and one action in a turn."""

from __future__ import annotations

from collections.abc import Collection

from mushcombat.domain.command import WriteContext
from mushcombat.domain.events import Who
from mushcombat.domain.fight import IDLE, ON, OVER, PROPOSED, RULING, members
from mushcombat.domain.scene import Scene
from mushcombat.errors import MushError
from mushcombat.service.npc_history import strangers
from mushcombat.systems.pending import own_pending
from mushcombat.systems.tracker import FightRules


def gone_fighters(context: WriteContext, scene: Scene) -> set[int]:
    """Give the players who fight and are in the scene no more: a guest's seat outlasts them."""
    fight, now = context.store.fight(scene.id), context.store.scene(scene.id) or scene
    if fight is None or fight.phase == OVER:
        return set()
    seats = context.store.combatants(scene.id)
    return {seat.character for seat in seats if seat.player} - now.participants


def check_tracker(
    context: WriteContext, scene: Scene, code: str, gone: Collection[int] = ()
) -> None:
    """Refuse what would leave the fight in pieces: an undo out of order can ask for that.

    `gone` are the fighters who had left the scene before it.
    """
    _check_present(context, scene, code, gone)
    fight, seats = context.store.fight(scene.id), context.store.combatants(scene.id)
    pending = [p for p in context.store.pending(scene.id) if p.stage != PROPOSED]
    on = fight is not None and fight.phase == ON
    turn = fight.turn if fight is not None else None
    acting = {p.actor for p in pending}
    problem = ""
    if acting - {seat.character for seat in seats}:
        problem = "an action would be pending of somebody who is not in the fight"
    elif len(acting) < len(pending):
        problem = "somebody would have two actions pending"
    elif pending and not on:
        problem = "an action would be pending in no fight"
    elif strangers(context, scene, seats):
        problem = "an NPC would fight that is not in the scene"
    elif turn is not None and not (on and turn in members(seats)):
        problem = "it would be the turn of somebody who is not in the fight"
    elif on and len({seat.place for seat in seats if seat.rank}) < len(members(seats)):
        problem = "two would have the same place in the order"
    if problem:
        raise MushError(
            code,
            f"That can't be: {problem}.",
            "+combat shows it; +no, +next or +combat/leave first.",
        )


def _check_present(context: WriteContext, scene: Scene, code: str, gone: Collection[int]) -> None:
    """Refuse to put somebody back into a fight who has left the scene: to come is their own."""
    back = gone_fighters(context, scene).difference(gone)
    if back:
        name = context.store.names([min(back)])[min(back)]
        text = f"{name} would fight, and has left the scene."
        raise MushError(code, text, f"{name} comes back first: +scene/join {scene.id}.")


def whose_turn(context: WriteContext, scene: Scene) -> int | None:
    """Give whose turn it is, None for nobody's."""
    fight = context.store.fight(scene.id)
    return fight.turn if fight is not None and fight.phase == ON else None


def check_turn_is_free(
    context: WriteContext,
    rules: FightRules,
    scene: Scene,
    action: int,
    *,
    doer: Who,
    before: int | None,
) -> None:
    """OS-29: refuse a redo that ends the turn in which its actor has begun something else.

    Also one that would let its actor act in a turn that somebody else has by now, or take the turn
    from who had it `before` and has begun something in it.
    """
    turn = whose_turn(context, scene)
    if turn is None or turn == before == doer.id:
        return
    if before not in {None, turn, doer.id}:
        _check_done(context, rules, scene, before or 0)
    if turn == doer.id:
        return
    for pending in own_pending(context, scene, doer.id):
        number = pending.action
        if pending.stage in IDLE or rules.free(pending):
            continue
        if number == action:
            text = f"#{action} no longer fits: {doer.name}'s turn is over."
            raise MushError("redo", text, "Take back first what ended it: +undo.")
        text = f"{doer.name} has begun #{number} in the turn of #{action}: it holds one (OS-29)."
        how = "no" if pending.stage == RULING else "undo"
        raise MushError("redo", text, f"+{how} {number} first.")


def _check_done(context: WriteContext, rules: FightRules, scene: Scene, actor: int) -> None:
    """Refuse to end the turn of somebody whose action is under way, as +next does."""
    for pending in own_pending(context, scene, actor):
        if pending.stage not in IDLE and not rules.free(pending):
            name = context.store.names([actor])[actor]
            text = f"{name} has begun #{pending.action}, and their turn would be over."
            raise MushError("redo", text, f"+ok {pending.action} or +no {pending.action} first.")
