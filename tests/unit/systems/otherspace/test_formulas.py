from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.domain.breakdown import modifier
from mushcombat.domain.dice import Throw
from mushcombat.systems.otherspace import formulas
from mushcombat.systems.otherspace.tables import Tables, load
from tests.unit.domain.test_breakdown import evaluate

PLUS_TWO = Throw(1, "roll", 3, (3, 3, 2, 2))
ZERO = Throw(5, "roll", 3, (1, 3, 2, 2))
MINUS_ONE = Throw(9, "roll", 3, (1, 2, 2, 2))

rolls = st.integers(-99, 99)
factors = st.integers(0, 999)
stats = st.integers(0, 20)
throws = st.lists(st.integers(1, 3), min_size=4, max_size=4).map(
    lambda faces: Throw(1, "roll", 3, tuple(faces))
)


def test_os_3_a_roll_is_skill_modifier_and_dice(tables: Tables) -> None:
    roll = formulas.check("Pistol", 5, -1, PLUS_TWO, tables)
    assert roll.formula() == "Pistol 5 (Good) - 1 (asked) + 2 (4dF) = 6"
    assert tables.ladder.describe(roll.total) == "6 (Great)"
    assert roll.throws == (PLUS_TWO,)
    assert [(term.kind, term.rule) for term in roll.terms] == [
        ("level", "OS-3"),
        ("asked", "OS-3"),
        ("dice", "OS-2"),
    ]


def test_os_3_asked_and_dice_are_shown_at_zero_and_other_terms_are_not(tables: Tables) -> None:
    extra = [modifier(-1, "wounds"), modifier(0, "short range"), modifier(2, "high ground")]
    roll = formulas.check("Rifle", 2, 0, ZERO, tables, extra=extra)
    assert roll.formula() == (
        "Rifle 2 (Poor) - 1 (wounds) + 2 (high ground) + 0 (asked) + 0 (4dF) = 3"
    )


def test_os_3_a_roll_that_nobody_asks_for_shows_no_asked_modifier(tables: Tables) -> None:
    roll = formulas.check("Dexterity", 4, None, ZERO, tables, extra=[modifier(-2, "raw dexterity")])
    assert roll.formula() == "Dexterity 4 (Fair) - 2 (raw dexterity) + 0 (4dF) = 2"


def test_os_1_a_skill_off_the_ladder_is_shown_from_its_end(tables: Tables) -> None:
    assert (
        formulas.check("Sword", 10, 0, ZERO, tables)
        .formula()
        .startswith("Sword 10 (Legendary+2) + 0 (asked)")
    )


def test_os_2_the_later_die_is_shown_by_its_name(d10: Tables) -> None:
    roll = formulas.check("Pistol", 5, 0, Throw(1, "roll", 10, (2,)), d10)
    assert roll.formula() == "Pistol 5 (Good) + 0 (asked) - 3 (1d10-5) = 2"


@pytest.mark.parametrize(
    ("attack", "defence", "margin", "hit"), [(6, 4, 2, True), (4, 4, 0, False), (3, 4, -1, False)]
)
def test_os_5_the_margin_decides_and_a_tie_is_the_defenders(
    tables: Tables, attack: int, defence: int, margin: int, *, hit: bool
) -> None:
    assert formulas.margin(attack, defence) == margin
    assert formulas.beats(attack, defence, tables) is hit


def test_os_5_a_referee_may_give_ties_to_the_attacker(rules: str) -> None:
    bold = load(rules.replace('tie = "defender"', 'tie = "attacker"'), "x")
    assert formulas.beats(4, 4, bold)
    assert not formulas.beats(3, 4, bold)


def test_os_8_reaction_is_dexterity_and_perception(tables: Tables) -> None:
    roll = formulas.reaction(4, 4, 0, MINUS_ONE, tables)
    assert roll.formula() == "Dexterity 4 + Perception 4 + 0 (asked) - 1 (4dF) = 7"
    assert sum(term.value for term in roll.terms if term.kind == "level") == 8


