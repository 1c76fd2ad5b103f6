"""The tracker on a real store: who is when, and what a turn is."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from mushcombat.domain.events import Audience, Fact, Who
from mushcombat.domain.fight import Combatant, Fight, TurnBegan
from mushcombat.systems.otherspace.fight_rules import _silent
from tests.unit.systems.otherspace.arena import Arena

THREE = ("Ada", "Bram", "Cass")


def joined(arena: Arena, *names: str) -> None:
    arena.do_all("Rhea> +combat/start", *(f"{name}> +combat/join" for name in names))


def test_os_8_os_10_the_order_is_that_of_reaction_with_the_rerolls_written(arena: Arena) -> None:
    joined(arena, *THREE)
    # Dexterity 4 + Perception 4 + 3 unarmed; then Bram and Cass, tied at 9, roll again.
    arena.falls(reaction=[0, -2, -2, 0, -2])
    arena.do_all("Ada> +reaction", "Bram> +reaction")
    said = arena.do_all("Cass> +reaction")
    rolls = [line.partition(" #")[0][-12:] for line in said.room[:3]]
    assert rolls == ["2 (4dF) = 9.", " 8. (reroll)", " 6. (reroll)"]
    assert said.one("Order") == "[Order] Ada 11, Bram 9, Cass 9 (reroll 6 under 8)"
    assert said.one("Turn") == "[Turn] Round 1: Ada."
    assert arena.do_all("Cass> +combat").reply[:2] == (
        "[Combat] Round 1, Ada's turn. Nothing pending.",
        "[Order] Ada 11, Bram 9, Cass 9 (reroll 6 under 8)",
    )


def test_os_10_the_order_waits_until_all_who_joined_have_rolled(arena: Arena) -> None:
    joined(arena, "Ada", "Bram")
    assert arena.do_all("Ada> +reaction").tags() == ["Reaction"]
    told = arena.do_all("Ada> +combat").reply
    assert told[0] == (
        "[Combat] The order is being rolled: +reaction. Bram has not rolled yet. Nothing pending."
    )
    assert told[-1].endswith("not rolled yet: +reaction.")
    assert arena.do_all("Bram> +reaction at 1").tags() == ["Reaction", "Order", "Turn"]


def test_os_10_who_leaves_before_the_order_is_made_does_not_hold_it_up(arena: Arena) -> None:
    joined(arena, *THREE)
    arena.do_all("Ada> +reaction", "Bram> +reaction at -1")
    said = arena.do_all("Cass> +combat/leave")
    assert said.one("Order") == "[Order] Ada 11, Bram 10"
    assert arena.turn() == "1 Ada"


@pytest.mark.parametrize(
    ("weapon", "first"), [("", 3), ("knife", 2), ("pistol", 1), ("energy pistol", 1), ("rifle", 0)]
)
def test_os_9_the_first_rounds_bonus_goes_by_the_weapon_wielded(
    arena: Arena, weapon: str, first: int
) -> None:
    if weapon:
        arena.gear("Ada", weapon)
        arena.do_all(f"Ada> +wield {weapon}")
    joined(arena, "Ada", "Bram")
    assert (
        arena.do_all("Ada> +reaction")
        .one("Reaction")
        .partition(" #")[0]
        .endswith(f"= {8 + first}.")
    )


def test_os_9_a_second_reaction_in_the_fight_has_no_bonus_and_moves_nobody(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    said = arena.do_all("Bram> +reaction at 4")
    assert said.tags() == ["Reaction"]
    assert "4 (asked) + 0 (4dF) = 12." in said.room[0]
    assert arena.turn() == "1 Ada"


@pytest.mark.parametrize(("weapon", "bonus"), [("", 0), ("knife", 0), ("pistol", 1)])
def test_os_9_a_latecomer_gets_only_the_pistols_bonus(
    arena: Arena, weapon: str, bonus: int
) -> None:
    arena.fight("Ada", "Bram")
    if weapon:
        arena.gear("Cass", weapon)
        arena.do_all(f"Cass> +wield {weapon}")
    arena.do_all("Cass> +combat/join")
    assert "not rolled yet" in arena.do_all("Ada> +combat").reply[2]
    said = arena.do_all("Cass> +reaction")
    # Ada rolled 8 + 3 + 8, Bram 8 + 3.
    assert said.one("Order") == f"[Order] Ada 19, Bram 11, Cass {8 + bonus}"
    assert arena.turn() == "1 Ada"


@pytest.mark.parametrize(
    ("fall", "turns"),
    [
        (4, ["1 Bram", "2 Cass", "2 Ada", "2 Bram"]),  # 16, before Ada's 13: their turn is past
        (0, ["1 Cass", "1 Bram", "2 Ada", "2 Cass"]),  # 12, before Bram's 11
        (-4, ["1 Bram", "1 Cass", "2 Ada", "2 Bram"]),  # 8, the last
    ],
)
def test_os_9_a_latecomer_takes_nobodys_turn(arena: Arena, fall: int, turns: list[str]) -> None:
    arena.fight("Ada", "Bram", apart=2)
    arena.do_all("Cass> +combat/join")
    arena.falls(reaction=fall)
    arena.do_all("Cass> +reaction at 4")
    seen = []
    for _ in turns:
        arena.do_all("Rhea> +next")
        seen.append(arena.turn())
    assert seen == turns


def test_os_10_a_latecomer_who_ties_rerolls_with_the_one_they_tie(arena: Arena) -> None:
    arena.fight("Ada", "Bram", apart=2)
    arena.do_all("Cass> +combat/join")
    arena.falls(reaction=[1, 1, -1])
    said = arena.do_all("Cass> +reaction at 4")
    # 8 + 4 + 1 is Ada's 13; of the rerolls Cass has 8 + 1 and Ada 8 - 1.
    assert said.one("Order") == "[Order] Cass 13, Ada 13 (reroll 7 under 9), Bram 11"


@pytest.mark.parametrize("leaver", THREE)
@pytest.mark.parametrize("turns", [0, 1, 2])
def test_leaving_makes_nobody_else_lose_or_repeat_a_turn(
    arena: Arena, leaver: str, turns: int
) -> None:
    arena.fight(*THREE)
    for _ in range(turns):
        arena.do_all("Rhea> +next")
    # What comes without the leaver: their turns are cut out, no other.
    coming = [f"{round_} {name}" for round_ in (1, 2, 3) for name in THREE][turns:]
    rest = [turn for turn in coming if not turn.endswith(leaver)]
    arena.do_all(f"Rhea> +combat/leave {leaver}")
    seen = [arena.turn()]
    for _ in range(3):
        arena.do_all("Rhea> +next")
        seen.append(arena.turn())
    assert seen == rest[:4]


def test_the_last_one_leaves_and_the_fight_can_still_be_stopped(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    arena.do_all("Bram> +combat/leave")
    said = arena.do_all("Ada> +combat/leave")
    assert said.one("Turn").startswith("[Turn] Round 1: no one can act.")
    assert arena.do_all("Rhea> +combat/stop").one("Combat") == "[Combat] The fight is over."


def test_os_42_the_unconscious_are_passed_over_with_a_line(arena: Arena) -> None:
    arena.fight(*THREE)
    arena.do_all("Rhea> +damage Bram=90")
    assert arena.do_all("Ada> +next").one("Turn") == "[Turn] Round 1: Cass. (Bram can't act.)"
    assert arena.do_all("Cass> +pass").one("Turn") == "[Turn] Round 2: Ada."


def test_os_43_the_stunned_are_passed_over_and_their_turn_is_then_skipped(arena: Arena) -> None:
    arena.fight(*THREE)
    arena.do_all("Rhea> +damage Bram=40 stun")
    assert "(Bram can't act.)" in arena.do_all("Ada> +next").one("Turn")
    arena.wait(seconds=600)
    assert arena.do_all("Cass> +next", "Ada> +next").one("Turn") == "[Turn] Round 2: Bram."


def test_when_all_are_down_no_one_can_act(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    said = arena.do_all("Rhea> +damage Bram=90", "Rhea> +damage Ada=95")
    assert said.one("Turn") == "[Turn] Round 2: no one can act."
    assert arena.do_all("Olga> +combat").reply[0].startswith("[Combat] Round 2: no one can act.")
    arena.do_all("Rhea> +undo", "Rhea> +undo")
    assert arena.turn() == "1 Ada"


def test_after_nobody_could_act_the_turn_goes_to_the_first_who_can(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +damage Bram=95", "Rhea> +damage Ada=40 stun")
    assert arena.turn() == "2 nobody"
    arena.wait(seconds=600)
    arena.do_all("Rhea> +next")
    assert arena.turn() == "2 Ada"


def test_os_28_a_full_defence_ends_the_turn_and_lasts_until_the_round_does(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    said = arena.do_all("Ada> +full")
    assert said.one("Combat").startswith("[Combat] Ada takes a full defence.")
    assert arena.turn() == "1 Bram"
    assert "full defence" in arena.do_all("Bram> +combat").reply[2]
    arena.do_all("Bram> +next")
    assert "full defence" not in arena.do_all("Bram> +combat").reply[2]


def test_os_28_a_new_round_counts_defences_anew(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    arena.attack("Ada> +attack Bram=unarmed")
    assert "1 defence" in arena.do_all("Bram> +combat").reply[3]
    arena.do_all("Bram> +next")
    assert "1 defence" not in arena.do_all("Bram> +combat").reply[3]


def test_os_55_the_referee_moves_somebody_in_the_order(arena: Arena) -> None:
    arena.fight(*THREE)
    said = arena.do_all("Rhea> +order Cass=1")
    assert said.one("Order") == "[Order] Cass 3, Ada 19, Bram 11 (Rhea's ruling)"
    assert arena.turn() == "1 Ada"
    arena.do_all("Rhea> +next", "Rhea> +next")
    assert arena.turn() == "2 Cass"
    assert arena.no("Ada", "+order Ada=1").startswith("Huh?")
    assert arena.no("Rhea", "+order Olga=1") == "Olga is not in the fight. +combat shows who is."


def test_os_55_a_latecomer_does_not_undo_the_referees_order(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +order Bram=1", "Cass> +combat/join")
    assert arena.no("Rhea", "+order Cass=1").startswith("Cass has not rolled yet.")
    said = arena.do_all("Cass> +reaction")
    assert said.one("Order") == "[Order] Bram 11, Ada 19, Cass 8"


def test_os_10_who_leaves_while_others_still_roll_makes_no_order(arena: Arena) -> None:
    joined(arena, *THREE)
    arena.do_all("Ada> +reaction")
    assert arena.do_all("Cass> +combat/leave").tags() == ["Combat"]
    assert arena.tracker().phase == "rolling"


def test_os_55_only_who_has_the_turn_or_the_referee_ends_it(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    assert arena.no("Bram", "+next").startswith("It is not your turn.")
    arena.do_all("Ada> +next", "Rhea> +next")
    assert arena.turn() == "2 Ada"


def test_os_55_the_turn_does_not_end_while_something_waits(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    number = arena.do_all("Ada> +attack Bram=unarmed").action
    assert arena.no("Ada", "+next") == (
        f"Something is pending. #{number} (Ada) waits for the referee's ruling."
    )
    assert arena.no("Rhea", "+next").startswith("Something is pending. +combat shows what; +ok or")


def test_os_55_a_referee_hears_who_has_not_posed_in_the_round(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    arena.do_all("Ada> pose waits.", "Bram> ooc thinking", "Ada> +next")
    said = arena.do_all("Bram> +next")
    assert said.seen["Rhea"][0] == "[Watch] Not posed in the round that ends: Bram."
    assert said.tags() == ["Turn"]
    arena.do_all("Ada> :a", "Bram> :b", "Ada> +next")
    assert "[Watch]" not in str(arena.do_all("Bram> +next").seen)


def test_os_55_the_referee_hears_once_of_somebody_who_falls_silent(arena: Arena) -> None:
    arena.fight("Ada", "Bram")

    def rest_of_the_round() -> list[str]:
        arena.do_all("Rhea> +next")
        said = arena.do_all("Rhea> +next")
        return [line for line in said.seen["Rhea"] if line.startswith("[Watch]")]

    silent = "[Watch] Not posed in the round that ends: "
    arena.do_all("Ada> pose waits.")
    assert rest_of_the_round() == [f"{silent}Bram."]
    # Bram's silence is known; Ada's is new.
    assert rest_of_the_round() == [f"{silent}Ada."]
    assert rest_of_the_round() == []
    arena.do_all("Bram> pose stirs.", "Cass> +combat/join")
    arena.falls(reaction=-4)
    arena.do_all("Cass> +reaction at -4")
    assert rest_of_the_round() == []
    assert "[Watch]" not in str(arena.do_all("Rhea> +next").seen)
    assert arena.turn() == "5 Ada"
    arena.do_all("Rhea> +combat/stop")
    arena.fight("Ada", "Bram")
    assert rest_of_the_round() == [f"{silent}Ada and Bram."]


def test_os_55_a_log_without_the_fights_begin_is_read_to_its_own() -> None:
    seat = Combatant(1, 7, "Ada", (9,), 0, late=False, state="{}", player=True)
    now = datetime(2026, 5, 17, tzinfo=UTC)
    turn = Fact(TurnBegan(7, "Ada", 1), Who(7, "Ada"), now, Audience.ROOM, ledger=1, seq=5)

    def tail(_scene: int, _kinds: object, _count: int, *, before: int | None) -> list[Fact]:
        return [turn] if before is None else []

    store = SimpleNamespace(fight=lambda _: Fight(1, "on", 1, 7), tail=tail)
    context: Any = SimpleNamespace(store=store)
    assert _silent(context, [seat]) == ["Ada"]


def test_os_56_who_referees_does_not_fight(arena: Arena) -> None:
    arena.do_all("Rhea> +combat/start")
    assert "(OS-56)" in arena.no("Rhea", "+combat/join")
    assert arena.no("Ada", "+combat/join Bram").startswith("You join a fight for yourself.")
    arena.do_all("Rhea> +combat/join Ada", "Bram> +combat/join")
    assert arena.no("Ada", "+combat/leave Bram").startswith("You leave a fight for yourself.")
    assert arena.no("Ada", "+combat/join") == "Ada is in the fight. +combat shows it."


def test_in_an_open_scene_anybody_starts_a_fight_and_who_opened_it_stops_it(arena: Arena) -> None:
    arena.do_all("Rhea> +scene/leave", "Ada> +scene/leave", "Ada> +scene/open Alley")
    arena.do_all("Bram> +scene/leave", "Bram> +scene/join 2", "Ada> +scene/set mode=open")
    arena.do_all("Bram> +combat/start", "Ada> +combat/join", "Bram> +combat/join")
    assert arena.no("Bram", "+combat/stop") == (
        "Who opened the scene stops its fights, or a referee. Ask them, or +combat/leave."
    )
    arena.do_all("Ada> +combat/stop")
    arena.scene = 2
    assert arena.tracker().phase == "over"


def test_a_fight_is_started_once_and_by_a_referee(arena: Arena) -> None:
    told = "A referee starts and stops fights here. Ask one, or who opened the scene for "
    assert arena.no("Ada", "+combat/start") == told + "+scene/set mode=open."
    assert arena.no("Ada", "+combat/join") == (
        "There is no fight here. A referee starts one: +combat/start."
    )
    arena.do_all("Rhea> +combat/start")
    assert arena.no("Rhea", "+combat/start").startswith("There is a fight here already.")
    assert arena.no("Rhea", "+next").startswith("It takes two to fight.")
    assert arena.no("Ada", "+next") == (
        "The order is not made yet. It takes two who join, one of them a player: +combat/join."
    )
    arena.do_all("Ada> +combat/join", "Bram> +combat/join")
    assert arena.no("Ada", "+next") == (
        "The order is not made yet. Who has joined rolls with +reaction."
    )


def test_what_is_pending_when_a_fight_ends_is_dropped(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    arena.do_all("Ada> +attack Bram=unarmed", "Rhea> +combat/stop")
    assert arena.pending() == []


def test_a_new_fight_begins_with_an_empty_tracker(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +combat/stop")
    assert arena.do_all("Ada> +combat").reply[0].startswith("There is no fight here.")
    arena.do_all("Rhea> +combat/start")
    assert arena.seats() == []


def test_who_leaves_the_scene_is_out_of_its_fight(arena: Arena) -> None:
    arena.fight(*THREE)
    said = arena.do_all("Ada> +scene/leave")
    assert said.one("Combat").startswith("[Combat] Ada is out of the fight.")
    assert [seat.name for seat in arena.seats()] == ["Bram", "Cass"]
    assert arena.turn() == "1 Bram"


def test_an_action_of_one_who_left_is_pending_no_more(arena: Arena) -> None:
    arena.fight(*THREE)
    arena.do_all("Ada> +attack Bram=unarmed", "Ada> +combat/leave")
    assert arena.pending() == []
    assert arena.no("Rhea", "+ok") == "Nothing is pending. +combat shows what is."


def test_the_target_leaves_after_it_was_asked_and_the_action_ends(arena: Arena) -> None:
    arena.fight(*THREE)
    arena.do_all("Ada> +attack Bram=unarmed", "Rhea> +ok")
    arena.do_all("Bram> +combat/leave")
    assert arena.turn() == "1 Ada"
    said = arena.wait(seconds=60)
    assert arena.pending() == []
    assert any("the attack finds nobody" in line for line in said.room)
    assert arena.turn() == "1 Cass"


def test_who_was_asked_and_left_may_say_so(arena: Arena) -> None:
    arena.fight(*THREE)
    arena.do_all("Ada> +attack Bram=unarmed", "Rhea> +ok", "Bram> +combat/leave")
    said = arena.do_all("Bram> +defend dex")
    assert any("the attack finds nobody" in line for line in said.room)
    assert arena.pending() == []


def test_a_wound_that_is_proposed_is_not_what_one_had_begun(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +damage Ada=50", "Rhea> +combat/stop")
    arena.fight(*THREE)
    arena.do_all("Ada> +attack Bram=unarmed", "Ada> +combat/leave")
    assert [pending.stage for pending in arena.pending()] == ["proposed"]


def test_all_lines_that_a_reaction_leads_to_are_one_action(arena: Arena) -> None:
    joined(arena, "Ada", "Bram")
    arena.do_all("Ada> +reaction")
    said = arena.do_all("Bram> +reaction at -1")
    assert len({fact.action for fact in said.facts}) == 1
    arena.do_all(f"Rhea> +undo {said.action}")
    assert arena.tracker().phase == "rolling"
