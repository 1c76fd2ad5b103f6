"""Disarming, grappling, grenades and minds, and the cards of the starter set."""

from __future__ import annotations

import pytest

from tests.unit.systems.otherspace.arena import Arena

THREE = ("Ada", "Bram", "Cass")


@pytest.fixture
def ring(arena: Arena) -> Arena:
    """Ada, Sword 6, Unarmed 5 and Throwing 5, has the turn; Bram has a knife in hand."""
    arena.sheet("Ada", Sword=6, Unarmed=5, Throwing=5)
    arena.gear("Ada", "sword")
    arena.gear("Bram", "knife")
    arena.do_all("Ada> +wield sword", "Bram> +wield knife")
    arena.fight(*THREE)
    return arena


def bare(line: str) -> str:
    return line.partition(" #")[0]


def test_os_52_an_empty_hand_is_not_disarmed(ring: Arena) -> None:
    told = "Cass has nothing in hand to lose. Try +grapple or +attack."
    assert ring.no("Ada", "+disarm Cass=sword") == told
    ring.do_all("Ada> +disarm Bram=sword", "Bram> +wield nothing")
    ring.falls(attack=4)
    ring.do_all("Rhea> +ok")
    said = ring.do_all("Bram> +defend dex")
    assert bare(said.one("Combat")) == "[Combat] Bram has nothing in hand any more."
    assert (ring.items("Bram"), ring.turn()) == ({"knife": 1}, "1 Bram")


def test_os_52_who_is_disarmed_rolls_strength_less_the_margin(ring: Arena) -> None:
    ring.falls(strength=0)
    said = ring.attack("Ada> +disarm Bram=sword")
    # 6 - 2 = 4 against 2: Strength 4 - 2 = 2 is under Fair.
    rolls = [line for line in said.room if line.startswith("[Roll]")]
    assert "Strength 4 (Fair) - 2 (disarmed) + 0 (4dF) = 2 (Poor)." in rolls[1]
    assert said.one("Result").startswith("[Result] Ada disarms Bram: the knife is on the ground.")
    assert (ring.items("Bram"), ring.health("Bram"), ring.turn()) == ({}, 100, "1 Bram")


def test_os_52_fair_holds_on_to_the_weapon(ring: Arena) -> None:
    ring.falls(strength=2)
    said = ring.attack("Ada> +disarm Bram=sword")
    assert said.one("Result").startswith("[Result] Bram holds on to the knife.")
    assert ring.items("Bram") == {"knife": 1}


def test_os_52_a_disarm_is_at_minus_two_and_parried_with_the_skill_in_hand(ring: Arena) -> None:
    declared = ring.do_all("Ada> +disarm Bram=sword")
    assert "- 2 (disarm) is 4 before" in declared.reply[0]
    said = ring.do_all("Rhea> +ok", "Bram> +defend knife")
    assert said.room[0].startswith("[Roll] Bram: Knife 2 (Poor) + 0 (4dF) = 2 (Poor).")
    assert ring.items("Bram") == {}


def test_os_53_a_grapple_does_five_a_level_without_armour_or_strength(ring: Arena) -> None:
    ring.gear("Bram", "kevlar")
    ring.do_all("Bram> +wear kevlar")
    said = ring.attack("Ada> +grapple Bram")
    # 5 against Dexterity 4 - 2 - 2 = 0: 25, less 20%.
    assert "5 x 5 less Constitution 4 (20%) = 20" in said.one("Result")
    assert ring.condition("Bram").harm == 20


@pytest.mark.parametrize(
    "line", ["+grapple Bram, stun", "+grapple Bram=stun", "+grapple Bram=,stun"]
)
def test_os_53_a_grapple_may_stun(ring: Arena, line: str) -> None:
    ring.attack(f"Ada> {line}")
    # 5 against 2: 15, less 20%.
    assert (ring.condition("Bram").harm, ring.condition("Bram").stun) == (0, 12)


