"""How the target of a strike answers it: what it may choose, and what is chosen for it."""

from __future__ import annotations

from mushcombat.domain.command import ReadContext
from mushcombat.domain.fight import Combatant
from mushcombat.systems.otherspace import defence
from mushcombat.systems.otherspace.arms import card_held
from mushcombat.systems.otherspace.combat_state import Act, Seat
from mushcombat.systems.otherspace.defence import Choice
from mushcombat.systems.otherspace.roster import fighter_of, seated, why_helpless
from mushcombat.systems.otherspace.tables import Tables

ABSENT = "not connected: the better choice"


def choices_of(
    context: ReadContext, scene: int, act: Act, strike: int, tables: Tables
) -> tuple[Choice, ...]:
    """Give how the target of a strike, who is in the fight, may defend against it.

    Of a strike that is still to come, those of the same action before it count (OS-31).
    """
    target = act.targets[strike % len(act.targets)]
    before = (strike - act.strike) // len(act.targets)
    combatant, seat = seated(context, scene, target)
    why = why_helpless(context.store, combatant, context.now, tables)
    fighter = fighter_of(context.store, target, context.now, tables)
    return defence.choices(
        fighter,
        act.hands[strike // len(act.targets)],
        defences_before=seat.defences + before,
        full_defence=seat.full,
        unaware=bool(why) or act.unaware,
        card=act.card,
        card_held=card_held(context.store, fighter, act.card),
        tables=tables,
    )


def chosen(
    context: ReadContext,
    act: Act,
    target: tuple[Combatant, Seat],
    options: tuple[Choice, ...],
    tables: Tables,
) -> tuple[Choice, str] | None:
    """Find how they defend: as they said, as always, or the better for who can't say.

    Gives the choice and a note on it; None when they have to be asked.
    """
    combatant, seat = target
    named = {choice.name.casefold(): choice for choice in options}
    wanted = named.get(act.choice.casefold()) or named.get(seat.always.casefold())
    if wanted or len(options) == 1:
        return wanted or options[0], act.note
    if combatant.player and combatant.character in context.present:
        return None
    note = ABSENT if combatant.player else act.note
    return defence.better(options, tables, given_up=seat.no_attack), note
