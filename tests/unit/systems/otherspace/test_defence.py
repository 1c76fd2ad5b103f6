from __future__ import annotations

from typing import Any

import pytest

from mushcombat.errors import MushError
from mushcombat.systems.otherspace.defence import Choice, better, choices
from mushcombat.systems.otherspace.fighter import from_template
from mushcombat.systems.otherspace.situation import Situation
from mushcombat.systems.otherspace.tables import Tables
from tests.unit.systems.otherspace.fighters import fighter, written

SHOT = Situation(weapon="pistol")
CUT = Situation(weapon="sword")
BLAST = Situation("psi", weapon="mind blast")


def offered(
    tables: Tables, situation: Situation, stand: dict[str, Any] | None = None, **changes: Any
) -> list[str]:
    found = choices(fighter(**changes), situation, **(stand or {}), tables=tables)
    return [written(choice.terms) + "!" * choice.costs_next_attack for choice in found]


def test_the_defence_of_the_first_fight(tables: Tables) -> None:
    (template,) = tables.combat.find_template("thug")
    thug = from_template(template, 2, "Thug", tables)
    found = choices(thug, SHOT, tables=tables)
    assert [(choice.name, choice.base) for choice in found] == [("Dexterity", 2), ("Athletics", 2)]
    assert better(found, tables).name == "Dexterity"


def test_os_26_os_27_a_shot_is_dodged_with_dexterity_or_athletics(tables: Tables) -> None:
    assert offered(tables, SHOT, wielded="sword") == [
        "Dexterity 4 (Fair) - 2 (raw dexterity) = 2",
        "Athletics 2 (Poor) = 2!",
    ]


def test_os_18_so_is_a_grenade(tables: Tables) -> None:
    assert len(offered(tables, Situation("throw", weapon="grenade"))) == 2


@pytest.mark.parametrize(
    ("wielded", "skill"),
    [("", "Unarmed"), ("sword", "Sword"), ("claws", "Unarmed"), ("polearm", "Polearm")],
)
def test_os_26_hand_to_hand_the_skill_in_hand_defends_too(
    tables: Tables, wielded: str, skill: str
) -> None:
    found = choices(fighter(wielded=wielded), CUT, tables=tables)
    assert [choice.name for choice in found] == ["Dexterity", "Athletics", skill]
    assert not found[-1].costs_next_attack
    assert written(found[-1].terms) == f"{skill} 2 (Poor) = 2"


@pytest.mark.parametrize("wielded", ["pistol", "mind blast", "no longer sold"])
def test_os_26_what_is_no_melee_weapon_does_not_parry(tables: Tables, wielded: str) -> None:
    assert len(offered(tables, CUT, wielded=wielded)) == 2


def test_os_52_in_a_struggle_for_a_weapon_any_combat_skill_counts(tables: Tables) -> None:
    disarm = Situation("disarm", weapon="sword")
    assert (
        offered(tables, disarm, wielded="pistol", skills={"Pistol": 5})[-1] == "Pistol 5 (Good) = 5"
    )
    assert len(offered(tables, disarm, wielded="telepathy")) == 2


def test_os_53_a_grapple_is_defended_as_any_melee(tables: Tables) -> None:
    assert len(offered(tables, Situation("grapple"))) == 3


def test_os_24_armour_weighs_on_a_dodge(tables: Tables) -> None:
    assert offered(tables, SHOT, armour="kevlar") == [
        "Dexterity 4 (Fair) - 2 (kevlar) - 2 (raw dexterity) = 0",
        "Athletics 2 (Poor) - 2 (kevlar) = 0!",
    ]


@pytest.mark.parametrize(
    ("before", "text"),
    [
        (0, ""),
        (1, " - 1 (second defence)"),
        (2, " - 2 (third defence)"),
        (9, " - 9 (tenth defence)"),
        (10, " - 10 (11th defence)"),
    ],
)
def test_os_28_each_further_defence_is_at_one_more(tables: Tables, before: int, text: str) -> None:
    dexterity, athletics = offered(tables, SHOT, {"defences_before": before})
    total = 2 - before
    assert dexterity == f"Dexterity 4 (Fair) - 2 (raw dexterity){text} = {total}"
    assert athletics == "Athletics 2 (Poor) = 2!"


def test_os_28_a_full_defence_takes_that_away_and_makes_athletics_free(tables: Tables) -> None:
    assert offered(tables, SHOT, {"defences_before": 2, "full_defence": True}) == [
        "Dexterity 4 (Fair) - 2 (raw dexterity) = 2",
        "Athletics 2 (Poor) = 2",
    ]


@pytest.mark.parametrize("stand", [{"unaware": True}, {"stunned": True}])
def test_os_26_who_is_stunned_or_unaware_has_no_defence(
    tables: Tables, stand: dict[str, Any]
) -> None:
    (choice,) = choices(fighter(), CUT, **stand, tables=tables)
    assert (choice.name, choice.base, choice.rolls) == ("none", 1, False)
    assert written(choice.terms) == "no defence 1 (Terrible) = 1"


