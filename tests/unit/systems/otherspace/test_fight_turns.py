"""What a turn, a round or a state allows: readying, sniping, being unaware, being down."""

from __future__ import annotations

import pytest

from tests.unit.systems.otherspace.arena import Arena


@pytest.fixture
def ring(arena: Arena) -> Arena:
    """Ada, Sword 6, has the turn before Bram and Cass."""
    arena.sheet("Ada", Sword=6)
    arena.gear("Ada", "sword")
    arena.fight("Ada", "Bram", "Cass")
    return arena


def test_os_16_a_railgun_is_activated_on_ones_own_turn_with_nothing_begun(ring: Arena) -> None:
    for name in ("Ada", "Bram"):
        ring.gear(name, "railgun", "power cell")
    told = "Activating it takes your own turn. +combat shows whose it is."
    assert ring.no("Bram", "+ready railgun") == told
    ring.do_all("Ada> +attack Bram=sword")
    assert ring.no("Ada", "+ready railgun") == "You have an action pending. +combat shows it."


def test_os_29_a_sniper_rifle_fires_once_a_round(ring: Arena) -> None:
    ring.gear("Bram", "sniper rifle")
    ring.sheet("Bram", Unarmed=6)
    ring.attack("Ada> +attack Bram=sword", attack=-4, defence=2, choice="unarmed")
    ring.attack("Bram> +attack Cass=sniper rifle", attack=-4)
    # The referee gives Bram a second turn in the round.
    ring.do_all("Rhea> +order Bram=3", "Rhea> +next")
    assert ring.turn() == "1 Bram"
    told = "A sniper rifle fires once a round (OS-29). Try another weapon."
    assert ring.no("Bram", "+attack Cass=sniper rifle") == told
    ring.do_all("Rhea> +next", "Rhea> +next", "Rhea> +next")
    assert ring.turn() == "2 Bram"
    ring.do_all("Bram> +attack Cass=sniper rifle")


def test_os_26_who_is_ruled_unaware_makes_no_defence(ring: Arena) -> None:
    ring.do_all("Ada> +attack Bram=sword")
    said = ring.do_all("Rhea> +ok =unaware, +1 from behind")
    rolls = [line.partition(" #")[0] for line in said.room if line.startswith("[Roll]")]
    assert "+ 1 (from behind)" in rolls[0]
    assert rolls[1] == "[Roll] Bram: no defence (unaware), counts as 1 (Terrible)."
    assert "Ada hits by 6" in said.one("Result")
    assert said.seen["Rhea"][0].startswith(
        "[Ruling] Rhea allows it + 1 (from behind): the target is unaware of it."
    )


def test_os_26_os_30_who_is_unaware_earns_no_counterattack(ring: Arena) -> None:
    ring.do_all("Ada> +attack Bram=unarmed")
    ring.falls(attack=-4)
    ring.do_all("Rhea> +ok =unaware, -1 the dark")
    assert ring.no("Bram", "+counter").startswith("You have no counterattack (OS-30).")


def test_os_19_os_26_who_is_unaware_does_not_get_out_of_a_blast(ring: Arena) -> None:
    ring.gear("Ada", "grenade")
    ring.do_all("Ada> +detonate Bram=grenade")
    ring.falls(reaction=[-4, 4])
    assert "no defence (unaware)" in str(ring.do_all("Rhea> +ok =unaware").room)
    assert ring.health("Bram") == 60


@pytest.mark.parametrize(
    ("harm", "why"), [("90", "unconscious"), ("40 stun", "stunned"), ("100", "unconscious")]
)
def test_os_42_os_43_who_can_not_act_takes_nothing_in_hand(
    arena: Arena, harm: str, why: str
) -> None:
    arena.gear("Bram", "sword", "kevlar")
    arena.do_all(f"Rhea> +damage Bram={harm}")
    for line in ("+wield sword", "+wield nothing", "+wear kevlar"):
        assert arena.no("Bram", line) == f"Bram can't act: {why}. +health shows it."


def test_os_55_the_referee_rolls_reaction_for_a_player_who_is_away(arena: Arena) -> None:
    arena.do_all("Rhea> +combat/start", "Ada> +combat/join", "Bram> +combat/join")
    arena.do_all("Ada> +reaction")
    arena.disconnect("Bram")
    said = arena.do_all("Rhea> +as Bram=+reaction at -2")
    assert said.one("Order") == "[Order] Ada 11, Bram 9"
