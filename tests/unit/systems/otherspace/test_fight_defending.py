"""Who defends, how, and what it costs; modes of a scene; who acts for others."""

from __future__ import annotations

import pytest

from mushcombat.systems.otherspace.combat_state import load_seat
from tests.unit.systems.otherspace.arena import Arena

THREE = ("Ada", "Bram", "Cass")


@pytest.fixture
def ring(arena: Arena) -> Arena:
    """Ada, Sword 6, has the turn; Bram has Athletics 5 and a sword in hand."""
    arena.sheet("Ada", Sword=6)
    arena.sheet("Bram", Athletics=5, Sword=5)
    arena.gear("Ada", "sword")
    arena.gear("Bram", "sword")
    arena.do_all("Ada> +wield sword", "Bram> +wield sword")
    arena.fight(*THREE)
    return arena


def test_os_26_in_melee_dexterity_athletics_or_the_skill_in_hand(ring: Arena) -> None:
    asked = ring.do_all("Ada> +attack Bram=sword", "Rhea> +ok").seen["Bram"][-1]
    assert "Dexterity 4 (Fair) - 2 (raw dexterity) is 2" in asked
    assert "Athletics 5 (Good) is 5, costs the next attack" in asked
    assert "Sword 5 (Good) is 5" in asked
    said = ring.do_all("Bram> +defend sword")
    assert said.one("Roll").startswith("[Roll] Bram: Sword 5 (Good) + 0 (4dF) = 5 (Good).")


def test_os_26_a_shot_is_not_parried(ring: Arena) -> None:
    ring.gear("Ada", "pistol")
    ring.do_all("Ada> +attack Bram=pistol", "Rhea> +ok")
    assert ring.no("Bram", "+defend sword") == (
        'choice: "sword" is not one here. Choose Dexterity or Athletics.'
    )


@pytest.mark.parametrize(("harm", "why"), [("90", "unconscious"), ("40 stun", "stunned")])
def test_os_26_the_helpless_make_no_defence_and_count_as_terrible(
    ring: Arena, harm: str, why: str
) -> None:
    ring.do_all(f"Rhea> +damage Bram={harm}", "Ada> +attack Bram=sword")
    said = ring.do_all("Rhea> +ok")
    rolls = [line for line in said.room if line.startswith("[Roll]")]
    assert rolls[1].startswith(f"[Roll] Bram: no defence ({why}), counts as 1 (Terrible).")
    assert "Ada hits by 5" in said.one("Result")


def test_os_27_athletics_costs_the_next_attack_and_no_more(ring: Arena) -> None:
    ring.attack("Ada> +attack Bram=sword", choice="athletics")
    assert ring.no("Bram", "+attack Ada=sword") == (
        "Athletics or full defence cost you this attack (OS-27). Pose, then +next."
    )
    ring.do_all("Bram> +next", "Cass> +next", "Ada> +next")
    ring.do_all("Bram> +attack Ada=sword")


def test_os_27_the_turn_of_one_who_gave_up_the_attack_tells_so(ring: Arena) -> None:
    said = ring.attack("Ada> +attack Bram=sword", attack=-4, choice="athletics")
    assert "Your attack of this turn is given up (OS-27)" in said.seen["Bram"][-1]
    assert "given up" not in str(said.room)


def test_os_28_each_further_defence_of_a_round_is_one_worse(ring: Arena) -> None:
    ring.attack("Ada> +attack Cass=sword", attack=-4)
    ring.attack("Bram> +attack Cass=sword", attack=-4)
    ring.falls(reaction=-2)
    ring.do_all("Rhea> +npc Thug", "Rhea> +order Thug=4", "Rhea> +next")
    said = ring.do_all("Rhea> Thug: +attack Cass=unarmed", "Cass> +defend dex")
    assert "- 2 (third defence)" in said.one("Roll")


def test_os_28_a_full_defence_takes_that_away(ring: Arena) -> None:
    ring.do_all("Ada> +full")
    ring.attack("Bram> +attack Ada=sword", attack=-4)
    said = ring.attack("Cass> +attack Ada=unarmed", attack=-4)
    assert "defence)" not in said.one("Roll")


