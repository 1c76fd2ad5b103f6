from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.domain.breakdown import modifier
from mushcombat.errors import MushError
from mushcombat.systems.otherspace.attack import (
    attack_terms,
    check_possible,
    notes,
    odf,
    recoil,
    standing_notes,
)
from mushcombat.systems.otherspace.combat_sections import BANDS
from mushcombat.systems.otherspace.situation import Situation, read_modifiers
from mushcombat.systems.otherspace.tables import Tables, load
from tests.unit.systems.otherspace.fighters import fighter, written
from tests.unit.systems.otherspace.test_tables import changed


def begun(tables: Tables, situation: Situation, **changes: Any) -> str:
    """Write what an attack begins with, without the skill itself."""
    terms = attack_terms(fighter(**changes), situation, tables)
    return " ".join(f"{term.op} {term.text}" for term in terms[1:])


def refusal(tables: Tables, situation: Situation, **changes: Any) -> str:
    with pytest.raises(MushError) as caught:
        check_possible(fighter(**changes), situation, tables)
    return str(caught.value)


def test_the_attack_of_the_first_fight(tables: Tables) -> None:
    situation = read_modifiers(["30 feet", "walking"], tables, Situation(weapon="pistol"))
    ada = fighter(attributes={"Dexterity": 5}, skills={"Pistol": 6})
    assert written(attack_terms(ada, situation, tables)) == (
        "Pistol 6 (Great) - 1 (medium range) - 1 (walking) = 4"
    )


def test_os_12_a_pistol_at_long_range_is_at_minus_three(tables: Tables) -> None:
    assert begun(tables, Situation(weapon="pistol", band="long")) == "- 3 (long range)"


@pytest.mark.parametrize(
    ("weapon", "modifiers"),
    [
        ("pistol", (0, 0, -1, -3, -6)),
        ("rifle", (-1, 0, 0, -1, -4)),
        ("automatic rifle", (-1, 0, 0, -1, -4)),
        ("sonic gun", (0, -1, None, None, None)),
        ("sniper rifle", (-3, -2, -1, 0, 0)),
        ("railgun", (-1, -1, -1, -1, -1)),
        ("grenade", (0, 0, -1, -3, None)),
    ],
)
def test_os_12_each_range_has_its_modifier_or_no_shot(
    tables: Tables, weapon: str, modifiers: tuple[int | None, ...]
) -> None:
    for band, value in zip(BANDS, modifiers, strict=True):
        situation = Situation(weapon=weapon, band=band)
        if value is None:
            assert f"The {weapon} has no shot at {band} range." in refusal(tables, situation)
            continue
        check_possible(fighter(), situation, tables)
        assert begun(tables, situation) == (f"- {-value} ({band} range)" if value else "")


def test_os_12_a_shot_that_can_not_reach_says_how_far_it_would(tables: Tables) -> None:
    told = refusal(tables, Situation(weapon="sonic gun", feet=21))
    assert told == "The sonic gun has no shot at medium range. It reaches short range, 20 feet."
    with pytest.raises(MushError, match="no shot at medium"):
        attack_terms(fighter(), Situation(weapon="sonic gun", feet=21), tables)


def test_os_11_past_a_thousand_feet_nothing_is_hit(tables: Tables) -> None:
    check_possible(fighter(), Situation(weapon="sniper rifle", feet=1000), tables)
    assert "1001 feet is out of range" in refusal(
        tables, Situation(weapon="sniper rifle", feet=1001)
    )


def test_os_11_a_shot_without_a_range_has_no_modifier_and_the_referee_is_told(
    tables: Tables,
) -> None:
    assert begun(tables, Situation(weapon="sniper rifle")) == ""
    assert standing_notes(Situation(weapon="pistol"), tables)[-1] == (
        "No range was given, so none counts."
    )


@pytest.mark.parametrize(
    ("feet", "able"), [(None, True), (0, True), (5, True), (6, False), (300, False)]
)
def test_os_20_hand_to_hand_reaches_five_feet(
    tables: Tables, feet: int | None, *, able: bool
) -> None:
    situation = Situation(weapon="sword", feet=feet)
    if able:
        check_possible(fighter(), situation, tables)
        assert begun(tables, situation) == ""
    else:
        assert "Hand to hand reaches 5 feet, no farther." in refusal(tables, situation)


