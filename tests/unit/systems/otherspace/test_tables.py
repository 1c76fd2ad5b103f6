from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from mushcombat.domain.dice import FreeDice, Throw
from mushcombat.faults import FaultyError
from mushcombat.systems.otherspace.ladder import Ladder
from mushcombat.systems.otherspace.tables import Tables, Trait, load


def faults(text: str) -> list[str]:
    with pytest.raises(FaultyError) as caught:
        load(text, "otherspace.toml")
    return [str(fault).removeprefix("otherspace.toml: ") for fault in caught.value.faults]


def changed(rules: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert old in rules
        rules = rules.replace(old, new, 1)
    return rules


def test_os_1_each_word_of_the_ladder_has_its_number(tables: Tables) -> None:
    words = ["Terrible", "Poor", "Mediocre", "Fair", "Good", "Great", "Superb", "Legendary"]
    assert [tables.ladder.word(level) for level in range(1, 9)] == words
    assert (tables.ladder.lowest, tables.ladder.highest) == (1, 8)


@pytest.mark.parametrize(
    ("level", "text"),
    [
        (6, "6 (Great)"),
        (4, "4 (Fair)"),
        (10, "10 (Legendary+2)"),
        (0, "0 (Terrible-1)"),
        (-2, "-2 (Terrible-3)"),
    ],
)
def test_os_1_a_level_is_written_with_its_word(tables: Tables, level: int, text: str) -> None:
    assert tables.ladder.describe(level) == text


@given(level=st.integers(-9999, 9999))
def test_os_1_a_word_as_printed_is_read_back(tables: Tables, level: int) -> None:
    assert tables.ladder.level(tables.ladder.word(level)) == level
    assert tables.ladder.level(tables.ladder.word(level).upper()) == level


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Godlike",
        "Goo",
        "Goods",
        "Legendary+",
        "Legendary+0",
        "Legendary-1",
        "Legendary2",
        "Terrible+1",
        "Terrible-0",
        "Fair+1",
        "Legendary+2+2",
        "Legendary + 2",
        "Terrible-1e3",
    ],
)
def test_os_1_what_is_never_printed_is_no_level(tables: Tables, text: str) -> None:
    assert tables.ladder.level(text) is None


def test_os_1_a_word_that_begins_another_does_not_hide_it() -> None:
    ladder = Ladder(levels={"Good": 1, "Goodish": 2})
    assert (ladder.level("good"), ladder.level("goodish"), ladder.level("goodish+1")) == (1, 2, 3)


def test_os_2_fudge_dice_run_from_minus_four_to_four(tables: Tables) -> None:
    assert tables.dice.value(Throw(1, "x", 3, (1, 1, 1, 1))) == -4
    assert tables.dice.value(Throw(1, "x", 3, (3, 3, 3, 3))) == 4
    assert tables.dice.value(Throw(1, "x", 3, (1, 2, 3, 3))) == 1


def test_os_2_the_later_die_runs_from_minus_four_to_five(d10: Tables) -> None:
    values = [d10.dice.value(Throw(1, "x", 10, (face,))) for face in range(1, 11)]
    assert values == list(range(-4, 6))


def test_os_2_the_table_knows_what_to_throw(tables: Tables, d10: Tables) -> None:
    dice = FreeDice(lambda sides: sides - 1)
    assert tables.dice.throw(dice, "roll") == Throw(0, "roll", 3, (3, 3, 3, 3))
    assert d10.dice.throw(dice, "roll") == Throw(0, "roll", 10, (10,))


@pytest.mark.parametrize("throw", [Throw(1, "x", 10, (4,)), Throw(1, "x", 3, (1, 1, 1))])
def test_os_2_other_dice_than_the_tables_are_refused(tables: Tables, throw: Throw) -> None:
    with pytest.raises(ValueError, match="not the throw for 4dF"):
        tables.dice.value(throw)


def test_os_3_players_and_referees_have_their_ranges(tables: Tables) -> None:
    player, referee = tables.modifiers.player, tables.modifiers.referee
    assert (player.low, player.high, referee.low, referee.high) == (-4, 4, -99, 99)
    assert [player.holds(n) for n in (-5, -4, 0, 4, 5)] == [False, True, True, True, False]


