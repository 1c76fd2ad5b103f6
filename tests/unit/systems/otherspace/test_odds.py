from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mushcombat.domain.breakdown import Term, modifier
from mushcombat.domain.dice import Throw
from mushcombat.systems.otherspace.attack import attack_terms
from mushcombat.systems.otherspace.contests import blast_terms, caught, gets_away
from mushcombat.systems.otherspace.damage import blow
from mushcombat.systems.otherspace.defence import Choice, better, choices
from mushcombat.systems.otherspace.fighter import Fighter, from_template, rolled
from mushcombat.systems.otherspace.formulas import beats
from mushcombat.systems.otherspace.odds import (
    could_kill,
    dice_chances,
    largest,
    odds,
    summary,
)
from mushcombat.systems.otherspace.situation import Situation
from mushcombat.systems.otherspace.tables import Tables
from tests.unit.systems.otherspace.fighters import fighter

FUDGE = [Throw(0, "roll", 3, faces) for faces in product((1, 2, 3), repeat=4)]
D10 = [Throw(0, "roll", 10, (face,)) for face in range(1, 11)]
ADA = fighter(attributes={"Dexterity": 5, "Psi": 5}, skills={"Pistol": 6})
SHOT = Situation(weapon="pistol", feet=30, movement="walking")
GRENADE = Situation("detonate", weapon="grenade")


def thug(tables: Tables) -> Fighter:
    return from_template(tables.combat.templates[0], 2, "Thug", tables)


def test_os_2_the_chances_of_the_dice(tables: Tables, d10: Tables) -> None:
    fudge = [chance * 81 for chance in dice_chances(tables.dice).values()]
    assert fudge == [1, 4, 10, 16, 19, 16, 10, 4, 1]
    assert dict(dice_chances(d10.dice)) == {n: Fraction(1, 10) for n in range(-4, 6)}


def test_os_51_the_odds_of_the_first_fight(tables: Tables) -> None:
    target = thug(tables)
    choice = better(choices(target, SHOT, tables=tables), tables)
    told = summary(odds(ADA, SHOT, target, choice, tables))
    assert told == "Chance to hit 74%; expected damage 27, at most 64: can't reach 0."


def brute(
    attacker: Fighter, situation: Situation, defender: Fighter, choice: Choice, tables: Tables
) -> tuple[Fraction, dict[int, Fraction]]:
    """Roll every throw against every throw, as a fight does it."""
    throws = FUDGE if tables.dice.kind == "4dF" else D10
    terms = attack_terms(attacker, situation, tables)
    attacks = Counter(rolled(terms, throw, tables).total for throw in throws)
    defences = Counter([choice.base])
    if choice.rolls:
        defences = Counter(rolled(choice.terms, throw, tables).total for throw in throws)
    every = attacks.total() * defences.total()
    hits, damage = 0, Counter[int]()
    for (attack, n), (defence, m) in product(attacks.items(), defences.items()):
        hits += n * m * beats(attack, defence, tables)
        damage[blow(attacker, defender, situation, attack, defence, tables).amount] += n * m
    return Fraction(hits, every), {amount: Fraction(n, every) for amount, n in damage.items()}


@settings(max_examples=60)
@given(data=st.data(), late=st.booleans())
def test_the_odds_agree_with_every_throw_against_every_throw(
    tables: Tables, d10: Tables, data: st.DataObject, *, late: bool
) -> None:
    rules = d10 if late else tables
    weapon = data.draw(st.sampled_from(["pistol", "automatic rifle", "stun pistol", "sword"]))
    situation = Situation(weapon=weapon, cover=data.draw(st.integers(0, 100)))
    target = fighter(
        harm=data.draw(st.integers(0, 100)),
        armour=data.draw(st.sampled_from(["", "kevlar"])),
        skills={"Athletics": data.draw(st.integers(0, 9))},
    )
    choice = data.draw(st.sampled_from(choices(target, situation, tables=rules)))
    found = odds(ADA, situation, target, choice, rules)
    hit, damage = brute(ADA, situation, target, choice, rules)
    assert (found.chance_to_hit, found.damage) == (hit, damage)
    assert sum(found.damage.values()) == sum(found.bands.values()) == 1
    assert found.expected == sum(amount * chance for amount, chance in damage.items())
    assert found.most == max(damage)


def test_os_26_the_helpless_roll_no_dice(tables: Tables) -> None:
    asleep = fighter(harm=90)
    (choice,) = choices(asleep, SHOT, tables=tables)
    found = odds(ADA, SHOT, asleep, choice, tables)
    assert found.chance_to_hit == 1 - Fraction(1 + 4, 81)
    assert found.bands == {"down": 1}
    assert found.reaches_zero


def test_what_the_referee_rules_counts(tables: Tables) -> None:
    target = thug(tables)
    choice = better(choices(target, SHOT, tables=tables), tables)
    plain = odds(ADA, SHOT, target, choice, tables)
    ruled = odds(ADA, SHOT, target, choice, tables, extra_attack=[modifier(-1, "steam")])
    wary = odds(ADA, SHOT, target, choice, tables, extra_defence=[modifier(1, "warned")])
    assert ruled == wary
    assert ruled.chance_to_hit < plain.chance_to_hit