@pytest.mark.parametrize(
    ("weapon", "able"),
    [
        ("pistol", False),
        ("sonic gun", False),
        ("energy pistol", True),
        ("railgun", True),
        ("sword", True),
        ("grenade", True),
    ],
)
def test_os_14_os_16_without_air_some_weapons_do_not_work(
    tables: Tables, weapon: str, *, able: bool
) -> None:
    situation = Situation(weapon=weapon, atmosphere=False)
    if able:
        check_possible(fighter(), situation, tables)
    else:
        assert f"The {weapon} (" in refusal(tables, situation)
        assert "does not work without an atmosphere" in refusal(tables, situation)


def test_os_14_the_referee_is_told_of_recoil_and_walls(tables: Tables) -> None:
    shot = Situation(weapon="pistol", band="short")
    walls = "A projectile may go through the walls of corridors."
    assert (notes(shot, tables), standing_notes(shot, tables)) == ((), (walls,))
    floating = Situation(weapon="pistol", band="short", gravity=False)
    assert notes(floating, tables)[-1].startswith("Recoil:")
    ray = Situation(weapon="energy pistol", band="short", gravity=False)
    assert notes(ray, tables) == ()
    assert standing_notes(ray, tables) == ("Energy does not go through the walls of corridors.",)
    for weapon in ("railgun", "sonic gun", "sword"):
        other = Situation(weapon=weapon, band="close", gravity=False)
        assert (notes(other, tables), standing_notes(other, tables)) == ((), ())
    grapple = Situation("grapple", gravity=False)
    assert (notes(grapple, tables), standing_notes(grapple, tables)) == ((), ())
    assert tuple(recoil(grapple, tables)) == ()


def test_os_18_os_31_the_referee_is_told_of_blasts_and_of_full_cover(
    tables: Tables, rules: str
) -> None:
    thrown = Situation("throw", weapon="grenade", band="short", cover=90)
    assert notes(thrown, tables) == (
        "With so much cover the target may be out of reach altogether.",
    )
    half = Situation("detonate", weapon="grenade", cover=89)
    assert notes(half, tables) == ()
    assert standing_notes(half, tables) == ("The blast reaches 10 feet.",)
    steps = rules[rules.index("steps = [") : rules.index("[combat.attack]")]
    bare = load(changed(rules, (steps, "steps = []\n\n")), "x")
    assert notes(half, bare) == ()


def test_os_16_a_cold_railgun_does_not_fire(tables: Tables) -> None:
    told = refusal(tables, Situation(weapon="railgun", railgun_warm=False))
    assert told == (
        "The railgun is not activated yet. Type +ready railgun; it can fire from the next round on."
    )


@pytest.mark.parametrize(
    ("percent", "text"),
    [
        (0, ""),
        (24, ""),
        (25, "- 1 (cover 25%)"),
        (50, "- 2 (cover 50%)"),
        (60, "- 2 (cover 50%)"),
        (75, "- 3 (cover 75%)"),
        (90, "- 4 (cover 90%)"),
        (100, "- 4 (cover 90%)"),
    ],
)
def test_os_31_cover_counts_on_the_attack(tables: Tables, percent: int, text: str) -> None:
    assert begun(tables, Situation(weapon="pistol", cover=percent)) == text


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"movement": "walking"}, "- 1 (walking)"),
        ({"movement": "running"}, "- 2 (running)"),
        ({"blind": True}, "- 6 (blind)"),
        ({"hand": "first"}, "- 2 (first weapon)"),
        ({"hand": "second"}, "- 3 (second weapon)"),
        ({"maneuver": "disarm"}, "- 2 (disarm)"),
        ({"card": "Power Blow"}, "- 2 (no card)"),
        ({"card": "Power Blow", "card_held": True}, ""),
        ({"closing": True}, "- 1 (closing in)"),
        ({"next_attack": (modifier(-2, "Suppressing Fire"),)}, "- 2 (Suppressing Fire)"),
    ],
)
def test_os_31_circumstances_add_up(tables: Tables, changes: dict[str, Any], text: str) -> None:
    assert begun(tables, Situation(weapon="sword", **changes)) == text


def test_os_7a_the_ambidextrous_have_less_trouble_with_the_second_weapon(tables: Tables) -> None:
    second = Situation(weapon="pistol", hand="second")
    assert begun(tables, second, gifts=["Ambidextrous"]) == (
        "- 3 (second weapon) + 1 (Ambidextrous)"
    )
    first = Situation(weapon="pistol", hand="first")
    assert begun(tables, first, gifts=["Ambidextrous"]) == "- 2 (first weapon)"