def test_os_28_athletics_counts_as_a_full_defence(ring: Arena) -> None:
    ring.do_all("Ada> +next")
    ring.attack("Bram> +attack Ada=sword", attack=-4, choice="athletics")
    said = ring.attack("Cass> +attack Ada=unarmed", attack=-4)
    assert "defence)" not in said.one("Roll")


def test_os_28_full_defence_is_for_ones_own_turn_with_nothing_begun(ring: Arena) -> None:
    assert ring.no("Bram", "+full").startswith("Full defence is taken on one's own turn.")
    assert ring.no("Olga", "+full").startswith("Full defence is taken on one's own turn.")
    ring.do_all("Ada> +attack Bram=sword")
    assert "pending" in ring.no("Ada", "+full")


def counter_won(ring: Arena, choice: str = "sword", defence: int = 3) -> None:
    """Let Ada's attack of 4 be parried with 5 + 3."""
    ring.attack("Ada> +attack Bram=sword", attack=-2, defence=defence, choice=choice)


def test_os_30_four_levels_better_earn_a_free_counterattack(ring: Arena) -> None:
    counter_won(ring)
    declared = ring.do_all("Bram> +counter")
    assert declared.room[0].startswith("[Attack] Bram attacks Ada with sword.")
    ring.falls(attack=4, defence=0)
    ring.do_all("Rhea> +ok")
    said = ring.do_all("Ada> +defend sword")
    assert "[Turn]" not in str(said.room)
    assert ring.turn() == "1 Bram"
    assert ring.no("Bram", "+counter").startswith("You have no counterattack (OS-30).")
    ring.do_all("Bram> +attack Ada=sword")


def test_os_30_three_levels_better_earn_none(ring: Arena) -> None:
    counter_won(ring, defence=2)
    assert ring.no("Bram", "+counter").startswith("You have no counterattack (OS-30).")


def test_os_30_a_counterattack_cannot_be_countered(ring: Arena) -> None:
    counter_won(ring)
    ring.do_all("Bram> +counter")
    ring.falls(attack=-4, defence=4)
    ring.do_all("Rhea> +ok", "Ada> +defend sword")
    assert ring.no("Ada", "+counter").startswith("You have no counterattack (OS-30).")


def test_os_30_a_counterattack_does_not_end_a_full_defence(ring: Arena) -> None:
    ring.sheet("Bram", Athletics=6)
    counter_won(ring, "athletics", 2)
    ring.falls(attack=-4)
    ring.do_all("Bram> +counter", "Rhea> +ok", "Ada> +defend dex")
    assert "full defence" in ring.do_all("Ada> +combat").reply[3]


def test_os_30_a_counterattack_lapses_with_ones_next_turn(ring: Arena) -> None:
    counter_won(ring)
    ring.do_all("Bram> +next", "Cass> +next", "Ada> +next")
    assert ring.no("Bram", "+counter").startswith("You have no counterattack (OS-30).")


def test_os_30_who_was_struck_down_meanwhile_counters_nobody(ring: Arena) -> None:
    ring.do_all("Rhea> +order Cass=2")
    counter_won(ring)
    ring.do_all("Rhea> +damage Bram=40 stun")
    assert ring.no("Bram", "+counter") == "Bram can't act: stunned. +combat shows it."


def test_os_30_who_is_knocked_out_has_no_counterattack_left(ring: Arena) -> None:
    ring.sheet("Cass", Unarmed=8, Strength=8)
    ring.do_all("Rhea> +order Cass=2")
    counter_won(ring)
    ring.do_all("Rhea> +damage Bram=35")
    # At 8 against 4 - 2 - 1 for the second defence = 1: 40 + 35 = 75, less 20%: 60.
    ring.attack("Cass> +attack Bram=unarmed")
    assert ring.health("Bram") == 5
    (bram,) = [seat for seat in ring.seats() if seat.name == "Bram"]
    assert load_seat(bram.state).counter is None


