"""Making a character: +raise within the budgets, +gift, +fault, +submit; staff +approve."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial

from mushcombat.domain.character import Sheet
from mushcombat.domain.command import Access, Call, Lane, Outcome, Verb, WriteContext
from mushcombat.domain.events import GAME_LEDGER, Audience, Draft, TraitSet
from mushcombat.domain.text import clip
from mushcombat.errors import MushError
from mushcombat.systems.otherspace.chargen import check_fault_dropped, check_gift, check_raise
from mushcombat.systems.otherspace.combat_events import QuirkSet
from mushcombat.systems.otherspace.fields import parse_level
from mushcombat.systems.otherspace.people import anybody
from mushcombat.systems.otherspace.roster import NAME, fighter_of
from mushcombat.systems.otherspace.sheet import find_trait
from mushcombat.systems.otherspace.tables import Tables, Trait
from mushcombat.systems.otherspace.wounds import drop, impose

STATE = ("chargen", "state")
"""Where a sheet keeps how far it is: nothing, submitted, approved."""

SUBMITTED, APPROVED = 1, 2

_RAISED = re.compile(r"(.+?)\s+to\s+(.+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Raised:
    """Arguments of +raise."""

    trait: Trait
    level: int


def _raised(tables: Tables, call: Call) -> Raised:
    found = _RAISED.fullmatch(call.text)
    if found is None:
        raise call.wrong()
    trait = find_trait(found[1], tables)
    return Raised(trait, parse_level(found[2], trait.name, tables.fields.sheet, tables))


def _open_sheet(context: WriteContext) -> Sheet:
    """Give the actor's sheet while it may still be changed."""
    sheet = context.store.sheet(context.actor.id, NAME)
    if sheet.level(*STATE) == APPROVED:
        raise MushError("sheet", "Your sheet is approved.", "Staff change it from now on.")
    return sheet


def _set(context: WriteContext, who: tuple[int, str], trait: Trait, level: int) -> Draft:
    before = context.store.sheet(who[0], NAME).level(trait.group, trait.name)
    context.store.set_trait(who[0], NAME, trait.group, trait.name, level)
    event = TraitSet(who[0], who[1], NAME, trait.group, trait.name, before, level)
    return Draft(event, Audience.PRIVATE, GAME_LEDGER)


def _raise(tables: Tables, context: WriteContext, raised: Raised) -> Outcome:
    sheet, trait = _open_sheet(context), raised.trait
    attributes, skills = sheet.traits.get("attribute", {}), sheet.traits.get("skill", {})
    left = check_raise(attributes, skills, trait.name, raised.level, tables)
    draft = _set(context, (context.actor.id, context.actor.name), trait, raised.level)
    return Outcome.of(draft, reply=(f"{left} levels are left for {trait.group}s.",))


def _gift(tables: Tables, context: WriteContext, typed: str) -> Outcome:
    _open_sheet(context)
    me = fighter_of(context.store, context.actor.id, context.now, tables)
    found = tables.find(typed, ("gift", "fault"))
    if len(found) != 1:
        known = ", ".join((*tables.gifts.names, *tables.faults.names))
        raise MushError("gift", f'gift: "{clip(typed)}" is not one.', f"There are {known}.")
    name, is_gift = found[0].name, found[0].group == "gift"
    held = name in me.gifts | me.faults
    if held and not is_gift:
        check_fault_dropped(me.gifts, me.faults, tables)
    if not held and is_gift:
        check_gift(me.gifts, me.faults, tables)
    if held:
        drop(context, me, name)
    else:
        impose(context, me, name, "chosen")
    event = QuirkSet(me.id, me.name, name, held=not held, reason="chosen")
    return Outcome.of(Draft(event, Audience.PRIVATE, GAME_LEDGER))


def _submit(context: WriteContext, _: None) -> Outcome:
    _open_sheet(context)
    who = (context.actor.id, context.actor.name)
    draft = _set(context, who, Trait(STATE[1], STATE[0]), SUBMITTED)  # type: ignore[arg-type]  # no group of the tables
    return Outcome.of(draft, reply=("Your sheet is handed in; staff look at it with +approve.",))


def _approve(context: WriteContext, name: str) -> Outcome:
    if not name:
        waiting = context.store.with_trait(NAME, *STATE, SUBMITTED)
        names = ", ".join(them.name for them in waiting) or "nobody"
        return Outcome.tell(f"Waiting for approval: {names}.")
    them = anybody(context, name)
    if context.store.sheet(them.id, NAME).level(*STATE) != SUBMITTED:
        raise MushError("sheet", f"{them.name} has handed in no sheet.", "+approve lists who has.")
    draft = _set(context, (them.id, them.name), Trait(STATE[1], STATE[0]), APPROVED)  # type: ignore[arg-type]  # as above
    return Outcome.of(draft)


def _text(call: Call) -> str:
    return call.text


def _words(call: Call) -> str:
    if not call.text:
        raise call.wrong()
    return call.text


def _nothing(call: Call) -> None:
    if call.text:
        raise call.wrong(f'Nothing follows this command, but "{clip(call.text)}" did.')


def chargen_verbs(tables: Tables) -> tuple[Verb, ...]:
    """Give the verbs of this file."""
    write, player = Lane.WRITE, Access.PLAYER
    return (
        Verb(
            "+raise",
            "+raise <attribute or skill> to <level>",
            player,
            write,
            partial(_raised, tables),
            partial(_raise, tables),
        ),
        Verb(
            "+gift",
            "+gift <gift or fault>",
            player,
            write,
            _words,
            partial(_gift, tables),
            aliases=("+fault",),
        ),
        Verb("+submit", "+submit", player, write, _nothing, _submit),
        Verb("+approve", "+approve[ <name>]", Access.STAFF, write, _text, _approve),
    )
