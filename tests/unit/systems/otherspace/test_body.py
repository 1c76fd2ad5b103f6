"""Wounds and their healing, gear, speed, odds: what the store keeps of a body."""

from __future__ import annotations

import pytest

from mushcombat.domain.dice import SceneDice
from mushcombat.systems.facts import item_set
from mushcombat.systems.otherspace.combat_events import ItemSet
from tests.unit.support import BRAM
from tests.unit.systems.otherspace.arena import Arena


def bare(line: str) -> str:
    return line.partition(" #")[0]


def test_os_41_harm_and_stun_are_kept_apart_and_both_count(arena: Arena) -> None:
    arena.do_all("Rhea> +damage Bram=25", "Rhea> +damage Bram=15 stun")
    assert arena.do_all("Bram> +health").reply == (
        "Bram: Health 60/100 (harm 25, stun 15)",
        "Penalty: -1 on every roll",
    )


def test_os_41_a_ruled_harm_does_not_count_constitution(arena: Arena) -> None:
    said = arena.do_all("Rhea> +damage Bram=30 falling crate")
    assert bare(said.one("Result")) == "[Result] Bram takes 30 (falling crate): health 70/100."
    assert arena.condition("Bram").harm == 30


@pytest.mark.parametrize(("harm", "penalty"), [(39, 0), (40, -1), (69, -1), (70, -2), (89, -2)])
def test_os_42_the_penalty_goes_by_what_remains(arena: Arena, harm: int, penalty: int) -> None:
    arena.do_all(f"Rhea> +damage Bram={harm}")
    told = arena.do_all("Bram> +health").reply[1:]
    assert told == ((f"Penalty: {penalty} on every roll",) if penalty else ())
    assert ("(wounds)" in arena.do_all("Bram> +roll strength").room[0]) is (penalty < 0)


PROPOSALS = [
    (40, ""),
    (41, "Lightly Wounded"),
    (60, "Lightly Wounded"),
    (61, "Moderately Wounded"),
    (80, "Moderately Wounded"),
    (81, "Heavily Wounded"),
    (90, "Heavily Wounded"),
    (91, "Seriously Wounded"),
    (99, "Seriously Wounded"),
]


@pytest.mark.parametrize(("harm", "quirk"), PROPOSALS)
def test_os_45_after_a_fight_a_wound_is_proposed_by_harm_alone(
    arena: Arena, harm: int, quirk: str
) -> None:
    arena.fight("Ada", "Bram")
    arena.do_all(f"Rhea> +damage Bram={harm}", "Rhea> +damage Bram=1 stun")
    said = arena.do_all("Rhea> +combat/stop")
    told = [line for line in said.seen["Rhea"] if line.startswith("[Wounds]")]
    assert "[Wounds]" not in str(said.room)
    assert arena.quirks("Bram") == ()
    if not quirk:
        assert (told, arena.pending()) == ([], [])
        return
    assert told[0].startswith(f"[Wounds] Proposed: Bram, {quirk} (health {100 - harm} without stun")
    said = arena.do_all("Rhea> +ok")
    assert said.one("Wounds").startswith(f"[Wounds] Bram: {quirk}, by Rhea (after the fight).")
    assert (arena.quirks("Bram"), arena.pending()) == ((quirk,), [])


