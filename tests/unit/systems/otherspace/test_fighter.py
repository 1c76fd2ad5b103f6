from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.domain.breakdown import modifier
from mushcombat.domain.dice import Throw
from mushcombat.errors import MushError
from mushcombat.systems.otherspace import fighter as fighters
from mushcombat.systems.otherspace.tables import Tables
from tests.unit.systems.otherspace.fighters import fighter, written

ZERO = Throw(5, "roll", 3, (1, 3, 2, 2))


def test_os_6_unset_traits_have_the_tables_level(tables: Tables) -> None:
    ada = fighter(attributes={"Dexterity": 5}, skills={"Pistol": 6})
    names = ("Dexterity", "Strength", "Pistol", "Rifle")
    assert [fighters.level(ada, name, tables) for name in names] == [5, 4, 6, 2]


def test_os_6_psi_is_not_there_unless_given(tables: Tables) -> None:
    assert not fighters.has(fighter(), "Psi", tables)
    assert fighters.has(fighter(attributes={"Psi": 3}), "Psi", tables)
    with pytest.raises(MushError, match=r"Ada has no Psi. Staff give it with"):
        fighters.level(fighter(), "Psi", tables)


@pytest.mark.parametrize(
    ("trait", "changes", "text"),
    [
        ("Pistol", {"skills": {"Pistol": 6}}, "Pistol 6 (Great) = 6"),
        ("Pistol", {"harm": 40}, "Pistol 2 (Poor) - 1 (wounds) = 1"),
        ("Pistol", {"harm": 30, "stun": 10}, "Pistol 2 (Poor) - 1 (wounds) = 1"),
        ("Dexterity", {"quirks": ("Lightly Wounded",)}, "Dexterity 4 (Fair) = 4"),
        (
            "Dexterity",
            {"quirks": ("Moderately Wounded",), "harm": 70},
            "Dexterity 4 (Fair) - 1 (Moderately Wounded) - 2 (wounds) = 1",
        ),
        ("Pistol", {"quirks": ("Critically Wounded",)}, "Pistol 2 (Poor) = 2"),
        ("Dexterity", {"armour": "kevlar"}, "Dexterity 4 (Fair) - 2 (kevlar) = 2"),
        ("Athletics", {"armour": "kevlar"}, "Athletics 2 (Poor) - 2 (kevlar) = 0"),
        ("Sword", {"armour": "kevlar"}, "Sword 2 (Poor) = 2"),
        ("Dexterity", {"armour": "leather jacket"}, "Dexterity 4 (Fair) = 4"),
        ("Athletics", {"faults": ["Clumsy"]}, "Athletics 2 (Poor) - 1 (Clumsy) = 1"),
        ("Sword", {"faults": ["Clumsy"]}, "Sword 2 (Poor) = 2"),
        (
            "Sword",
            {"faults": ["Haemophobe"], "harm": 41},
            "Sword 2 (Poor) - 1 (Haemophobe) - 1 (wounds) = 0",
        ),
        ("Sword", {"faults": ["Haemophobe"], "harm": 40}, "Sword 2 (Poor) - 1 (wounds) = 1"),
    ],
)
def test_os_24_os_42_os_46_a_roll_begins_with_all_that_always_counts(
    tables: Tables, trait: str, changes: dict[str, Any], text: str
) -> None:
    assert written(fighters.trait_terms(fighter(**changes), trait, tables)) == text


@pytest.mark.parametrize(
    ("skill", "penalty"), [(None, -4), (1, -4), (2, -3), (3, -3), (4, -2), (7, -1), (8, 0), (20, 0)]
)
def test_os_24_every_two_levels_of_armour_take_one_off_the_penalty(
    tables: Tables, skill: int | None, penalty: int
) -> None:
    skills = {} if skill is None else {"Armour": skill}
    knight = fighter(armour="heavy armour", skills=skills)
    assert fighters.armour_penalty(knight, tables) == penalty


def test_os_24_no_suit_has_no_penalty(tables: Tables) -> None:
    assert fighters.armour_penalty(fighter(), tables) == 0


def test_os_25_armour_has_its_ddf(tables: Tables) -> None:
    suits = ("", "leather jacket", "kevlar", "heavy armour", "no longer sold")
    assert [fighters.ddf(fighter(armour=s), tables) for s in suits] == [0, 5, 15, 30, 0]


def test_os_46_only_the_worst_wound_quirk_counts(tables: Tables) -> None:
    ada = fighter(quirks=("Heavily Wounded", "Lightly Wounded", "Left-handed"))
    assert written(fighters.trait_terms(ada, "Constitution", tables)) == (
        "Constitution 4 (Fair) - 1 (Heavily Wounded) = 3"
    )
    assert written(
        fighters.trait_terms(fighter(quirks=("Left-handed",)), "Constitution", tables)
    ) == ("Constitution 4 (Fair) = 4")


@pytest.mark.parametrize(
    ("quirk", "lower", "loss"),
    [
        ("Lightly Wounded", {"Constitution"}, 1),
        ("Moderately Wounded", {"Dexterity", "Constitution"}, 1),
        ("Heavily Wounded", {"Charisma", "Constitution", "Dexterity", "Strength"}, 1),
        ("Seriously Wounded", "all", 1),
        ("Critically Wounded", "all", 3),
    ],
)
def test_os_45_each_quirk_lowers_its_attributes(
    tables: Tables, quirk: str, lower: Any, loss: int
) -> None:
    ada = fighter(attributes={"Psi": 4}, quirks=(quirk,))
    names = tables.attributes.names
    lower = set(names) if lower == "all" else lower
    levels = {name: fighters.effective(ada, name, tables) for name in names}
    assert levels == {name: 4 - loss * (name in lower) for name in names}
    assert fighters.effective(ada, "Pistol", tables) == 2


