"""What waits for somebody, said to them again: after a restart, at a login, when they ask."""

from __future__ import annotations

from collections.abc import Iterator

from mushcombat.domain.command import ReadContext
from mushcombat.domain.fight import DEFENCE, PROPOSED, ROLL, RULING, Pending
from mushcombat.domain.scene import Scene
from mushcombat.systems.otherspace.answers import choices_of
from mushcombat.systems.otherspace.combat_state import Act, load_act
from mushcombat.systems.otherspace.combat_text import proposed
from mushcombat.systems.otherspace.questions import (
    approval_text,
    blow_of,
    counter_text,
    question,
    roll_text,
)
from mushcombat.systems.otherspace.roster import fighter_of, seat_of
from mushcombat.systems.otherspace.tables import Tables
from mushcombat.systems.otherspace.watch import ruling_text
from mushcombat.systems.otherspace.wounds import proposal, proposed_wound


def waiting(tables: Tables, context: ReadContext, scene: Scene) -> tuple[str, ...]:
    """Say what waits for the actor: a question, a roll, a ruling, a wound, a counterattack."""
    lines: list[str] = []
    rules = _rules(context, scene)
    for pending in context.store.pending(scene.id):
        if pending.owner == context.actor.id:
            lines += _own(context, scene, pending, tables)
        elif pending.owner is None and rules:
            lines += _ruling(context, scene, pending, tables)
    return (*lines, *_counter(context, scene))


def _rules(context: ReadContext, scene: Scene) -> bool:
    """Tell whether the actor is asked for rulings: a referee, or staff where none is connected.

    Nobody rules in a fight of their own (OS-56).
    """
    named = context.actor.id in scene.referees
    stands_by = context.actor.is_staff and not scene.referees & context.present
    return (named or stands_by) and seat_of(context, scene.id, context.actor.id) is None


def _own(context: ReadContext, scene: Scene, pending: Pending, tables: Tables) -> Iterator[str]:
    if pending.stage == ROLL:
        yield roll_text(pending.action)
    elif pending.stage == DEFENCE and seat_of(context, scene.id, context.actor.id):
        yield from asked(context, scene, pending, tables)


def asked(context: ReadContext, scene: Scene, pending: Pending, tables: Tables) -> tuple[str, ...]:
    """Ask a defender again: who attacks, and the choices."""
    act = load_act(pending.state)
    name = context.store.names([pending.actor]).get(pending.actor, "Somebody")
    head = f"{name} attacks you{_weapon(act)}: how do you defend?"
    return head, question(pending.action, choices_of(context, scene.id, act, act.strike, tables))


def _weapon(act: Act) -> str:
    return f" with {act.situation.weapon}" if act.situation.weapon else ""


def _ruling(context: ReadContext, scene: Scene, pending: Pending, tables: Tables) -> Iterator[str]:
    if pending.stage == PROPOSED:
        them = fighter_of(context.store, pending.actor, context.now, tables)
        wound = proposal(them, proposed_wound(context, them, pending, tables), tables)
        yield f"{proposed(wound, '')} #{pending.action}"
        return
    act = load_act(pending.state)
    if seat_of(context, scene.id, act.target) is None:
        name = context.store.names([act.target]).get(act.target, "its target")
        number = pending.action
        yield f"[Ruling] #{number}: {name} has left the fight. +no {number}=gone, or +ok {number}"
    elif pending.stage == RULING:
        yield ruling_text(context, pending, tables, again=True)
    else:  # the damage
        people = context.store.names([pending.actor, act.target])
        who = f"{people[pending.actor]} hits {people[act.target]}{_weapon(act)}"
        yield f"{who}, {act.attacks[act.hand]} against {act.defence}."
        yield approval_text(pending.action, blow_of(context, pending.actor, act, tables))


def _counter(context: ReadContext, scene: Scene) -> Iterator[str]:
    """OS-30: a free counterattack that is still open."""
    found = seat_of(context, scene.id, context.actor.id)
    against = found[1].counter if found else None
    if against is not None and against not in context.unknown:
        yield counter_text(context.store.names([against]).get(against, "them"))
