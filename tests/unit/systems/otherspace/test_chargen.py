from __future__ import annotations

import pytest

from mushcombat.errors import MushError
from mushcombat.systems.otherspace.chargen import (
    Left,
    check_fault_dropped,
    check_gift,
    check_raise,
    whole_budget_left,
)
from mushcombat.systems.otherspace.tables import Tables


def refused(*args: object, check: object = check_raise) -> str:
    with pytest.raises(MushError) as caught:
        check(*args)  # type: ignore[operator]
    return str(caught.value)


def test_os_7a_a_new_character_has_all_budgets(tables: Tables) -> None:
    assert whole_budget_left({}, {}, (), (), tables) == Left(4, 12, 1)


def test_os_7a_what_is_spent_is_gone(tables: Tables) -> None:
    attributes = {"Dexterity": 6, "Charisma": 3}
    skills = {"Pistol": 6, "Medicine": 1}
    left = whole_budget_left(attributes, skills, ["Quick"], ["Slow", "Frail"], tables)
    assert left == Left(3, 8, 1)
    assert whole_budget_left({}, {}, ["Quick"], [], tables).gifts == 0
    assert whole_budget_left({"Dexterity": 20}, {}, [], [], tables).attributes == -12


def test_os_7a_each_attribute_level_under_fair_gives_one_back(tables: Tables) -> None:
    assert check_raise({}, {}, "Dexterity", 7, tables) == 1
    assert check_raise({"Dexterity": 7}, {}, "Strength", 5, tables) == 0
    told = refused({"Dexterity": 7}, {}, "Strength", 6, tables)
    assert told == "That would take 5 levels of the 4 for attributes. There is 1 left."
    assert check_raise({"Dexterity": 7, "Charisma": 3}, {}, "Strength", 6, tables) == 0
    assert check_raise({}, {}, "Charisma", 1, tables) == 7


def test_os_7a_skills_have_twelve_levels_above_poor(tables: Tables) -> None:
    assert check_raise({}, {}, "Pistol", 7, tables) == 7
    spent = {"Pistol": 7, "Rifle": 7}
    assert check_raise({}, spent, "Knife", 4, tables) == 0
    assert "13 levels of the 12 for skills. There are 2 left." in refused(
        {}, spent, "Knife", 5, tables
    )
    assert check_raise({}, {"Knife": 2}, "Pistol", 1, tables) == 12


def test_os_7a_none_is_over_superb(tables: Tables) -> None:
    told = refused({}, {}, "Pistol", 8, tables)
    assert told == "Pistol 8 (Legendary) is over Superb. At most Superb."
    assert refused({}, {}, "Dexterity", 9, tables).startswith("Dexterity 9 (Legendary+1)")


def test_os_7_psi_is_not_taken_but_given(tables: Tables) -> None:
    assert refused({}, {}, "Psi", 4, tables) == "Psi is nobody's unless it is given. Ask staff."
    assert check_raise({"Psi": 4}, {}, "Psi", 5, tables) == 3


def test_os_7a_who_has_too_much_may_have_less(tables: Tables) -> None:
    assert check_raise({"Dexterity": 7, "Strength": 7}, {}, "Strength", 6, tables) == -1
    told = refused({"Dexterity": 7, "Strength": 7}, {}, "Charisma", 4, tables)
    assert told.endswith("There are 0 left.")


def test_os_7a_each_gift_after_the_first_is_paid_with_a_fault(tables: Tables) -> None:
    assert check_gift([], [], tables) == 0
    assert check_gift([], ["Slow"], tables) == 1
    assert check_gift(["Quick"], ["Slow"], tables) == 0
    assert "not paid with a fault" in refused(["Quick"], [], tables, check=check_gift)
    told = refused(["Quick", "Tough"], ["Slow", "Frail"], tables, check=check_gift)
    assert told == "A new character has 2 gifts at most."


def test_os_7a_a_fault_that_pays_for_a_gift_stays(tables: Tables) -> None:
    check_fault_dropped(["Quick"], ["Slow"], tables)
    told = refused(["Quick", "Tough"], ["Slow"], tables, check=check_fault_dropped)
    assert told == "That fault pays for a gift. Drop the gift first."
