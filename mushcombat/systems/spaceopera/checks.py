"""Rolls that are no attack: +cr, and +initiative for who wants to see theirs again."""

from __future__ import annotations

import re
from functools import partial

from mushcombat.domain.breakdown import Term, modifier
from mushcombat.domain.command import Access, Call, Lane, Outcome, ReadContext, Verb
from mushcombat.domain.numbers import parse_whole
from mushcombat.errors import MushError
from mushcombat.records import record
from mushcombat.systems import tracker
from mushcombat.systems.spaceopera.dice import check
from mushcombat.systems.spaceopera.roster import CHARACTERISTIC, fighter_of
from mushcombat.systems.spaceopera.sheet import find_trait
from mushcombat.systems.spaceopera.tables import Tables

MOST = 19
"""No modifier of a characteristic roll is farther from 0 than this."""

_ASKED = re.compile(r"(.+?)(?:\s+at\s+(.+))?", re.IGNORECASE)


@record(frozen=True, slots=True)
class Wished:
    """Arguments of +cr."""

    characteristic: str
    modifier: int | None


def _wished(tables: Tables, call: Call) -> Wished:
    found = _ASKED.fullmatch(call.text)
    if found is None:
        raise call.wrong()
    group, name = find_trait(found[1], tables)
    if group != CHARACTERISTIC:
        names = ", ".join(tables.characteristics.names)
        raise MushError("trait", f"{name} is no characteristic.", f"There are: {names}.")
    asked = parse_whole(found[2], "modifier", -MOST, MOST) if found[2] else None
    return Wished(name, asked)


def _check(tables: Tables, context: ReadContext, wished: Wished) -> Outcome:
    """SO-27: roll a characteristic."""
    me = fighter_of(context.store, context.actor.id, tables)
    asked: Term | None = None
    if wished.modifier is not None:
        asked = modifier(wished.modifier, "asked", "SO-27", kind="asked")
    event, _ = check(context, me, wished.characteristic, asked, tables)
    return Outcome.of(context.show(event))


def _initiative(context: ReadContext, _: None) -> Outcome:
    """SO-4: everyone's initiative is rolled by itself; this tells one's own."""
    scene = tracker.scene_of(context)
    seat = tracker.combatant(context, scene.id, context.actor.id)
    if seat is None or not seat.rank:
        text = "Your initiative is rolled when a second one joins the fight."
        raise MushError("initiative", text, "+combat/join joins; +combat shows who is in it.")
    return Outcome.tell(f"Your initiative of this phase is {seat.rank[0]}; +combat shows all.")


def check_verbs(tables: Tables) -> tuple[Verb, ...]:
    """Give the verbs of this file."""

    def nothing(call: Call) -> None:
        if call.text:
            raise call.wrong()

    return (
        Verb(
            "+cr",
            "+cr[/self] <characteristic>[ at <modifier>]",
            Access.GUEST,
            Lane.READ,
            partial(_wished, tables),
            partial(_check, tables),
            flags=frozenset({"self"}),
            shown=True,
            stands_in=True,
        ),
        Verb(
            "+initiative",
            "+initiative",
            Access.PLAYER,
            Lane.READ,
            nothing,
            _initiative,
            aliases=("+reaction",),
        ),
    )
