"""From a declared attack to its result, with every kind of weapon."""

from __future__ import annotations

import pytest

from tests.unit.systems.otherspace.arena import Arena, Said


@pytest.fixture
def duel(arena: Arena) -> Arena:
    """Ada, Pistol 6 and a pistol, has the turn before Bram and Cass."""
    arena.sheet("Ada", Pistol=6)
    arena.gear("Ada", "pistol")
    arena.do_all("Ada> +wield pistol")
    arena.fight("Ada", "Bram", "Cass")
    return arena


def bare(line: str) -> str:
    """Take off the number of the action."""
    return line.rpartition(" #")[0]


def lines(said: Said) -> list[str]:
    return [bare(line) for line in said.room]


def test_os_55_a_whole_action_as_its_people_see_it(duel: Arena) -> None:
    declared = duel.do_all("Ada> +attack Bram=pistol, 30 feet, walking")
    number = declared.action
    assert lines(declared) == [
        "[Attack] Ada attacks Bram with pistol at 30 feet (medium), walking."
    ]
    assert declared.reply == (
        "Pistol 6 (Great) - 1 (medium range) - 1 (walking) is 4 before the referee's ruling."
        " Rhea has been asked.",
    )
    asked = declared.seen["Rhea"][1:]
    assert asked[0] == (
        f"[Ruling] #{number} Ada > Bram, pistol: Pistol 6 (Great) - 1 (medium range) - 1 (walking)"
        " is 4. Bram defends with Dexterity 4 (Fair) - 2 (raw dexterity) is 2; Athletics 2 (Poor)"
        " is 2."
    )
    assert "can't reach 0" in asked[1]
    assert asked[-1] == f"  +ok, +ok {number}=<number> <reason>, or +no {number}=<reason>"
    duel.falls(attack=2, defence=0)
    ruled = duel.do_all("Rhea> +ok =-1 steam from the vents")
    assert ruled.room == [
        "[Roll] Ada: Pistol 6 (Great) - 1 (medium range) - 1 (walking)"
        f" - 1 (steam from the vents) + 2 (4dF) = 5 (Good). #{number}"
    ]
    assert ruled.seen["Bram"][-1].startswith(f"[Defend] #{number}: Dexterity 4 (Fair)")
    said = duel.do_all("Bram> +defend dexterity")
    # By 3: 35 + 15 = 50, less 20%.
    assert said.room == [
        f"[Roll] Bram: Dexterity 4 (Fair) - 2 (raw dexterity) + 0 (4dF) = 2 (Poor). #{number}",
        "[Result] Bram takes 40: health 60/100. Ada hits by 3: ODF 35 + 5 x 3 - DDF 0 = 50,"
        f" less Constitution 4 (20%) = 40. #{number}".replace(" - DDF 0", ""),
        "[Turn] Round 1: Bram.",
    ]
    assert duel.health("Bram") == 60


@pytest.mark.parametrize(
    ("modifiers", "total", "term"),
    [
        ("short", 6, "Pistol 6 (Great) + 0 (4dF)"),
        ("5", 6, "Pistol 6 (Great) + 0 (4dF)"),
        ("long", 3, "- 3 (long range)"),
        ("200 feet", 3, "- 3 (long range)"),
        ("201 feet", 0, "- 6 (extreme range)"),
        ("1000", 0, "- 6 (extreme range)"),
    ],
)
def test_os_11_os_12_the_range_counts_for_the_weapon(
    duel: Arena, modifiers: str, total: int, term: str
) -> None:
    said = duel.do_all(f"Ada> +attack Bram=pistol, {modifiers}", "Rhea> +ok")
    assert term in said.room[0]
    assert f"= {total} " in said.room[0]


