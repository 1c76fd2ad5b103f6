"""One blow before its dice: all that counts for the chance, from whatever it is asked (SO-9)."""

from __future__ import annotations

from mushcombat.domain.breakdown import Breakdown, Term, modifier
from mushcombat.records import record
from mushcombat.systems.spaceopera.fighter import Fighter
from mushcombat.systems.spaceopera.formulas import (
    back_term,
    basic,
    clamped,
    cost_term,
    parry_term,
    shown,
)
from mushcombat.systems.spaceopera.tables import Tables, Thing, Weapon


@record(frozen=True, slots=True)
class Exchange:
    """Who strikes, with what, at whom.

    `foe` is the weapon of the one struck; `engaged` from where the attacker is; `back` whether the
    target's is turned; `own` what the attacker has in the off hand; `guard` what the target parries
    with, and its protection.
    """

    attacker: Fighter
    weapon: Weapon
    target: Fighter
    foe: Weapon
    engaged: str = ""
    back: str = ""
    own: Thing | None = None
    guard: tuple[Thing, Breakdown] | None = None


def base(exchange: Exchange, tables: Tables) -> Breakdown:
    """Give the chance that may be split (SO-10): basic initiative, less an own device (SO-15)."""
    whole = basic(exchange.attacker, exchange.weapon, exchange.foe, exchange.engaged, tables)
    return whole.then(*shown([cost_term(exchange.attacker, exchange.own)]))


def unparried(
    exchange: Exchange, tables: Tables, *more: Term, share: int | None = None
) -> Breakdown:
    """Give the chance without the parry, not clamped: a share of it, the target's back, `more`."""
    whole = base(exchange, tables)
    if share is not None:
        others = modifier(share - whole.total, "the other shares", "SO-10")
        whole = whole.then(*shown([others]))
    return whole.then(*shown([back_term(exchange.back, tables)]), *more)


def parried(exchange: Exchange, full: Breakdown) -> Breakdown:
    """SO-11, SO-28: take the parry off a chance, and bring it within 0 to 100."""
    if exchange.guard is None:
        return clamped(full)
    return clamped(full.then(parry_term(exchange.guard[1])))
