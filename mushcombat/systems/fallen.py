"""What becomes of the turn, and of what was begun, of somebody who can act no more."""

from __future__ import annotations

from mushcombat.domain.command import WriteContext
from mushcombat.domain.events import Draft
from mushcombat.domain.fight import DECLARED, ON, PROPOSED, ROLL, RULING, Combatant
from mushcombat.systems import tracker
from mushcombat.systems.facts import Noted
from mushcombat.systems.tracker import FightRules


def drop_begun(
    context: WriteContext,
    rules: FightRules,
    noted: type[Noted],
    seat: Combatant,
    *,
    but: int = 0,
) -> list[Draft]:
    """Drop what somebody who can act no more had declared and not rolled; `but` for one action.

    `noted` is the system's fact that tells of it.
    """
    if not rules.why_not(context, seat):
        return []
    scene, character = seat.scene, seat.character
    drafts: list[Draft] = []
    for pending in context.store.pending(scene):
        mine = pending.actor == character and pending.stage in {RULING, ROLL, DECLARED}
        if mine and pending.action != but:
            context.store.remove("pending", (scene, pending.action), "what is pending")
            text = f"can't act any more: #{pending.action} is dropped"
            drafts.append(Draft(noted(character, seat.name, text), ledger=scene))
    return drafts


def pass_on(
    context: WriteContext, rules: FightRules, scene: int, action: int | None = None
) -> list[Draft]:
    """Pass the turn on from who can act no more, once nothing of theirs is under way."""
    fight = context.store.fight(scene)
    if fight is None or fight.phase != ON or fight.turn is None:
        return []
    seat = tracker.combatant(context, scene, fight.turn)
    waits = any(
        pending.actor == fight.turn and pending.stage != PROPOSED
        for pending in context.store.pending(scene)
    )
    if seat is None or waits or not rules.why_not(context, seat):
        return []
    return tracker.end_turn(context, rules, action=action)
