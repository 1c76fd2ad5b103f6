"""A strike that lands or misses: the harm it does, and the lines that tell it."""

from __future__ import annotations

from mushcombat.domain.command import WriteContext
from mushcombat.domain.fight import Told
from mushcombat.domain.scene import Scene
from mushcombat.records import record
from mushcombat.systems.otherspace.combat_events import Struck
from mushcombat.systems.otherspace.damage import Blow
from mushcombat.systems.otherspace.fighter import Fighter
from mushcombat.systems.otherspace.roster import change_seat, room_sees_numbers, seat_of
from mushcombat.systems.otherspace.tables import Tables
from mushcombat.systems.otherspace.wounds import Harm, suffer


@record(frozen=True, slots=True)
class Landing:
    """A strike that hits: whom, by which rolls, and what it does. `blast` has no margin (OS-19)."""

    scene: Scene
    target: Fighter
    rolls: tuple[int, int]
    blow: Blow
    harm: Harm
    blast: bool = False


def land(context: WriteContext, landing: Landing, tables: Tables) -> tuple[Struck, Told | None]:
    """Make it so; gives what the room is shown, and what referees are told where that hides it."""
    blow, target = landing.blow, landing.target
    numbers = room_sees_numbers(context, target.id)
    felt = suffer(context, landing.scene, target.id, landing.harm, tables)
    found = seat_of(context, landing.scene.id, target.id)
    if felt.outcome and found and found[1].counter is not None:
        # Whoever can act no more can't take a free counterattack either.
        change_seat(context, *found, counter=None)
    struck = Struck(
        subject=target.id,
        name=target.name,
        attack=landing.rolls[0],
        defence=landing.rolls[1],
        hit=True,
        harm=blow.kind,
        amount=blow.amount if numbers else 0,
        health=felt.health if numbers else 0,
        word=felt.word,
        outcome=felt.outcome,
        numbers=numbers,
        breakdown=blow.breakdown if numbers else None,
        blast=landing.blast,
    )
    if numbers:
        return struck, None
    formula = blow.breakdown.formula() if blow.breakdown else "0"
    text = f"[Result] #{landing.harm.action}: {formula}; health {felt.health}/100."
    return struck, Told(text)


def missed(context: WriteContext, target: Fighter, rolls: tuple[int, int]) -> Struck:
    """Tell of a strike that did not beat the defence (OS-37)."""
    numbers = room_sees_numbers(context, target.id)
    return Struck(
        subject=target.id,
        name=target.name,
        attack=rolls[0],
        defence=rolls[1],
        hit=False,
        harm="harm",
        amount=0,
        health=100 - target.harm - target.stun if numbers else 0,
        word="",
        outcome="",
        numbers=numbers,
        breakdown=None,
    )
