from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.domain.command import Context, Verb
from mushcombat.domain.events import Audience
from mushcombat.errors import MushError
from mushcombat.systems.otherspace.calculators import calculator_verbs
from mushcombat.systems.otherspace.events import DamageWorked
from mushcombat.systems.otherspace.tables import Tables, load
from mushcombat.systems.otherspace.text import DESCRIBE
from tests.unit.support import ADA, NOW, Faces, refused, run, scene_of

HERE = Context(ADA, 1, None, NOW, Faces())


def verb(name: str, tables: Tables) -> Verb:
    return next(verb for verb in calculator_verbs(tables) if verb.name == name)


def line(typed: str, tables: Tables) -> str:
    name, _, text = typed.partition(" ")
    (draft,) = run(verb(name, tables), HERE, text).drafts
    assert draft.audience is Audience.ROOM
    return DESCRIBE[DamageWorked](draft.event, "Ada")


def no(typed: str, tables: Tables) -> str:
    name, _, text = typed.partition(" ")
    return refused(verb(name, tables), HERE, text)


def test_os_34_the_ranged_calculator_writes_the_sum_out(tables: Tables) -> None:
    assert line("+rcalcdamage 6/4/50/20", tables) == (
        "[Damage] Ada: ranged: ODF 50 + 5 x (6 - 4) - DDF 20 = 40, before Constitution."
    )


def test_os_33_the_melee_calculator_adds_strength_when_it_is_told(tables: Tables) -> None:
    assert line("+mcalcdamage 6/4/50/20/4", tables) == (
        "[Damage] Ada: melee: ODF 50 + 5 x Strength 4 + 5 x (6 - 4) - DDF 20 = 60,"
        " before Constitution."
    )


def test_os_38_four_fields_take_the_odf_as_including_strength(tables: Tables) -> None:
    assert line("+mcalcdamage 6/4/50/20", tables) == (
        "[Damage] Ada: melee: ODF 50 + 5 x (6 - 4) - DDF 20 = 40, before Constitution."
        " The ODF is taken as including Strength."
    )


def test_os_35_the_psionic_calculator_writes_the_sum_out(tables: Tables) -> None:
    assert line("+psicalcdamage 6/4/6/4", tables) == (
        "[Damage] Ada: psionic: 10 x Psi 6 + 10 x (6 - 4) - 10 x Intelligence 4 = 40,"
        " before Constitution."
    )


def test_os_36_constitution_takes_its_share(tables: Tables) -> None:
    assert line("+calcdamage 40/4", tables) == ("[Damage] Ada: 40 less Constitution 4 (20%) = 32.")


def test_os_36_a_fraction_is_dropped_once_at_the_end(tables: Tables) -> None:
    assert line("+calcdamage 7/1", tables) == "[Damage] Ada: 7 less Constitution 1 (5%) = 6."


def test_os_36_a_game_may_take_points_instead(flat: Tables) -> None:
    assert line("+calcdamage 40/4", flat) == ("[Damage] Ada: 40 less Constitution 4 (5 x 4) = 20.")
    assert line("+calcdamage 10/4", flat) == (
        "[Damage] Ada: 10 less Constitution 4 (5 x 4) = -10, not under 0 = 0."
    )


def test_os_4_words_are_taken_for_rolls_and_levels(tables: Tables) -> None:
    assert line("+rcalcdamage Great/fair/50/20", tables) == line("+rcalcdamage 6/4/50/20", tables)
    assert line("+mcalcdamage great/FAIR/50/20/Fair", tables) == line(
        "+mcalcdamage 6/4/50/20/4", tables
    )
    assert line("+psicalcdamage Great/Fair/Great/Fair", tables) == line(
        "+psicalcdamage 6/4/6/4", tables
    )
    assert line("+calcdamage 40/fair", tables) == line("+calcdamage 40/4", tables)


def test_spaces_round_a_field_do_not_matter(tables: Tables) -> None:
    assert line("+rcalcdamage  6 / 4 / 50 / 20 ", tables) == line("+rcalcdamage 6/4/50/20", tables)


@pytest.mark.parametrize("defence", ["4", "5", "Legendary"])
def test_os_37_an_attack_that_does_not_beat_the_defence_is_said_to_miss(
    tables: Tables, defence: str
) -> None:
    number = {"4": 4, "5": 5, "Legendary": 8}[defence]
    told = line(f"+rcalcdamage 4/{defence}/50/0", tables)
    assert told == (
        f"[Damage] Ada: ranged: ODF 50 + 5 x (4 - {number}) - DDF 0 = {50 + 5 * (4 - number)},"
        f" before Constitution. An attack of 4 against {number} is normally a miss."
    )


def test_os_37_a_miss_in_melee_is_told_behind_the_note_on_strength(tables: Tables) -> None:
    assert line("+mcalcdamage 4/4/10/0", tables).endswith(
        "before Constitution. The ODF is taken as including Strength."
        " An attack of 4 against 4 is normally a miss."
    )


