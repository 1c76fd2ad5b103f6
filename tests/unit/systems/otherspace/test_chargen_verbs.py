"""Making a character: what a player may raise, what it is paid with, and staff's word on it."""

from __future__ import annotations

import pytest

from mushcombat.domain.character import Role
from tests.unit.systems.otherspace.arena import Arena


def test_os_7a_attributes_cost_a_level_each_and_give_one_back_below_fair(arena: Arena) -> None:
    assert arena.do_all("Ada> +raise dexterity to great").reply == (
        "2 levels are left for attributes.",
    )
    assert arena.do_all("Ada> +raise strength to 3").reply == ("3 levels are left for attributes.",)
    assert arena.no("Ada", "+raise perception to superb, please").startswith("Perception: ")
    arena.do_all("Ada> +raise perception to superb")
    assert arena.no("Ada", "+raise willpower to good") == (
        "That would take 5 levels of the 4 for attributes. There are 0 left."
    )
    assert "Dexterity: Great (6)" in arena.do_all("Ada> +sheet").reply


def test_os_7a_skills_have_twelve_levels_above_poor(arena: Arena) -> None:
    for skill in ("pistol", "sword"):
        arena.do_all(f"Ada> +raise {skill} to superb")
    assert arena.do_all("Ada> +raise medicine to fair").reply == ("0 levels are left for skills.",)
    assert arena.no("Ada", "+raise knife to fair").startswith("That would take 14 levels of the 12")


@pytest.mark.parametrize("line", ["+raise pistol to legendary", "+raise dexterity to 8"])
def test_os_7a_nothing_goes_over_superb(arena: Arena, line: str) -> None:
    assert arena.no("Ada", line).endswith("is over Superb. At most Superb.")


def test_os_7_psi_is_staffs_to_give(arena: Arena) -> None:
    assert arena.no("Ada", "+raise psi to good").startswith("Psi is nobody's unless it is given.")
    arena.do_all("Rhea> +set Ada/Psi=4", "Ada> +raise psi to good")


@pytest.mark.parametrize("line", ["+raise", "+raise pistol", "+raise pistol=5"])
def test_a_raise_is_typed_with_to(arena: Arena, line: str) -> None:
    assert arena.no("Ada", line).startswith("Usage: +raise")


def test_os_7a_a_second_gift_is_paid_with_a_fault(arena: Arena) -> None:
    arena.do_all("Ada> +gift quick")
    assert arena.no("Ada", "+gift tough").startswith("That gift is not paid with a fault.")
    arena.do_all("Ada> +fault frail", "Ada> +gift tough")
    assert arena.quirks("Ada") == ("Frail", "Quick", "Tough")
    assert arena.no("Ada", "+fault frail") == "That fault pays for a gift. Drop the gift first."
    assert arena.no("Ada", "+gift claws").startswith("A new character has 2 gifts at most.")
    arena.do_all("Ada> +gift tough", "Ada> +fault frail")
    assert arena.quirks("Ada") == ("Quick",)
    told = arena.do_all("Ada> +sheet").reply
    assert "Gifts: Quick" in told
    assert arena.no("Ada", "+gift genius").startswith('gift: "genius" is not one.')
    assert arena.no("Ada", "+gift").startswith("Usage: +gift")


def test_os_7a_staff_approve_a_sheet_and_it_is_the_players_no_more(arena: Arena) -> None:
    assert arena.do_all("Rhea> +approve").reply == ("Waiting for approval: nobody.",)
    assert arena.no("Rhea", "+approve Ada") == (
        "Ada has handed in no sheet. +approve lists who has."
    )
    assert arena.do_all("Ada> +submit").reply == (
        "Your sheet is handed in; staff look at it with +approve.",
    )
    assert arena.do_all("Rhea> +approve").reply == ("Waiting for approval: Ada.",)
    arena.do_all("Rhea> +approve Ada")
    for line in ("+raise pistol to good", "+gift quick", "+submit"):
        assert arena.no("Ada", line) == "Your sheet is approved. Staff change it from now on."
    arena.do_all("Rhea> +set Ada/Pistol=5")
    assert arena.no("Ada", "+approve Bram").startswith("Huh?")
    assert arena.no("Ada", "+submit now").startswith("Nothing follows this command")


def test_os_7a_what_staff_set_over_the_budget_may_be_lowered(arena: Arena) -> None:
    arena.do_all("Rhea> +set Ada/Dexterity=10")
    assert arena.no("Ada", "+raise strength to good").startswith("That would take 7 levels of")
    assert arena.do_all("Ada> +raise dexterity to superb").reply == (
        "1 level is left for attributes.",
    )


def test_a_guest_makes_no_character(arena: Arena) -> None:
    arena.create("Guest 9", Role.GUEST)
    assert arena.no("Guest 9", "+raise pistol to good").startswith("Huh?")
