from __future__ import annotations

import pytest
from pydantic import ValidationError

from mushcombat.errors import MushError
from mushcombat.systems.otherspace.combat_sections import BANDS
from mushcombat.systems.otherspace.tables import Tables, load
from tests.unit.systems.otherspace.test_tables import changed, faults


@pytest.mark.parametrize(
    ("feet", "band"),
    [
        (0, "close"),
        (5, "close"),
        (6, "short"),
        (20, "short"),
        (21, "medium"),
        (50, "medium"),
        (51, "long"),
        (200, "long"),
        (201, "extreme"),
        (1000, "extreme"),
        (1001, None),
    ],
)
def test_os_11_a_shared_edge_belongs_to_the_nearer_band(
    tables: Tables, feet: int, band: str | None
) -> None:
    assert tables.combat.bands.at(feet) == band


def test_os_11_the_bands_are_the_games_own(tables: Tables) -> None:
    spans = [tables.combat.bands.span(band) for band in BANDS]
    assert [(span.low, span.high) for span in spans] == [
        *((0, 5), (5, 20), (20, 50), (50, 200), (200, 1000))
    ]


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("pistol", (0, 0, -1, -3, -6)),
        ("rifle", (-1, 0, 0, -1, -4)),
        ("automatic rifle", (-1, 0, 0, -1, -4)),
        ("sniper rifle", (-3, -2, -1, 0, 0)),
        ("sonic gun", (0, -1)),
        ("railgun", (-1, -1, -1, -1, -1)),
        ("grenade", (0, 0, -1, -3)),
        ("stun pistol", (0, 0, -1, -3, -6)),
    ],
)
def test_os_12_each_weapon_has_its_row(tables: Tables, name: str, row: tuple[int, ...]) -> None:
    assert tables.combat.weapon(name).row(tables.combat.ranges) == row


def test_os_12_any_weapon_of_sonic_energy_uses_the_sonic_row(rules: str) -> None:
    old = 'skill = "Pistol", energy = "projectile"'
    loud = load(changed(rules, (old, old.replace("projectile", "sonic"))), "x").combat
    assert loud.weapon("pistol").row(loud.ranges) == (0, -1)


def test_os_12_what_is_not_shot_has_no_row(tables: Tables) -> None:
    with pytest.raises(ValueError, match="sword has no range row"):
        tables.combat.weapon("sword").row(tables.combat.ranges)


@pytest.mark.parametrize(
    ("name", "odf", "shots", "damage", "conceal", "legal"),
    [
        ("pistol", 35, 1, "harm", "easy", "civil"),
        ("rifle", 50, 1, "harm", "hard", "scrutinised"),
        ("automatic rifle", 40, 3, "harm", "very hard", "military"),
        ("sniper rifle", 70, 1, "harm", "nearly impossible", "military"),
        ("sonic gun", 25, 1, "harm", "easy", "scrutinised"),
        ("railgun", 55, 1, "harm", "very hard", "military"),
        ("stun pistol", 30, 1, "stun", "easy", "civil"),
    ],
)
def test_os_17_the_weapon_table(
    tables: Tables, name: str, odf: int, shots: int, damage: str, conceal: str, legal: str
) -> None:
    weapon = tables.combat.weapon(name)
    assert (weapon.odf, weapon.shots, weapon.damage) == (odf, shots, damage)
    assert (weapon.conceal, weapon.legal) == (conceal, legal)


@pytest.mark.parametrize("name", ["pistol", "rifle", "automatic rifle", "sniper rifle"])
def test_os_17_an_energy_variant_does_five_less(tables: Tables, name: str) -> None:
    plain, energy = tables.combat.weapon(name), tables.combat.weapon(f"energy {name}")
    assert (plain.energy, energy.energy) == ("projectile", "energy")
    assert energy.odf == plain.odf - 5
    assert (energy.shots, energy.skill) == (plain.shots, plain.skill)


def test_os_18_grenades_have_a_blast(tables: Tables) -> None:
    loud, stun = tables.combat.weapon("grenade"), tables.combat.weapon("stun grenade")
    assert (loud.odf, loud.damage, loud.blast, loud.skill) == (50, "harm", 10, "Throwing")
    assert (stun.odf, stun.damage, stun.blast) == (30, "stun", 10)


@pytest.mark.parametrize(
    ("name", "odf", "stuns"),
    [
        ("club", 35, True),
        ("polearm", 35, False),
        ("sword", 50, False),
        ("knife", 15, False),
        ("claws", 10, False),
        ("unarmed", 0, True),
    ],
)
def test_os_20_the_melee_averages(tables: Tables, name: str, odf: int, *, stuns: bool) -> None:
    weapon = tables.combat.weapon(name)
    assert (weapon.sort, weapon.odf, weapon.may_stun) == ("melee", odf, stuns)


def test_os_16_a_railgun_needs_a_power_cell(tables: Tables) -> None:
    assert tables.combat.weapon("railgun").needs == "power cell"
    assert tables.combat.find_item("POWER") == ["power cell"]


