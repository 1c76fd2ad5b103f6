"""What an attack may come to before its dice fall: every outcome counted, nothing sampled."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from types import MappingProxyType

from mushcombat.domain.breakdown import Term
from mushcombat.domain.dice import Throw
from mushcombat.records import record
from mushcombat.systems.otherspace.attack import attack_terms
from mushcombat.systems.otherspace.combat_sections import FULL
from mushcombat.systems.otherspace.contests import blast_terms, caught, gets_away
from mushcombat.systems.otherspace.damage import Blow, blow
from mushcombat.systems.otherspace.defence import Choice
from mushcombat.systems.otherspace.fighter import Fighter, remaining
from mushcombat.systems.otherspace.formulas import beats
from mushcombat.systems.otherspace.gear import Kind
from mushcombat.systems.otherspace.situation import Situation, kind_of
from mushcombat.systems.otherspace.tables import DiceRule, Tables

Chances = Mapping[int, Fraction]
"""Values, and how likely each is; they add up to 1."""

_NO_DICE: Chances = MappingProxyType({0: Fraction(1)})
_HALF = Fraction(1, 2)


@record(frozen=True, slots=True)
class Odds:
    """What an attack may come to.

    `damage` holds each amount and its chance, misses as 0; `bands` each word for the target's
    health afterwards; `reaches_zero` tells whether the most takes all that harm has left.
    """

    chance_to_hit: Fraction
    damage: Chances
    expected: Fraction
    most: int
    kind: Kind
    bands: Mapping[str, Fraction]
    reaches_zero: bool


class _Ones:
    """Dice that all show 1: they tell how many of what kind are thrown."""

    def throw(self, count: int, sides: int, label: str) -> Throw:
        """Give the lowest throw."""
        return Throw(0, label, sides, (1,) * count)


@cache
def dice_chances(dice: DiceRule) -> Chances:
    """OS-2: what the dice of a roll may come to, the lowest first."""
    least = dice.throw(_Ones(), "odds")
    thrown = product(range(1, least.sides + 1), repeat=len(least.faces))
    values = Counter(dice.value(Throw(0, "odds", least.sides, faces)) for faces in thrown)
    chances = {value: Fraction(n, values.total()) for value, n in sorted(values.items())}
    return MappingProxyType(chances)


def odds(
    attacker: Fighter,
    situation: Situation,
    defender: Fighter,
    choice: Choice,
    tables: Tables,
    *,
    extra_attack: Iterable[Term] = (),
    extra_defence: Iterable[Term] = (),
) -> Odds:
    """Count every outcome of an attack against one defence; extras are what a referee adds.

    Against a detonation at point blank the choice is the roll that gets away (OS-19).
    """
    attack = _base(attack_terms(attacker, situation, tables), extra_attack)
    defence = _base(choice.terms, extra_defence)
    if situation.maneuver == "detonate":
        hit = _chance_of_blast(attack, defender, defence, choice, tables)
        amount = blow(attacker, defender, situation, 0, 0, tables).amount
        return _odds(hit, _mixed(hit, amount), defender, situation, tables)
    hit, damage = Fraction(0), defaultdict[int, Fraction](Fraction)
    for by, chance in _margins(attack - defence, choice, tables).items():
        hit += chance * beats(by, 0, tables)
        damage[blow(attacker, defender, situation, by, 0, tables).amount] += chance
    return _odds(hit, damage, defender, situation, tables)


def _base(terms: Iterable[Term], extra: Iterable[Term]) -> int:
    return sum(term.value for term in (*terms, *extra))


def _odds(
    hit: Fraction, damage: Chances, defender: Fighter, situation: Situation, tables: Tables
) -> Odds:
    most, kind = max(damage), kind_of(situation, tables)
    bands = defaultdict[str, Fraction](Fraction)
    for amount, chance in damage.items():
        bands[tables.combat.health.word(max(0, remaining(defender) - amount))] += chance
    return Odds(
        chance_to_hit=hit,
        damage=MappingProxyType(dict(sorted(damage.items()))),
        expected=sum((amount * chance for amount, chance in damage.items()), Fraction(0)),
        most=most,
        kind=kind,
        bands=MappingProxyType(dict(bands)),
        reaches_zero=_takes_all(defender, kind, most),
    )


def _takes_all(defender: Fighter, kind: Kind, amount: int) -> bool:
    """OS-49: whether so much harm leaves nothing; stun never kills."""
    return kind == "harm" and amount >= max(1, FULL - defender.harm)


def _defence_dice(choice: Choice, tables: Tables) -> Chances:
    return dice_chances(tables.dice) if choice.rolls else _NO_DICE


def _margins(base: int, choice: Choice, tables: Tables) -> Chances:
    """Count the margins that two rolls may come to, whose terms are `base` apart."""
    margins = defaultdict[int, Fraction](Fraction)
    for mine, chance in dice_chances(tables.dice).items():
        for theirs, other in _defence_dice(choice, tables).items():
            margins[base + mine - theirs] += chance * other
    return margins


def _chance_of_blast(
    holder: int, defender: Fighter, dodge: int, choice: Choice, tables: Tables
) -> Fraction:
    """OS-19: caught by the slower reaction, or not away in time."""
    mine = _base(blast_terms(defender, tables), ())
    by = dice_chances(tables.dice)
    at_once = sum(
        (
            a * d
            for x, a in by.items()
            for y, d in by.items()
            if caught(holder + x, mine + y, tables)
        ),
        Fraction(0),
    )
    dice = _defence_dice(choice, tables).items()
    late = sum((d for y, d in dice if not gets_away(dodge + y, tables)), Fraction(0))
    return at_once + (1 - at_once) * late


def _mixed(hit: Fraction, amount: int) -> Chances:
    """Give the chances of one amount, or of nothing."""
    damage = defaultdict[int, Fraction](Fraction)
    damage[amount] += hit
    damage[0] += 1 - hit
    return damage


def largest(
    attacker: Fighter,
    defender: Fighter,
    situation: Situation,
    options: Sequence[Choice],
    tables: Tables,
    *,
    extra: Iterable[Term] = (),
) -> Blow:
    """Give the largest blow there is, against the weakest of the defender's choices.

    `extra` are a referee's rulings on the attack.
    """
    weakest = min(options, key=lambda choice: choice.base)
    attack = _base(attack_terms(attacker, situation, tables), extra)
    most = max(_margins(attack - weakest.base, weakest, tables))
    return blow(attacker, defender, situation, most, 0, tables)


def could_kill(defender: Fighter, blows: Sequence[Blow]) -> bool:
    """OS-49, OS-51: whether blows together take all health that harm has left."""
    harm = sum(one.amount for one in blows if one.kind == "harm")
    return _takes_all(defender, "harm", harm)


def summary(of: Odds) -> str:
    """Write "Chance to hit 74%; expected damage 27, at most 64: can't reach 0."."""
    return f"{prospect(of, of.most)}: {reach(of.reaches_zero)}."


def prospect(of: Odds, most: int) -> str:
    """Write "Chance to hit 74%; expected damage 27, at most 64"."""
    what = "damage" if of.kind == "harm" else "stun"
    return f"{to_hit(of)}; expected {what} {_nearest(of.expected)}, at most {most}"


def reach(zero: bool) -> str:  # noqa: FBT001 -- one word for yes and one for no
    """Write whether a blow could take all health."""
    return "could reach 0" if zero else "can't reach 0"


def to_hit(of: Odds) -> str:
    """Write "Chance to hit 74%"."""
    return f"Chance to hit {_percent(of.chance_to_hit)}"


def _nearest(number: Fraction) -> int:
    """Round, halves up."""
    return int(number + _HALF)


def _percent(chance: Fraction) -> str:
    """Write a chance; what may and what may not happen is never 0% or 100%."""
    percent = _nearest(chance * FULL)
    if percent == 0 and chance:
        return "under 1%"
    return "over 99%" if percent == FULL and chance < 1 else f"{percent}%"
