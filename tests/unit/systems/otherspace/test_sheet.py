from __future__ import annotations

from dataclasses import replace

import pytest

from mushcombat.errors import MushError
from mushcombat.paths import shipped
from mushcombat.systems import SYSTEMS
from mushcombat.systems.otherspace.fight_rules import reaction_of
from mushcombat.systems.otherspace.roster import fighter_of
from mushcombat.systems.otherspace.sheet import (
    find_trait,
    read_trait,
    show_level,
    show_sheet,
)
from mushcombat.systems.otherspace.tables import Tables
from mushcombat.systems.system import System, TraitChange
from tests.unit.support import ADA, NOW, Faces, MemoryStore, write_context


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


def shown(store: MemoryStore, tables: Tables, **levels: int) -> tuple[str, ...]:
    """Give Ada's sheet with these levels set."""
    for name, level in levels.items():
        group = "skill" if name in tables.skills.names else "attribute"
        store.set_trait(ADA.id, "otherspace", group, name, level)
    return show_sheet(tables, write_context(store), store.characters[ADA.id])


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


def test_a_level_of_zero_was_set(store: MemoryStore, tables: Tables) -> None:
    lines = shown(store, tables, Pistol=0, Dexterity=0)
    assert "Pistol: Terrible-1 (0)" in lines
    assert "Reaction: 4 (Dexterity and Perception)" in lines


def test_a_level_is_shown_with_its_word(tables: Tables) -> None:
    assert show_level(5, tables) == "Good (5)"
    assert show_level(10, tables) == "Legendary+2 (10)"
    assert show_level(0, tables) == "Terrible-1 (0)"
    assert show_level(None, tables) == "unset"


def test_os_6_os_7_a_sheet_shows_every_attribute_and_the_skills_that_are_set(
    store: MemoryStore, tables: Tables
) -> None:
    assert shown(store, tables, Dexterity=5, Pistol=6) == (
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
        "Reaction: 9 (Dexterity and Perception)",
        "Speed: walks 35, runs 80 feet a round",
    )


def test_os_46_a_sheet_shows_its_quirks(store: MemoryStore, tables: Tables) -> None:
    assert not [line for line in shown(store, tables) if "Quirks" in line]
    for quirk in ("Lightly Wounded", "Limp"):
        store.write("quirk", (ADA.id, "otherspace", quirk), quirk, reason="")
    assert shown(store, tables)[-1] == "Quirks: Lightly Wounded, Limp"


def test_os_46_a_sheet_shows_the_reaction_that_is_rolled_with(
    store: MemoryStore, tables: Tables
) -> None:
    quirk = "Moderately Wounded"
    store.write("quirk", (ADA.id, "otherspace", quirk), quirk, reason="")
    (line,) = (line for line in shown(store, tables) if line.startswith("Reaction: "))
    fighter = fighter_of(store, ADA.id, NOW, tables)
    context = replace(write_context(store), dice=Faces(2, 2, 2, 2))
    rolled = reaction_of(context, fighter, None, tables).breakdown.total
    assert line == f"Reaction: {rolled} = Dexterity 4 + Perception 4 - 1 (Moderately Wounded)"


@pytest.fixture(scope="module")
def system() -> System:
    return SYSTEMS["otherspace"](shipped("config") / "rules")


def test_the_system_knows_its_name_verbs_events_and_views(system: System) -> None:
    assert (system.name, system.title) == ("otherspace", "OtherSpace: Millennium")
    names = [verb.name for verb in system.verbs]
    assert len(set(names)) == len(names)
    assert {"+roll", "+reaction", "+rcalcdamage", "+attack", "+ok", "+defend"} < set(names)
    assert set(system.events) == set(system.describe)
    assert system.help_folder.is_dir()


def test_the_system_reads_and_shows_a_sheet(system: System, store: MemoryStore) -> None:
    assert system.read_trait("pistol", "Good") == TraitChange("skill", "Pistol", 5)
    assert system.show_level("skill", 5) == "Good (5)"
    store.set_trait(ADA.id, "otherspace", "attribute", "Psi", 6)
    ada = store.characters[ADA.id]
    assert "Psi: Great (6)" in system.show_sheet(write_context(store), ada)
