"""What those are asked for whom an action waits, made of what is stored: it can be asked again."""

from __future__ import annotations

from collections.abc import Sequence

from mushcombat.domain.command import ReadContext
from mushcombat.systems.otherspace.combat_state import Act
from mushcombat.systems.otherspace.damage import Blow, blow
from mushcombat.systems.otherspace.defence import Choice
from mushcombat.systems.otherspace.roster import fighter_of
from mushcombat.systems.otherspace.tables import Tables
from mushcombat.systems.terms import written


def blow_of(context: ReadContext, actor: int, act: Act, tables: Tables) -> Blow:
    """Give what the present strike does, whose attack is rolled."""
    attacker, target = (
        fighter_of(context.store, who, context.now, tables) for who in (actor, act.target)
    )
    attack = act.attacks[act.hand]
    return blow(attacker, target, act.situation, attack, act.defence or 0, tables)


def question(number: int, options: Sequence[Choice]) -> str:
    """Ask a defender: each choice with its modifiers, and what to type."""
    shown = "; ".join(_shown(choice) for choice in options)
    names = " or ".join(choice.name for choice in options)
    return f"[Defend] #{number}: {shown}. Type +defend {number} {names}."


def _shown(choice: Choice) -> str:
    cost = ", costs the next attack" if choice.costs_next_attack else ""
    return f"{written(choice.terms)}{cost}"


def roll_text(number: int) -> str:
    """Tell an attacker that they may roll."""
    return f"[Roll] It is allowed: +go {number}"


def approval_text(number: int, landed: Blow) -> str:
    """Ask a referee whether damage stands (strict mode)."""
    return f"[Ruling] #{number}: it hits for {landed.amount}. +ok, or +no =<reason>"


def counter_text(name: str) -> str:
    """Offer a free counterattack (OS-30)."""
    return f"[Counter] You may strike back at {name}, free: +counter[ <weapon>]"
