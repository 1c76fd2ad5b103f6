from __future__ import annotations

from itertools import takewhile
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.systems.otherspace.damage import Blow, blow
from mushcombat.systems.otherspace.fighter import Fighter
from mushcombat.systems.otherspace.situation import Situation
from mushcombat.systems.otherspace.tables import Tables, load
from tests.unit.systems.otherspace.fighters import fighter, worked
from tests.unit.systems.otherspace.test_tables import changed

ADA = fighter(attributes={"Psi": 6})
THUG = fighter("Thug", armour="leather jacket")


def done(
    tables: Tables,
    situation: Situation,
    rolls: tuple[int, int] = (6, 4),
    attacker: Fighter = ADA,
    defender: Fighter = THUG,
) -> str:
    what = blow(attacker, defender, situation, *rolls, tables)
    assert what.breakdown is not None
    assert what.amount == what.breakdown.total
    return what.breakdown.formula()


def test_the_blow_of_the_first_fight(tables: Tables) -> None:
    assert done(tables, Situation(weapon="pistol"), (5, 2)) == (
        "ODF 35 + 5 x 3 - DDF 5 = 45, less Constitution 4 (20%) = 36"
    )
    assert done(tables, Situation(weapon="pistol"), (7, 2)) == (
        "ODF 35 + 5 x 5 - DDF 5 = 55, less Constitution 4 (20%) = 44"
    )


@pytest.mark.parametrize("rolls", [(4, 4), (3, 4), (-4, 8)])
def test_os_37_an_attack_that_does_not_beat_the_defence_does_nothing(
    tables: Tables, rolls: tuple[int, int]
) -> None:
    assert blow(ADA, THUG, Situation(weapon="sword"), *rolls, tables) == Blow(None, "harm", 0)


def test_os_5_where_ties_are_the_attackers_an_even_blow_lands(rules: str) -> None:
    bold = load(rules.replace('tie = "defender"', 'tie = "attacker"'), "x")
    assert done(bold, Situation(weapon="pistol"), (4, 4)) == (
        "ODF 35 - DDF 5 = 30, less Constitution 4 (20%) = 24"
    )


def test_os_33_in_melee_strength_counts(tables: Tables) -> None:
    assert done(tables, Situation(weapon="sword")) == (
        "ODF 50 + 5 x Strength 4 + 5 x 2 - DDF 5 = 75, less Constitution 4 (20%) = 60"
    )


def test_os_46_strength_and_constitution_count_with_their_losses(tables: Tables) -> None:
    hurt = fighter(quirks=("Heavily Wounded",))
    assert done(tables, Situation(weapon="sword"), attacker=hurt, defender=hurt) == (
        "ODF 50 + 5 x Strength 3 (Heavily Wounded) + 5 x 2 = 75, "
        "less Constitution 3 (Heavily Wounded) (15%) = 63"
    )


def test_os_20_claws_and_bare_hands(tables: Tables) -> None:
    assert done(tables, Situation(weapon="claws")).startswith("ODF 10 + 5 x Strength 4 + 5 x 2")
    assert done(tables, Situation(weapon="unarmed")).startswith("ODF 0 + 5 x Strength 4 + 5 x 2")


def test_os_22_a_bottle_is_half_a_knife(tables: Tables) -> None:
    assert done(tables, Situation(weapon="knife", improvised=True)) == (
        "ODF 7 (improvised knife) + 5 x Strength 4 + 5 x 2 - DDF 5 = 32,"
        " less Constitution 4 (20%) = 25"
    )


def test_os_13_all_shots_of_a_burst_hit_and_constitution_counts_once(tables: Tables) -> None:
    assert done(tables, Situation(weapon="automatic rifle")) == (
        "ODF 40 + 5 x 2 - DDF 5 + 2 x 45 (further shots) = 135, less Constitution 4 (20%) = 108"
    )