@pytest.mark.parametrize(
    ("name", "level"), [("Dexterity", 4), ("Charisma", 4), ("Psi", None), ("Pistol", 2)]
)
def test_os_6_what_was_never_set_has_a_level_save_psi(
    tables: Tables, name: str, level: int | None
) -> None:
    (trait,) = tables.find(name)
    assert tables.unset(trait) == level


def test_os_6_a_gift_has_no_level(tables: Tables) -> None:
    assert tables.unset(Trait("Quick", "gift")) is None


def test_os_7_there_are_eight_attributes(tables: Tables) -> None:
    assert [trait.name for trait in tables.traits if trait.group == "attribute"] == [
        *("Dexterity", "Strength", "Constitution", "Perception"),
        *("Willpower", "Intelligence", "Psi", "Charisma"),
    ]


def test_os_7a_there_are_the_lists_of_skills_gifts_and_faults(tables: Tables) -> None:
    groups = [trait.group for trait in tables.traits]
    assert [groups.count(group) for group in ("skill", "gift", "fault")] == [19, 6, 6]


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("pistol", "Pistol"),
        ("PISTOL", "Pistol"),
        ("armor", "Armour"),
        ("Armour", "Armour"),
        ("arm", "Armour"),
        ("psi", "Psi"),
        ("dex", "Dexterity"),
        ("automatic weapon", "Automatic Weapons"),
    ],
)
def test_os_7a_a_trait_is_found_in_any_case_and_spelling(
    tables: Tables, typed: str, name: str
) -> None:
    assert [trait.name for trait in tables.find(typed)] == [name]


def test_os_7a_an_ambiguous_or_unknown_name_is_told_by_the_number_found(tables: Tables) -> None:
    assert [trait.name for trait in tables.find("tele")] == ["Telepathy", "Telekinesis"]
    assert tables.find("wit fencing") == tables.find("") == []


def test_os_7a_gifts_and_faults_are_found_when_asked_for(tables: Tables) -> None:
    assert tables.find("quick") == []
    assert tables.find("quick", ["gift"]) == [Trait("Quick", "gift")]
    assert tables.find("hemophobe", ["fault"]) == [Trait("Haemophobe", "fault")]


def test_tables_are_frozen(tables: Tables) -> None:
    with pytest.raises(ValidationError, match="frozen"):
        tables.dice.kind = "1d10-5"  # type: ignore[misc]
    with pytest.raises(TypeError):
        tables.ladder.levels["Fair"] = 9  # type: ignore[index]
    with pytest.raises(TypeError):
        tables.reaction.first_round["knife"] = 9  # type: ignore[index]


def test_every_key_of_the_file_stands_behind_a_comment_that_names_its_rule(rules: str) -> None:
    commented = False
    for line in rules.splitlines():
        if re.match(r"# OS-\d", line):
            commented = True
        elif re.match(r"\w+ = ", line):
            assert commented, line
        elif line.startswith("["):
            commented = False


def test_all_faults_of_a_file_are_told_at_once(rules: str) -> None:
    wrong = changed(
        rules,
        ("Good = 5", "Good = 4"),
        ('kind = "4dF"', 'kind = "5dF"\nsize = 3'),
        ("per_strength = 5", "per_strength = true"),
        ("psionic = 10", "psionic = 10.0"),
        ("resistant = 2", 'resistant = "2"'),
        ("odf = { low = 0, high = 999 }", "odf = { low = -1, high = 999 }"),
        ("psi = { low = 0, high = 20 }\n", ""),
    )
    assert faults(wrong) == [
        "ladder.levels.Good: found 4, expected a level of its own (Fair has 4)",
        "ladder.levels.Great: found 6, expected 5, the next after Good",
        "dice.kind: found \"5dF\", expected '4dF' or '1d10-5'",
        "dice.size: found 3, expected no key of this name; there are kind",
        "damage.per_strength: found true, expected a whole number",
        "damage.psionic: found 10.0, expected a whole number",
        'psionics.resistant: found "2", expected a whole number',
        "fields.odf.low: found -1, expected 0 or more",
        "fields.psi: found nothing, expected a value",
    ]


def test_os_1_a_ladder_needs_two_words_each_once(rules: str) -> None:
    short = re.sub(r"(?s)Terrible = 1.*?Legendary = 8", "Fair = 4", rules)
    assert 'ladder.levels: found {"Fair": 4}, expected two words or more' in faults(short)
    doubled = faults(changed(rules, ("Great = 6", "GOOD = 6")))
    assert doubled == [
        'ladder.levels.GOOD: found "GOOD", expected a word that stands here once, in whatever case'
    ]