def test_os_18_a_grenade_is_used_up_and_each_in_the_blast_defends_alone(ring: Arena) -> None:
    ring.gear("Ada", "grenade", "grenade")
    declared = ring.do_all("Ada> +throw Bram, Cass=grenade, medium")
    assert "[Attack] Ada throws at Bram and Cass with grenade" in declared.room[0]
    assert "  The blast reaches 10 feet." in declared.seen["Rhea"]
    ring.falls(attack=1, defence=[0, -1])
    said = ring.do_all("Rhea> +ok")
    assert "Throwing 5 (Good) - 1 (medium range) + 1 (4dF) = 5" in said.one("Roll")
    assert ring.items("Ada")["grenade"] == 1
    ring.do_all("Bram> +defend dex")
    ring.do_all("Cass> +defend dex")
    # By 3: 50 + 15 = 65, less 20%: 52. By 4: 70: 56.
    assert (ring.health("Bram"), ring.health("Cass")) == (48, 44)
    assert ring.turn() == "1 Bram"


def test_os_18_a_stun_grenade_stuns(ring: Arena) -> None:
    ring.gear("Ada", "stun grenade")
    ring.attack("Ada> +throw Bram=stun grenade")
    # By 3: 30 + 15 = 45, less 20%.
    assert ring.condition("Bram").stun == 36
    assert ring.items("Ada") == {"sword": 1}


def test_os_18_a_throw_that_is_not_allowed_uses_nothing_up(ring: Arena) -> None:
    ring.gear("Ada", "grenade")
    ring.do_all("Ada> +throw Bram=grenade", "Rhea> +no =no line of sight")
    assert ring.items("Ada")["grenade"] == 1
    assert ring.turn() == "1 Ada"


def test_os_19_at_point_blank_reaction_decides_and_the_holder_is_hit(ring: Arena) -> None:
    ring.gear("Ada", "grenade")
    ring.do_all("Ada> +detonate Bram, Cass=grenade")
    # Ada 8 + 1 + 0 = 9: Bram's 8 is lower; Cass's 9 is not, but Dexterity 4 - 2 + 1 is under 4.
    ring.falls(reaction=[0, 0, 1], dexterity=1)
    said = ring.do_all("Rhea> +ok")
    rolls = [line.partition(" #")[0] for line in said.room if line.startswith("[Roll]")]
    assert rolls[0].startswith("[Roll] Ada: Dexterity 4 + Perception 4 + 1 (point blank) + 0 (4dF)")
    assert rolls[-1] == (
        "[Roll] Cass: Dexterity 4 (Fair) - 2 (raw dexterity) + 1 (4dF) = 3 (Mediocre)."
    )
    # Without margin: 50, less 20%.
    assert [ring.health(name) for name in THREE] == [60, 60, 60]
    assert ring.items("Ada") == {"sword": 1}
    assert "The blast: ODF 50" in said.room[-2]


def test_os_19_who_is_as_fast_and_rolls_fair_gets_away(ring: Arena) -> None:
    ring.gear("Ada", "grenade")
    ring.do_all("Ada> +detonate Bram=grenade")
    ring.falls(reaction=[0, 1], dexterity=2)
    ring.do_all("Rhea> +ok")
    assert (ring.health("Ada"), ring.health("Bram")) == (60, 100)


def test_os_19_who_is_stunned_does_not_get_away(ring: Arena) -> None:
    ring.gear("Ada", "grenade")
    ring.do_all("Rhea> +damage Bram=40 stun", "Ada> +detonate Bram=grenade")
    ring.falls(reaction=[0, 4], dexterity=4)
    said = ring.do_all("Rhea> +ok")
    assert ring.condition("Bram").harm == 40
    rolls = [bare(line) for line in said.room if line.startswith("[Roll] Bram")]
    assert rolls == ["[Roll] Bram: no defence (stunned), counts as 1 (Terrible)."]


def test_os_26_the_unconscious_roll_nothing_in_a_blast(ring: Arena) -> None:
    ring.gear("Ada", "grenade")
    ring.do_all("Rhea> +damage Bram=90", "Ada> +detonate Bram, Cass=grenade")
    ring.falls(reaction=[0, 1], dexterity=2)
    said = ring.do_all("Rhea> +ok")
    rolls = [bare(line) for line in said.room if line.startswith("[Roll] Bram")]
    assert rolls == ["[Roll] Bram: no defence (unconscious), counts as 1 (Terrible)."]
    assert (ring.health("Bram"), ring.health("Cass")) == (0, 100)