def test_os_13_a_burst_that_armour_stops_does_nothing(tables: Tables) -> None:
    tank = fighter(armour="heavy armour")
    soft = tables.combat.weapon("automatic rifle").model_copy(update={"odf": 10})
    others = tuple(w for w in tables.combat.weapons if w.name != soft.name)
    weak = tables.model_copy(
        update={"combat": tables.combat.model_copy(update={"weapons": (*others, soft)})}
    )
    assert done(weak, Situation(weapon="automatic rifle"), defender=tank) == (
        "ODF 10 + 5 x 2 - DDF 30 = -10, not under 0 = 0"
    )


def test_os_15_against_sonic_weapons_armour_is_a_liability(tables: Tables) -> None:
    assert done(tables, Situation(weapon="sonic gun"), defender=fighter(armour="kevlar")) == (
        "ODF 25 + 5 x 2 + DDF 15 = 50, less Constitution 4 (20%) = 40"
    )


def test_os_35_the_mind_against_the_mind(tables: Tables) -> None:
    situation = Situation("psi", weapon="mind blast")
    assert done(tables, situation) == (
        "10 x Psi 6 + 10 x 2 - 10 x Intelligence 4 = 40, less Constitution 4 (20%) = 32"
    )
    bright = fighter(attributes={"Intelligence": 9})
    assert done(tables, situation, defender=bright) == (
        "10 x Psi 6 + 10 x 2 - 10 x Intelligence 9 = -10, not under 0 = 0"
    )
    assert done(tables, Situation("psi", skill="Telepathy")) == done(tables, situation)


def test_os_53_a_grapple_knows_neither_armour_nor_strength(tables: Tables) -> None:
    assert done(tables, Situation("grapple", weapon="sword")) == (
        "5 x 2 less Constitution 4 (20%) = 8"
    )
    assert blow(ADA, THUG, Situation("grapple", stun=True), 6, 4, tables).kind == "stun"


def test_os_52_a_disarm_does_no_damage(tables: Tables) -> None:
    assert blow(ADA, THUG, Situation("disarm", weapon="sword"), 9, 1, tables).breakdown is None


def test_os_34_a_grenade_does_ranged_damage(tables: Tables) -> None:
    assert done(tables, Situation("throw", weapon="grenade")) == (
        "ODF 50 + 5 x 2 - DDF 5 = 55, less Constitution 4 (20%) = 44"
    )


def test_os_19_at_point_blank_there_is_no_margin(tables: Tables) -> None:
    situation = Situation("detonate", weapon="grenade")
    for rolls in ((9, 1), (1, 9)):
        assert done(tables, situation, rolls) == (
            "ODF 50 - DDF 5 = 45, less Constitution 4 (20%) = 36"
        )


def test_os_54_power_blow_and_suppressing_fire(tables: Tables) -> None:
    assert done(tables, Situation(weapon="club", card="Power Blow")) == (
        "ODF 35 + 15 (Power Blow) + 5 x Strength 4 + 5 x 2 - DDF 5 = 75,"
        " less Constitution 4 (20%) = 60"
    )
    quiet = Situation(weapon="rifle", card="Suppressing Fire")
    assert blow(ADA, THUG, quiet, 6, 4, tables) == Blow(None, "harm", 0)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({}, "ODF 35 + 5 x 2 = 45, less Constitution 4 (20%) = 36"),
        ({"gifts": ["Tough"]}, "ODF 35 + 5 x 2 = 45, less Constitution 4 (20%), Tough (5%) = 33"),
        ({"faults": ["Frail"]}, "ODF 35 + 5 x 2 = 45, less Constitution 4 (20%), Frail (-5%) = 38"),
        (
            {"gifts": ["Tough"], "faults": ["Frail"]},
            "ODF 35 + 5 x 2 = 45, less Constitution 4 (20%) = 36",
        ),
        (
            {"faults": ["Frail"], "attributes": {"Constitution": 0}},
            "ODF 35 + 5 x 2 = 45, less Constitution 0 (0%), Frail (-5%) = 47",
        ),
        (
            {"gifts": ["Tough"], "attributes": {"Constitution": 20}},
            "ODF 35 + 5 x 2 = 45, less Constitution 20 (100%), Tough (5%) = 0",
        ),
        ({"attributes": {"Constitution": 0}}, "ODF 35 + 5 x 2 = 45"),
    ],
)
def test_os_36_os_7a_tough_and_frail_drop_fractions_once_with_constitution(
    tables: Tables, changes: dict[str, Any], text: str
) -> None:
    assert done(tables, Situation(weapon="pistol"), defender=fighter(**changes)) == text