def test_os_1_a_word_of_the_ladder_has_letters_alone(rules: str) -> None:
    (told,) = faults(changed(rules, ("Great = 6", '"Great+1" = 6')))
    assert told.startswith('ladder.levels.Great+1: found "Great+1", expected a name of words')
    (told,) = faults(changed(rules, ("Great = 6", f"{'Great' * 5} = 6")))
    assert "at most 24 long" in told


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            "player = { low = -4, high = 4 }",
            "player = { low = 4, high = -4 }",
            "modifiers.player.high: found -4, expected 4 (its low) or more",
        ),
        (
            "player = { low = -4, high = 4 }",
            "player = { low = 1, high = 4 }",
            'modifiers.player: found {"low": 1, "high": 4}, expected a range with 0 in it',
        ),
        (
            'tie = "defender"',
            'tie = "nobody"',
            "opposed.tie: found \"nobody\", expected 'defender' or 'attacker'",
        ),
        (
            'unset = "Fair"',
            'unset = "Fine"',
            'attributes.unset: found "Fine", expected a word of the ladder, Terrible to Legendary',
        ),
        (
            'unset = "Poor"',
            'unset = "Fine"',
            'skills.unset: found "Fine", expected a word of the ladder, Terrible to Legendary',
        ),
        (
            'detection_needs = "Fair"',
            'detection_needs = "Fine"',
            'psionics.detection_needs: found "Fine", '
            "expected a word of the ladder, Terrible to Legendary",
        ),
        (
            'none_unless_given = ["Psi"]',
            'none_unless_given = ["Magic"]',
            'attributes.none_unless_given[0]: found "Magic", '
            "expected one of the attributes' names",
        ),
        (
            '"Pistol", "Rifle"',
            '"Pistol", "psi", "Rifle"',
            'skills.names[1]: found "psi", '
            "expected a name that no other attribute, skill or quirk has",
        ),
        (
            '"Quick", "Tough"',
            '"Quick", "quick", "Tough"',
            'gifts.names[4]: found "quick", '
            "expected a name that no other attribute, skill or quirk has",
        ),
        (
            'Armor = "Armour"',
            'Armor = "Armoury"',
            'spellings.Armor: found "Armoury", expected a name of the lists above',
        ),
        (
            'Armor = "Armour"',
            'pistol = "Armour"',
            'spellings.pistol: found "Armour", '
            "expected another spelling than the name Pistol itself",
        ),
        (
            'latecomers = ["pistol"]',
            'latecomers = ["pistol", "sabre"]',
            'reaction.latecomers[1]: found "sabre", expected one of the keys of first_round',
        ),
        (
            "per_level = 5",
            "per_level = 6",
            "constitution.per_level: found 6, "
            "expected at most 100 percent for a Constitution of 20",
        ),
        (
            "per_margin = 5",
            "per_margin = 10000",
            "damage.per_margin: found 10000, expected 9999 or less",
        ),
    ],
)
def test_a_number_or_word_that_can_not_be_is_told(
    rules: str, old: str, new: str, told: str
) -> None:
    assert faults(changed(rules, (old, new))) == [told]


def test_os_7_an_attribute_that_the_rules_need_can_not_be_left_out(rules: str) -> None:
    (told,) = faults(changed(rules, ('"Intelligence", ', "")))
    assert told.startswith("attributes.names: found [")
    assert told.endswith("expected Intelligence among them")


def test_os_36_flat_points_may_be_any(rules: str) -> None:
    flat = changed(rules, ('mode = "percent"', 'mode = "flat"'), ("per_level = 5", "per_level = 9"))
    assert load(flat, "x").constitution.per_level == 9


def test_a_ladder_that_can_not_be_read_makes_no_faults_elsewhere(rules: str) -> None:
    (told,) = faults(changed(rules, ("Good = 5", 'Good = "5"')))
    assert told == 'ladder.levels.Good: found "5", expected a whole number'


def test_os_7a_a_game_may_add_attributes_and_skills(rules: str) -> None:
    more = load(
        changed(rules, ('"Charisma",', '"Charisma", "Luck",'), ('"Rifle"', '"Rifle", "Bow"')), "x"
    )
    assert [trait.name for name in ("luck", "bow") for trait in more.find(name)] == ["Luck", "Bow"]
