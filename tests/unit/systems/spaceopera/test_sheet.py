from __future__ import annotations

import pytest

from mushcombat.systems.spaceopera.sheet import show_level
from tests.unit.systems.spaceopera.arena import TABLES, Arena


@pytest.mark.parametrize(
    ("line", "group", "trait", "level"),
    [
        ("HTH=32", "other", "HTH", 32),
        ("personal=-3", "other", "personal", -3),
        ("load=heavy", "load", "load", 2),
        ("load=none", "load", "load", None),
        ("DEX=14", "characteristic", "Dexterity", 14),
        ("iq=9", "characteristic", "Intelligence", 9),
        ("sword=6", "expertise", "sword", 6),
        ("shield=4", "expertise", "shield", 4),
        ("handedness=left", "hand", "hand", 1),
        ("armour=F", "armour", "armour", 6),
        ("training=armsman", "training", "training", 1),
        ("reach=2", "other", "reach", 2),
        ("medium wounds=1", "wound", "medium", 1),
    ],
)
def test_so_23_and_24_staff_set_what_is_on_a_sheet(
    arena: Arena, line: str, group: str, trait: str, level: int | None
) -> None:
    arena.do_all(f"Rhea> +set Ada/{line}")
    assert arena.level("Ada", group, trait) == level


def test_what_is_off_the_rules_is_refused_with_what_there_is(arena: Arena) -> None:
    assert 'trait: "strange" is none of this system' in arena.no("Rhea", "+set Ada/strange=3")
    assert "could be" in arena.no("Rhea", "+set Ada/s=3")
    assert "from 1 to 19" in arena.no("Rhea", "+set Ada/strength=20")
    assert "from 0 to 10" in arena.no("Rhea", "+set Ada/sword=11")
    assert "none of none, medium, heavy" in arena.no("Rhea", "+set Ada/load=huge")


def test_a_sheet_shows_what_is_set_and_what_follows(arena: Arena) -> None:
    arena.do_all(
        "Rhea> +set Ada/sword=3",
        "Rhea> +set Ada/flail=1",
        "Rhea> +set Ada/shield=2",
        "Rhea> +set Ada/load=heavy",
        "Rhea> +set Ada/light wounds=1",
        "Rhea> +give Ada=knife",
    )
    arena.note("Ada", "thing", "dagger", 1)
    lines = arena.do_all("Ada> +sheet").reply
    assert lines[0] == "Ada, Space Opera close combat"
    assert "Strength: 10" in lines
    assert "sword: 3, to hit HTH factor 40 - 2 (heavy load) = 38, parries 16" in lines
    assert "flail: 1, to hit HTH factor 40 - 2 (heavy load) = 38" in lines
    assert "shield: 2" in lines
    assert {"HTH: 40", "Load: heavy", "Wounds: 1 light", "Things: dagger (damaged)"} <= set(lines)
    assert lines[-1] == "Carries: knife"
    arena.do_all("Rhea> +set Ada/HTH=none", "Rhea> +set Ada/load=none")
    assert "HTH: worked out" in arena.do_all("Ada> +sheet").reply


def test_a_chance_of_one_term_is_a_number(arena: Arena) -> None:
    arena.do_all("Rhea> +set Ada/sword=3")
    assert "sword: 3, to hit 40, parries 16" in arena.do_all("Ada> +sheet").reply
    assert "Carries: what they name" in arena.do_all("Ada> +sheet").reply


def test_levels_are_written_in_their_words() -> None:
    assert show_level(TABLES, "thing", 3) == "lost"
    assert show_level(TABLES, "thing", 9) == "9"
    assert show_level(TABLES, "load", 2) == "heavy"
    assert show_level(TABLES, "load", 7) == "7"
    assert show_level(TABLES, "expertise", 4) == "4"
    assert show_level(TABLES, "expertise", None) == "unset"


def test_a_word_that_the_rules_have_no_more_is_the_first(arena: Arena) -> None:
    arena.note("Ada", "load", "load", 9)
    assert "Load: none" in arena.do_all("Ada> +sheet").reply


def test_one_character_has_a_sheet_in_each_system(arena: Arena) -> None:
    arena.do_all("Rhea> +set Ada/strength=15", "Rhea> +scene/close")
    arena.do_all("Rhea> +set Ada/strength=Great")
    assert arena.level("Ada", "characteristic", "Strength") == 15
    assert any("Great" in line for line in arena.do_all("Ada> +sheet").reply)


def test_so_23_characters_are_raised_within_the_budgets(arena: Arena) -> None:
    assert arena.do_all("Ada> +raise strength to 14").reply == (
        "16 points are left for characteristics.",
    )
    assert arena.do_all("Ada> +raise sword to 6").reply == ("6 points are left for expertise.",)
    assert "Strength 17 is over 16" in arena.no("Ada", "+raise strength to 17")
    arena.do_all("Ada> +raise agility to 16", "Ada> +raise dexterity to 16")
    arena.do_all("Ada> +raise iq to 14")
    assert "That would take 21 points of 20. There are 0 left." in arena.no(
        "Ada", "+raise bravery to 11"
    )
    assert "is not raised" in arena.no("Ada", "+raise HTH to 90")
    assert "Usage: +raise" in arena.no("Ada", "+raise sword")
    arena.do_all("Rhea> +set Ada/physique=19")
    assert arena.do_all("Ada> +raise iq to 13").reply == (
        "-8 points are left for characteristics.",
    )


def test_a_sheet_of_this_system_is_handed_in_and_approved(arena: Arena) -> None:
    arena.do_all("Ada> +submit")
    assert arena.do_all("Rhea> +approve").reply == ("Waiting for approval: Ada.",)
    arena.do_all("Rhea> +approve ada")
    assert "approved" in arena.no("Ada", "+raise strength to 11")
    assert "handed in no sheet" in arena.no("Rhea", "+approve bram")


def test_what_is_left_is_counted_in_words_that_fit(arena: Arena) -> None:
    arena.do_all("Ada> +raise strength to 16", "Ada> +raise agility to 16")
    arena.do_all("Ada> +raise dexterity to 16")
    assert arena.do_all("Ada> +raise iq to 11").reply == ("1 point is left for characteristics.",)
    assert "There is 1 left." in arena.no("Ada", "+raise iq to 13")


def test_so_27_a_characteristic_is_rolled(arena: Arena) -> None:
    arena.do_all("Rhea> +set Ada/strength=12")
    arena.dice(check=13)
    assert (
        arena.do_all("Ada> +cr str at 1")
        .room[0]
        .startswith("[Roll] Ada, CR Strength: Strength 12 + 1 (asked) = 13: 13 (1d20), made. #")
    )
    assert arena.do_all("Ada> +cr/self strength").seen["Bram"] == []
    arena.dice(check=20)
    assert "= 12: 20 (1d20), failed." in arena.do_all("Ada> +cr strength").room[0]
    assert "no characteristic" in arena.no("Ada", "+cr sword")
    assert "Usage: +cr" in arena.no("Ada", "+cr")
    assert "from -19 to 19" in arena.no("Ada", "+cr str at 99")