@pytest.mark.parametrize(
    ("modifiers", "total", "term"),
    [
        ("cover 25", 5, "- 1 (cover 25%)"),
        ("cover 74", 4, "- 2 (cover 50%)"),
        ("cover 75", 3, "- 3 (cover 75%)"),
        ("cover 90", 2, "- 4 (cover 90%)"),
        ("walking", 5, "- 1 (walking)"),
        ("running", 4, "- 2 (running)"),
        ("blind", 0, "- 6 (blind)"),
        ("cover 50, running, blind", -4, "- 2 (cover 50%) - 6 (blind) - 2 (running)"),
    ],
)
def test_os_31_modifiers_add_up_each_with_its_reason(
    duel: Arena, modifiers: str, total: int, term: str
) -> None:
    said = duel.do_all(f"Ada> +attack Bram=pistol, {modifiers}", "Rhea> +ok")
    assert term in said.room[0]
    assert f"= {total} " in said.room[0]


def test_os_37_an_attack_that_does_not_beat_the_defence_does_nothing(duel: Arena) -> None:
    said = duel.attack("Ada> +attack Bram=pistol", attack=-4, defence=0)
    assert said.one("Result").startswith("[Result] Ada misses Bram: 2 against 2.")
    assert (duel.health("Bram"), duel.turn()) == (100, "1 Bram")


def test_os_25_os_34_armour_takes_off_before_constitution(duel: Arena) -> None:
    duel.gear("Bram", "kevlar")
    duel.do_all("Bram> +wear kevlar")
    said = duel.attack("Ada> +attack Bram=pistol", choice="dex")
    # Dexterity 4 - 2 raw - 2 kevlar = 0: by 6, 35 + 30 - 15 = 50, less 20%.
    assert "- 2 (kevlar)" in said.one("Roll")
    assert "ODF 35 + 5 x 6 - DDF 15 = 50, less Constitution 4 (20%) = 40" in said.one("Result")


def test_os_33_melee_adds_strength(duel: Arena) -> None:
    duel.sheet("Ada", Sword=5, Strength=6)
    duel.gear("Ada", "sword")
    said = duel.attack("Ada> +attack Bram=sword")
    # 5 against 2: 50 + 30 + 15 = 95, less 20%.
    assert "ODF 50 + 5 x Strength 6 + 5 x 3 = 95, less Constitution 4 (20%) = 76" in said.one(
        "Result"
    )


@pytest.mark.parametrize(("constitution", "amount"), [(0, 55), (2, 49), (4, 44), (6, 38), (20, 0)])
def test_os_36_constitution_takes_five_percent_a_level(
    duel: Arena, constitution: int, amount: int
) -> None:
    duel.sheet("Bram", Constitution=constitution)
    duel.attack("Ada> +attack Bram=pistol")  # by 4: 55
    assert duel.health("Bram") == 100 - amount


def test_os_41_os_42_wounds_weigh_on_every_roll(duel: Arena) -> None:
    duel.do_all("Rhea> +damage Ada=40")
    said = duel.do_all("Ada> +attack Bram=pistol", "Rhea> +ok")
    assert "- 1 (wounds)" in said.room[0]
    duel.do_all("Bram> +defend dex", "Rhea> +damage Bram=30", "Bram> +attack Cass=unarmed")
    assert "- 2 (wounds)" in duel.do_all("Rhea> +ok").room[0]


def test_os_13_a_burst_is_one_roll_each_and_all_shots_hit(duel: Arena) -> None:
    duel.sheet("Ada", Automatic_Weapons=5)
    duel.gear("Ada", "automatic rifle")
    said = duel.attack("Ada> +attack Bram=automatic rifle, short")
    # By 3: 40 + 15 = 55 three times is 165; Constitution once.
    assert "(further shots)" in said.one("Result")
    assert "= 165, less Constitution 4 (20%) = 132" in said.one("Result")
    assert [line for line in said.room if line.startswith("[Roll]")] == [said.one("Roll")]
    assert "1 defence" in duel.do_all("Ada> +combat").reply[3]


