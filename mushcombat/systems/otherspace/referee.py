"""The referee's short lines: +ok and +no; and what the attacker still says: +go, +lethal."""

from __future__ import annotations

from collections.abc import Sequence

from mushcombat.domain.command import Access, Call, Lane, Outcome, Verb, WriteContext
from mushcombat.domain.events import Audience, Draft
from mushcombat.domain.fight import DAMAGE, DEFENCE, PROPOSED, ROLL, RULING, Pending
from mushcombat.errors import MushError
from mushcombat.systems import tracker
from mushcombat.systems.otherspace.combat_events import Ruled
from mushcombat.systems.otherspace.resolve import Desk, Resolution
from mushcombat.systems.otherspace.wounds import drop_proposal, take_proposal
from mushcombat.systems.pending import RULINGS, find_pending, number_of
from mushcombat.systems.rulings import Ruling, read_ruling, read_rulings

UNAWARE = "unaware"
"""What a referee says of a target that does not see the attack coming (OS-26)."""


def _refuse(desk: Desk, context: WriteContext, ruling: Ruling) -> Outcome:
    scene = tracker.scene_of(context)
    pending = find_pending(context, scene, ruling.number, RULINGS, "+no <number>")
    reason = ruling.reason
    if pending.stage == PROPOSED:
        return Outcome.of(drop_proposal(context, pending, reason))
    event = Ruled(allowed=False, terms=(), reason=reason)
    shown = Draft(event, ledger=scene.id, action=pending.action)
    if pending.stage == DAMAGE:
        return Outcome.of(shown, *Resolution(desk, context, scene, pending).spare())
    context.store.remove("pending", (scene.id, pending.action), "what is pending")
    return Outcome.of(shown)


def _check_modifiers(ruling: Ruling, waiting: Sequence[Pending]) -> None:
    """Refuse modifiers where no roll comes any more."""
    if not ruling.items:
        return
    if any(pending.stage == PROPOSED for pending in waiting):
        hint = "Type +ok, +no <number>, or +quirk <name>=<other>."
        raise MushError("ruling", "A wound takes no modifier.", hint)
    for pending in waiting:
        if pending.stage == DAMAGE:
            text = f"#{pending.action} is rolled: it is too late for a modifier."
            n = pending.action
            hint = f"Type +ok {n} without one, or +undo {n} to take the attack back."
            raise MushError("ruling", text, hint)


def _lethal(desk: Desk, context: WriteContext, number: int | None) -> Outcome:
    scene = tracker.scene_of(context)
    stages = (RULING, ROLL, DEFENCE, DAMAGE)
    pending = find_pending(context, scene, number, stages, "+lethal <number>")
    if not context.referees and pending.actor != context.actor.id:
        text = "The attacker declares that, or the referee."
        raise MushError("lethal", text, "+combat shows what is pending.")
    return Outcome.of(*Resolution(desk, context, scene, pending).make_lethal())


def _go(desk: Desk, context: WriteContext, number: int | None) -> Outcome:
    scene = tracker.scene_of(context)
    pending = find_pending(context, scene, number, (ROLL,), "+go <number>")
    if pending.actor != context.actor.id:
        raise MushError("roll", "That roll is somebody else's.", "+combat shows whose.")
    return Outcome.of(*Resolution(desk, context, scene, pending).proceed())


def _allow(desk: Desk, context: WriteContext, ruling: Ruling) -> Outcome:
    scene = tracker.scene_of(context)
    waiting = [p for p in context.store.pending(scene.id) if p.stage in RULINGS]
    if ruling.number is None and waiting and all(p.stage == PROPOSED for p in waiting):
        _check_modifiers(ruling, waiting)
        taken = [take_proposal(context, p, desk.tables) for p in waiting]
        return Outcome.of(*(draft for drafts in taken for draft in drafts))
    pending = find_pending(context, scene, ruling.number, RULINGS, "+ok <number>")
    _check_modifiers(ruling, [pending])
    if pending.stage == PROPOSED:
        return Outcome.of(*take_proposal(context, pending, desk.tables))
    unaware = bool(ruling.items) and ruling.items[0].casefold() == UNAWARE
    terms = read_rulings(context, ruling.items[unaware:], "OS-3")
    resolution = Resolution(desk, context, scene, pending)
    if unaware:
        resolution.surprise()
    reason = "the target is unaware of it" if unaware else ""
    event = Ruled(allowed=True, terms=terms, reason=reason)
    # The roll shows the terms to the room; that somebody ruled them is for the log.
    shown = [Draft(event, Audience.REFEREES, scene.id, pending.action)]
    if pending.stage == DAMAGE:
        resolution.approve()
        return Outcome.of(*shown, *resolution.proceed())
    return Outcome.of(*shown, *resolution.begin(terms))


def referee_verbs(desk: Desk) -> tuple[Verb, ...]:
    """Give the verbs of this file."""

    def allow(context: WriteContext, ruling: Ruling) -> Outcome:
        return _allow(desk, context, ruling)

    def refuse(context: WriteContext, ruling: Ruling) -> Outcome:
        return _refuse(desk, context, ruling)

    def lethal(context: WriteContext, number: int | None) -> Outcome:
        return _lethal(desk, context, number)

    def go(context: WriteContext, number: int | None) -> Outcome:
        return _go(desk, context, number)

    def number(call: Call) -> int | None:
        return number_of(call.text)

    write, player, referee = Lane.WRITE, Access.PLAYER, Access.REFEREE
    ok = "+ok[ <number>][=<number> <reason>, ...]"
    return (
        Verb("+ok", ok, referee, write, read_ruling, allow, shown=True),
        Verb("+no", "+no[ <number>][=<reason>]", referee, write, read_ruling, refuse, shown=True),
        Verb(
            "+lethal",
            "+lethal[ <number>]",
            player,
            write,
            number,
            lethal,
            shown=True,
            stands_in=True,
        ),
        Verb("+go", "+go[ <number>]", player, write, number, go, shown=True, stands_in=True),
    )
