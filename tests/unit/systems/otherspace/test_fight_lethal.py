"""Blows that may kill, luck, near death, stuns and their end, health that is not told."""

from __future__ import annotations

import re

import pytest

from tests.unit.systems.otherspace.arena import Arena, Said


@pytest.fixture
def deadly(arena: Arena) -> Arena:
    """Ada's sword does 80 to Bram: by 4, 50 + 5 x 6 + 20, less 20%."""
    arena.sheet("Ada", Sword=6, Strength=6)
    arena.gear("Ada", "sword")
    arena.do_all("Ada> +wield sword")
    arena.fight("Ada", "Bram", "Cass")
    return arena


STRIKE = "Ada> +attack Bram=sword"
LETHAL = "Ada> +attack Bram=sword, lethal"


def again(arena: Arena) -> None:
    """Go on to Ada's next turn."""
    while not arena.turn().endswith("Ada"):
        arena.do_all("Rhea> +next")


def test_os_51_the_referee_is_told_when_a_blow_could_kill(deadly: Arena) -> None:
    said = deadly.do_all(STRIKE)
    watch = "  This blow could kill, and no lethal intent is declared: +lethal (OS-51)."
    assert watch in said.seen["Rhea"]
    assert "kill" not in str(said.room)
    deadly.do_all("Rhea> +no =think again")
    assert "Lethal intent is declared" in str(deadly.do_all(LETHAL).seen["Rhea"])


def test_os_49_the_referee_is_told_that_lethal_stun_kills_nobody(deadly: Arena) -> None:
    deadly.gear("Ada", "stun pistol")
    said = deadly.do_all("Ada> +attack Bram=stun pistol, lethal")
    assert "  Lethal intent is declared, but stun never kills (OS-49)." in said.seen["Rhea"]


def test_os_51_a_blow_that_cannot_take_all_health_is_not_remarked_on(deadly: Arena) -> None:
    deadly.gear("Ada", "knife")
    said = deadly.do_all("Ada> +attack Bram=knife")
    # At most by 12 - 2 - 2 + ... = 2 + 4 - (2 - 4) = 8: 15 + 30 + 40 = 85, less 20%.
    assert "This blow could kill" not in str(said.seen["Rhea"])


def test_os_49_without_lethal_intent_nobody_dies(deadly: Arena) -> None:
    deadly.do_all("Rhea> +damage Bram=30")
    said = deadly.attack(STRIKE)
    assert (
        said.one("Result").partition(" #")[0].endswith("Bram is near death and needs urgent care.")
    )
    assert not deadly.condition("Bram").dead
    assert deadly.quirks("Bram") == ("Critically Wounded",)
    assert deadly.turn() == "1 Cass"


def test_os_49_with_lethal_intent_and_no_luck_the_target_is_dead(deadly: Arena) -> None:
    deadly.do_all("Rhea> +scene/set luck=no", "Rhea> +damage Bram=30")
    said = deadly.attack(LETHAL)
    assert said.one("Result").partition(" #")[0].endswith("Bram is dead.")
    assert deadly.condition("Bram").dead
    assert deadly.do_all("Ada> +health Bram").reply[-1] == "Dead"
    deadly.do_all("Rhea> +combat/stop")
    assert deadly.no("Bram", "+wield nothing") == "Bram can't act: dead. +health shows it."
    assert deadly.no("Cass", "+heal Bram") == "Bram is dead. There is no healing that."
    assert deadly.quirks("Bram") == ()


def test_os_50_a_luck_card_makes_death_near_death_once(deadly: Arena) -> None:
    deadly.do_all("Rhea> +damage Bram=30")
    said = deadly.attack(LETHAL)
    assert "would be dead, but for a luck card: near death" in said.one("Result")
    condition = deadly.condition("Bram")
    assert (condition.dead, condition.harm, condition.luck_used) == (False, 100, 1)
    assert deadly.quirks("Bram") == ("Critically Wounded",)
    again(deadly)
    # OS-49: a lethal hit on somebody at 0 kills.
    deadly.attack(LETHAL)
    assert deadly.condition("Bram").dead


