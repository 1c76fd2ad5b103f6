"""The referee's short lines, +ok and +no, when an action's time has come; and the actor's +go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from mushcombat.domain.breakdown import Term
from mushcombat.domain.command import Access, Call, Lane, Outcome, Verb, WriteContext
from mushcombat.domain.events import Audience, Draft
from mushcombat.domain.fight import ROLL, RULING, Combatant, Pending
from mushcombat.domain.scene import Scene
from mushcombat.errors import MushError
from mushcombat.systems import tracker
from mushcombat.systems.pending import number_of, write_pending
from mushcombat.systems.rulings import Ruling, read_ruling, read_rulings
from mushcombat.systems.spaceopera.asks import due_stage
from mushcombat.systems.spaceopera.events import Ruled
from mushcombat.systems.spaceopera.mine import Desk
from mushcombat.systems.spaceopera.phase import let_roll, turn_begins
from mushcombat.systems.spaceopera.resolve import Resolution
from mushcombat.systems.spaceopera.roster import change_seat, seats_of
from mushcombat.systems.spaceopera.state import Act, dump, load_act

HOLD = "hold"
"""What a referee says who lets strength hold on to what is caught (SO-21)."""

TECH = "tech"
"""How a ruling's reason begins that is about going through a device (SO-17)."""

RULE = "SO-17"


def _is_tech(term: Term) -> bool:
    return TECH in term.text.casefold()


def _ruled(context: WriteContext, act: Act, items: Sequence[str]) -> tuple[Act, tuple[Term, ...]]:
    """Put a ruling into an action: `hold`, terms of the chance, and terms for the device."""
    hold = bool(items) and items[0].casefold() == HOLD
    terms = read_rulings(context, items[hold:], RULE)
    tech = tuple(term for term in terms if _is_tech(term))
    rest = tuple(term for term in terms if not _is_tech(term))
    changed = replace(
        act, hold=act.hold or hold, rulings=(*act.rulings, *rest), tech=(*act.tech, *tech)
    )
    return changed, terms


def _found(
    context: WriteContext, number: int | None, stage: str
) -> tuple[Scene, Pending, Combatant]:
    """Find the action that is due, at that stage; only one is at a time (SO-4)."""
    scene = tracker.scene_of(context)
    seats = seats_of(context, scene.id)
    for pending in context.store.pending(scene.id):
        fits = number is None or pending.action == number
        if fits and due_stage(context, pending) == stage:
            return scene, pending, seats[pending.actor][0]
    what = f"#{number} does not wait for that" if number else "Nothing waits for that"
    raise MushError("pending", f"{what} now.", "+combat shows what is pending.")


def _allow(desk: Desk, context: WriteContext, ruling: Ruling) -> Outcome:
    scene, pending, seat = _found(context, ruling.number, RULING)
    act, terms = _ruled(context, load_act(pending.state), ruling.items)
    pending = replace(pending, state=dump(act))
    reason = "strength may hold on" if act.hold else ""
    event = Ruled(allowed=True, terms=terms, reason=reason)
    # The roll shows the terms to the room; that somebody ruled them is for the log.
    shown = Draft(event, Audience.REFEREES, scene.id, pending.action)
    if scene.rolls == "manual" and seat.player:
        write_pending(context, replace(pending, stage=ROLL))
        return Outcome.of(shown, let_roll(seat, pending))
    return Outcome.of(shown, *Resolution(desk, context, scene, pending).run())


def _refuse(desk: Desk, context: WriteContext, ruling: Ruling) -> Outcome:
    """Take an action off; its actor declares another, which comes up at once."""
    scene, pending, seat = _found(context, ruling.number, RULING)
    context.store.remove("pending", (scene.id, pending.action), "what is pending")
    change_seat(context, seat, declared="", turn_to=None, exposed=False)
    event = Ruled(allowed=False, terms=(), reason=ruling.reason)
    asked = turn_begins(desk.tables, context, seat)
    return Outcome.of(
        Draft(event, ledger=scene.id, action=pending.action),
        *(replace(draft, action=pending.action) for draft in asked),
    )


def _go(desk: Desk, context: WriteContext, number: int | None) -> Outcome:
    scene, pending, _ = _found(context, number, ROLL)
    if pending.actor != context.actor.id:
        raise MushError("roll", "That roll is somebody else's.", "+combat shows whose.")
    return Outcome.of(*Resolution(desk, context, scene, pending).run())


def referee_verbs(desk: Desk) -> tuple[Verb, ...]:
    """Give the verbs of this file."""

    def rules(name: str, what: str, run: Callable[[Desk, WriteContext, Ruling], Outcome]) -> Verb:
        return Verb(
            name,
            f"{name}[ <number>][={what}]",
            Access.REFEREE,
            Lane.WRITE,
            read_ruling,
            lambda context, ruling: run(desk, context, ruling),
            shown=True,
        )

    def number(call: Call) -> int | None:
        return number_of(call.text)

    def go(context: WriteContext, called: int | None) -> Outcome:
        return _go(desk, context, called)

    player, write = Access.PLAYER, Lane.WRITE
    return (
        rules("+ok", "<number> <reason>, ...", _allow),
        rules("+no", "<reason>", _refuse),
        Verb("+go", "+go[ <number>]", player, write, number, go, shown=True, stands_in=True),
    )