@pytest.mark.parametrize("changes", [{"harm": 90}, {"stun": 90}, {"harm": 100}])
def test_os_26_nor_has_who_is_unconscious(tables: Tables, changes: dict[str, Any]) -> None:
    assert offered(tables, SHOT, **changes) == ["no defence 1 (Terrible) = 1"]


def test_os_40_against_the_mind_there_is_willpower(tables: Tables) -> None:
    assert offered(tables, BLAST) == ["Willpower 4 (Fair) = 4"]
    assert offered(tables, BLAST, gifts=["Psi Resistant"]) == [
        "Willpower 4 (Fair) + 2 (Psi Resistant) = 6"
    ]


def test_os_40_a_psionist_may_roll_psi_instead(tables: Tables) -> None:
    assert offered(tables, BLAST, {"defences_before": 1}, attributes={"Psi": 6}) == [
        "Willpower 4 (Fair) - 1 (second defence) = 3",
        "Psi 6 (Great) - 1 (second defence) = 5",
    ]


def test_os_19_a_blast_in_the_hand_leaves_raw_dexterity(tables: Tables) -> None:
    assert offered(tables, Situation("detonate", weapon="grenade")) == [
        "Dexterity 4 (Fair) - 2 (raw dexterity) = 2"
    ]


def test_os_54_a_feint_lowers_every_defence(tables: Tables) -> None:
    feint = Situation(weapon="sword", card="Feint")
    assert offered(tables, feint) == [
        "Dexterity 4 (Fair) - 2 (raw dexterity) - 2 (Feint) = 0",
        "Athletics 2 (Poor) - 2 (Feint) = 0!",
        "Unarmed 2 (Poor) - 2 (Feint) = 0",
    ]
    assert offered(tables, feint, {"unaware": True}) == ["no defence 1 (Terrible) = 1"]


def test_os_54_a_desperate_dodge_costs_no_attack_but_is_no_full_defence(tables: Tables) -> None:
    dodge = {"card": "Desperate Dodge", "card_held": True, "defences_before": 1}
    assert offered(tables, SHOT, dodge) == [
        "Dexterity 4 (Fair) - 2 (raw dexterity) - 1 (second defence) = 1",
        "Athletics 2 (Poor) - 1 (second defence) = 1",
    ]
    assert offered(tables, SHOT, {**dodge, "full_defence": True})[-1] == "Athletics 2 (Poor) = 2"


def test_os_54_a_card_that_is_not_held_makes_its_own_roll_worse(tables: Tables) -> None:
    assert offered(tables, SHOT, {"card": "Desperate Dodge"}) == [
        "Dexterity 4 (Fair) - 2 (raw dexterity) = 2",
        "Athletics 2 (Poor) - 2 (no card) = 0",
    ]
    assert offered(tables, CUT, {"card": "Riposte"}) == [
        "Dexterity 4 (Fair) - 2 (raw dexterity) - 2 (no card) = 0",
        "Athletics 2 (Poor) - 2 (no card) = 0!",
        "Unarmed 2 (Poor) - 2 (no card) = 0",
    ]
    assert (
        offered(tables, CUT, {"card": "Riposte", "card_held": True})[-1] == "Unarmed 2 (Poor) = 2"
    )


def test_os_54_a_card_for_attacks_is_none_for_a_defence(tables: Tables) -> None:
    with pytest.raises(MushError, match=r"Feint is no card for a defence."):
        choices(fighter(), CUT, card="Feint", tables=tables)


def test_the_better_choice_is_the_highest_then_the_cheaper(tables: Tables) -> None:
    even = choices(fighter(), SHOT, tables=tables)
    assert better(even[::-1], tables).name == "Dexterity"
    assert isinstance(even[0], Choice)


@pytest.mark.parametrize(
    ("athletics", "stand", "chosen"),
    [
        (4, {}, "Dexterity"),
        (5, {}, "Athletics"),
        (3, {"full_defence": True}, "Athletics"),
        (3, {"card": "Desperate Dodge", "card_held": True}, "Athletics"),
    ],
)
def test_os_27_the_next_attack_is_given_up_unasked_only_for_three_levels_more(
    tables: Tables, athletics: int, stand: dict[str, Any], chosen: str
) -> None:
    # Dexterity 4 - 2 is 2, and costs nothing.
    agile = choices(fighter(skills={"Athletics": athletics}), SHOT, **stand, tables=tables)
    assert better(agile, tables).name == chosen


def test_os_27_who_has_given_up_the_attack_already_dodges_with_what_is_higher(
    tables: Tables,
) -> None:
    agile = choices(fighter(skills={"Athletics": 3}), SHOT, tables=tables)
    assert better(agile, tables).name == "Dexterity"
    assert better(agile, tables, given_up=True).name == "Athletics"
