from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.errors import MushError
from mushcombat.systems.otherspace import situation as situations
from mushcombat.systems.otherspace.situation import Situation, read_modifiers
from mushcombat.systems.otherspace.tables import Tables


@pytest.mark.parametrize(
    ("typed", "changes"),
    [
        ([], {}),
        (["close"], {"band": "close"}),
        (["Extreme"], {"band": "extreme"}),
        (["30 feet"], {"feet": 30}),
        (["30"], {"feet": 30}),
        ([" 30  FT "], {"feet": 30}),
        (["1 foot"], {"feet": 1}),
        (["cover 50"], {"cover": 50}),
        (["cover 50%"], {"cover": 50}),
        (["Cover 75 %"], {"cover": 75}),
        (["walking"], {"movement": "walking"}),
        (["running"], {"movement": "running"}),
        (["blind"], {"blind": True}),
        (["dual"], {"hand": "first"}),
        (["improvised"], {"improvised": True}),
        (["closing"], {"closing": True}),
        (["back"], {"back": True}),
        (["stun"], {"stun": True}),
        (["lethal"], {"lethal": True}),
        (["point  blank"], {"maneuver": "detonate"}),
        (["card aimed shot"], {"card": "Aimed Shot"}),
        (["card pow"], {"card": "Power Blow"}),
        (["lethal", "30 feet", "lethal", "cover 25"], {"lethal": True, "feet": 30, "cover": 25}),
    ],
)
def test_os_31_each_modifier_is_read(
    tables: Tables, typed: list[str], changes: dict[str, Any]
) -> None:
    assert read_modifiers(typed, tables) == Situation(**changes)


def test_modifiers_come_on_top_of_what_is_known_already(tables: Tables) -> None:
    start = Situation(weapon="pistol", atmosphere=False)
    assert read_modifiers(["blind"], tables, start) == Situation(
        weapon="pistol", atmosphere=False, blind=True
    )


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (["hiding"], 'modifier: "hiding" is none of: close, short, medium, long, extreme or a'),
        ([""], 'modifier: "" is none of: close'),
        (["cover"], 'modifier: "cover" is none of'),
        (["card"], 'modifier: "card" is none of'),
        (["cover fifty"], 'cover: "fifty" is not a whole number from 0 to 100.'),
        (["cover 101"], 'cover: "101" is not a whole number from 0 to 100.'),
        (["-1 feet"], 'feet: "-1" is not a whole number from 0 to 9999.'),
        (["٣ feet"], "feet: .* is not a whole number"),
        (["card ace"], 'card: "ace" is no action card. There are: Aimed Shot, Power Blow'),
        (["card s"], 'card: "s" could be Sweep, Suppressing Fire. Type more of it.'),
        (["short", "long"], 'modifier: "long" contradicts "short". Type one of them.'),
        (["short", "30 feet"], '"30 feet" contradicts "short"'),
        (["30 feet", "point blank"], '"point blank" contradicts "30 feet"'),
        (["walking", "running"], '"running" contradicts "walking"'),
        (["stun", "lethal"], '"lethal" contradicts "stun"'),
        (["closing", "back"], '"back" contradicts "closing"'),
        (["cover 25", "cover 50"], '"cover 50" contradicts "cover 25"'),
        (["card feint", "card sweep"], '"card sweep" contradicts "card feint"'),
    ],
)
def test_os_31_what_is_no_modifier_or_contradicts_one_is_refused(
    tables: Tables, typed: list[str], told: str
) -> None:
    with pytest.raises(MushError, match=told):
        read_modifiers(typed, tables)


def test_os_19_only_a_grenade_goes_off_at_point_blank(tables: Tables) -> None:
    thrown = read_modifiers(["point blank"], tables, Situation("throw", weapon="grenade"))
    assert thrown == Situation("detonate", weapon="grenade")
    with pytest.raises(MushError, match="Nothing explodes in a grapple attack"):
        read_modifiers(["point blank"], tables, Situation("grapple"))


@given(typed=st.lists(st.text(max_size=12) | st.sampled_from(["30", "card a", "cover 1"])))
def test_any_text_is_read_or_refused(tables: Tables, typed: list[str]) -> None:
    try:
        read_modifiers(typed, tables)
    except MushError as refusal:
        assert refusal.text.partition(":")[0] in {"modifier", "feet", "cover", "card"}  # noqa: PT017 -- either is right


@pytest.mark.parametrize(
    ("situation", "sort", "skill"),
    [
        (Situation(weapon="pistol"), "ranged", "Pistol"),
        (Situation(weapon="sword"), "melee", "Sword"),
        (Situation(weapon="claws"), "melee", "Unarmed"),
        (Situation(weapon="sword", skill="Knife"), "melee", "Knife"),
        (Situation("grapple", weapon="sword"), "melee", "Unarmed"),
        (Situation("throw", weapon="grenade"), "ranged", "Throwing"),
        (Situation("psi", weapon="mind blast"), "psionic", "Mind Blast"),
        (Situation("psi", skill="Telepathy"), "psionic", "Telepathy"),
        (Situation(weapon="telekinesis"), "psionic", "Telekinesis"),
    ],
)
def test_os_17_os_40_os_53_a_weapon_or_maneuver_decides_on_the_skill(
    tables: Tables, situation: Situation, sort: str, skill: str
) -> None:
    assert situations.sort_of(situation, tables) == sort
    assert situations.skill_of(situation, tables) == skill
    assert situations.is_melee(situation, tables) is (sort == "melee")


def test_os_40_a_psionic_attack_names_its_skill(tables: Tables) -> None:
    with pytest.raises(MushError, match="There are: Mind Blast, Telekinesis, Telepathy"):
        situations.skill_of(Situation("psi"), tables)


def test_an_attack_needs_a_weapon_that_there_is(tables: Tables) -> None:
    with pytest.raises(MushError, match="there is none called"):
        situations.sort_of(Situation(), tables)


@pytest.mark.parametrize(
    ("situation", "kind"),
    [
        (Situation(weapon="pistol"), "harm"),
        (Situation(weapon="stun pistol"), "stun"),
        (Situation(weapon="club", stun=True), "stun"),
        (Situation("grapple"), "harm"),
        (Situation("grapple", stun=True), "stun"),
    ],
)
def test_os_20_os_23_os_53_harm_or_stun(tables: Tables, situation: Situation, kind: str) -> None:
    assert situations.kind_of(situation, tables) == kind


def test_os_11_a_range_is_a_band_a_distance_or_nothing(tables: Tables) -> None:
    ranges = [Situation(band="long"), Situation(feet=21), Situation()]
    assert [situations.band_of(one, tables) for one in ranges] == ["long", "medium", None]
    with pytest.raises(MushError, match=r"1001 feet is out of range. At most 1000 feet"):
        situations.band_of(Situation(feet=1001), tables)