def test_os_19_an_attack_at_point_blank_is_a_detonation(ring: Arena) -> None:
    ring.gear("Ada", "grenade")
    ring.do_all("Ada> +attack Bram=grenade, point blank", "Rhea> +ok")
    assert ring.condition("Ada").harm == 40


def psion(arena: Arena) -> None:
    arena.do_all("Rhea> +set Ada/Psi=6")
    arena.sheet("Ada", Mind_Blast=6)


def test_os_35_os_40_a_mind_is_attacked_through_willpower(ring: Arena) -> None:
    psion(ring)
    said = ring.attack("Ada> +psi Bram=mind blast", choice="willpower")
    # 6 against Willpower 4: 60 + 20 - 40 = 40, less 20%.
    assert "10 x Psi 6 + 10 x 2 - 10 x Intelligence 4 = 40, less Constitution 4 (20%) = 32" in (
        said.one("Result")
    )


def test_os_40_psi_resistance_psi_itself_and_no_athletics(ring: Arena) -> None:
    psion(ring)
    ring.do_all("Rhea> +quirk Bram=Psi Resistant", "Rhea> +set Bram/Psi=5")
    asked = ring.do_all("Ada> +psi Bram=mind blast", "Rhea> +ok").seen["Bram"][-1]
    assert "Willpower 4 (Fair) + 2 (Psi Resistant) is 6" in asked
    assert "Psi 5 (Good) is 5" in asked
    assert "Athletics" not in asked
    assert ring.no("Bram", "+defend athletics").startswith('choice: "athletics" is not one here.')
    ring.do_all("Bram> +defend psi")
    # 6 against 5: 60 + 10 - 40 = 30, less 20%.
    assert ring.health("Bram") == 76


def test_os_40_who_has_no_psi_attacks_no_mind(ring: Arena) -> None:
    assert ring.no("Ada", "+psi Bram=mind blast").startswith("Ada carries no mind blast.")
    psion(ring)
    assert ring.no("Ada", "+psi Bram=sword").startswith("The sword is no psionic skill.")
    assert ring.no("Ada", "+disarm Bram=mind blast").startswith("Nobody is disarmed with")


@pytest.mark.parametrize(("held", "total", "left"), [(True, 6, {}), (False, 4, None)])
def test_os_54_a_card_is_spent_by_use_and_without_it_the_roll_is_at_minus_two(
    ring: Arena, held: bool, total: int, left: object
) -> None:
    if held:
        ring.gear("Ada", "Power Blow")
    ring.do_all("Ada> +attack Bram=sword, card power blow")
    said = ring.do_all("Rhea> +ok")
    assert f"= {total} " in said.room[0]
    assert ("- 2 (no card)" in said.room[0]) is not held
    assert "Power Blow" not in ring.items("Ada")
    said = ring.do_all("Bram> +defend dex")
    assert "+ 15 (Power Blow)" in said.one("Result")


def test_os_54_aimed_shot_ignores_cover_up_to_75(ring: Arena) -> None:
    ring.gear("Ada", "pistol", "Aimed Shot", "Aimed Shot")
    said = ring.do_all("Ada> +attack Bram=pistol, cover 75, card aimed shot", "Rhea> +ok")
    assert "cover" not in said.room[0]
    ring.do_all("Bram> +defend dex", "Rhea> +next", "Rhea> +next")
    said = ring.do_all("Ada> +attack Bram=pistol, cover 90, card aimed shot", "Rhea> +ok")
    assert "- 4 (cover 90%)" in said.room[0]


def test_os_54_feint_weakens_the_defence(ring: Arena) -> None:
    ring.gear("Ada", "Feint")
    said = ring.attack("Ada> +attack Bram=sword, card feint")
    assert "- 2 (raw dexterity) - 2 (Feint) + 0 (4dF) = 0" in said.one("Roll")