@pytest.mark.parametrize(
    ("band", "keen", "poor"),
    [
        ("close", "", ""),
        ("short", "", ""),
        ("medium", "", "- 1 (Poor Sight)"),
        ("long", "+ 1 (Keen Sight)", "- 1 (Poor Sight)"),
        ("extreme", "+ 1 (Keen Sight)", "- 1 (Poor Sight)"),
    ],
)
def test_os_7a_eyes_count_far_away(tables: Tables, band: Any, keen: str, poor: str) -> None:
    bare = f"{begun(tables, Situation(weapon='rifle', band=band))} "
    situation = Situation(weapon="rifle", band=band)
    assert begun(tables, situation, gifts=["Keen Sight"]) == f"{bare}{keen}".strip()
    assert begun(tables, situation, faults=["Poor Sight"]) == f"{bare}{poor}".strip()


def test_os_7a_a_pacifist_is_worse_at_lethal_attacks(tables: Tables) -> None:
    assert begun(tables, Situation(weapon="club", lethal=True), faults=["Pacifist"]) == (
        "- 1 (Pacifist)"
    )
    assert begun(tables, Situation(weapon="club"), faults=["Pacifist"]) == ""
    assert begun(tables, Situation(weapon="club", lethal=True)) == ""


def test_os_21_another_polearm_makes_light_of_closing_in(tables: Tables) -> None:
    assert begun(tables, Situation(weapon="polearm", closing=True)) == ""
    assert begun(tables, Situation("grapple", closing=True)) == "- 1 (closing in)"


def test_os_21_only_a_polearm_lets_its_wielder_step_back(tables: Tables) -> None:
    back = Situation(weapon="polearm", back=True)
    check_possible(fighter(), back, tables)
    assert begun(tables, back) == "- 1 (stepping back)"
    for situation in (Situation(weapon="sword", back=True), Situation("grapple", back=True)):
        assert "Stepping back takes a polearm." in refusal(tables, situation)


def test_os_54_an_aimed_shot_ignores_cover_up_to_three_quarters(tables: Tables) -> None:
    def aimed(percent: int) -> Situation:
        return Situation(weapon="rifle", cover=percent, card="Aimed Shot", card_held=True)

    check_possible(fighter(), aimed(75), tables)
    assert begun(tables, aimed(75)) == ""
    assert begun(tables, aimed(90)) == "- 4 (cover 90%)"


def test_os_54_a_card_is_for_its_own_actions(tables: Tables) -> None:
    told = refusal(tables, Situation(weapon="sword", card="Aimed Shot"))
    assert told == "Aimed Shot is no card for this. It is for ranged."
    assert "It is for defence." in refusal(tables, Situation(weapon="sword", card="Riposte"))
    check_possible(fighter(), Situation(weapon="rifle", card="Power Blow"), tables)


@pytest.mark.parametrize(("weapon", "value"), [("knife", 7), ("club", 17), ("sword", 25)])
def test_os_22_what_is_improvised_has_half_the_odf(tables: Tables, weapon: str, value: int) -> None:
    situation = Situation(weapon=weapon, improvised=True)
    check_possible(fighter(), situation, tables)
    assert odf(situation, tables) == (value, f"ODF {value} (improvised {weapon})")
    assert odf(Situation(weapon="sword"), tables) == (50, "ODF 50")


@pytest.mark.parametrize("weapon", ["pistol", "unarmed", "grenade", "mind blast"])
def test_os_22_nothing_improvised_counts_as_a_gun_or_a_fist(tables: Tables, weapon: str) -> None:
    told = refusal(tables, Situation(weapon=weapon, improvised=True), attributes={"Psi": 4})
    assert told.startswith(f"Nothing improvised counts as {weapon}.")


@pytest.mark.parametrize("weapon", ["club", "unarmed", "stun pistol", "stun grenade"])
def test_os_20_os_23_some_weapons_can_stun(tables: Tables, weapon: str) -> None:
    check_possible(fighter(), Situation(weapon=weapon, stun=True), tables)


@pytest.mark.parametrize("weapon", ["pistol", "sword", "claws", "mind blast"])
def test_os_20_os_23_others_can_not(tables: Tables, weapon: str) -> None:
    told = refusal(
        tables, Situation(weapon=weapon, stun=True), gifts=["Claws"], attributes={"Psi": 4}
    )
    assert told == f"The {weapon} can't stun instead of harming. Leave out stun."