def test_os_14_what_needs_air_is_refused_without(duel: Arena) -> None:
    duel.gear("Ada", "energy pistol", "sonic gun")
    duel.do_all("Rhea> +scene/set atmosphere=no")
    told = "does not work without an atmosphere. Energy weapons and railguns do."
    assert duel.no("Ada", "+attack Bram=pistol").endswith(told)
    assert duel.no("Ada", "+attack Bram=sonic").endswith(told)
    duel.do_all("Ada> +attack Bram=energy pistol")


def test_os_14_the_referee_is_reminded_of_walls_and_recoil(duel: Arena) -> None:
    duel.do_all("Rhea> +scene/set gravity=no")
    seen = duel.do_all("Ada> +attack Bram=pistol").seen["Rhea"]
    assert "  Recoil: without gravity the shot pushes the shooter back." in seen
    assert "  A projectile may go through the walls of corridors." in seen


def test_os_15_sonic_damage_grows_with_armour(duel: Arena) -> None:
    duel.sheet("Ada", Sonic=5)
    duel.gear("Ada", "sonic gun")
    duel.gear("Bram", "leather jacket")
    duel.do_all("Bram> +wear leather")
    said = duel.attack("Ada> +attack Bram=sonic")
    # By 3: 25 + 15 + 5 = 45, less 20%.
    assert "ODF 25 + 5 x 3 + DDF 5 = 45, less Constitution 4 (20%) = 36" in said.one("Result")


def test_os_12_a_sonic_weapon_reaches_short_range_alone(duel: Arena) -> None:
    duel.gear("Ada", "sonic gun")
    assert duel.no("Ada", "+attack Bram=sonic, 21 feet") == (
        "The sonic gun has no shot at medium range. It reaches short range, 20 feet."
    )


def test_os_16_a_railgun_takes_a_power_cell_and_a_round(duel: Arena) -> None:
    duel.gear("Ada", "railgun")
    assert duel.no("Ada", "+ready railgun").startswith("The railgun needs a power cell.")
    duel.gear("Ada", "power cell")
    assert duel.no("Ada", "+attack Bram=railgun").startswith("The railgun is not activated yet.")
    said = duel.do_all("Ada> +ready railgun")
    assert bare(said.one("Combat")) == (
        "[Combat] Ada activates the railgun: it can fire from round 2 on."
    )
    assert duel.no("Ada", "+attack Bram=railgun").startswith("The railgun is not activated yet.")
    assert duel.no("Ada", "+attack Bram=pistol") == (
        "Activating the railgun takes this turn's attack (OS-16). Pose, then +next."
    )
    duel.do_all("Ada> +next", "Bram> +next", "Cass> +next", "Ada> +ready railgun")
    duel.attack("Ada> +attack Bram=railgun, long")
    assert duel.items("Ada")["power cell"] == 1


def test_os_16_a_railgun_is_cold_again_in_the_next_fight(duel: Arena) -> None:
    duel.gear("Ada", "railgun", "power cell")
    duel.do_all("Ada> +ready railgun", "Rhea> +combat/stop")
    duel.fight("Ada", "Bram")
    for _ in range(2):
        duel.do_all("Rhea> +next")
    assert duel.no("Ada", "+attack Bram=railgun").startswith("The railgun is not activated yet.")


def test_os_16_what_is_no_railgun_needs_no_activating(duel: Arena) -> None:
    assert duel.do_all("Ada> +ready pistol").reply == ("The pistol is ready as it is.",)


def test_os_16_a_railgun_is_activated_in_a_fight(duel: Arena) -> None:
    duel.gear("Olga", "railgun", "power cell")
    assert duel.no("Olga", "+ready railgun").startswith("You are not in the fight.")


def test_os_17_every_weapon_and_its_numbers_are_listed(arena: Arena) -> None:
    told = arena.do_all("Ada> +weapons").reply
    assert "pistol: Pistol, ODF 35, projectile, concealing it: easy, civil" in told
    assert (
        "automatic rifle: Automatic Weapons, ODF 40, 3 shots, projectile,"
        " concealing it: very hard, military"
    ) in told
    assert "stun pistol: Pistol, ODF 30, stun, energy, concealing it: easy, civil" in told
    assert "kevlar: DDF 15, -2 to Dexterity and Athletics" in arena.do_all("Ada> +armour").reply