def test_os_5_where_ties_are_the_attackers_an_equal_roll_is_no_miss(rules: str) -> None:
    bold = load(rules.replace('tie = "defender"', 'tie = "attacker"'), "x")
    assert line("+rcalcdamage 4/4/50/0", bold).endswith("before Constitution.")


def test_os_34_damage_is_never_under_zero_and_the_floor_is_a_term(tables: Tables) -> None:
    assert line("+rcalcdamage 1/4/0/20", tables) == (
        "[Damage] Ada: ranged: ODF 0 + 5 x (1 - 4) - DDF 20 = -35, not under 0 = 0,"
        " before Constitution. An attack of 1 against 4 is normally a miss."
    )


def test_a_bad_field_is_named_with_what_was_typed_and_what_it_takes(tables: Tables) -> None:
    assert no("+rcalcdamage 6/4/fifty/20", tables) == (
        'ODF: "fifty" is not a whole number from 0 to 999.'
    )


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ("+rcalcdamage x/4/50/20", "attack roll"),
        ("+rcalcdamage 6/x/50/20", "defence roll"),
        ("+rcalcdamage 6/4/50/x", "DDF"),
        ("+rcalcdamage 6/4/-1/20", "ODF"),
        ("+rcalcdamage 6/4/1000/20", "ODF"),
        ("+rcalcdamage 6/4/Great/20", "ODF"),
        ("+mcalcdamage 6/4/50/20/21", "strength"),
        ("+mcalcdamage 6/4/50/20/-1", "strength"),
        ("+mcalcdamage 6/4/x/20", "ODF"),
        ("+mcalcdamage 6/4/50/x", "DDF"),
        ("+psicalcdamage 6/4/21/4", "psi"),
        ("+psicalcdamage 6/4/6/x", "intelligence"),
        ("+calcdamage 10000/4", "damage"),
        ("+calcdamage -1/4", "damage"),
        ("+calcdamage 40/21", "constitution"),
        ("+calcdamage 1e3/4", "damage"),
        ("+calcdamage ٤٠/4", "damage"),
        ("+calcdamage 40.0/4", "damage"),
        ("+calcdamage 4_0/4", "damage"),
        ("+rcalcdamage 6/4/50/20 extra", "DDF"),
    ],
)
def test_os_39_every_field_refuses_what_it_does_not_take(
    tables: Tables, typed: str, field: str
) -> None:
    assert no(typed, tables).startswith(f'{field}: "')


@pytest.mark.parametrize(
    "typed",
    [
        "+rcalcdamage",
        "+rcalcdamage 6/4/50",
        "+rcalcdamage 6/4/50/20/4",
        "+mcalcdamage 6/4/50",
        "+mcalcdamage 6/4/50/20/4/1",
        "+psicalcdamage 6",
        "+psicalcdamage 6/4/6/4/1",
        "+calcdamage 40",
        "+calcdamage 40/4/1",
    ],
)
def test_os_39_another_number_of_fields_is_answered_with_the_usage(
    tables: Tables, typed: str
) -> None:
    name = typed.split(maxsplit=1)[0]
    assert no(typed, tables) == f"Usage: {verb(name, tables).syntax}"


def test_in_a_scene_the_line_is_logged_by_it(tables: Tables) -> None:
    inside = Context(ADA, 1, scene_of(ADA), NOW, Faces())
    (draft,) = run(verb("+calcdamage", tables), inside, "40/4").drafts
    assert draft.ledger == 7


@given(fields=st.lists(st.text(max_size=6), min_size=1, max_size=6))
def test_any_text_gives_a_sum_or_a_refusal(tables: Tables, fields: list[str]) -> None:
    for one in calculator_verbs(tables):
        try:
            told = run(one, HERE, "/".join(fields)).drafts
        except MushError as refusal:
            assert str(refusal)  # noqa: PT017 -- either is right
        else:
            assert len(told) == 1


ranges = st.tuples(
    st.integers(-99, 99), st.integers(-99, 99), st.integers(0, 999), st.integers(0, 999)
)


@given(fields=ranges, strength=st.integers(0, 20))
def test_os_33_os_34_the_sum_is_that_of_the_rule(
    tables: Tables, fields: tuple[int, int, int, int], strength: int
) -> None:
    attack, defence, odf, ddf = fields
    typed = "/".join(map(str, fields))
    ranged = max(0, odf + 5 * (attack - defence) - ddf)
    melee = max(0, odf + 5 * strength + 5 * (attack - defence) - ddf)
    assert f" = {ranged}, before" in line(f"+rcalcdamage {typed}", tables)
    assert f" = {ranged}, before" in line(f"+mcalcdamage {typed}", tables)
    assert f" = {melee}, before" in line(f"+mcalcdamage {typed}/{strength}", tables)
