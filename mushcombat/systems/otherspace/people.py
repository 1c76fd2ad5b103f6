"""Who of this system can do anything at all."""

from __future__ import annotations

from mushcombat.domain.command import ReadContext
from mushcombat.errors import MushError
from mushcombat.systems.otherspace.fighter import Fighter, is_down
from mushcombat.systems.otherspace.roster import condition_of, seconds
from mushcombat.systems.otherspace.tables import Tables


def why_unable(context: ReadContext, fighter: Fighter, tables: Tables) -> str:
    """Say why somebody does nothing, also outside a fight (OS-42, OS-43); '' where they can."""
    condition = condition_of(context.store, fighter.id, context.now, tables)
    if condition.dead:
        return "dead"
    if is_down(fighter, tables):
        return "unconscious"
    until = condition.stunned_until
    return "stunned" if until is not None and until > seconds(context.now) else ""


def check_able(context: ReadContext, fighter: Fighter, tables: Tables) -> None:
    """OS-42, OS-43: who is down or stunned does nothing, also outside a fight."""
    why = why_unable(context, fighter, tables)
    if why:
        raise MushError("able", f"{fighter.name} can't act: {why}.", "+health shows it.")
