from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.domain.breakdown import modifier
from mushcombat.systems.spaceopera.exchange import Exchange, base, parried, share_of, unparried
from mushcombat.systems.spaceopera.fighter import DAMAGED, Fighter
from mushcombat.systems.spaceopera.formulas import (
    armour_needs,
    attacks,
    back_term,
    basic,
    clamped,
    cost_term,
    device_damage,
    disarm_terms,
    factor,
    passes,
    penetration,
    protection,
    wound_of,
)
from mushcombat.systems.spaceopera.tables import Weapon
from tests.unit.systems.spaceopera.arena import TABLES

ADA = Fighter(1, "Ada", factor=32, personal=3, load="heavy")
BRAM = Fighter(2, "Bram", factor=33)


def weapon(name: str) -> Weapon:
    return TABLES.weapon(name)


def guard(device: str, **expertise: int) -> int:
    thing = TABLES.thing(device)
    assert thing.parry is not None
    return protection(Fighter(1, "Ada", expertise=expertise), thing, thing.parry, TABLES).total


def test_so_5_and_24_the_seeds_example_is_36_to_hit() -> None:
    chance = basic(ADA, weapon("knife"), weapon("shortsword"), "", TABLES)
    assert chance.formula() == (
        "HTH factor 32 + 3 (knife faster than shortsword) + 3 (personal) - 2 (heavy load) = 36"
    )


def test_so_24_a_slower_weapon_costs_nothing_and_a_medium_load_one() -> None:
    slow = replace(ADA, load="medium", personal=0)
    assert basic(slow, weapon("axe"), weapon("knife"), "", TABLES).total == 31
    assert basic(slow, weapon("axe"), None, "", TABLES).total == 31
    assert basic(ADA, weapon("knife"), weapon("sword"), "", TABLES).total == 39


def test_so_6_from_the_rear_33_becomes_17_and_from_the_side_25() -> None:
    rear = basic(BRAM, weapon("sword"), None, "rear", TABLES)
    assert rear.formula() == "HTH factor 33 - 16 (engaged from the rear, 50%) = 17"
    assert basic(BRAM, weapon("sword"), None, "side", TABLES).total == 25


@given(st.integers(0, 150), st.sampled_from(["", "side", "rear"]))
def test_so_6_fractions_are_rounded_up(level: int, engaged: str) -> None:
    parts = {"": 4, "side": 3, "rear": 2}[engaged]
    found = basic(replace(BRAM, factor=level), weapon("sword"), None, engaged, TABLES).total
    assert 0 <= 4 * found - parts * level < 4


def test_so_7_and_28_a_turned_back_gives_25_or_40_points() -> None:
    assert back_term("turning", TABLES).text == "25 (turning to face it)"
    assert back_term("kept", TABLES).text == "40 (from behind)"
    assert back_term("", TABLES).value == 0


def test_so_9_the_chance_to_hit_is_basic_initiative_without_its_die() -> None:
    exchange = Exchange(BRAM, weapon("sword"), ADA, weapon("axe"), "side")
    assert (
        base(exchange, TABLES).total
        == basic(BRAM, weapon("sword"), weapon("axe"), "side", TABLES).total
    )


@pytest.mark.parametrize(
    ("chance", "skill", "most"),
    [(50, 5, 1), (51, 0, 2), (50, 6, 2), (80, 8, 2), (81, 0, 3), (20, 9, 3)],
)
def test_so_10_a_chance_over_50_or_expertise_6_splits_in_two_over_80_or_9_in_three(
    chance: int, skill: int, most: int
) -> None:
    assert attacks(chance, skill, ADA, TABLES) == most
    assert attacks(chance, skill, replace(ADA, wounds={"serious": 1}), TABLES) == 1


def test_so_10_a_share_stands_in_the_sum_and_nothing_else_is_lost() -> None:
    exchange = Exchange(BRAM, weapon("sword"), ADA, weapon("sword"), back="kept")
    chance = unparried(exchange, TABLES, share=share_of(base(exchange, TABLES), (20, 13), 0))
    assert chance.formula() == "HTH factor 33 - 13 (the other shares) + 40 (from behind) = 60"


def test_so_10_what_a_share_leaves_is_the_others_and_what_is_in_none() -> None:
    sure = basic(replace(BRAM, factor=100), weapon("sword"), weapon("axe"), "", TABLES)
    assert share_of(sure, (60, 40), 1).formula() == (
        "HTH factor 100 + 3 (sword faster than axe) - 60 (the other shares) - 3 (in no share) = 40"
    )


