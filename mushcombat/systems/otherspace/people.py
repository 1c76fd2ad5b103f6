"""Who of this system can do anything at all."""

from __future__ import annotations

from mushcombat.domain.command import ReadContext
from mushcombat.errors import MushError
from mushcombat.systems.otherspace.fighter import Fighter, is_down
from mushcombat.systems.otherspace.roster import condition_of, seconds
from mushcombat.systems.otherspace.tables import Tables


def check_able(context: ReadContext, fighter: Fighter, tables: Tables) -> None:
    """OS-42, OS-43: who is down or stunned does nothing, also outside a fight."""
    condition = condition_of(context.store, fighter.id, context.now, tables)
    stunned = condition.stunned_until is not None and condition.stunned_until > seconds(context.now)
    why = "dead" if condition.dead else "unconscious" if is_down(fighter, tables) else ""
    why = why or ("stunned" if stunned else "")
    if why:
        raise MushError("able", f"{fighter.name} can't act: {why}.", "+health shows it.")