@pytest.mark.parametrize(
    ("name", "ddf", "penalty"),
    [("leather jacket", 5, 0), ("kevlar", 15, -2), ("heavy armour", 30, -4)],
)
def test_os_24_os_25_suits(tables: Tables, name: str, ddf: int, penalty: int) -> None:
    suit = tables.combat.suit(name)
    assert suit is not None
    assert (suit.ddf, suit.penalty) == (ddf, penalty)


@pytest.mark.parametrize(
    ("percent", "step"),
    [
        (0, None),
        (24, None),
        (25, 25),
        (49, 25),
        (50, 50),
        (74, 50),
        (75, 75),
        (89, 75),
        (90, 90),
        (100, 90),
    ],
)
def test_os_31_cover_between_counts_as_the_lower_step(
    tables: Tables, percent: int, step: int | None
) -> None:
    found = tables.combat.cover.step(percent)
    assert (found and found.percent) == step


def test_os_54_the_starter_set_of_cards(tables: Tables) -> None:
    cards = {card.name: card for card in tables.combat.cards}
    assert list(cards) == [
        *("Aimed Shot", "Power Blow", "Feint", "Sweep", "Suppressing Fire"),
        *("Riposte", "Desperate Dodge"),
    ]
    assert cards["Aimed Shot"].ignores_cover == 75
    assert cards["Power Blow"].odf == 15
    assert (cards["Feint"].defence, cards["Riposte"].counter_at) == (-2, 2)
    assert cards["Sweep"].targets == 2
    assert (cards["Suppressing Fire"].harmless, cards["Suppressing Fire"].next_attack) == (True, -2)
    assert cards["Desperate Dodge"].free_athletics


def test_os_55_os_43_os_50_times_and_luck(tables: Tables) -> None:
    assert (tables.combat.pace.defence_seconds, tables.combat.pace.stun_minutes) == (60, 10)
    assert tables.combat.luck_cards == 1


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("pistol", ["pistol"]),
        ("PISTOL", ["pistol"]),
        ("pis", ["pistol"]),
        ("rifle", ["rifle"]),
        ("gun", ["pistol"]),
        ("sonic", ["sonic gun"]),
        ("spear", ["polearm"]),
        ("fist", ["unarmed"]),
        ("stun", ["stun pistol", "stun grenade"]),
        ("bazooka", []),
        ("", []),
    ],
)
def test_os_17_a_weapon_is_found_by_its_name_its_beginning_or_an_alias(
    tables: Tables, typed: str, names: list[str]
) -> None:
    assert [weapon.name for weapon in tables.combat.find_weapon(typed)] == names


def test_everything_else_is_found_the_same_way(tables: Tables) -> None:
    fights = tables.combat
    assert [suit.name for suit in fights.find_armour("LEATHER")] == ["leather jacket"]
    assert [card.name for card in fights.find_card("aim")] == ["Aimed Shot"]
    assert [template.name for template in fights.find_template("thu")] == ["thug"]
    assert [quirk.name for quirk in fights.find_quirk("light")] == ["Lightly Wounded"]


def test_what_is_no_more_is_refused_by_name(tables: Tables) -> None:
    with pytest.raises(MushError, match=r'weapon: there is none called "bazooka". There are: pis'):
        tables.combat.weapon("bazooka")
    with pytest.raises(MushError, match="card: there is none"):
        tables.combat.card("Ace")
    assert tables.combat.suit("barrel") is None


def test_os_7a_a_thug_in_a_line(tables: Tables) -> None:
    (thug,) = tables.combat.find_template("thug")
    assert thug.summary == "Dexterity Fair, Knife Good, leather jacket"
    assert thug.weapons == ("knife",)
    names = [template.name for template in tables.combat.templates]
    assert names == ["thug", "guard", "marksman", "duellist", "psion", "beast"]
    (duellist,) = tables.combat.find_template("duellist")
    assert duellist.summary == "Dexterity Great, Sword Great, Athletics Good, Quick"