def test_os_55_defend_always_answers_at_once_from_then_on(ring: Arena) -> None:
    said = ring.do_all("Bram> +defend/always sword")
    assert said.one("Combat").startswith("[Combat] Bram defends with Sword from now on.")
    said = ring.do_all("Ada> +attack Bram=sword", "Rhea> +ok")
    assert "[Roll] Bram: Sword 5 (Good)" in str(said.room)
    assert ring.turn() == "1 Bram"


def test_os_55_defend_always_answers_what_is_asked_now_too(ring: Arena) -> None:
    ring.do_all("Ada> +attack Bram=sword", "Rhea> +ok", "Bram> +defend/always sword")
    assert ring.turn() == "1 Bram"
    assert ring.no("Olga", "+defend/always dex").startswith("You are not in the fight.")


def test_os_55_what_is_always_done_and_is_no_choice_here_is_asked(ring: Arena) -> None:
    ring.gear("Ada", "pistol")
    ring.do_all("Bram> +defend/always sword", "Ada> +attack Bram=pistol", "Rhea> +ok")
    assert [p.stage for p in ring.pending()] == ["defence"]


def test_os_55_the_silent_defend_with_the_better_choice_when_the_time_is_over(
    ring: Arena,
) -> None:
    ring.do_all("Ada> +attack Bram=sword", "Rhea> +ok")
    assert ring.wait(seconds=59).facts == ()
    said = ring.wait(seconds=1)
    # Sword and Athletics are both 5: the one that costs nothing.
    assert "[Roll] Bram: Sword 5 (Good) + 0 (4dF) = 5 (Good). (silent for 60 s: the better" in (
        said.one("Roll")
    )
    assert ring.turn() == "1 Bram"
    assert ring.wait(seconds=60).facts == ()


def test_os_55_the_clock_answers_nothing_that_was_answered(ring: Arena) -> None:
    number = ring.do_all("Ada> +attack Bram=sword", "Rhea> +ok").action
    ring.do_all("Bram> +defend sword")
    ring.wait(seconds=60)
    assert ring.alarm(number).facts == ()


def test_os_55_the_clock_answers_what_is_due_alone(ring: Arena) -> None:
    ring.do_all("Rhea> +order Cass=2")
    counter_won(ring)
    ring.do_all("Cass> +attack Bram=unarmed")
    second = ring.do_all("Bram> +counter").action
    ring.do_all(f"Rhea> +ok {second}")
    said = ring.wait(seconds=60)
    assert {fact.action for fact in said.facts} == {second}
    assert [pending.stage for pending in ring.pending()] == ["ruling"]


def test_os_55_who_is_not_connected_defends_with_the_better_choice(ring: Arena) -> None:
    ring.disconnect("Bram")
    said = ring.do_all("Ada> +attack Bram=sword", "Rhea> +ok")
    assert "(not connected: the better choice)" in str(said.room)
    assert ring.turn() == "1 Bram"


def test_os_55_an_npc_defends_by_itself(ring: Arena) -> None:
    ring.falls(reaction=-2)
    ring.do_all("Rhea> +npc Thug=thug", "Ada> +attack Thug=sword")
    said = ring.do_all("Rhea> +ok")
    # Knife 5 is better than Dexterity 4 - 2.
    assert "[Roll] Thug: Knife 5 (Good) + 0 (4dF) = 5 (Good)." in str(said.room)


def test_os_55_mode_open_needs_no_ruling(ring: Arena) -> None:
    ring.do_all("Rhea> +scene/set mode=open")
    said = ring.do_all("Ada> +attack Bram=sword")
    assert said.tags() == ["Attack", "Roll"]
    assert said.seen["Bram"][-1].startswith("[Defend]")


def test_os_55_mode_strict_asks_for_the_damage_too(ring: Arena) -> None:
    ring.do_all("Rhea> +scene/set mode=strict")
    said = ring.attack("Ada> +attack Bram=sword")
    # 6 against 2: 50 + 20 + 20 = 90, less 20%.
    assert "it hits for 72. +ok, or +no =<reason>" in said.seen["Rhea"][-1]
    assert ring.health("Bram") == 100
    ring.do_all("Rhea> +ok")
    assert (ring.health("Bram"), ring.turn()) == (28, "1 Bram")