def test_os_9_the_first_rounds_bonus_is_shown_with_its_weapon(tables: Tables) -> None:
    bonus = formulas.first_round_bonus("pistol", tables)
    roll = formulas.reaction(5, 4, 0, MINUS_ONE, tables, bonus=bonus)
    assert roll.formula() == (
        "Dexterity 5 + Perception 4 + 1 (pistol, first round) + 0 (asked) - 1 (4dF) = 9"
    )


def test_os_8_wounds_count_for_reaction_too(tables: Tables) -> None:
    roll = formulas.reaction(4, 4, 1, ZERO, tables, extra=[modifier(-1, "wounds")])
    assert roll.formula() == ("Dexterity 4 + Perception 4 - 1 (wounds) + 1 (asked) + 0 (4dF) = 8")


@pytest.mark.parametrize(
    ("weapon_class", "first", "late"),
    [
        ("unarmed", 3, 0),
        ("claws", 3, 0),
        ("psionic", 3, 0),
        ("knife", 2, 0),
        ("pistol", 1, 1),
        ("rifle", 0, 0),
    ],
)
def test_os_9_the_first_rounds_bonus_goes_by_weapon_class(
    tables: Tables, weapon_class: str, first: int, late: int
) -> None:
    bonus = formulas.first_round_bonus(weapon_class, tables)
    belated = formulas.first_round_bonus(weapon_class, tables, latecomer=True)
    assert (bonus.value if bonus else 0, belated.value if belated else 0) == (first, late)


def test_os_34_ranged_damage(tables: Tables) -> None:
    harm = formulas.ranged_damage(6, 4, 50, 20, tables)
    assert harm.formula() == "ODF 50 + 5 x (6 - 4) - DDF 20 = 40"
    assert {term.rule for term in harm.terms} == {"OS-34"}


def test_os_34_damage_is_never_under_nothing(tables: Tables) -> None:
    harm = formulas.ranged_damage(2, 5, 10, 30, tables)
    assert harm.formula() == "ODF 10 + 5 x (2 - 5) - DDF 30 = -35, not under 0 = 0"


def test_os_37_the_formula_is_worked_out_for_a_miss_as_well(tables: Tables) -> None:
    assert formulas.ranged_damage(5, 5, 50, 20, tables).total == 30
    assert not formulas.beats(5, 5, tables)


def test_os_33_melee_damage_adds_strength(tables: Tables) -> None:
    harm = formulas.melee_damage(6, 4, 50, 20, tables, strength=4)
    assert harm.formula() == "ODF 50 + 5 x Strength 4 + 5 x (6 - 4) - DDF 20 = 60"
    assert {term.rule for term in harm.terms} == {"OS-33"}


def test_os_38_without_strength_the_odf_is_taken_as_including_it(tables: Tables) -> None:
    harm = formulas.melee_damage(6, 4, 50, 20, tables, strength=None)
    assert harm.formula() == "ODF 50 + 5 x (6 - 4) - DDF 20 = 40"


def test_os_38_strength_nought_is_still_a_strength(tables: Tables) -> None:
    harm = formulas.melee_damage(6, 4, 50, 20, tables, strength=0)
    assert harm.formula() == "ODF 50 + 5 x Strength 0 + 5 x (6 - 4) - DDF 20 = 40"


def test_os_35_psionic_damage(tables: Tables) -> None:
    harm = formulas.psionic_damage(6, 4, 6, 4, tables)
    assert harm.formula() == "10 x Psi 6 + 10 x (6 - 4) - 10 x Intelligence 4 = 40"
    assert {term.rule for term in harm.terms} == {"OS-35"}


def test_os_35_psionic_damage_is_never_under_nothing(tables: Tables) -> None:
    harm = formulas.psionic_damage(2, 4, 1, 6, tables)
    assert harm.formula() == (
        "10 x Psi 1 + 10 x (2 - 4) - 10 x Intelligence 6 = -70, not under 0 = 0"
    )


def test_os_36_constitution_takes_its_share(tables: Tables) -> None:
    assert formulas.after_constitution(40, 4, tables).formula() == (
        "40 less Constitution 4 (20%) = 32"
    )


def test_os_36_fractions_are_dropped_once_at_the_end(tables: Tables) -> None:
    assert formulas.after_constitution(55, 3, tables).formula() == (
        "55 less Constitution 3 (15%) = 46"
    )


