"""Making a character: +raise within the budgets, +gift, +fault, +submit; staff +approve."""

from __future__ import annotations

from functools import partial

from mushcombat.domain.command import Access, Call, Lane, Outcome, Verb, WriteContext
from mushcombat.domain.events import GAME_LEDGER, Audience, Draft
from mushcombat.domain.text import clip
from mushcombat.errors import MushError
from mushcombat.records import record
from mushcombat.systems.approval import approval_verbs, left_for, open_sheet, read_raise, set_level
from mushcombat.systems.otherspace.chargen import check_fault_dropped, check_gift, check_raise
from mushcombat.systems.otherspace.combat_events import QuirkSet
from mushcombat.systems.otherspace.fields import parse_level
from mushcombat.systems.otherspace.roster import NAME, fighter_of
from mushcombat.systems.otherspace.sheet import find_trait
from mushcombat.systems.otherspace.tables import Tables, Trait
from mushcombat.systems.otherspace.wounds import drop, impose


@record(frozen=True, slots=True)
class Raised:
    """Arguments of +raise."""

    trait: Trait
    level: int


def _raised(tables: Tables, call: Call) -> Raised:
    typed, level = read_raise(call)
    trait = find_trait(typed, tables)
    return Raised(trait, parse_level(level, trait.name, tables.fields.sheet, tables))


def _raise(tables: Tables, context: WriteContext, raised: Raised) -> Outcome:
    sheet, trait = open_sheet(context, NAME), raised.trait
    attributes, skills = sheet.traits.get("attribute", {}), sheet.traits.get("skill", {})
    left = check_raise(attributes, skills, trait.name, raised.level, tables)
    draft = set_level(context, NAME, context.who, (trait.group, trait.name), raised.level)
    return Outcome.of(draft, reply=(left_for(left, "level", f"{trait.group}s"),))


def _gift(tables: Tables, context: WriteContext, typed: str) -> Outcome:
    open_sheet(context, NAME)
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


def _words(call: Call) -> str:
    if not call.text:
        raise call.wrong()
    return call.text


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
        *approval_verbs(NAME),
    )
