"""Who is asked, and who hears it: the one who must answer, and who referees; nobody else."""

from __future__ import annotations

import pytest

from tests.unit.systems.otherspace.arena import Arena, Said


@pytest.fixture
def ring(arena: Arena) -> Arena:
    """Ada, Sword 6, has the turn; then Zorro, an NPC with a sword, then Bram."""
    arena.sheet("Ada", Sword=6)
    arena.gear("Ada", "sword")
    arena.fight("Ada", "Bram")
    arena.falls(reaction=-4)
    arena.do_all("Rhea> +npc Zorro=duellist", "Rhea> +order Zorro=2")
    return arena


def hearers(said: Said, text: str) -> set[str]:
    """Give who was shown a line with that text."""
    return {name for name, lines in said.seen.items() if text in "\n".join(lines)}


def test_os_30_the_referee_alone_is_told_of_an_npcs_counterattack(ring: Arena) -> None:
    ring.do_all("Ada> +attack Zorro=sword")
    ring.falls(attack=-2, defence=3)
    said = ring.do_all("Rhea> +ok")
    told = "[Counter] Zorro may strike back at Ada, free: Zorro: +counter[ <weapon>]"
    assert told in said.seen["Rhea"]
    assert hearers(said, "[Counter]") == {"Rhea"}
    assert ring.do_all("Rhea> Zorro: +counter sword").room[0].startswith("[Attack] Zorro attacks")


def test_os_30_a_player_is_offered_a_counterattack_and_the_referee_sees_it(ring: Arena) -> None:
    ring.sheet("Bram", Unarmed=6)
    ring.do_all("Ada> +attack Bram=sword")
    ring.falls(attack=-4, defence=2)
    ring.do_all("Rhea> +ok")
    said = ring.do_all("Bram> +defend unarmed")
    assert "[Counter] You may strike back at Ada, free: +counter[ <weapon>]" in said.seen["Bram"]
    assert hearers(said, "[Counter]") == {"Bram", "Rhea"}


def test_os_27_the_referee_alone_is_told_that_an_npc_has_given_up_its_attack(ring: Arena) -> None:
    ring.do_all("Rhea> Zorro: +defend/always athletics", "Ada> +attack Zorro=sword")
    ring.falls(attack=-4)
    said = ring.do_all("Rhea> +ok")
    told = "[Watch] Zorro has given up this turn's attack (OS-27): Zorro: +next."
    assert told in said.seen["Rhea"]
    assert hearers(said, "given up") == {"Rhea"}


def test_os_55_the_attacker_is_not_shown_the_defenders_question(ring: Arena) -> None:
    ring.do_all("Rhea> +scene/set mode=open")
    said = ring.do_all("Ada> +attack Bram=sword")
    assert said.seen["Bram"][-1].startswith("[Defend] #")
    assert said.seen["Rhea"][-1].startswith("(Bram is asked.) [Defend] #")
    assert hearers(said, "[Defend]") == {"Bram", "Rhea"}


def test_os_55_who_rolls_by_hand_is_not_shown_the_defenders_question(ring: Arena) -> None:
    ring.do_all("Rhea> +scene/set rolls=manual", "Ada> +attack Bram=sword")
    assert hearers(ring.do_all("Rhea> +ok"), "It is allowed: +go") == {"Ada", "Rhea"}
    assert hearers(ring.do_all("Ada> +go"), "[Defend]") == {"Bram", "Rhea"}
