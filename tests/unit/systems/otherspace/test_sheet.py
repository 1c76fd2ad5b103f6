from __future__ import annotations

import pytest

from mushcombat.domain.character import Sheet
from mushcombat.errors import MushError
from mushcombat.paths import shipped
from mushcombat.systems import SYSTEMS
from mushcombat.systems.otherspace.sheet import (
    find_trait,
    level_of,
    named_level,
    read_trait,
    show_level,
    show_sheet,
)
from mushcombat.systems.otherspace.tables import Tables, Trait
from mushcombat.systems.system import System, TraitChange

EMPTY = Sheet(11, "Ada", "otherspace")
PSI, PISTOL = Trait("Psi", "attribute"), Trait("Pistol", "skill")


def sheet(**levels: int) -> Sheet:
    skills = {"Pistol", "Sword"}
    return Sheet(
        11,
        "Ada",
        "otherspace",
        {
            "attribute": {k: v for k, v in levels.items() if k not in skills},
            "skill": {k: v for k, v in levels.items() if k in skills},
        },
    )


@pytest.mark.parametrize(
    ("typed", "name", "group"),
    [
        ("Pistol", "Pistol", "skill"),
        ("pist", "Pistol", "skill"),
        ("STRENGTH", "Strength", "attribute"),
        ("psi", "Psi", "attribute"),
        ("armor", "Armour", "skill"),
        ("mind blast", "Mind Blast", "skill"),
    ],
)
def test_os_7_a_trait_is_found_in_any_case_and_spelling(
    tables: Tables, typed: str, name: str, group: str
) -> None:
    found = find_trait(typed, tables)
    assert (found.name, found.group) == (name, group)


def test_os_7_an_ambiguous_trait_is_answered_with_those_it_could_be(tables: Tables) -> None:
    with pytest.raises(MushError) as caught:
        find_trait("tele", tables)
    assert str(caught.value) == ('trait: "tele" could be Telepathy, Telekinesis. Type more of it.')


@pytest.mark.parametrize("typed", ["", "x", "Quick", "5", "x" * 5000])
def test_os_7_an_unknown_trait_is_answered_with_all_there_are(tables: Tables, typed: str) -> None:
    with pytest.raises(MushError, match="is no attribute or skill") as caught:
        find_trait(typed, tables)
    assert "Attributes: Dexterity, Strength, Constitution" in caught.value.hint
    assert "Skills: Pistol, Rifle" in caught.value.hint
    assert len(caught.value.text) < 100


@pytest.mark.parametrize(
    ("typed", "level"), [("Great", 6), ("6", 6), ("0", 0), ("20", 20), ("legendary+2", 10)]
)
def test_os_4_a_level_of_a_sheet_is_a_word_or_a_number(
    tables: Tables, typed: str, level: int
) -> None:
    assert read_trait("pistol", typed, tables) == TraitChange("skill", "Pistol", level)


@pytest.mark.parametrize("typed", ["none", "None", " NONE "])
def test_a_level_can_be_taken_off_the_sheet(tables: Tables, typed: str) -> None:
    assert read_trait("psi", typed, tables) == TraitChange("attribute", "Psi", None)


@pytest.mark.parametrize("typed", ["-1", "21", "x", "", "Terrible-2"])
def test_a_level_that_no_sheet_can_hold_is_refused(tables: Tables, typed: str) -> None:
    with pytest.raises(MushError, match=r"^Pistol: .* from 0 to 20 nor a word"):
        read_trait("pistol", typed, tables)


def test_os_6_an_unset_attribute_is_fair_and_an_unset_skill_poor(tables: Tables) -> None:
    assert level_of(EMPTY, Trait("Strength", "attribute"), tables) == 4
    assert level_of(EMPTY, PISTOL, tables) == 2


def test_os_6_psi_is_not_there_unless_given(tables: Tables) -> None:
    with pytest.raises(MushError) as caught:
        level_of(EMPTY, PSI, tables)
    assert str(caught.value) == "Ada has no Psi. Staff give it with +set Ada/Psi=<level>."
    assert level_of(sheet(Psi=6), PSI, tables) == 6


def test_a_level_of_zero_was_set(tables: Tables) -> None:
    assert level_of(sheet(Pistol=0), PISTOL, tables) == 0
    assert named_level(sheet(Dexterity=0), "Dexterity", tables) == 0


def test_a_level_is_shown_with_its_word(tables: Tables) -> None:
    assert show_level(5, tables) == "Good (5)"
    assert show_level(10, tables) == "Legendary+2 (10)"
    assert show_level(0, tables) == "Terrible-1 (0)"
    assert show_level(None, tables) == "unset"


def test_os_7_a_sheet_shows_every_attribute_and_the_skills_that_are_set(tables: Tables) -> None:
    lines = show_sheet(sheet(Dexterity=5, Pistol=6), tables)
    assert lines == (
        "Dexterity: Good (5)",
        "Strength: Fair (4), never set",
        "Constitution: Fair (4), never set",
        "Perception: Fair (4), never set",
        "Willpower: Fair (4), never set",
        "Intelligence: Fair (4), never set",
        "Psi: none",
        "Charisma: Fair (4), never set",
        "Pistol: Great (6)",
        "Other skills: Poor",
        "Reaction: 9 (Dexterity + Perception)",
    )


def test_os_46_a_sheet_shows_its_quirks(tables: Tables) -> None:
    hurt = Sheet(11, "Ada", "otherspace", {}, ("Lightly Wounded", "Limp"))
    assert show_sheet(hurt, tables)[-1] == "Quirks: Lightly Wounded, Limp"
    assert not [line for line in show_sheet(EMPTY, tables) if "Quirks" in line]


@pytest.fixture(scope="module")
def system() -> System:
    return SYSTEMS["otherspace"](shipped("config") / "rules")


def test_the_system_knows_its_name_verbs_events_and_views(system: System) -> None:
    assert (system.name, system.title) == ("otherspace", "OtherSpace: Millennium")
    assert [verb.name for verb in system.verbs] == [
        "+roll",
        "+reaction",
        "+rcalcdamage",
        "+mcalcdamage",
        "+psicalcdamage",
        "+calcdamage",
    ]
    assert set(system.events) == set(system.describe)
    assert system.help_folder.is_dir()


def test_the_system_reads_and_shows_a_sheet(system: System) -> None:
    assert system.read_trait("pistol", "Good") == TraitChange("skill", "Pistol", 5)
    assert system.show_level("skill", 5) == "Good (5)"
    assert "Psi: Great (6)" in system.show_sheet(sheet(Psi=6))
