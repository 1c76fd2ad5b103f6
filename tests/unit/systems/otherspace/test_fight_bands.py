"""Health in words: nobody reads a number of somebody else's from outside, or from another scene."""

from __future__ import annotations

import re

import pytest

from tests.unit.systems.otherspace.arena import Arena, Said

NUMBERS = re.compile(
    r"\d+/100|takes \d|health -?\d|-> \d|harm \d|stun \d|treats \w+: \+ \d|expected|at most|Then"
)


@pytest.fixture
def hidden(arena: Arena) -> Arena:
    """Bram has 33 harm in a scene that hides health; Zed was never in it."""
    arena.create("Zed")
    arena.sheet("Cass", Medicine=8)
    arena.do_all("Rhea> +scene/set health=bands", "Rhea> +damage Bram=33")
    return arena


LOOKS = ("+health Bram", "+odds me/unarmed=Bram", "+odds Bram/unarmed=Bram")


def reads_words_alone(arena: Arena, name: str) -> None:
    """See that somebody finds out how Bram is, but no number of his."""
    for line in LOOKS:
        told = " ".join(arena.do_all(f"{name}> {line}").reply)
        assert not NUMBERS.search(told), (name, line, told)
    assert arena.do_all(f"{name}> +health Bram").reply == ("Bram is scratched.",)


def test_os_42_who_left_or_never_joined_a_scene_of_bands_reads_no_numbers(hidden: Arena) -> None:
    hidden.do_all("Ada> +scene/leave")
    for name in ("Ada", "Zed", "Olga"):
        reads_words_alone(hidden, name)


def test_os_42_after_a_scene_of_bands_is_closed_others_health_stays_in_words(
    hidden: Arena,
) -> None:
    hidden.do_all("Rhea> +scene/close")
    for name in ("Ada", "Zed"):
        reads_words_alone(hidden, name)


def test_os_42_outside_scenes_ones_own_health_and_for_staff_all_are_in_numbers(
    hidden: Arena,
) -> None:
    assert hidden.do_all("Bram> +health").reply == ("Bram is scratched.",)
    hidden.do_all("Rhea> +scene/close")
    assert hidden.do_all("Bram> +health").reply[0] == "Bram: Health 67/100 (harm 33, stun 0)"
    assert "Then Bram is:" in hidden.do_all("Bram> +odds me/unarmed=me").reply[-1]
    assert hidden.do_all("Rhea> +health Bram").reply[0].startswith("Bram: Health 67/100")


def test_os_47_who_treats_somebody_outside_scenes_is_told_in_words(hidden: Arena) -> None:
    hidden.do_all("Rhea> +scene/close")
    said = hidden.do_all("Cass> +heal Bram")
    for name in ("Cass", "Bram", "Zed"):  # as the contract has it, the room sees the sum
        roll, healed = said.seen[name][-2:]
        assert roll.startswith("[Roll] Cass: Medicine ")
        assert healed == "[Heal] Cass treats Bram, who is scratched."
        assert not NUMBERS.search(healed)
    said = hidden.do_all("Cass> +heal me")
    assert said.seen["Cass"][-1] == "[Heal] Cass treats Cass, who is unhurt."


def test_os_47_nobody_is_treated_from_afar_nor_behind_their_scenes_back(hidden: Arena) -> None:
    hidden.do_all("Cass> +scene/leave")
    told = "Bram is in scene 1, and you are not. +scene/join 1 first."
    assert hidden.no("Cass", "+heal Bram") == told
    bram = hidden.id("Bram")
    hidden.do_all("Rhea> +scene/close")
    hidden.do(lambda store: store.move(bram, store.dig("Dock")))
    told = 'Nobody called "Bram" is within reach. look lists who is here.'
    for line in ("+heal Bram", "+health Bram", "+speed Bram", "+odds Bram/unarmed=me"):
        assert hidden.no("Cass", line) == told
    assert hidden.do_all("Rhea> +health Bram").reply[0].startswith("Bram: Health 67/100")


def test_os_47_who_has_a_part_in_a_scene_elsewhere_is_treated_here(hidden: Arena) -> None:
    hidden.do_all("Cass> +scene/leave")
    scene = hidden.scene
    hidden.do(lambda store: store.set_privacy(scene, private=False, room=store.dig("Dock")))
    assert hidden.do_all("Cass> +heal Bram").seen["Bram"][-1].startswith("[Heal] Cass treats Bram")


@pytest.fixture
def twice(hidden: Arena) -> Arena:
    """Bram is also in a scene that shows numbers, which Olga referees and Zed is in."""
    hidden.do_all("Olga> +scene/open Alley", "Zed> +scene/join 2", "Bram> +scene/join 2")
    hidden.do_all("Rhea> +scene/join 2", "Rhea> +scene/referee Olga")
    return hidden


def words_alone(said: Said) -> None:
    assert not NUMBERS.search(str(said.seen["Zed"])), said.seen["Zed"]


def test_os_42_a_scene_that_hides_health_hides_it_from_another_that_shows_it(
    twice: Arena,
) -> None:
    reads_words_alone(twice, "Zed")
    assert twice.do_all("Bram> +health Zed").reply[0].startswith("Zed: Health 100/100")
    words_alone(twice.do_all("Olga> +damage Bram=10"))
    words_alone(twice.do_all("Olga> +undo"))
    twice.do_all("Bram> +scene/join 1", "Bram> +scene/leave", "Bram> +scene/join 2")
    assert twice.do_all("Zed> +health Bram").reply[0].startswith("Bram: Health 67/100")


def test_os_42_who_referees_where_somebody_is_sees_numbers(twice: Arena) -> None:
    assert twice.do_all("Olga> +health Bram").reply[0].startswith("Bram: Health 67/100")
    assert twice.do_all("Bram> +health").reply[0].startswith("Bram: Health 67/100")


def test_os_42_the_referee_of_the_scene_that_hides_it_sees_numbers_in_another_too(
    twice: Arena,
) -> None:
    twice.do_all("Cass> +scene/join 2")
    assert twice.do_all("Cass> +health Bram").reply == ("Bram is scratched.",)
    twice.do_all("Rhea> +scene/join 1", "Rhea> +scene/referee Cass")
    assert twice.do_all("Cass> +health Bram").reply[0].startswith("Bram: Health 67/100")


def test_os_42_a_fight_in_a_scene_that_shows_numbers_tells_no_hidden_ones(twice: Arena) -> None:
    twice.scene = 2
    twice.fight("Zed", "Bram")
    twice.falls(attack=4)
    twice.do_all("Zed> +attack Bram=unarmed", "Olga> +ok")
    said = twice.do_all("Bram> +defend dex")
    assert "[Result] Zed hits Bram, who is hurt." in str(said.seen["Zed"])
    words_alone(said)
    assert not NUMBERS.search(str(twice.do_all("Zed> +combat").reply[-1]))