def test_os_20_a_blunt_weapon_may_stun_instead(duel: Arena) -> None:
    duel.sheet("Ada", Blunt=4)
    duel.gear("Ada", "club")
    said = duel.attack("Ada> +attack Bram=club, stun")
    # 4 against 2: 35 + 20 + 10 = 65, less 20%: 52 stun, which stuns (OS-43).
    assert said.one("Result").startswith("[Result] Bram takes 52 stun: health 48/100.")
    assert said.one("Result").partition(" #")[0].endswith("Bram is stunned.")
    assert (duel.condition("Bram").harm, duel.condition("Bram").stun) == (0, 52)


def test_os_20_a_sword_cannot_stun(duel: Arena) -> None:
    duel.gear("Ada", "sword")
    assert duel.no("Ada", "+attack Bram=sword, stun").startswith(
        "The sword can't stun instead of harming."
    )


def test_os_23_fists_harm_or_stun_as_declared(duel: Arena) -> None:
    duel.sheet("Ada", Unarmed=6)
    duel.attack("Ada> +attack Bram=unarmed, stun")
    # 6 against 2: 0 + 20 + 20 = 40, less 20%.
    assert (duel.condition("Bram").harm, duel.condition("Bram").stun) == (0, 32)


def test_os_21_closing_in_on_a_polearm_and_being_held_off_again(duel: Arena) -> None:
    duel.gear("Bram", "polearm")
    duel.gear("Ada", "sword")
    duel.do_all("Bram> +wield polearm")
    first = duel.attack("Ada> +attack Bram=sword", attack=-4)
    assert first.facts
    duel.do_all("Bram> +next", "Cass> +next")
    # Inside the reach there is nothing to close in on.
    closed = duel.do_all("Ada> +attack Bram=sword", "Rhea> +ok")
    assert "closing in" not in closed.room[0]
    duel.do_all("Bram> +defend dex")
    back = duel.do_all("Bram> +attack Ada=polearm, back", "Rhea> +ok")
    assert "- 1 (stepping back)" in back.room[0]
    duel.do_all("Ada> +defend dex", "Cass> +next")
    again = duel.do_all("Ada> +attack Bram=sword", "Rhea> +ok")
    assert "- 1 (closing in)" in again.room[0]


def test_os_21_the_first_melee_attack_on_a_polearm_closes_in(duel: Arena) -> None:
    duel.gear("Bram", "polearm")
    duel.do_all("Bram> +wield polearm")
    assert "- 1 (closing in)" in duel.do_all("Ada> +attack Bram=unarmed", "Rhea> +ok").room[0]


def test_os_21_a_sweep_closes_in_on_a_polearm_whichever_neighbour_holds_it(duel: Arena) -> None:
    duel.gear("Cass", "polearm")
    duel.gear("Ada", "Sweep", "Sweep")
    duel.do_all("Cass> +wield polearm", "Ada> +attack Bram, Cass=unarmed, card sweep")
    assert "- 1 (closing in)" in duel.do_all("Rhea> +ok").room[0]
    duel.do_all("Bram> +defend dex", "Cass> +defend dex", "Bram> +next", "Cass> +next")
    again = duel.do_all("Ada> +attack Bram, Cass=unarmed, card sweep", "Rhea> +ok")
    assert "closing in" not in again.room[0]


def test_os_21_nobody_is_closed_in_on_who_has_left(duel: Arena) -> None:
    duel.gear("Bram", "polearm")
    duel.do_all("Bram> +wield polearm", "Ada> +attack Bram=unarmed", "Bram> +combat/leave")
    assert "finds nobody" in duel.do_all("Rhea> +ok").room[0]


