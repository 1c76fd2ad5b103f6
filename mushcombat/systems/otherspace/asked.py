"""The modifier behind ` at `: whose roll takes which, and who answers for it (OS-3)."""

from __future__ import annotations

import re

from mushcombat.domain.breakdown import Term, modifier
from mushcombat.domain.command import ReadContext
from mushcombat.domain.events import Who
from mushcombat.domain.numbers import parse_whole
from mushcombat.domain.reasons import reason_of
from mushcombat.errors import MushError
from mushcombat.records import record
from mushcombat.systems.otherspace.tables import Tables

_AT = re.compile(r"(?:^|\s)at(?=\s|$)", re.IGNORECASE)


@record(frozen=True, slots=True)
class Asked:
    """A modifier as typed: its range depends on who asks."""

    number: str = "0"
    reason: str = ""


def split_at(text: str) -> tuple[str, Asked]:
    """Take ` at <modifier>[ <reason>]` off the end; hands put a comma between the two."""
    found = list(_AT.finditer(text))
    if not found:
        return text.strip(), Asked()
    number, _, reason = text[found[-1].end() :].strip().partition(" ")
    return text[: found[-1].start()].strip(), Asked(number.rstrip(","), reason_of(reason))


def ruler(context: ReadContext) -> Who | None:
    """Give the referee whose word this is: one who rolls, or who rolls for somebody (`+as`)."""
    return context.by or (context.who if context.referees else None)


def wished(context: ReadContext, asked: Asked, tables: Tables) -> tuple[int, tuple[Term, ...]]:
    """Read the modifier: a player's own within OS-3's range, a referee's any, with a reason."""
    own, any_ = tables.modifiers.player, tables.modifiers.referee
    referee = ruler(context)
    if referee is None:
        typed = f"{asked.number} {asked.reason}".strip()
        return parse_whole(typed, "modifier", own.low, own.high), ()
    number = parse_whole(asked.number, "modifier", any_.low, any_.high)
    if asked.reason:
        return 0, (modifier(number, asked.reason, "OS-3", referee.name),)
    if not own.holds(number):
        hint = f"Type it behind the number: at {number} <reason>."
        raise MushError("modifier", "modifier: one that large needs a reason.", hint)
    return number, ()


def ruled(context: ReadContext, asked: Asked, rule: str, tables: Tables) -> tuple[Term, ...]:
    """Read a modifier that only a referee sets: any, and 0 is none."""
    referee = ruler(context)
    if referee is None:
        if asked != Asked():
            raise MushError("modifier", "The referee sets the modifier.", "Leave it out.")
        return ()
    any_ = tables.modifiers.referee
    number = parse_whole(asked.number, "modifier", any_.low, any_.high)
    return (modifier(number, asked.reason or "ruled", rule, referee.name),) if number else ()