def test_os_50_luck_counts_against_npcs_even_where_it_does_not_between_players(
    deadly: Arena,
) -> None:
    deadly.falls(reaction=-4)
    deadly.do_all("Rhea> +scene/set luck=no", "Rhea> +npc Thug=thug", "Rhea> +order Thug=1")
    deadly.do_all("Rhea> +damage Bram=95")
    while not deadly.turn().endswith("Thug"):
        deadly.do_all("Rhea> +next")
    deadly.do_all("Rhea> Thug: +attack Bram=knife, lethal")
    assert (deadly.condition("Bram").dead, deadly.condition("Bram").luck_used) == (False, 1)


def test_os_49_stun_never_kills(deadly: Arena) -> None:
    deadly.sheet("Ada", Pistol=8)
    deadly.gear("Ada", "stun pistol")
    deadly.do_all("Rhea> +damage Bram=50")
    # By 8: 30 + 40 = 70, less 20%: 56, of which 50 are left.
    deadly.attack("Ada> +attack Bram=stun pistol, lethal", attack=2)
    condition = deadly.condition("Bram")
    assert (condition.dead, condition.harm, condition.stun) == (False, 50, 50)


def test_os_49_the_referee_records_lethal_intent_before_the_roll(deadly: Arena) -> None:
    deadly.do_all("Rhea> +scene/set luck=no", "Rhea> +damage Bram=30", STRIKE)
    assert deadly.no("Bram", "+lethal").startswith("The attacker declares that, or the referee.")
    said = deadly.do_all("Rhea> +lethal")
    assert said.one("Combat").startswith("[Combat] Ada means to kill.")
    deadly.do_all("Rhea> +ok", "Bram> +defend dex")
    assert deadly.condition("Bram").dead


def test_os_49_a_declaration_after_the_roll_is_refused(deadly: Arena) -> None:
    deadly.do_all(STRIKE, "Rhea> +ok")
    told = "The roll has been made. Declare it before (OS-49)."
    assert deadly.no("Ada", "+lethal") == told
    assert deadly.no("Rhea", "+lethal") == told


def test_os_49_the_dead_stay_dead_whatever_is_done_to_them(deadly: Arena) -> None:
    deadly.do_all("Rhea> +scene/set luck=no", "Rhea> +damage Bram=30")
    deadly.attack(LETHAL)
    for harm in ("5", "5 stun"):
        deadly.do_all(f"Rhea> +damage Bram={harm}")
        assert deadly.condition("Bram").dead
    deadly.wait(days=3)
    assert "Dead" in deadly.do_all("Ada> +health Bram").reply


def result_of(line: str) -> str:
    return line.partition(" #")[0]


def result(said: Said) -> str:
    return result_of(said.one("Result"))


@pytest.mark.parametrize(
    ("harm", "stun", "stunned"), [(0, 39, False), (0, 40, True), (69, 1, False), (70, 1, True)]
)
def test_os_43_forty_stun_or_any_with_less_than_thirty_left_stuns(
    arena: Arena, harm: int, stun: int, stunned: bool
) -> None:
    if harm:
        arena.do_all(f"Rhea> +damage Bram={harm}")
    said = arena.do_all(f"Rhea> +damage Bram={stun} stun")
    assert result(said).endswith("Bram is stunned.") is stunned
    assert (arena.condition("Bram").stunned_until is not None) is stunned


def test_os_43_stun_adds_up_over_the_scene(deadly: Arena) -> None:
    deadly.do_all("Rhea> +damage Bram=20 stun", "Rhea> +damage Bram=20 stun")
    deadly.do_all("Ada> +next")
    assert deadly.turn() == "1 Cass"