def test_os_36_where_constitution_takes_points_the_gift_takes_a_share_of_the_rest(
    flat: Tables,
) -> None:
    tough = fighter(gifts=["Tough"])
    assert done(flat, Situation(weapon="pistol"), defender=tough) == (
        "ODF 35 + 5 x 2 = 45, less Constitution 4 (5 x 4) = 25, less Tough (5%) = 23"
    )
    assert done(flat, Situation("grapple"), defender=fighter()) == (
        "5 x 2 less Constitution 4 (5 x 4) = -10, not under 0 = 0"
    )
    assert done(flat, Situation("grapple"), defender=tough).endswith("not under 0 = 0")


def test_os_20_a_club_may_stun(tables: Tables) -> None:
    stun = blow(ADA, THUG, Situation(weapon="club", stun=True), 6, 4, tables)
    harm = blow(ADA, THUG, Situation(weapon="club"), 6, 4, tables)
    assert (stun.kind, harm.kind, stun.amount) == ("stun", "harm", harm.amount)


situations = st.sampled_from(
    [
        *(
            Situation(weapon=w)
            for w in ("pistol", "automatic rifle", "sonic gun", "sword", "claws")
        ),
        *(Situation(weapon=w, card="Power Blow") for w in ("rifle", "club")),
        Situation(weapon="knife", improvised=True),
        Situation("grapple"),
        Situation("psi", weapon="mind blast"),
        Situation("detonate", weapon="grenade"),
    ]
)
levels = st.integers(0, 20)


@given(
    situation=situations,
    rolls=st.tuples(st.integers(-9, 30), st.integers(-9, 30)),
    levels=st.tuples(levels, levels, levels),
    suit=st.sampled_from(["", "leather jacket", "kevlar", "heavy armour"]),
    gifts=st.sets(st.sampled_from(["Tough"])),
    faults=st.sets(st.sampled_from(["Frail"])),
)
def test_the_terms_of_a_blow_add_up_and_the_text_says_the_same(
    tables: Tables,
    flat: Tables,
    situation: Situation,
    rolls: tuple[int, int],
    levels: tuple[int, int, int],
    suit: str,
    gifts: set[str],
    faults: set[str],
) -> None:
    attacker = fighter(attributes={"Strength": levels[0], "Psi": levels[0]})
    body = {"Constitution": levels[1], "Intelligence": levels[2]}
    defender = fighter(attributes=body, armour=suit, gifts=gifts, faults=faults)
    for rules in (tables, flat):
        what = blow(attacker, defender, situation, *rolls, rules)
        assert what.amount >= 0
        if what.breakdown is None:
            assert rolls[0] <= rolls[1]
            continue
        total = sum(term.value for term in what.breakdown.terms)
        assert what.amount == what.breakdown.total == total
        before = takewhile(lambda term: term.op != "less", what.breakdown.terms)
        assert worked(what.breakdown) == sum(term.value for term in before)


def test_a_damage_that_is_never_under_something_else(rules: str) -> None:
    hard = load(changed(rules, ("least = 0", "least = 2")), "x")
    tank = fighter(armour="heavy armour", attributes={"Constitution": 0})
    assert done(
        hard,
        Situation(weapon="knife"),
        (5, 4),
        attacker=fighter(attributes={"Strength": 0}),
        defender=tank,
    ) == ("ODF 15 + 5 x 1 - DDF 30 = -10, not under 2 = 2")