def test_os_45_the_referee_drops_a_proposal_or_imposes_another(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +damage Ada=50", "Rhea> +damage Bram=50", "Rhea> +combat/stop")
    ada, bram = (pending.action for pending in arena.pending())
    said = arena.do_all(f"Rhea> +no {ada}=a scratch")
    dropped = f"[Wounds] Ada: Lightly Wounded is not imposed (Rhea: a scratch). #{ada}"
    assert (said.seen["Rhea"], said.room) == ([dropped], [])
    said = arena.do_all("Rhea> +quirk Bram=moderately, a bad fall")
    assert said.one("Wounds").startswith("[Wounds] Bram: Moderately Wounded, by Rhea (a bad fall).")
    assert (arena.quirks("Ada"), arena.quirks("Bram")) == ((), ("Moderately Wounded",))
    assert arena.pending() == []
    assert arena.no("Rhea", f"+ok {bram}").startswith(f"#{bram} is not pending.")


def test_os_45_a_proposed_wound_takes_no_modifier(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +damage Ada=50", "Rhea> +damage Bram=50", "Rhea> +combat/stop")
    told = "A wound takes no modifier. Type +ok, +no <number>, or +quirk <name>=<other>."
    assert arena.no("Rhea", "+ok =-1 steam") == told
    assert arena.no("Rhea", f"+ok {arena.pending()[0].action}=-1 steam") == told


def test_os_45_what_one_has_already_is_not_proposed_again(arena: Arena) -> None:
    arena.do_all("Rhea> +quirk Bram=heavily")
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +damage Bram=70", "Rhea> +combat/stop")
    assert arena.pending() == []


def test_os_45_a_worse_wound_takes_the_lighter_ones_place(arena: Arena) -> None:
    arena.do_all("Rhea> +quirk Bram=lightly")
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +damage Bram=70", "Rhea> +combat/stop", "Rhea> +ok")
    assert arena.quirks("Bram") == ("Moderately Wounded",)


def test_os_45_a_proposal_waits_through_the_next_fight(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +damage Ada=50", "Rhea> +combat/stop")
    arena.fight("Ada", "Bram")
    arena.do_all("Ada> +attack Bram=unarmed")
    (proposed, _) = arena.pending()
    arena.do_all(f"Rhea> +ok {proposed.action}")
    assert arena.quirks("Ada") == ("Lightly Wounded",)


def test_os_45_nobody_proposes_anything_for_the_dead(arena: Arena) -> None:
    arena.do_all("Rhea> +scene/set luck=no")
    arena.sheet("Ada", Sword=8, Strength=8)
    arena.gear("Ada", "sword")
    arena.fight("Ada", "Bram")
    arena.attack("Ada> +attack Bram=sword, lethal", attack=4)
    arena.do_all("Rhea> +combat/stop")
    assert (arena.condition("Bram").dead, arena.pending()) == (True, [])


def test_os_45_a_quirk_is_taken_off_with_a_reason(arena: Arena) -> None:
    arena.do_all("Rhea> +quirk Bram=lightly")
    said = arena.do_all("Rhea> +quirk/remove Bram=lightly, a mistake")
    assert said.one("Wounds").startswith(
        "[Wounds] Bram: Lightly Wounded is taken off by Rhea (a mistake)."
    )
    assert arena.quirks("Bram") == ()


def test_os_45_staff_impose_a_quirk_outside_scenes_too(arena: Arena) -> None:
    arena.do_all("Rhea> +scene/close", "Rhea> +quirk Bram=lightly, an old wound")
    assert "Quirks: Lightly Wounded" in arena.do_all("Bram> +sheet").reply
    arena.do_all("Rhea> +damage Bram=5", "Rhea> +quirk/remove Bram=lightly")
    assert arena.do_all("Bram> +health").reply == ("Bram: Health 95/100 (harm 5, stun 0)",)


def test_os_45_an_imposed_quirk_takes_the_place_of_its_own_proposal_alone(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +damage Ada=50", "Rhea> +damage Bram=50", "Rhea> +combat/stop")
    arena.do_all("Rhea> +quirk Bram=lightly")
    assert [pending.actor for pending in arena.pending()] == [arena.id("Ada")]


def test_os_45_closing_the_scene_ends_a_fight_that_is_on_and_its_wounds_are_kept(
    arena: Arena,
) -> None:
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +damage Bram=50")
    said = str(arena.do_all("Rhea> +scene/close").room)
    assert "[Combat] The fight is over." in said
    assert "[Wounds] Bram: Lightly Wounded, by Rhea (the scene closed)." in said
    assert arena.quirks("Bram") == ("Lightly Wounded",)
    assert arena.pending() == []


def test_os_45_closing_the_scene_imposes_what_the_referee_left_open(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +damage Ada=50", "Rhea> +damage Bram=50", "Rhea> +combat/stop")
    dropped = next(one.action for one in arena.pending() if one.actor == arena.id("Ada"))
    arena.do_all(f"Rhea> +no {dropped}=a scratch", "Rhea> +scene/close")
    assert (arena.quirks("Ada"), arena.quirks("Bram")) == ((), ("Lightly Wounded",))


def test_os_46_the_loss_of_the_worst_quirk_alone_enters_rolls(arena: Arena) -> None:
    arena.do_all("Rhea> +quirk Bram=moderately", "Rhea> +quirk Bram=heavily")
    said = arena.do_all("Bram> +roll dexterity")
    assert "Dexterity 4 (Fair) - 1 (Heavily Wounded) + 0 (asked) + 0 (4dF) = 3" in said.room[0]
    assert "Wounded" not in arena.do_all("Bram> +roll willpower").room[0]
    assert "Quirks: Heavily Wounded, Moderately Wounded" in arena.do_all("Bram> +sheet").reply


HEALS = [
    ("", 4, ""),
    ("Lightly Wounded", 4, ""),
    ("Moderately Wounded", 5, "Lightly Wounded"),
    ("Heavily Wounded", 6, "Moderately Wounded"),
    ("Seriously Wounded", 6, "Heavily Wounded"),
    ("Critically Wounded", 7, "Seriously Wounded"),
]


@pytest.mark.parametrize(("quirk", "needs", "after"), HEALS)
def test_os_47_medicine_takes_a_quirk_one_step_down_and_gives_health_back(
    arena: Arena, quirk: str, needs: int, after: str
) -> None:
    arena.sheet("Ada", Medicine=4)
    arena.sheet("Cass", Medicine=4)
    arena.do_all("Rhea> +damage Bram=50")
    if quirk:
        arena.do_all(f"Rhea> +quirk Bram={quirk}")
    before = arena.quirks("Bram")
    arena.falls(medicine=needs - 5)
    said = arena.do_all("Ada> +heal Bram")
    assert bare(said.one("Heal")) == "[Heal] Ada can't help Bram this time."
    assert (arena.health("Bram"), arena.quirks("Bram")) == (50, before)
    arena.falls(medicine=needs - 4)
    said = arena.do_all("Cass> +heal Bram")
    gain = 5 * (needs - 3)
    assert bare(said.one("Heal")).startswith(
        f"[Heal] Cass treats Bram: + {gain}, health {50 + gain}/100"
    )
    assert arena.health("Bram") == 50 + gain
    assert arena.quirks("Bram") == ((after,) if after else ())


def test_os_47_healing_helps_once_a_day_and_never_beyond_well(arena: Arena) -> None:
    arena.sheet("Cass", Medicine=8)
    arena.do_all("Rhea> +damage Bram=5", "Cass> +heal Bram")
    assert arena.health("Bram") == 100
    assert arena.no("Cass", "+heal Bram") == "Bram was healed today. Once a day helps (OS-47)."
    arena.wait(days=1)
    arena.do_all("Rhea> +damage Bram=5", "Cass> +heal Bram")


def test_os_47_who_failed_does_not_try_again_that_day_but_another_may(arena: Arena) -> None:
    arena.sheet("Cass", Medicine=4)
    arena.do_all("Rhea> +damage Bram=50", "Rhea> +damage Ada=50")
    arena.falls(medicine=-4)
    number = arena.do_all("Cass> +heal Bram").action
    told = "Cass has tried that today, and failed. Another may try (OS-47)."
    assert arena.no("Cass", "+heal Bram") == told
    arena.falls(medicine=[-4, -4, -4])
    arena.do_all("Cass> +heal Ada", "Ada> +heal Bram", f"Rhea> +undo {number}", "Cass> +heal Bram")
    assert arena.no("Cass", "+heal Bram") == told
    arena.do_all("Bram> +scene/leave", "Cass> +scene/leave")
    assert arena.no("Cass", "+heal Bram") == told
    arena.wait(days=1)
    arena.do_all("Cass> +heal Bram", "Bram> +scene/join")
    assert arena.health("Bram") == 65


@pytest.mark.parametrize("dice", [4, -4])
def test_os_47_to_treat_who_is_well_spends_no_treatment_of_the_day(arena: Arena, dice: int) -> None:
    arena.sheet("Cass", Medicine=6)
    arena.falls(medicine=[dice, 0])
    arena.do_all("Cass> +heal Bram", "Rhea> +damage Bram=50", "Cass> +heal Bram")
    assert arena.health("Bram") > 50


def test_os_47_the_referee_sets_the_modifier(arena: Arena) -> None:
    arena.do_all("Rhea> +npc Medic")
    said = arena.do_all("Rhea> +heal Bram at -2")
    assert "Medicine 2 (Poor) - 2 (ruled) + 0 (4dF) = 0" in said.one("Roll")


def test_os_48_ten_points_come_back_a_day_but_no_quirk_goes(arena: Arena) -> None:
    arena.do_all("Rhea> +damage Bram=25", "Rhea> +quirk Bram=lightly")
    arena.now = arena.now.replace(hour=23, minute=59)
    for health in (85, 95, 100, 100):
        arena.wait(days=1)
        assert arena.do_all("Bram> +health").reply[0].startswith(f"Bram: Health {health}/100")
    assert arena.quirks("Bram") == ("Lightly Wounded",)


def test_os_48_what_nature_healed_is_kept_when_more_harm_comes(arena: Arena) -> None:
    arena.do_all("Rhea> +damage Bram=25")
    arena.wait(days=2)
    arena.do_all("Rhea> +damage Bram=10")
    assert arena.condition("Bram").harm == 15
    arena.wait(days=1)
    assert arena.do_all("Bram> +health").reply[0].startswith("Bram: Health 95/100")


def test_os_24_what_is_worn_shows_on_the_sheet(arena: Arena) -> None:
    arena.gear("Bram", "kevlar", "leather jacket")
    arena.sheet("Bram", Armour=2)
    said = arena.do_all("Bram> +wear kevlar")
    assert bare(said.room[0]) == "Bram has kevlar worn."
    assert "Wears: kevlar, DDF 15, -1 to Dexterity rolls" in arena.do_all("Bram> +sheet").reply
    assert "- 1 (kevlar)" in arena.do_all("Bram> +roll dexterity").room[0]
    arena.do_all("Bram> +wear leather")
    assert "Wears: leather jacket" in str(arena.do_all("Bram> +sheet").reply)
    assert bare(arena.do_all("Bram> +wear nothing").room[0]) == "Bram takes the leather jacket off."
    assert arena.no("Bram", "+wear nothing") == "You wear no armour. +wear <armour> puts some on."
    assert "Wears" not in str(arena.do_all("Bram> +sheet").reply)


def test_items_are_given_taken_wielded_and_put_away(arena: Arena) -> None:
    said = arena.do_all("Rhea> +give Bram=pistol")
    assert bare(said.seen["Bram"][0]) == "Bram is given: pistol."
    assert said.room == []
    arena.do_all("Rhea> +give Bram=pistol", "Rhea> +give Bram=feint", "Bram> +wield pistol")
    told = arena.do_all("Bram> +sheet").reply
    assert "Carries: pistol x2 (in use)" in told
    assert "Cards: Feint" in told
    arena.do_all("Rhea> +take Bram=pistol", "Rhea> +take Bram=pistol")
    assert arena.items("Bram") == {"Feint": 1}
    said = arena.do_all("Rhea> +give Bram=knife", "Bram> +wield knife", "Bram> +wield nothing")
    assert bare(said.room[-1]) == "Bram puts the knife away."
    refusal = "You have nothing in hand. +wield <weapon> takes one in hand."
    assert arena.no("Bram", "+wield nothing") == refusal
    assert "Carries: knife" in arena.do_all("Bram> +sheet").reply
    assert arena.no("Rhea", "+take Bram=rifle") == "Bram has no rifle. +sheet Bram shows what."


def test_what_old_logs_say_of_putting_away_can_be_read() -> None:
    old = ItemSet(BRAM.id, "Bram", "nothing", "put away")
    assert item_set(old, "Bram") == "Bram puts away what they had."


@pytest.mark.parametrize(
    ("dexterity", "athletics", "walk", "run"),
    [(4, 4, 30, 80), (0, 2, 10, 30), (6, 8, 40, 120)],
)
def test_os_32_speed_goes_by_dexterity_and_athletics(
    arena: Arena, dexterity: int, athletics: int, walk: int, run: int
) -> None:
    arena.sheet("Bram", Dexterity=dexterity, Athletics=athletics)
    assert arena.do_all("Bram> +speed").reply == (
        f"Bram walks {walk} feet a round and runs {run} (OS-32).",
    )
    assert arena.do_all("Ada> +speed Bram").reply[0].startswith("Bram walks")


def test_odds_answer_the_asker_alone_and_touch_nothing(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena.sheet("Ada", Pistol=6)
    arena.fight("Ada", "Bram")
    before = arena.dump()

    def thrown(*_: object) -> None:
        raise AssertionError("a die was thrown")

    monkeypatch.setattr(SceneDice, "throw", thrown)
    said = arena.do_all("Bram> +odds Ada/pistol=Bram/dexterity, cover 50")
    assert said.reply[0] == (
        "[Odds] Ada against Bram: (Pistol 6 (Great) - 2 (cover 50%) is 4)"
        " - (Dexterity 4 (Fair) - 2 (raw dexterity) is 2) = 2"
    )
    assert said.facts == ()
    assert not any(said.seen.values())
    assert arena.dump() == before
    arena.do_all("Rhea> +scene/set health=bands")
    told = arena.do_all("Bram> +odds Ada/pistol=Bram").reply
    assert [line for line in told if "damage" in line or "reach" in line] == []
    # Psionics are asked about as what they are; without a defence the better one counts.
    arena.do_all("Rhea> +set Ada/Psi=6")
    assert "Willpower" in arena.do_all("Ada> +odds Ada/mind blast=Bram").reply[0]