@given(
    st.integers(-20, 150), st.lists(st.integers(1, 50), min_size=2, max_size=3), st.integers(0, 2)
)
def test_so_10_shares_never_come_to_more_than_the_chance_or_than_was_declared(
    level: int, shares: list[int], place: int
) -> None:
    whole = basic(replace(BRAM, factor=level), weapon("sword"), None, "", TABLES)
    each = [share_of(whole, shares, at).total for at in range(len(shares))]
    assert each[place % len(each)] <= shares[place % len(each)]
    assert level < 0 or sum(each) == min(sum(shares), level, 100)


def test_so_11_the_protection_is_taken_off_and_its_sum_is_shown() -> None:
    shield = TABLES.thing("target shield")
    assert shield.parry is not None
    user = replace(ADA, expertise={"shield": 4})
    held = shield, protection(user, shield, shield.parry, TABLES)
    exchange = Exchange(BRAM, weapon("sword"), user, weapon("sword"), guard=held)
    chance = parried(exchange, unparried(exchange, TABLES))
    assert chance.formula() == "HTH factor 33 - 32 (target shield 20 + 3 x shield 4) = 1"


def test_so_12_small_devices_take_2_a_level_of_their_own() -> None:
    assert guard("knife") == 5
    assert guard("knife", knife=3) == 11
    for tool in ("bottle", "wrench", "screwdriver"):
        assert guard(tool, **{tool: 3}, brawling=9) == 11


def test_so_12_what_has_no_expertise_of_its_own_takes_1_a_level_of_brawling() -> None:
    assert guard("plain tool", brawling=3) == 8
    assert guard("random object", brawling=3, shield=9) == 8


def test_so_13_long_weapons_take_2_a_level_and_what_is_made_for_parrying_3() -> None:
    assert guard("sword", sword=4) == 18
    assert guard("main gauche", **{"main gauche": 4}) == 22
    assert guard("buckler", shield=4) == 22


def test_so_14_a_20_percent_shield_at_expertise_4_takes_32_off() -> None:
    assert guard("target shield", shield=4) == 32
    assert guard("chair", shield=4, brawling=4) == 24


def test_so_15_a_30_percent_device_with_expertise_4_costs_the_user_26() -> None:
    user = replace(ADA, expertise={"shield": 4})
    assert cost_term(user, TABLES.thing("tower shield")).text == "26 (own tower shield)"
    assert cost_term(user, TABLES.thing("tower shield")).value == -26
    assert cost_term(user, TABLES.thing("target shield")).value == 0
    assert cost_term(user, None).value == 0
    assert guard("tower shield", shield=4) == 42
    assert guard("small table", brawling=2) == 32
    assert cost_term(replace(user, expertise={"brawling": 9}), TABLES.thing("small table")) == (
        modifier(-30, "own small table", "SO-15")
    )


def test_so_16_device_damage_with_expertises_6_and_3_is_41() -> None:
    assert device_damage(6, 3, TABLES).formula() == "5 x 6 - 3 x 3 + 20 = 41"
    assert device_damage(0, 10, TABLES).formula() == "5 x 0 - 3 x 10 + 20 = -10, not under 0 = 0"


def test_so_17_half_are_penetrated_with_what_is_ruled_and_a_lightsword_goes_through_wood() -> None:
    tech = (modifier(30, "tech level", by="Rhea"),)
    sword, shield = weapon("sword"), TABLES.thing("target shield")
    assert penetration(sword, shield, (), TABLES).total == 50
    assert penetration(sword, shield, tech, TABLES).formula() == (
        "50 (penetration) + 30 (tech level) = 80"
    )
    sure = penetration(weapon("lightsword"), TABLES.thing("chair"), tech, TABLES)
    assert sure.formula().endswith("+ 20 (lightsword through wood) = 100")
    more = (modifier(70, "tech level"),)
    assert penetration(weapon("lightsword"), TABLES.thing("chair"), more, TABLES).total == 100
    assert penetration(weapon("lightsword"), shield, (), TABLES).total == 50


def test_so_19_a_damaged_weapon_protects_half_fractions_up() -> None:
    user = Fighter(1, "Ada", expertise={"knife": 3}, things={"knife": DAMAGED})
    knife = weapon("knife")
    assert knife.parry is not None
    found = protection(user, knife, knife.parry, TABLES)
    assert found.formula() == "knife 5 + 2 x knife 3 - 5 (damaged, 50%) = 6"


def test_so_20_disarm_at_expertise_5_is_minus_10_and_a_shield_counts_its_own_factor() -> None:
    defender = Fighter(2, "Bram", expertise={"sword": 5, "shield": 4})
    (grip,) = disarm_terms(defender, weapon("sword"), "weapon", TABLES)
    assert (grip.value, grip.text) == (-10, "10 (2 x sword 5)")
    terms = disarm_terms(defender, TABLES.thing("target shield"), "shield", TABLES)
    assert [term.value for term in terms] == [-4, -20]
    assert disarm_terms(BRAM, weapon("unarmed"), "shield", TABLES) == ()


