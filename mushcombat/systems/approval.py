"""Making a character: a sheet is open until it is handed in, and approved by staff."""

from __future__ import annotations

import re
from functools import partial

from mushcombat.domain.character import Sheet
from mushcombat.domain.command import Access, Call, Lane, Outcome, Verb, WriteContext
from mushcombat.domain.events import GAME_LEDGER, Audience, Draft, TraitSet, Who
from mushcombat.domain.numbers import counted
from mushcombat.domain.text import clip
from mushcombat.errors import MushError
from mushcombat.systems.people import anybody

STATE = ("chargen", "state")
"""Where a sheet keeps how far it is: nothing, submitted, approved."""

SUBMITTED, APPROVED = 1, 2

_WORDS = {SUBMITTED: "submitted", APPROVED: "approved"}

_RAISED = re.compile(r"(.+?)\s+to\s+(.+)", re.IGNORECASE)


def read_raise(call: Call) -> tuple[str, str]:
    """Parse `<trait> to <level>`; both as typed."""
    found = _RAISED.fullmatch(call.text)
    if found is None:
        raise call.wrong()
    return found[1], found[2]


def show_state(_group: str, level: int | None) -> str:
    """Write how far a sheet is, as systems write levels."""
    return _WORDS.get(level or 0, "open")


def left_for(left: int, of: str, what: str) -> str:
    """Write what is left of a budget: "1 level is left for attributes."."""
    return f"{counted(left, of)} {'is' if left == 1 else 'are'} left for {what}."


def left_over(left: int) -> str:
    """Write what is left where more was asked for, and never less than 0: "There is 1 left."."""
    return f"There {'is' if left == 1 else 'are'} {max(0, left)} left."


def open_sheet(context: WriteContext, system: str) -> Sheet:
    """Give the actor's sheet while it may still be changed."""
    sheet = context.store.sheet(context.actor.id, system)
    if sheet.level(*STATE) == APPROVED:
        raise MushError("sheet", "Your sheet is approved.", "Staff change it from now on.")
    return sheet


def set_level(
    context: WriteContext, system: str, who: Who, trait: tuple[str, str], level: int
) -> Draft:
    """Set a trait, by its group and name; what it was before is in the game's own log."""
    before = context.store.sheet(who.id, system).level(*trait)
    context.store.set_trait(who.id, system, *trait, level)
    event = TraitSet(who.id, who.name, system, *trait, before, level)
    return Draft(event, Audience.PRIVATE, GAME_LEDGER)


def _submit(system: str, context: WriteContext, _: None) -> Outcome:
    open_sheet(context, system)
    draft = set_level(context, system, context.who, STATE, SUBMITTED)
    return Outcome.of(draft, reply=("Your sheet is handed in; staff look at it with +approve.",))


def _approve(system: str, context: WriteContext, name: str) -> Outcome:
    if not name:
        waiting = context.store.with_trait(system, *STATE, SUBMITTED)
        names = ", ".join(them.name for them in waiting) or "nobody"
        return Outcome.tell(f"Waiting for approval: {names}.")
    them = anybody(context, name)
    if context.store.sheet(them.id, system).level(*STATE) != SUBMITTED:
        raise MushError("sheet", f"{them.name} has handed in no sheet.", "+approve lists who has.")
    return Outcome.of(set_level(context, system, Who(them.id, them.name), STATE, APPROVED))


def _nothing(call: Call) -> None:
    if call.text:
        raise call.wrong(f'Nothing follows this command, but "{clip(call.text)}" did.')


def approval_verbs(system: str) -> tuple[Verb, ...]:
    """Give +submit and +approve, for sheets of one system."""
    write = Lane.WRITE
    submit, approve = partial(_submit, system), partial(_approve, system)
    return (
        Verb("+submit", "+submit", Access.PLAYER, write, _nothing, submit),
        Verb("+approve", "+approve[ <name>]", Access.STAFF, write, lambda c: c.text, approve),
    )