def test_the_tables_of_fights_are_frozen_too(tables: Tables) -> None:
    with pytest.raises(ValidationError, match="frozen"):
        tables.combat.luck_cards = 2  # type: ignore[misc]
    with pytest.raises(TypeError):
        tables.combat.wounds.quirks[0].losses["Constitution"] = 0  # type: ignore[index]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            "medium = { low = 20, high = 50 }",
            "medium = { low = 21, high = 50 }",
            "combat.bands.medium.low: found 21, expected 20, so that no foot is left out or twice",
        ),
        (
            "close = { low = 0, high = 5 }",
            "close = { low = 1, high = 5 }",
            "combat.bands.close.low: found 1, expected 0, so that no foot is left out or twice",
        ),
        (
            "sonic = [0, -1]",
            "sonic = []",
            "combat.ranges.sonic: found [], expected 1 to 5 modifiers, from close range on",
        ),
        (
            "thrown = [0, 0, -1, -3]",
            "thrown = [0, 0, -1, -3, -4, -5]",
            "combat.ranges.thrown: found [0, 0, -1, -3, -4, -5], "
            "expected 1 to 5 modifiers, from close range on",
        ),
        (
            "{ percent = 50, modifier = -2 }",
            "{ percent = 25, modifier = -2 }",
            "combat.cover.steps[1].percent: found 25, expected more than the 25 before it",
        ),
        (
            "walking = -1",
            "walking = 1",
            "combat.movement.walking: found 1, expected 0 or less",
        ),
        (
            "{ at_most = 30, modifier = -2 }",
            "{ at_most = 70, modifier = -2 }",
            "combat.health.penalties[1].at_most: found 70, expected less than the 60 before it",
        ),
        (
            '    { at_least = 0, word = "down" },\n',
            "",
            "combat.health.words: found [100, 61, 31, 11], expected a last word with at_least = 0",
        ),
        (
            '{ at_least = 61, word = "scratched" }',
            '{ at_least = 100, word = "scratched" }',
            "combat.health.words[1].at_least: found 100, expected less than the 100 before it",
        ),
        (
            'name = "Moderately Wounded", under = 40',
            'name = "Moderately Wounded", under = 60',
            "combat.wounds.quirks[1].under: found 60, expected less than the 60 before it",
        ),
        (
            'losses = { Constitution = -1 }, heal = "Fair"',
            'losses = { Stamina = -1 }, heal = "Fine"',
            'combat.wounds.quirks[0].heal: found "Fine", '
            "expected a word of the ladder, Terrible to Legendary\n"
            'combat.wounds.quirks[0].losses.Stamina: found "Stamina", '
            "expected one of attributes.names",
        ),
        (
            'aliases = ["gun", "handgun"]',
            'aliases = ["gun", "pistol"]',
            'combat.weapons[0].aliases[1]: found "pistol", '
            "expected a name that nothing else of the list has",
        ),
        (
            '{ name = "kevlar", ddf = 15',
            '{ name = "Leather", ddf = 15',
            'combat.armour[1].name: found "Leather", '
            "expected a name that nothing else of the list has\n"
            'combat.templates[1].armour: found "kevlar", '
            "expected the name of one of combat.armour",
        ),
        (
            'items = ["power cell"]',
            "items = []",
            'combat.weapons[5].needs: found "power cell", expected one of combat.items',
        ),
        (
            'weapons = ["pistol", "club"]',
            'weapons = ["pistol", "mace"]',
            'combat.templates[1].weapons[1]: found "mace", '
            "expected the name of one of combat.weapons",
        ),
        (
            'skill = "Sword"',
            'skill = "Sabre"',
            'combat.weapons[15].skill: found "Sabre", expected one of skills.names',
        ),
        (
            'gift = "Claws"',
            'gift = "Talons"',
            'combat.weapons[17].gift: found "Talons", expected one of gifts.names',
        ),
        (
            'attributes = { Dexterity = "Fair" }, skills = { Knife = "Good" }',
            'attributes = { Knife = "Fair" }, skills = { Knife = "Fine" }, faults = ["Late"]',
            'combat.templates[0].attributes.Knife: found "Knife", '
            "expected one of attributes.names\n"
            'combat.templates[0].skills.Knife: found "Fine", '
            "expected a word of the ladder, Terrible to Legendary\n"
            'combat.templates[0].faults[0]: found "Late", expected one of faults.names',
        ),
        (
            'helpless = "Terrible"',
            'helpless = "Awful"',
            'combat.defence.helpless: found "Awful", '
            "expected a word of the ladder, Terrible to Legendary",
        ),
        (
            'skill = "Sword", odf = 50',
            'skill = "Sword", energy = "rail", odf = 50',
            'combat.weapons[15].energy: found "rail", expected none, as it does not shoot',
        ),
        (
            'energy = "sonic", ',
            "",
            'combat.weapons[4].energy: found "none", expected projectile, energy, sonic or rail',
        ),
        (
            "shots = 3",
            "shots = 0",
            "combat.weapons[2].shots: found 0, expected 1 or more",
        ),
        (
            "may_stun = true",
            "may_stun = 1",
            "combat.weapons[13].may_stun: found 1, expected true or false",
        ),
    ],
)
def test_what_can_not_be_in_a_fight_is_told(rules: str, old: str, new: str, told: str) -> None:
    assert faults(changed(rules, (old, new))) == told.split("\n")


def test_a_skill_that_fights_need_can_not_be_left_out(rules: str) -> None:
    (told,) = faults(changed(rules, ('"Medicine", ', "")))
    assert told.startswith("combat: found [")
    assert told.endswith("expected Medicine among skills.names")


def test_lists_that_can_not_be_read_make_no_faults_in_fights(rules: str) -> None:
    told = faults(
        changed(rules, ('"Pistol", "Rifle"', '"Pistol", "pistol"'), ("Good = 5", "Good = 4"))
    )
    assert [line.split(":")[0] for line in told] == [
        *("ladder.levels.Good", "ladder.levels.Great", "skills.names[1]")
    ]
