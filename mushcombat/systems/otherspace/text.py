"""The system's events as lines: a stable tag, who, the sum written out, words."""

from __future__ import annotations

from collections.abc import Mapping

from mushcombat.domain.events import Event
from mushcombat.systems.otherspace.events import (
    ContestDecided,
    DamageWorked,
    ReactionRolled,
    Rolled,
)
from mushcombat.systems.system import Describe


def rolled(event: Rolled, _actor: str) -> str:
    """Write `[Roll] Ada: Pistol 5 (Good) - 1 (asked) + 2 (4dF) = 6 (Great)`."""
    note = f" ({event.note})" if event.note else ""
    return f"[Roll] {event.name}: {event.breakdown.formula()} ({event.word}).{note}"


def reaction(event: ReactionRolled, _actor: str) -> str:
    """Write `[Reaction] Ada: Dexterity 4 + Perception 4 + 0 (asked) - 1 (4dF) = 7`."""
    again = " (reroll)" if event.again else ""
    return f"[Reaction] {event.name}: {event.breakdown.formula()}.{again}"


def contest(event: ContestDecided, actor: str) -> str:
    """Write `[Contest] Ada beats Bram by 2`, or that Bram holds (OS-5)."""
    if event.won:
        return f"[Contest] {actor} beats {event.name} by {event.margin}."
    if event.margin == 0:
        return f"[Contest] {actor} and {event.name} are even: {event.name} holds."
    return f"[Contest] {event.name} holds against {actor} by {-event.margin}."


def damage(event: DamageWorked, actor: str) -> str:
    """Write `[Damage] Ada: ranged: ODF 50 + 5 x (6 - 4) - DDF 20 = 40, before Constitution`."""
    note = f" {event.note}" if event.note else ""
    if event.sort == "constitution":
        return f"[Damage] {actor}: {event.breakdown.formula()}.{note}"
    return (
        f"[Damage] {actor}: {event.sort}: {event.breakdown.formula()}, before Constitution.{note}"
    )


DESCRIBE: Mapping[type[Event], Describe] = {
    Rolled: rolled,
    ReactionRolled: reaction,
    ContestDecided: contest,
    DamageWorked: damage,
}