def test_os_53_a_grapple_can_stun_and_a_bare_mind_can_not(tables: Tables) -> None:
    check_possible(fighter(), Situation("grapple", stun=True), tables)
    mind = Situation("psi", skill="Mind Blast", stun=True)
    assert refusal(tables, mind, attributes={"Psi": 4}).startswith("The mind can't stun")


def test_os_20_claws_are_for_who_has_them(tables: Tables) -> None:
    check_possible(fighter(gifts=["Claws"]), Situation(weapon="claws"), tables)
    assert refusal(tables, Situation(weapon="claws")) == "Ada has no claws. That takes Claws."


def test_os_40_a_psionic_attack_takes_psi_and_a_skill_of_the_mind(tables: Tables) -> None:
    check_possible(fighter(attributes={"Psi": 4}), Situation("psi", weapon="mind blast"), tables)
    assert "Ada has no Psi." in refusal(tables, Situation("psi", weapon="mind blast"))
    told = refusal(tables, Situation("psi", skill="Pistol"), attributes={"Psi": 4})
    assert told.startswith("Pistol is no psionic skill. There are: Mind Blast")


def test_os_40_an_attack_of_the_mind_knows_no_range(tables: Tables) -> None:
    far = Situation("psi", weapon="mind blast", band="extreme")
    check_possible(fighter(attributes={"Psi": 4}), far, tables)
    assert begun(tables, far, attributes={"Psi": 4}) == ""


@pytest.mark.parametrize(
    ("situation", "told"),
    [
        (Situation("throw", weapon="sword"), "The sword is not made for throwing."),
        (Situation("detonate", weapon="sword"), "The sword does not explode."),
        (Situation("psi", weapon="sword"), "The sword is no psionic skill."),
        (Situation("disarm", weapon="telepathy"), "Nobody is disarmed with telepathy."),
    ],
)
def test_os_18_os_19_os_40_os_52_a_maneuver_takes_what_it_is_made_for(
    tables: Tables, situation: Situation, told: str
) -> None:
    assert refusal(tables, situation).startswith(told)


@pytest.mark.parametrize(
    "situation",
    [
        Situation("throw", weapon="grenade", feet=30),
        Situation("detonate", weapon="grenade", band="extreme"),
        Situation("disarm", weapon="sword"),
        Situation("disarm", weapon="pistol", feet=30),
    ],
)
def test_os_18_os_19_os_52_maneuvers_that_can_be(tables: Tables, situation: Situation) -> None:
    check_possible(fighter(), situation, tables)


def test_os_52_disarming_is_at_minus_two(tables: Tables) -> None:
    ada = fighter(skills={"Sword": 6})
    assert written(attack_terms(ada, Situation("disarm", weapon="sword"), tables)) == (
        "Sword 6 (Great) - 2 (disarm) = 4"
    )


def test_os_53_a_grapple_is_unarmed_at_nothing(tables: Tables) -> None:
    ada = fighter(skills={"Unarmed": 5})
    assert written(attack_terms(ada, Situation("grapple"), tables)) == "Unarmed 5 (Good) = 5"


def test_os_19_a_grenade_in_the_hand_is_a_matter_of_reaction(tables: Tables) -> None:
    ada = fighter(gifts=["Quick"], harm=40)
    assert written(attack_terms(ada, Situation("detonate", weapon="grenade"), tables)) == (
        "Dexterity 4 + Perception 4 + 1 (Quick) - 1 (wounds) + 1 (point blank) = 9"
    )


words = st.lists(
    st.sampled_from(
        [
            "close",
            "15 feet",
            "cover 30",
            "walking",
            "blind",
            "dual",
            "closing",
            "card power",
            "lethal",
        ]
    ),
    unique=True,
)


@given(typed=words, weapon=st.sampled_from(["pistol", "sword", "sniper rifle", "railgun"]))
def test_every_term_of_an_attack_counts_and_names_its_rule(
    tables: Tables, typed: list[str], weapon: str
) -> None:
    if {"close", "15 feet"} <= set(typed):
        typed.remove("close")
    situation = read_modifiers(typed, tables, Situation(weapon=weapon))
    first, *others = attack_terms(fighter(faults=["Pacifist"]), situation, tables)
    assert first.kind == "level"
    assert all(term.value and term.rule.startswith("OS-") for term in others)