def test_os_42_the_bands_tell_how_the_target_may_end(tables: Tables) -> None:
    target = thug(tables)
    choice = better(choices(target, SHOT, tables=tables), tables)
    found = odds(ADA, SHOT, target, choice, tables)
    assert found.bands["unhurt"] == 1 - found.chance_to_hit
    assert set(found.bands) == {"unhurt", "scratched", "hurt"}


def test_os_19_the_odds_of_a_blast_in_the_hand(tables: Tables) -> None:
    target = thug(tables)
    (choice,) = choices(target, GRENADE, tables=tables)
    found = odds(ADA, GRENADE, target, choice, tables)
    hits = late = 0
    holder, mine = attack_terms(ADA, GRENADE, tables), blast_terms(target, tables)
    for attack, reaction in product(FUDGE, FUDGE):
        totals = rolled(holder, attack, tables).total, rolled(mine, reaction, tables).total
        hits += caught(*totals, tables)
    late = sum(not gets_away(rolled(choice.terms, throw, tables).total, tables) for throw in FUDGE)
    at_once = Fraction(hits, 81 * 81)
    assert found.chance_to_hit == at_once + (1 - at_once) * Fraction(late, 81)
    assert found.damage == {0: 1 - found.chance_to_hit, 36: found.chance_to_hit}


def test_os_52_the_odds_of_a_disarm_have_no_damage(tables: Tables) -> None:
    disarm = Situation("disarm", weapon="sword")
    target = thug(tables)
    choice = better(choices(target, disarm, tables=tables), tables)
    found = odds(ADA, disarm, target, choice, tables)
    assert 0 < found.chance_to_hit < 1
    assert found.damage == {0: 1}
    assert "expected damage 0, at most 0: can't reach 0." in summary(found)


def test_what_may_happen_is_never_told_as_never(tables: Tables) -> None:
    far = Situation(weapon="pistol", band="extreme", movement="walking")
    quick = fighter(attributes={"Dexterity": 7})
    choice = better(choices(quick, far, tables=tables), tables)
    assert "Chance to hit under 1%" in summary(odds(ADA, far, quick, choice, tables))
    good = fighter(skills={"Pistol": 9})
    near = Situation(weapon="pistol")
    slow = better(choices(fighter(), near, tables=tables), tables)
    assert "Chance to hit over 99%" in summary(odds(good, near, fighter(), slow, tables))
    sure = odds(fighter(skills={"Pistol": 20}), near, fighter(), slow, tables)
    assert "Chance to hit 100%" in summary(sure)
    assert summary(sure).endswith("could reach 0.")
    never = odds(
        fighter(),
        near,
        fighter(attributes={"Dexterity": 20}),
        Choice("none", (modifier(9, "x"),)),
        tables,
    )
    assert summary(never) == "Chance to hit 0%; expected damage 0, at most 0: can't reach 0."


def test_os_43_stun_is_told_as_stun(tables: Tables) -> None:
    stun = Situation(weapon="stun pistol")
    weak = fighter(harm=80)
    choice = better(choices(weak, stun, tables=tables), tables)
    told = summary(odds(ADA, stun, weak, choice, tables))
    assert "expected stun" in told
    assert told.endswith("can't reach 0.")


def kills(target: Fighter, situation: Situation, tables: Tables, *ruled: Term) -> bool:
    """Tell whether Ada could kill with one blow."""
    options = choices(target, situation, tables=tables)
    return could_kill(target, [largest(ADA, target, situation, options, tables, extra=ruled)])


@pytest.mark.parametrize(
    ("harm", "deadly"), [(0, False), (35, False), (36, True), (99, True), (100, True)]
)
def test_os_51_the_referee_is_warned_when_the_next_blow_could_kill(
    tables: Tables, harm: int, *, deadly: bool
) -> None:
    target = fighter("Thug", harm=harm, armour="leather jacket")
    same = choices(fighter("Thug", armour="leather jacket"), SHOT, tables=tables)
    assert could_kill(target, [largest(ADA, target, SHOT, same, tables)]) is deadly


def test_os_51_the_weakest_defence_counts_and_what_is_ruled(tables: Tables) -> None:
    target = fighter(harm=28, armour="leather jacket", skills={"Athletics": 0})
    assert kills(target, SHOT, tables)
    agile = fighter(harm=28, armour="leather jacket", skills={"Athletics": 7})
    assert not kills(agile, SHOT, tables)
    assert kills(agile, SHOT, tables, modifier(2, "from behind"))


def test_os_31_os_51_two_blows_of_one_action_may_kill_together(tables: Tables) -> None:
    fresh = fighter("Thug")
    one = largest(ADA, fresh, SHOT, choices(fresh, SHOT, tables=tables), tables)
    stun = replace(one, kind="stun")
    assert one.amount == 68
    assert not could_kill(fresh, [one])
    assert could_kill(fresh, [one, one])
    assert not could_kill(fresh, [one, stun])


@pytest.mark.parametrize(
    "situation",
    [
        Situation(weapon="stun pistol"),
        Situation(weapon="club", stun=True),
        Situation("disarm", weapon="sword"),
        Situation(weapon="pistol", card="Suppressing Fire"),
    ],
)
def test_os_51_what_does_no_harm_never_kills(tables: Tables, situation: Situation) -> None:
    assert not kills(fighter(harm=99), situation, tables)


def test_os_51_a_blast_in_the_hand_may_kill_too(tables: Tables) -> None:
    assert kills(fighter(harm=60), GRENADE, tables)
    assert not kills(fighter(harm=59), GRENADE, tables)