def test_os_3_a_modifier_that_comes_after_the_roll_is_refused(ring: Arena) -> None:
    ring.do_all("Rhea> +scene/set mode=strict")
    ring.attack("Ada> +attack Bram=sword")
    (waiting,) = ring.pending()
    number = waiting.action
    told = (
        f"#{number} is rolled: it is too late for a modifier."
        f" Type +ok {number} without one, or +undo {number} to take the attack back."
    )
    assert ring.no("Rhea", "+ok =-2 the smoke") == told
    assert ring.no("Rhea", f"+ok {number}=-2 the smoke") == told
    ring.do_all(f"Rhea> +undo {number}", "Ada> +attack Bram=sword")
    assert "- 2 (the smoke)" in ring.do_all("Rhea> +ok =-2 the smoke").one("Roll")


def test_os_55_mode_strict_a_refused_damage_does_nothing(ring: Arena) -> None:
    ring.do_all("Rhea> +scene/set mode=strict")
    ring.attack("Ada> +attack Bram=sword")
    said = ring.do_all("Rhea> +no =the crate took it")
    assert said.one("Ruling").startswith("[Ruling] Rhea does not allow it: the crate took it.")
    assert (ring.health("Bram"), ring.turn()) == (100, "1 Bram")


def test_os_55_mode_strict_does_not_ask_about_a_miss(ring: Arena) -> None:
    ring.do_all("Rhea> +scene/set mode=strict")
    assert "misses" in ring.attack("Ada> +attack Bram=sword", attack=-4).one("Result")


def test_os_55_manual_rolls_wait_for_the_player(ring: Arena) -> None:
    ring.do_all("Rhea> +scene/set rolls=manual")
    number = ring.do_all("Ada> +attack Bram=sword").action
    said = ring.do_all("Rhea> +ok =1 high ground")
    assert said.seen["Ada"] == [f"[Roll] It is allowed: +go {number}"]
    assert ring.no("Bram", "+go") == "That roll is somebody else's. +combat shows whose."
    said = ring.do_all("Ada> +go")
    assert "+ 1 (high ground)" in said.one("Roll")


def test_os_55_the_referee_acts_for_an_npc_without_asking_herself(ring: Arena) -> None:
    ring.falls(reaction=-2)
    ring.do_all("Rhea> +npc Thug=thug", "Rhea> +order Thug=2", "Ada> +next")
    said = ring.do_all("Rhea> Thug: +attack Ada=knife, -1 drunk")
    assert said.room[0].startswith("[Attack] Thug attacks Ada with knife.")
    assert "Knife 5 (Good) - 1 (drunk) + 0 (4dF) = 4" in said.room[1]
    assert ring.do_all("Rhea> Thug: pose snarls.").room == ["Thug snarls."]


def test_os_55_the_referee_answers_for_a_player(ring: Arena) -> None:
    ring.do_all("Ada> +attack Bram=sword", "Rhea> +ok")
    said = ring.do_all("Rhea> +as Bram=+defend sword")
    assert said.one("Roll").startswith("[Roll] Bram: Sword 5")


def test_os_55_the_referee_acts_for_nobody_else(ring: Arena) -> None:
    assert ring.no("Rhea", "+as Zed=+next").startswith('"Zed" is nobody of this scene.')
    assert ring.no("Rhea", "+as Bram=pose weeps.").startswith("pose is not done for somebody")
    assert ring.no("Ada", "+as Bram=+next").startswith("Huh?")
    assert ring.no("Rhea", "+as Bram=zzz").startswith("Huh?")


def test_os_55_the_referee_answers_for_a_player_who_is_away(ring: Arena) -> None:
    ring.do_all("Ada> +attack Bram=sword", "Rhea> +ok")
    ring.disconnect("Bram")
    said = ring.do_all("Rhea> +as Bram=+defend sword")
    assert said.one("Roll").startswith("[Roll] Bram: Sword 5")