def test_os_21_who_has_a_polearm_or_shoots_does_not_close_in(duel: Arena) -> None:
    duel.gear("Bram", "polearm")
    duel.gear("Cass", "polearm")
    duel.do_all("Bram> +wield polearm")
    assert "closing in" not in duel.do_all("Ada> +attack Bram=pistol", "Rhea> +ok").room[0]
    duel.do_all("Bram> +defend dex", "Bram> +next")
    assert "closing in" not in duel.do_all("Cass> +attack Bram=polearm", "Rhea> +ok").room[0]


def test_os_22_an_improvised_weapon_has_half_the_odf_and_need_not_be_carried(duel: Arena) -> None:
    duel.sheet("Ada", Knife=5)
    said = duel.attack("Ada> +attack Bram=knife, improvised")
    # By 3: 7 + 20 + 15 = 42, less 20%: 33.
    assert "ODF 7 (improvised knife) + 5 x Strength 4 + 5 x 3 = 42" in said.one("Result")
    assert duel.health("Bram") == 67


def test_os_29_a_turn_holds_one_attack_action(duel: Arena) -> None:
    duel.attack("Ada> +attack Bram=pistol")
    assert duel.no("Ada", "+attack Bram=pistol").startswith("It is not your turn.")


def test_os_31_two_weapons_are_two_attacks_and_the_second_the_next_defence(duel: Arena) -> None:
    duel.sheet("Ada", Knife=6)
    duel.gear("Ada", "knife")
    duel.falls(attack=[0, 1], defence=[0, 0])
    said = duel.do_all("Ada> +attack Bram=pistol+knife, close", "Rhea> +ok")
    assert "Pistol 6 (Great) - 2 (first weapon) + 0 (4dF) = 4" in said.room[0]
    said = duel.do_all("Bram> +defend dex")
    assert "Knife 6 (Great) - 3 (second weapon) + 1 (4dF) = 4" in said.room[-1]
    said = duel.do_all("Bram> +defend dex")
    assert "- 1 (second defence)" in said.one("Roll")
    # By 2: 35 + 10, less 20%: 36; then by 4 - 1: 15 + 20 + 15 = 50, less 20%: 40.
    assert duel.health("Bram") == 100 - 36 - 40
    assert duel.turn() == "1 Bram"


def test_os_31_the_ambidextrous_lose_less_with_the_second(duel: Arena) -> None:
    duel.gear("Ada", "knife")
    duel.do_all("Rhea> +quirk Ada=Ambidextrous")
    duel.do_all("Ada> +attack Bram=pistol+knife", "Rhea> +ok")
    said = duel.do_all("Bram> +defend dex")
    assert "- 3 (second weapon) + 1 (Ambidextrous)" in said.room[-1]


def test_os_31_one_weapon_in_a_pair_is_the_first_of_two(duel: Arena) -> None:
    said = duel.do_all("Ada> +attack Bram=pistol, dual", "Rhea> +ok")
    assert "- 2 (first weapon)" in said.room[0]


def test_os_31_two_of_a_kind_take_two_to_hold(duel: Arena) -> None:
    assert "carries no second pistol" in duel.no("Ada", "+attack Bram=pistol+pistol")
    duel.gear("Ada", "pistol")
    duel.do_all("Ada> +attack Bram=pistol+pistol")


def test_os_7a_faults_and_gifts_count(duel: Arena) -> None:
    duel.do_all("Rhea> +quirk Ada=Keen Sight", "Rhea> +quirk Ada=Pacifist")
    said = duel.do_all("Ada> +attack Bram=pistol, long, lethal", "Rhea> +ok")
    assert "- 3 (long range) + 1 (Keen Sight) - 1 (Pacifist)" in said.room[0]


def test_os_3_the_referee_rules_several_terms_with_reasons_of_their_own(duel: Arena) -> None:
    duel.do_all("Ada> +attack Bram=pistol")
    said = duel.do_all("Rhea> +ok =-1 steam, hot and white, +2 aimed all night")
    assert "- 1 (steam, hot and white) + 2 (aimed all night)" in said.room[0]
