"""One blow before its dice: all that counts for the chance, from whatever it is asked (SO-9)."""

from __future__ import annotations

from collections.abc import Sequence

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


def share_of(whole: Breakdown, shares: Sequence[int], place: int) -> Breakdown:
    """SO-10: give one share of a chance, which may not be any more what it was when it was split.

    Where it is less now, the last shares shrink; where it is more, or over 100, that is in none.
    """
    chance = clamped(whole).total
    share = min(shares[place], max(0, chance - sum(shares[:place])))
    others = min(chance, sum(shares)) - share
    over = max(0, whole.total - others - share)
    less = modifier(-others, "the other shares", "SO-10"), modifier(-over, "in no share", "SO-10")
    return whole.then(*shown(less))


def unparried(
    exchange: Exchange, tables: Tables, *more: Term, share: Breakdown | None = None
) -> Breakdown:
    """Give the chance, or a share of one, not clamped, with the target's back and `more`."""
    whole = share or base(exchange, tables)
    return whole.then(*shown([back_term(exchange.back, tables)]), *more)


def parried(exchange: Exchange, full: Breakdown) -> Breakdown:
    """SO-11, SO-28: take the parry off a chance, and bring it within 0 to 100."""
    if exchange.guard is None:
        return clamped(full)
    return clamped(full.then(parry_term(exchange.guard[1])))
