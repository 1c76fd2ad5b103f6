from __future__ import annotations

import pytest

from mushcombat.errors import MushError
from mushcombat.faults import FaultyError
from mushcombat.systems.spaceopera.tables import find, load
from tests.unit.systems.spaceopera.arena import RULES, TABLES, Arena


def faults(*changes: tuple[str, str]) -> list[str]:
    text = RULES
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    with pytest.raises(FaultyError) as caught:
        load(text, "spaceopera.toml")
    return [str(fault) for fault in caught.value.faults]


def test_every_fault_of_shape_is_told_at_once() -> None:
    found = faults(
        ("per_speed = 3", "per_speed = -3"),
        ("from_rear = 50", "from_rear = 150"),
        ("unset = 10", "unset = 10\nnew = 1"),
        ('kind = "bare"', 'kind = "odd"'),
    )
    assert len(found) == 4
    assert found[0].startswith("spaceopera.toml: characteristics.new: ")


def test_every_name_of_nothing_is_told_at_once() -> None:
    found = faults(
        ('STR = "Strength"', 'STR = "Muscle"'),
        ('of = ["Dexterity", "Agility"]', 'of = ["Dexterity", "Grace"]'),
        ('name = "unarmed"', 'name = "fist"'),
        ('weapon = "bottle"', 'weapon = "jug"'),
        ('device = "wooden shield"', 'device = "wall"'),
        ('armour = "I"', 'armour = "Z"'),
        ("expertise = { sword = 4", "expertise = { spoon = 4"),
        ("up_to = 13", "up_to = 3"),
        ('name = "dagger"', 'name = "knife"'),
    )
    keys = [fault.split(": ")[1] for fault in found]
    assert keys == [
        "weapons",
        "characteristics.short.STR",
        "factor.sword.of",
        "weapons",
        "templates[0].weapon",
        "templates[0].expertise",
        "templates[1].device",
        "templates[1].armour",
        "templates[1].expertise",
        "templates[2].expertise",
        "wounds",
    ]


def test_armour_has_a_number_for_each_class() -> None:
    (fault,) = faults(("needs = [11, 10,", "needs = [11,"))
    assert fault.startswith("spaceopera.toml: armour.needs: found [11, 9,")


def test_a_thing_is_found_by_its_beginning_or_refused_with_what_there_is() -> None:
    assert find("target", TABLES.devices, "device").name == "target shield"
    with pytest.raises(MushError, match="is none"):
        find("wall", TABLES.devices, "device")
    with pytest.raises(MushError, match="could be one of several"):
        find("m", TABLES.weapons, "weapon")


def test_npcs_come_with_the_sheet_of_a_template(arena: Arena) -> None:
    arena.do_all("Rhea> +npc Thug=warrior", "Rhea> +npc Extra", "Rhea> +npc Rowdy=brawler")
    assert arena.level("Thug", "other", "HTH") == 34
    assert arena.level("Thug", "armour", "armour") == 9
    assert "is none" in arena.no("Rhea", "+npc Stray=wizard")