@pytest.mark.parametrize(
    ("constitution", "line"),
    [
        (-2, "40 less Constitution -2 (0%) = 40"),
        (0, "40 less Constitution 0 (0%) = 40"),
        (20, "40 less Constitution 20 (100%) = 0"),
        (25, "40 less Constitution 25 (100%) = 0"),
    ],
)
def test_os_36_constitution_counts_from_nought_to_twenty(
    tables: Tables, constitution: int, line: str
) -> None:
    assert formulas.after_constitution(40, constitution, tables).formula() == line


def test_os_36_a_game_may_take_points_instead(flat: Tables) -> None:
    assert formulas.after_constitution(40, 4, flat).formula() == (
        "40 less Constitution 4 (5 x 4) = 20"
    )
    assert formulas.after_constitution(10, 25, flat).formula() == (
        "10 less Constitution 25 (5 x 20) = -90, not under 0 = 0"
    )


def test_os_36_constitution_goes_on_from_a_longer_sum(tables: Tables) -> None:
    harm = formulas.ranged_damage(6, 3, 35, 5, tables)
    left = harm.then(formulas.constitution_term(harm.total, 4, tables))
    assert left.formula() == ("ODF 35 + 5 x (6 - 3) - DDF 5 = 45, less Constitution 4 (20%) = 36")


def test_os_40_the_gift_helps_willpower_against_psionics(tables: Tables) -> None:
    roll = formulas.check(
        "Willpower", 4, None, ZERO, tables, extra=[formulas.psi_resistance(tables)]
    )
    assert roll.formula() == "Willpower 4 (Fair) + 2 (Psi Resistant) + 0 (4dF) = 6"


def test_os_40_noticing_psionics_needs_a_level_of_the_ladder(tables: Tables) -> None:
    assert tables.ladder.level(tables.psionics.detection_needs) == 4


@given(attack=rolls, defence=rolls, odf=factors, ddf=factors, strength=stats, other=stats)
def test_os_33_to_os_35_terms_add_up_as_written(
    tables: Tables, attack: int, defence: int, odf: int, ddf: int, strength: int, other: int
) -> None:
    ranged = 5 * (attack - defence) + odf - ddf
    psionic = 10 * (strength + attack - defence - other)
    for harm, plain in [
        (formulas.ranged_damage(attack, defence, odf, ddf, tables), ranged),
        (
            formulas.melee_damage(attack, defence, odf, ddf, tables, strength=strength),
            ranged + 5 * strength,
        ),
        (formulas.psionic_damage(attack, defence, strength, other, tables), psionic),
    ]:
        assert harm.total == max(0, plain)
        written = harm.formula()
        for name in ("ODF ", "DDF ", "Strength ", "Psi ", "Intelligence "):
            written = written.replace(name, "")
        assert evaluate(written) == harm.total


@given(damage=st.integers(0, 9999), constitution=st.integers(-5, 30))
def test_os_36_the_share_is_exact_and_never_over_the_damage(
    tables: Tables, flat: Tables, damage: int, constitution: int
) -> None:
    counted = min(20, max(0, constitution))
    left = formulas.after_constitution(damage, constitution, tables)
    assert left.total == int(damage * (100 - 5 * counted) / 100 + 1e-9)
    assert sum(term.value for term in left.terms) == left.total
    assert formulas.after_constitution(damage, constitution, flat).total == max(
        0, damage - 5 * counted
    )


@given(level=rolls, asked=rolls, throw=throws, extra=st.lists(rolls, max_size=4))
def test_os_3_the_terms_of_a_roll_add_up(
    tables: Tables, level: int, asked: int, throw: Throw, extra: list[int]
) -> None:
    terms = [modifier(value, "why") for value in extra]
    roll = formulas.check("Pistol", level, asked, throw, tables, extra=terms)
    dice = sum(throw.faces) - 8
    assert roll.total == level + asked + sum(extra) + dice
    assert all(term.value for term in roll.terms if term.kind == "term")
    assert f"({tables.ladder.word(level)})" in roll.formula()
    assert roll.formula().endswith(f"{abs(dice)} (4dF) = {roll.total}")