def test_so_20_a_chair_is_held_by_shield_expertise_and_a_main_gauche_by_its_own() -> None:
    expertise = {"shield": 4, "brawling": 9, "main gauche": 3}
    defender = Fighter(2, "Bram", expertise=expertise)
    chair = disarm_terms(defender, TABLES.thing("chair"), "shield", TABLES)
    assert [term.text for term in chair] == ["4 (1 x shield 4)", "20 (chair)"]
    gauche = disarm_terms(defender, weapon("main gauche"), "shield", TABLES)
    assert [term.text for term in gauche] == ["3 (1 x main gauche 3)", "10 (main gauche)"]


def test_so_23_the_factor_is_worked_out_by_kind_and_training_to_the_nearest() -> None:
    bare = Fighter(1, "Ada", expertise={"sword": 3, "axe": 3, "unarmed": 3})
    assert factor(bare, weapon("sword"), TABLES).text == "HTH factor 20 (80% of 3 + 20 + 2)"
    assert factor(bare, weapon("axe"), TABLES).text == "HTH factor 20 (80% of 3 + 2/3 of 30 + 2)"
    assert factor(bare, weapon("unarmed"), TABLES).value == 20
    armsman = replace(bare, training="Armsman", characteristics={"Dexterity": 14})
    assert factor(armsman, weapon("sword"), TABLES).value == 32  # 29 x 1.1 = 31.9
    assert factor(ADA, weapon("sword"), TABLES).text == "HTH factor 32"


def test_so_25_each_weapon_has_its_number_for_each_class_one_at_least() -> None:
    numbers = {
        (name, armour): armour_needs(weapon(name), armour, TABLES)
        for name in ("knife", "sword", "axe", "lightsword", "unarmed")
        for armour in ("A", "F", "K")
    }
    assert [numbers["knife", one] for one in "AFK"] == [11, 6, 1]
    assert [numbers["sword", one] for one in "AFK"] == [10, 5, 1]
    assert [numbers["axe", one] for one in "AFK"] == [9, 4, 1]
    assert [numbers["lightsword", one] for one in "AFK"] == [7, 2, 1]
    assert [numbers["unarmed", one] for one in "AFK"] == [13, 8, 3]
    assert armour_needs(weapon("knife"), "", TABLES) is None


@pytest.mark.parametrize(
    ("total", "name"),
    [(-2, "light"), (7, "light"), (8, "medium"), (13, "medium"), (14, "serious"), (17, "serious")],
)
def test_so_26_a_wound_is_by_its_roll(total: int, name: str) -> None:
    assert wound_of(total, TABLES).name == name
    assert wound_of(18, TABLES).name == wound_of(10_000, TABLES).name == "critical"


def test_so_26_wounds_add_up_on_the_factor() -> None:
    hurt = replace(BRAM, wounds={"light": 1, "medium": 2, "serious": 1})
    chance = basic(hurt, weapon("sword"), None, "", TABLES)
    assert chance.formula() == ("HTH factor 33 - 6 (2 medium wounds) - 10 (serious wound) = 17")
    assert not hurt.out(TABLES)
    assert replace(hurt, wounds={"critical": 1}).out(TABLES)
    assert not replace(hurt, wounds={"critical": 0}).out(TABLES)


def test_so_27_a_check_is_made_at_or_under_and_20_fails() -> None:
    assert passes(10, 10, TABLES)
    assert not passes(10, 11, TABLES)
    assert not passes(25, 20, TABLES)


def test_so_28_chances_are_kept_within_0_and_100_and_shown_as_they_were() -> None:
    sure = unparried(Exchange(BRAM, weapon("sword"), ADA, weapon("sword"), back="kept"), TABLES)
    high = clamped(sure.then(modifier(60, "asleep")))
    assert high.formula() == (
        "HTH factor 33 + 40 (from behind) + 60 (asleep) = 133, not over 100 = 100"
    )
    assert clamped(sure.then(modifier(-90, "fog"))).total == 0


def test_so_28_a_weapon_that_parries_uses_its_own_expertise() -> None:
    user = Fighter(1, "Ada", expertise={"sword": 5, "shield": 2, "brawling": 1, "bottle": 3})
    assert user.hold(weapon("sword")) == ("sword", 5)
    assert user.hold(weapon("bottle")) == ("bottle", 3)
    assert user.hold(TABLES.thing("buckler")) == ("shield", 2)
    assert user.hold(TABLES.thing("chair")) == ("shield", 2)
    assert user.parry_skill(weapon("bottle")) == 3
    assert user.parry_skill(TABLES.thing("chair")) == 1
    assert user.parry_skill(weapon("unarmed")) == 0