def test_os_46_a_quirk_takes_no_attribute_under_nothing(tables: Tables) -> None:
    weak = fighter(attributes={"Strength": 1}, quirks=("Critically Wounded",))
    assert fighters.effective(weak, "Strength", tables) == 0


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({}, ""),
        ({"gifts": ["Quick"]}, "+ 1 (Quick)"),
        ({"faults": ["Slow"]}, "- 1 (Slow)"),
        ({"armour": "heavy armour"}, ""),
        ({"quirks": ("Moderately Wounded",)}, "- 1 (Moderately Wounded)"),
        ({"quirks": ("Seriously Wounded",), "harm": 70}, "- 2 (Seriously Wounded) - 2 (wounds)"),
    ],
)
def test_os_8_os_24_what_reaction_has_beside_its_levels(
    tables: Tables, changes: dict[str, Any], text: str
) -> None:
    terms = fighters.reaction_terms(fighter(**changes), tables)
    assert " ".join(f"{term.op} {term.text}" for term in terms) == text


def test_os_8_reaction_is_made_of_dexterity_and_perception(tables: Tables) -> None:
    ada = fighter(attributes={"Dexterity": 5})
    assert written(fighters.reaction_levels(ada, tables)) == "Dexterity 5 + Perception 4 = 9"


@pytest.mark.parametrize(
    ("changes", "walk", "run"),
    [
        ({"skills": {"Athletics": 4}}, 30, 80),
        ({}, 30, 70),
        ({"attributes": {"Dexterity": 0}}, 10, 30),
        ({"attributes": {"Dexterity": 6}, "skills": {"Athletics": 6}}, 40, 110),
        ({"quirks": ("Moderately Wounded",), "skills": {"Athletics": 4}}, 25, 70),
        ({"armour": "heavy armour", "skills": {"Athletics": 4}}, 30, 80),
    ],
)
def test_os_32_speed_in_feet_a_round(
    tables: Tables, changes: dict[str, Any], walk: int, run: int
) -> None:
    assert fighters.speed(fighter(**changes), tables) == (walk, run)


@pytest.mark.parametrize(
    ("feet", "word"),
    [(0, ""), (10, ""), (11, "walking"), (30, "walking"), (31, "running"), (70, "running")],
)
def test_os_31_moving_so_far_counts_as(tables: Tables, feet: int, word: str) -> None:
    assert fighters.movement(fighter(), feet, tables) == word


def test_os_31_more_than_running_speed_is_refused(tables: Tables) -> None:
    with pytest.raises(MushError, match=r"can't go 71 feet in a round. They walk 30 and run 70"):
        fighters.movement(fighter(), 71, tables)


@pytest.mark.parametrize(("harm", "stun", "down"), [(89, 0, False), (90, 0, True), (60, 30, True)])
def test_os_42_with_ten_or_less_one_is_unconscious(
    tables: Tables, harm: int, stun: int, *, down: bool
) -> None:
    assert fighters.is_down(fighter(harm=harm, stun=stun), tables) is down


def test_os_7a_a_template_makes_a_fighter(tables: Tables) -> None:
    (psion,) = tables.combat.find_template("psion")
    mind = fighters.from_template(psion, 7, "Vex", tables)
    assert (mind.id, mind.name, mind.attributes) == (7, "Vex", {"Psi": 6, "Willpower": 5})
    assert mind.skills == {"Mind Blast": 6, "Telepathy": 5}
    assert (mind.armour, mind.wielded, *mind.gifts) == ("", "mind blast", "Psi Resistant")
    bare = psion.model_copy(update={"weapons": ()})
    assert fighters.from_template(bare, 7, "Vex", tables).wielded == ""


def test_a_word_that_is_none_of_the_ladders_is_a_mistake(tables: Tables) -> None:
    with pytest.raises(ValueError, match="Fine is no word of the ladder"):
        fighters.needed("Fine", tables)


def test_os_3_a_roll_ends_with_what_was_ruled_and_the_dice(tables: Tables) -> None:
    terms = fighters.trait_terms(fighter(), "Pistol", tables)
    ruled = [modifier(-1, "steam", by="Rhea"), modifier(0, "nothing")]
    roll = fighters.rolled(terms, ZERO, tables, ruled)
    assert roll.formula() == "Pistol 2 (Poor) - 1 (steam) + 0 (4dF) = 1"
    assert roll.throws == (ZERO,)


@given(
    harm=st.integers(0, 100),
    data=st.data(),
    trait=st.sampled_from(["Dexterity", "Athletics", "Sword", "Willpower"]),
)
def test_every_term_of_a_roll_has_a_rule_and_counts(
    tables: Tables, harm: int, data: st.DataObject, trait: str
) -> None:
    ada = fighter(
        harm=harm,
        stun=data.draw(st.integers(0, 100 - harm)),
        quirks=tuple(
            data.draw(st.sets(st.sampled_from([q.name for q in tables.combat.wounds.quirks])))
        ),
        armour=data.draw(st.sampled_from(["", "kevlar", "heavy armour"])),
        faults=data.draw(st.sets(st.sampled_from(tables.faults.names))),
    )
    first, *others = fighters.trait_terms(ada, trait, tables)
    assert first.kind == "level"
    assert all(term.value and term.rule.startswith("OS-") for term in others)