def test_os_54_sweep_is_one_roll_at_two_neighbours(ring: Arena) -> None:
    assert ring.no("Ada", "+attack Bram, Cass=sword") == "This reaches 1 target. Name one."
    ring.gear("Ada", "Sweep")
    ring.do_all("Olga> +combat/join")
    assert ring.no("Ada", "+attack Bram, Cass, Olga=sword, card sweep") == (
        "This reaches 2 targets. Name 2 at most."
    )
    ring.do_all("Olga> +combat/leave")
    ring.do_all("Ada> +attack Bram, Cass=sword, card sweep")
    ring.falls(attack=0, defence=[0, 4])
    said = ring.do_all("Rhea> +ok")
    assert said.one("Roll").startswith("[Roll] Ada: Sword 6 (Great) + 0 (4dF) = 6")
    assert "[Roll] Ada" not in str(ring.do_all("Bram> +defend dex").room)
    said = ring.do_all("Cass> +defend dex")
    assert said.one("Result").startswith("[Result] Ada misses Cass: 6 against 6.")
    # By 4: 50 + 20 + 20 = 90, less 20%: 72.
    assert (ring.health("Bram"), ring.health("Cass")) == (28, 100)


def test_os_54_suppressing_fire_does_no_damage_but_hinders_the_next_attack(ring: Arena) -> None:
    ring.sheet("Ada", Pistol=6)
    ring.gear("Ada", "pistol", "Suppressing Fire")
    ring.attack("Ada> +attack Bram=pistol, card suppressing fire")
    assert ring.health("Bram") == 100
    said = ring.do_all("Bram> +attack Cass=knife", "Rhea> +ok")
    assert "- 2 (Suppressing Fire)" in said.room[0]
    ring.do_all("Cass> +defend dex", "Cass> +next", "Ada> +next")
    assert "Suppressing" not in ring.do_all("Bram> +attack Cass=knife", "Rhea> +ok").room[0]


def test_os_54_riposte_counters_at_two_levels(ring: Arena) -> None:
    ring.gear("Bram", "Riposte")
    ring.sheet("Bram", Knife=6)
    ring.do_all("Ada> +attack Bram=sword")
    ring.falls(attack=-2, defence=0)
    ring.do_all("Rhea> +ok")
    said = ring.do_all("Bram> +defend knife, card riposte")
    # 4 against 6.
    assert "+counter" in said.seen["Bram"][-2]
    assert "Riposte" not in ring.items("Bram")


def test_os_54_desperate_dodge_is_athletics_that_costs_no_attack(ring: Arena) -> None:
    ring.gear("Bram", "Desperate Dodge")
    ring.do_all("Ada> +attack Bram=sword", "Rhea> +ok")
    said = ring.do_all("Bram> +defend athletics, card desperate dodge")
    assert said.one("Roll").startswith("[Roll] Bram: Athletics 2 (Poor) + 0 (4dF)")
    assert "Desperate Dodge" not in ring.items("Bram")
    assert "given up" not in str(ring.do_all("Bram> +combat").reply)


def test_os_54_desperate_dodge_is_spent_on_nothing_else(ring: Arena) -> None:
    ring.gear("Bram", "Desperate Dodge")
    ring.do_all("Ada> +attack Bram=sword", "Rhea> +ok")
    told = "Desperate Dodge is for Athletics alone (OS-54). +defend athletics, card Desperate Dodge"
    assert ring.no("Bram", "+defend dexterity, card desperate dodge") == told
    assert "Desperate Dodge" in ring.items("Bram")


def test_os_54_desperate_dodge_without_the_card_is_at_minus_two(ring: Arena) -> None:
    ring.do_all("Ada> +attack Bram=sword", "Rhea> +ok")
    said = ring.do_all("Bram> +defend athletics, card desperate dodge")
    assert "- 2 (no card)" in said.one("Roll")
    assert "given up" not in str(ring.do_all("Bram> +combat").reply)


def test_os_54_a_card_is_for_what_it_says(ring: Arena) -> None:
    told = ring.no("Ada", "+attack Bram=sword, card aimed shot")
    assert told == "Aimed Shot is no card for this. It is for ranged."
    ring.do_all("Ada> +attack Bram=sword", "Rhea> +ok")
    told = ring.no("Bram", "+defend dex, card feint")
    assert told == "Feint is no card for a defence."