def test_os_43_a_stunned_character_cannot_act(deadly: Arena) -> None:
    deadly.do_all("Rhea> +damage Ada=40 stun")
    told = "Ada can't act: stunned. +combat shows it."
    assert deadly.no("Ada", "+attack Bram=sword") == told
    deadly.gear("Ada", "railgun", "power cell")
    assert deadly.no("Ada", "+ready railgun") == told


def test_os_43_a_stun_lasts_ten_minutes(arena: Arena) -> None:
    arena.do_all("Rhea> +damage Bram=40 stun")
    assert arena.wait(seconds=599).facts == ()
    assert arena.health("Bram") == 60
    said = arena.wait(seconds=1)
    assert said.one("Combat").startswith("[Combat] Bram is no longer stunned.")
    assert arena.health("Bram") == 100


def test_os_43_in_a_fight_a_stun_costs_a_turn_before_it_ends(deadly: Arena) -> None:
    deadly.do_all("Rhea> +damage Bram=40 stun")
    assert deadly.wait(seconds=600).facts == ()
    said = deadly.do_all("Ada> +next")
    assert "(Bram can't act.)" in said.one("Turn")
    assert "no longer stunned" in str(deadly.wait(seconds=1).room)
    deadly.do_all("Cass> +next", "Ada> +next")
    assert deadly.turn() == "2 Bram"


def test_os_44_stun_wears_off_with_the_scene(arena: Arena) -> None:
    arena.do_all("Rhea> +damage Bram=10 stun", "Rhea> +damage Cass=50 stun")
    arena.do_all("Rhea> +damage Bram=5")
    bram, cass = arena.id("Bram"), arena.id("Cass")
    arena.do_all("Rhea> +scene/close")
    left = arena.read(lambda store: [store.condition(i, "otherspace") for i in (bram, cass)])
    assert [(c.harm, c.stun, c.stunned_until) for c in left] == [(5, 0, None), (0, 0, None)]


def test_os_44_stun_stays_when_one_leaves_the_fight_and_goes_with_the_scene(
    deadly: Arena,
) -> None:
    deadly.do_all("Rhea> +damage Bram=30 stun", "Bram> +combat/leave")
    assert deadly.condition("Bram").stun == 30
    said = deadly.do_all("Rhea> +scene/close")
    assert "[Combat] Bram has no stun left." in str(said.room)


def test_os_44_stun_of_who_left_the_scene_goes_with_it_unless_they_are_in_another(
    arena: Arena,
) -> None:
    arena.do_all(*(f"Rhea> +damage {name}=30 stun" for name in ("Ada", "Bram", "Cass")))
    who = [arena.id(name) for name in ("Ada", "Bram", "Cass")]
    arena.do_all("Cass> +scene/open Alley", "Ada> +scene/leave", "Bram> +scene/leave")
    arena.do_all("Cass> +scene/join 1", "Cass> +scene/leave", "Rhea> +scene/close")

    def stuns() -> list[int]:
        left: list[int] = arena.read(
            lambda store: [store.condition(one, "otherspace").stun for one in who]
        )
        return left

    assert stuns() == [0, 0, 30]
    arena.do_all("Cass> +scene/join 2", "Cass> +scene/close")
    assert stuns() == [0, 0, 0]


def test_os_43_the_referee_ends_a_stun_and_can_take_that_back(deadly: Arena) -> None:
    deadly.do_all("Rhea> +damage Bram=50 stun")
    said = deadly.do_all("Rhea> +heal/stun Bram=smelling salts")
    told = "[Combat] Bram has no stun left, by Rhea's ruling (smelling salts)."
    assert result_of(said.one("Combat")) == told
    assert (deadly.health("Bram"), deadly.condition("Bram").stunned_until) == (100, None)
    deadly.do_all("Rhea> +undo")
    assert deadly.health("Bram") == 50
    deadly.do_all("Rhea> +heal/stun bram", "Ada> +next")
    assert deadly.turn() == "1 Bram"


