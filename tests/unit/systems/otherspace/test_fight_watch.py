"""What referees are told before they rule: chances, what could kill, what to remember."""

from __future__ import annotations

import pytest

from tests.unit.systems.otherspace.arena import Arena

WALLS = "  A projectile may go through the walls of corridors."
COULD_KILL = "  This blow could kill, and no lethal intent is declared: +lethal (OS-51)."


@pytest.fixture
def duel(arena: Arena) -> Arena:
    """Ada has a pistol and a knife, and the turn before Bram and Cass."""
    arena.sheet("Ada", Pistol=6, Throwing=6)
    arena.gear("Ada", "pistol", "knife", "grenade")
    arena.fight("Ada", "Bram", "Cass")
    return arena


def ruling(arena: Arena, line: str) -> list[str]:
    """Declare as "Name> line"; gives what Rhea is told of it."""
    return arena.do_all(line).seen["Rhea"][1:]


def again(arena: Arena) -> None:
    """Take the last action back."""
    arena.do_all("Rhea> +undo")


@pytest.mark.parametrize("athletics", [2, 9])
@pytest.mark.parametrize("harm", [0, 30, 31, 32, 33, 60, 95])
def test_os_51_what_could_reach_0_could_kill_and_nothing_else(
    duel: Arena, athletics: int, harm: int
) -> None:
    duel.sheet("Bram", Athletics=athletics)
    if harm:
        duel.do_all(f"Rhea> +damage Bram={harm}")
    told = ruling(duel, "Ada> +attack Bram=pistol, short")
    # At worst by 4 + 8 = 12 against raw Dexterity, less for who is wounded: 35 + 60, less 20%.
    most = 76 if harm < 40 else 80
    (chance,) = [line for line in told if "Chance to hit" in line]
    if harm < 95:
        assert f"at most {most}: " in chance
    assert ("could reach 0." in chance) is (COULD_KILL in told) is (harm > 100 - most)


def test_os_51_stun_that_leaves_little_is_nothing_that_kills(duel: Arena) -> None:
    duel.do_all("Rhea> +damage Bram=35 stun")
    told = ruling(duel, "Ada> +attack Bram=knife")
    assert "can't reach 0." in str(told)
    assert COULD_KILL not in told


def test_os_28_os_51_the_defences_of_the_round_count(duel: Arena) -> None:
    duel.do_all("Rhea> +order Cass=1", "Rhea> +next", "Rhea> +next")
    assert duel.turn() == "2 Cass"
    duel.attack("Cass> +attack Bram=unarmed", attack=-4)
    told = ruling(duel, "Ada> +attack Bram=pistol, short")
    assert "- 1 (second defence) is 1" in told[0]


def test_os_31_os_51_two_weapons_are_told_of_together(duel: Arena) -> None:
    duel.do_all("Rhea> +damage Bram=20")
    told = ruling(duel, "Ada> +attack Bram=pistol+knife, close")
    assert "pistol and knife: Pistol 6 (Great) - 2 (first weapon) is 4; Knife 2 (Poor)" in told[0]
    (chances,) = [line for line in told if "Chance to hit" in line]
    assert chances.count("Chance to hit") == 2
    # 35 + 5 x 10 = 85, less 20%; then 15 + 20 + 5 x 6, for the second defence: 65, less 20%.
    assert "at most 68; then Chance" in chances
    assert chances.endswith("at most 52: together could reach 0.")
    assert COULD_KILL in told


def test_os_18_os_51_each_in_the_blast_is_told_of(duel: Arena) -> None:
    duel.do_all("Rhea> +damage Cass=50")
    told = ruling(duel, "Ada> +throw Bram, Cass=grenade, short")
    assert told[0].startswith("[Ruling] #")
    assert "Ada > Bram and Cass, grenade: Throwing 6 (Great) is 6. Bram defends with" in told[0]
    assert told[1].endswith("can't reach 0.")
    assert told[2].startswith("Cass defends with Dexterity 4 (Fair) - 1 (wounds) - 2 (raw")
    assert told[3].endswith("could reach 0.")
    assert COULD_KILL in told


