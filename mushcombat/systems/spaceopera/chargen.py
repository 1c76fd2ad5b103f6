"""Making a character: +raise within this system's budgets (SO-23; the numbers are decided)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from mushcombat.domain.command import Access, Call, Lane, Outcome, Verb, WriteContext
from mushcombat.domain.numbers import counted
from mushcombat.errors import MushError
from mushcombat.records import record
from mushcombat.systems.approval import (
    approval_verbs,
    left_for,
    left_over,
    open_sheet,
    read_raise,
    set_level,
)
from mushcombat.systems.spaceopera.roster import CHARACTERISTIC, EXPERTISE, NAME
from mushcombat.systems.spaceopera.sheet import find_trait, read_level
from mushcombat.systems.spaceopera.tables import Tables


@record(frozen=True, slots=True)
class Raised:
    """Arguments of +raise."""

    group: str
    name: str
    level: int


def check_raise(levels: Mapping[str, int], raised: Raised, tables: Tables) -> int:
    """Give what is left of the budget with a trait at a level; MushError for more than there is."""
    rule = tables.chargen
    if raised.group == CHARACTERISTIC:
        budget, most, unset = rule.characteristics, rule.most_characteristic, _unset(tables)
    else:
        budget, most, unset = rule.expertise, rule.most_expertise, 0
    if raised.level > most:
        raise MushError(
            "level", f"{raised.name} {raised.level} is over {most}.", f"At most {most}."
        )
    now = sum(level - unset for level in levels.values())
    then = sum(level - unset for level in {**levels, raised.name: raised.level}.values())
    if then > budget and then >= now:
        text = f"That would take {counted(then, 'point')} of {budget}."
        raise MushError("budget", text, left_over(budget - now))
    return budget - then


def _unset(tables: Tables) -> int:
    return tables.characteristics.unset


def _raised(tables: Tables, call: Call) -> Raised:
    typed, level = read_raise(call)
    group, name = find_trait(typed, tables)
    if group not in {CHARACTERISTIC, EXPERTISE}:
        raise MushError("trait", f"{name} is not raised.", "Staff set it with +set.")
    return Raised(group, name, read_level((group, name), level, tables))


def _raise(tables: Tables, context: WriteContext, raised: Raised) -> Outcome:
    sheet = open_sheet(context, NAME)
    left = check_raise(sheet.traits.get(raised.group, {}), raised, tables)
    trait = raised.group, raised.name
    draft = set_level(context, NAME, context.who, trait, raised.level)
    what = "characteristics" if raised.group == CHARACTERISTIC else "expertise"
    return Outcome.of(draft, reply=(left_for(left, "point", what),))


def chargen_verbs(tables: Tables) -> tuple[Verb, ...]:
    """Give the verbs of this file."""
    syntax = "+raise <characteristic or expertise> to <level>"
    parse, run = partial(_raised, tables), partial(_raise, tables)
    return (
        Verb("+raise", syntax, Access.PLAYER, Lane.WRITE, parse, run),
        *approval_verbs(NAME),
    )