def test_os_43_only_a_referee_ends_a_stun_and_only_one_that_there_is(arena: Arena) -> None:
    told = "Bram is not stunned. +health Bram shows it."
    assert arena.no("Rhea", "+heal/stun Bram") == told
    assert arena.no("Rhea", "+heal/stun").startswith("Usage: +heal/stun")
    arena.do_all("Rhea> +damage Bram=50 stun")
    assert '"/stun"' in arena.no("Ada", "+heal/stun Bram")


def test_os_43_staff_end_a_stun_outside_scenes_too(arena: Arena) -> None:
    bram = arena.id("Bram")
    arena.do_all("Rhea> +damage Bram=50 stun", "Bram> +scene/leave", "Rhea> +scene/leave")
    arena.do_all("Rhea> +heal/stun Bram")
    assert arena.read(lambda store: store.condition(bram, "otherspace")).stun == 0


def test_os_43_a_stun_ends_by_the_clock_outside_a_scene_too(arena: Arena) -> None:
    arena.do_all("Rhea> +damage Bram=40 stun")
    bram = arena.id("Bram")
    arena.do_all("Bram> +scene/leave")
    arena.wait(seconds=600)
    assert arena.read(lambda store: store.condition(bram, "otherspace")).stun == 0


NUMBERS = re.compile(r"\d+/100|takes \d|health -?\d|-> \d|harm \d|stun \d|treats \w+: \+ \d")


def test_os_42_a_scene_that_hides_health_tells_numbers_to_referees_alone(deadly: Arena) -> None:
    said = [deadly.do_all("Rhea> +scene/set health=bands")]
    deadly.sheet("Cass", Medicine=6)
    deadly.do_all(STRIKE)
    said.append(deadly.do_all("Rhea> +ok"))
    said.append(deadly.do_all("Bram> +defend dex"))
    assert result(said[-1]) == "[Result] Ada hits Bram, who is badly hurt."
    assert "health 20/100" in str(said[-1].seen["Rhea"])
    said.append(deadly.do_all("Rhea> +damage Bram=5 stun falling"))
    assert result(said[-1]) == "[Result] Bram is badly hurt (falling). Bram is stunned."
    said.append(deadly.do_all("Cass> +heal Bram"))
    said.append(deadly.do_all("Rhea> +undo"))
    said.append(deadly.do_all("Rhea> +redo"))
    said.append(deadly.do_all("Rhea> +undo/force " + str(said[3].action)))
    said.append(deadly.do_all("Rhea> +combat/stop"))
    for one in said:
        for name in ("Ada", "Bram", "Cass", "Olga"):
            assert not [line for line in one.seen[name] if NUMBERS.search(line)]
    for line in ("+health Bram", "+combat", f"+why {said[1].action}", "+sheet Bram", "+health"):
        assert not NUMBERS.search(str(deadly.do_all(f"Bram> {line}").reply)), line
    # 80 harm less 15 healed; the stun is taken back.
    assert deadly.do_all("Bram> +health").reply == ("Bram is hurt.",)
    assert "Health " in deadly.do_all("Rhea> +health Bram").reply[0]


def test_os_42_a_miss_tells_no_health_in_a_scene_that_hides_it(deadly: Arena) -> None:
    deadly.do_all("Rhea> +scene/set health=bands")
    assert not NUMBERS.search(str(deadly.attack(STRIKE, attack=-4).room))


def test_os_42_with_ten_or_less_one_is_unconscious_and_does_nothing(deadly: Arena) -> None:
    deadly.do_all("Rhea> +damage Ada=89")
    deadly.do_all("Ada> +attack Bram=sword", "Rhea> +no")
    deadly.do_all("Rhea> +damage Ada=1")
    told = "Ada can't act: unconscious. +combat shows it."
    assert deadly.no("Ada", "+attack Bram=sword") == told
    assert deadly.no("Ada", "+heal Bram") == "Ada can't act: unconscious. +health shows it."