def test_os_14_what_always_goes_is_told_once_in_a_fight(duel: Arena) -> None:
    shot = "Ada> +attack Bram=pistol, short"
    assert WALLS in ruling(duel, shot)
    again(duel)
    assert WALLS not in ruling(duel, shot)
    duel.do_all("Rhea> +combat/stop")
    duel.fight("Ada", "Bram")
    assert WALLS in ruling(duel, shot)


def test_os_14_recoil_and_full_cover_are_told_whenever_they_count(duel: Arena) -> None:
    duel.do_all("Rhea> +scene/set gravity=no")
    for _ in range(2):
        told = ruling(duel, "Ada> +attack Bram=pistol, short, cover 95")
        assert "  Recoil: without gravity the shot pushes the shooter back." in told
        assert "  With so much cover the target may be out of reach altogether." in told
        again(duel)


def watched(arena: Arena, weapon: str = "") -> list[str]:
    """Come to Zorro's turn, with that weapon in hand; gives what Rhea is reminded of."""
    if weapon:
        arena.gear("Zorro", weapon)
        arena.do_all(f"Rhea> Zorro: +wield {weapon}")
    while True:
        said = arena.do_all("Rhea> +next")
        if arena.turn().endswith("Zorro"):
            return [line for line in said.seen["Rhea"] if "OS-51" in line]


def test_os_51_the_referee_is_told_once_whom_an_npcs_next_blow_could_kill(duel: Arena) -> None:
    duel.falls(reaction=-4)
    duel.do_all("Rhea> +npc Zorro=duellist", "Rhea> +scene/set atmosphere=no")
    duel.do_all("Rhea> +damage Bram=50", "Rhea> +damage Cass=50")
    # Nothing shoots without air; a bare hand does at most 20 + 5 x 9, less 20%.
    assert watched(duel, "pistol") == []
    assert watched(duel, "knife") == [
        "[Watch] Zorro's next blow could kill Bram and Cass:"
        " add lethal to it if that is meant (OS-51)."
    ]
    assert watched(duel) == []
    duel.do_all("Rhea> +damage Ada=80")
    assert "could kill Ada, Bram and Cass:" in watched(duel)[0]
    # The first time luck helps.
    duel.do_all("Rhea> +damage Bram=49", "Rhea> Zorro: +attack Bram=knife, lethal")
    assert watched(duel) == []
    duel.do_all("Rhea> Zorro: +attack Bram=knife, lethal")
    assert duel.condition("Bram").dead
    assert "could kill Ada and Cass:" in watched(duel)[0]


def test_os_26_os_28_odds_go_by_how_the_target_stands_in_the_fight(duel: Arena) -> None:
    shot = "Cass> +odds Ada/pistol=Bram/dex, short"
    duel.attack("Ada> +attack Bram=pistol", attack=-4)
    assert "- 1 (second defence) is 1) = 5" in duel.do_all(shot).reply[0]
    duel.do_all("Rhea> +damage Bram=40 stun")
    told = duel.do_all("Cass> +odds Ada/pistol=Bram, short").reply[0]
    assert "(no defence 1 (Terrible) is 1) = 5" in told
    duel.do_all("Bram> +combat/leave")
    assert "- 1 (wounds) - 2 (raw dexterity) is 1) = 5" in duel.do_all(shot).reply[0]


def test_os_14_odds_go_by_the_air_and_the_gravity_of_the_scene(duel: Arena) -> None:
    shot = "+odds Ada/pistol=Bram, short"
    duel.do_all("Rhea> +scene/set gravity=no")
    kick = "  Recoil: without gravity the shot pushes the shooter back."
    assert duel.do_all(f"Bram> {shot}").reply[-1] == kick
    duel.do_all("Rhea> +scene/set health=bands")
    assert duel.do_all(f"Bram> {shot}").reply[-1] == kick
    duel.do_all("Rhea> +scene/set atmosphere=no")
    told = duel.no("Bram", shot)
    assert told.startswith("The pistol (projectile) does not work without an atmosphere.")
    assert kick not in duel.do_all("Bram> +odds Ada/railgun=Bram, short").reply
