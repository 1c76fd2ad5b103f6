from __future__ import annotations

from mushcombat.systems.spaceopera.events import InitiativeRolled
from mushcombat.views.brief import BriefView
from tests.unit.service.table import BOOK
from tests.unit.systems.spaceopera.arena import Arena


def face_off(arena: Arena) -> None:
    """Let Ada, the faster, and Bram stand before each other."""
    arena.duel("Ada", "Bram", Ada=(0, 0, "east"), Bram=(1, 0, "west"))


def test_so_1_who_joins_stands_4_squares_from_the_first_facing_it(arena: Arena) -> None:
    arena.duel("Ada", "Bram", "Cass")
    assert [arena.seat(n).figure.square for n in ("Ada", "Bram", "Cass")] == [
        (0, 0),
        (4, 0),
        (-4, 0),
    ]
    assert [arena.seat(n).facing for n in ("Ada", "Bram", "Cass")] == [2, 6, 2]


def test_so_4_all_roll_unasked_when_the_second_joins(arena: Arena) -> None:
    started = arena.do_all("Rhea> +combat/start").room[0]
    assert started.endswith("Join with +combat/join; the order is rolled by itself.")
    assert arena.do_all("Ada> +combat/join").tags() == ["Combat"]
    two = "It takes two who join, one of them a player: +combat/join."
    assert arena.no("Ada", "+attack bram") == f"The order is not made yet. {two}"
    assert arena.do_all("Ada> +combat").reply[0] == (
        f"[Combat] A fight begins. {two} Nothing pending."
    )
    arena.dice(initiative=[3, 9])
    said = arena.do_all("Bram> +combat/join")
    assert said.tags() == ["Combat", "Initiative", "Initiative", "Order", "Turn"]
    assert said.one("Order").startswith("[Order] Bram 49, Ada 43")
    assert arena.turn() == "1 Ada"


def test_so_5_a_reader_of_results_is_spared_all_initiative(arena: Arena) -> None:
    face_off(arena)
    said = arena.do_all("Rhea> +next", "Rhea> +next")
    assert said.tags() == ["Initiative", "Initiative", "Order", "Turn"]
    brief = BriefView(BOOK.systems.values(), BOOK.view)
    rolled = [fact for fact in said.facts if isinstance(fact.event, InitiativeRolled)]
    assert [brief.render(fact) for fact in rolled] == ["", ""]


def test_so_4_npcs_alone_begin_no_fight(arena: Arena) -> None:
    arena.do_all("Rhea> +npc Thug=brawler", "Rhea> +npc Rowdy=brawler")
    arena.do_all("Rhea> +combat/start")
    assert arena.tracker().phase == "rolling"
    arena.do_all("Ada> +combat/join")
    assert arena.tracker().phase == "on"
    assert (arena.seat("Thug").weapon, arena.seat("Ada").weapon) == ("bottle", "unarmed")


def test_so_4_the_referee_has_npcs_begin_and_they_roll_unasked(arena: Arena) -> None:
    arena.do_all("Rhea> +npc Thug=brawler", "Rhea> +npc Rowdy=brawler")
    arena.do_all("Rhea> +combat/start")
    arena.dice(initiative=[3, 9])
    said = arena.do_all("Rhea> +next")
    assert said.tags() == ["Initiative", "Initiative", "Order", "Turn"]
    assert arena.tracker().phase == "on"


def test_so_4_declarations_go_from_low_to_high_and_actions_from_high_to_low(arena: Arena) -> None:
    arena.duel("Ada", "Bram", "Cass")
    assert arena.turn() == "1 Bram"  # Cass joined when two had begun; she declares after him
    assert "not your turn to declare" in arena.no("Ada", "+move 1")
    shown = arena.do_all("Bram> +move 1 north")
    assert shown.room[0].startswith("[Combat] Bram moves 1 north. #")
    arena.do_all("Cass> +move 1 north")
    assert arena.turn() == "1 Ada"
    said = arena.do_all("Ada> +move 1 north")
    assert arena.turn() == "1 Ada"
    assert f"[Ruling] #{said.action} Ada: move." in said.seen["Rhea"]
    for name in ("Ada", "Bram", "Cass"):
        assert arena.turn() == f"1 {name}"
        assert arena.do_all("Rhea> +ok").room[0].startswith(f"[Combat] {name} is at ")
    assert arena.turn().startswith("2 ")


def test_so_4_each_phase_all_roll_anew(arena: Arena) -> None:
    face_off(arena)
    arena.dice(initiative=[1, 2])
    said = arena.do_all("Bram> +pass", "Ada> +pass")
    assert said.tags() == ["Initiative", "Initiative", "Order", "Turn"]
    assert "Bram 42, Ada 41" in said.one("Order")
    assert arena.turn() == "2 Ada"
    assert arena.seat("Ada").declared == arena.seat("Bram").declared == ""


def test_so_4_a_result_counts_before_the_next_one_acts(arena: Arena) -> None:
    face_off(arena)
    arena.do_all("Bram> +attack ada=sword", "Ada> +attack bram=sword")
    arena.dice(to_hit=1, wound=20)
    said = arena.do_all("Rhea> +ok")
    assert "[Result] Bram takes a critical wound: out of the fight. " in said.room[2] + " "
    assert "Bram can't act any more" in said.room[3]
    assert arena.pending() == []
    assert arena.turn() == "2 Ada"
    assert "critically wounded" in arena.no("Bram", "+move 1")


def test_so_5_initiative_is_the_basic_one_and_a_die_and_ties_roll_again(arena: Arena) -> None:
    arena.do_all("Rhea> +combat/start", "Ada> +combat/join")
    arena.dice(initiative=[7, 7], tie=[4, 12])
    said = arena.do_all("Bram> +combat/join")
    assert said.room[1].startswith("[Initiative] Ada: HTH factor 40 + 7 (1d20) = 47.")
    assert said.room[3].startswith("[Initiative] Ada: tied 0 + 4 (1d20) = 4.")
    assert said.one("Order").startswith("[Order] Bram 47, Ada 47 (reroll 4 under 12)")


def test_so_6_initiative_is_halved_from_the_rear_before_the_die(arena: Arena) -> None:
    face_off(arena)
    arena.do_all("Rhea> +place bram=1,0,east", "Bram> +pass")
    arena.dice(initiative=[10, 10])
    said = arena.do_all("Ada> +pass")
    bram = next(line for line in said.room if line.startswith("[Initiative] Bram"))
    assert "HTH factor 40 - 20 (engaged from the rear, 50%) + 10 (1d20) = 30" in bram


def test_so_6_the_side_takes_a_quarter(arena: Arena) -> None:
    face_off(arena)
    arena.do_all("Rhea> +place bram=1,0,north", "Bram> +pass")
    said = arena.do_all("Ada> +pass")
    bram = next(line for line in said.room if line.startswith("[Initiative] Bram"))
    assert "HTH factor 40 - 10 (engaged from the side, 25%)" in bram


def test_who_is_out_of_the_fight_engages_nobody(arena: Arena) -> None:
    arena.duel("Ada", "Bram", "Cass", Ada=(0, 0, "east"), Bram=(1, 0, "east"), Cass=(1, 1, "south"))
    arena.next_phase()
    assert "50%" in arena.do_all("Rhea> +odds bram/sword=cass/sword").reply[0]
    arena.do_all("Rhea> +set ada/critical wounds=1")
    arena.next_phase()
    assert (
        "- 10 (engaged from the side, 25%)"
        in arena.do_all("Rhea> +odds bram/sword=cass/sword").reply[0]
    )


def test_who_comes_while_others_act_waits_for_the_next_phase(arena: Arena) -> None:
    face_off(arena)
    arena.do_all("Bram> +move 1 east", "Ada> +move 1 west", "Cass> +combat/join")
    assert arena.seat("Cass").declared == "nothing"
    arena.do_all("Rhea> +ok", "Rhea> +ok")
    assert arena.turn().startswith("2 ")
    assert arena.seat("Cass").declared == ""


def test_when_nobody_can_act_the_turn_is_nobodys(arena: Arena) -> None:
    face_off(arena)
    arena.do_all("Rhea> +set ada/critical wounds=1", "Rhea> +set bram/critical wounds=1")
    arena.do_all("Rhea> +next")
    assert arena.turn() == "2 nobody"
    assert not any("declares next" in line for line in arena.do_all("Rhea> +combat").reply)


def test_a_reminder_says_what_waits_for_whom(arena: Arena) -> None:
    face_off(arena)
    assert arena.do_all("Bram> +combat").reply[-1] == (
        "[Turn] Declare what you do: +attack, +strike, +disarm, +parry, +turn, +move or +pass."
        " Engaged by Ada in front of you."
    )
    arena.disconnect("Bram")
    assert arena.do_all("Rhea> +combat").reply[-1] == (
        "[Turn] Bram declares next, who is not connected: +as Bram=<command> does it for them."
    )
    number = arena.do_all("Rhea> +as Bram=+attack ada=sword").action
    assert f"#{number} (Bram) waits for its turn" in arena.do_all("Ada> +combat").reply[0]
    arena.do_all("Ada> +pass")
    lines = arena.do_all("Rhea> +combat").reply
    assert f"#{number} (Bram) waits for the referee's ruling" in lines[0]
    assert lines[-3] == f"[Ruling] #{number} Bram: attack Ada."
    assert not any("Ruling" in line for line in arena.do_all("Ada> +combat").reply)


def test_an_action_that_is_due_holds_the_turn(arena: Arena) -> None:
    face_off(arena)
    arena.do_all("Bram> +attack ada=sword", "Ada> +pass")
    assert "pending" in arena.no("Rhea", "+next")


def test_nothing_is_ruled_before_its_turn(arena: Arena) -> None:
    face_off(arena)
    number = arena.do_all("Bram> +attack ada=sword").action
    assert f"#{number} does not wait for that now" in arena.no("Rhea", f"+ok {number}")
    assert "Nothing waits for that now" in arena.no("Rhea", "+ok")


def test_who_is_refused_declares_another_which_comes_up_at_once(arena: Arena) -> None:
    face_off(arena)
    arena.do_all("Bram> +attack ada=sword", "Ada> +attack bram=sword")
    said = arena.do_all("Rhea> +no=a table between you")
    assert said.one("Ruling").startswith("[Ruling] Rhea does not allow it: a table between you.")
    assert said.seen["Ada"][-1].startswith("[Turn] Declare what you do")
    arena.do_all("Ada> +move 1 west")
    assert arena.do_all("Rhea> +ok").room[0].startswith("[Combat] Ada is at -1,0")


def test_in_an_open_scene_the_actor_goes_on(arena: Arena) -> None:
    arena.do_all("Rhea> +scene/set mode=open")
    face_off(arena)
    arena.do_all("Bram> +move 1 east")
    said = arena.do_all("Ada> +move 1 west")
    asked = f"[Roll] #{said.action}, your action, comes now: +go {said.action}"
    assert asked in said.seen["Ada"]
    assert f"#{said.action} (Ada) waits for +go of Ada" in arena.do_all("Olga> +combat").reply[0]
    assert arena.do_all("Ada> +combat").reply[-1].startswith("[Roll] #")
    assert "somebody else's" in arena.no("Bram", "+go")
    assert "Nothing waits" in arena.no("Rhea", "+ok")
    arena.do_all("Ada> +go", "Bram> +go")
    assert arena.turn().startswith("2 ")


def test_in_a_scene_of_manual_rolls_the_actor_rolls_what_is_allowed(arena: Arena) -> None:
    arena.do_all("Rhea> +scene/set rolls=manual")
    face_off(arena)
    arena.do_all("Bram> +pass", "Ada> +attack bram=sword")
    said = arena.do_all("Rhea> +ok")
    assert said.room == []
    assert said.seen["Ada"][0].startswith("[Roll] #")
    assert "pending" in arena.no("Rhea", "+next")
    assert arena.do_all("Ada> +go").room[0].startswith("[Roll] Ada, to hit")


def test_an_npc_rolls_what_is_allowed_at_once_in_such_a_scene(arena: Arena) -> None:
    arena.do_all("Rhea> +scene/set rolls=manual", "Rhea> +combat/start", "Ada> +combat/join")
    arena.dice(initiative=[20, 1])
    arena.do_all("Rhea> +npc Thug=warrior", "Rhea> Thug: +move 1", "Ada> +pass")
    assert arena.do_all("Rhea> +ok").room[0].startswith("[Combat] Thug is at 3,0")


def test_who_leaves_drops_what_they_declared(arena: Arena) -> None:
    face_off(arena)
    arena.do_all("Bram> +attack ada=sword", "Bram> +combat/leave")
    assert arena.pending() == []
    assert arena.turn() == "1 Ada"
    arena.do_all("Ada> +pass")
    assert arena.turn() == "2 Ada"


def test_the_tracker_tells_hands_wounds_and_squares(arena: Arena) -> None:
    face_off(arena)
    arena.do_all("Rhea> +set bram/medium wounds=2", "Bram> +parry buckler", "Bram> +wield sword")
    lines = arena.do_all("Olga> +combat").reply
    assert (
        "Bram: sword in hand, buckler in the off hand, wounds: 2 medium, at 1,0 facing west,"
        " to declare." in lines
    )
    arena.do_all("Rhea> +combat/stop")
    assert arena.do_all("Olga> +combat").reply == (
        "There is no fight here. A referee starts one: +combat/start.",
    )
    arena.do_all("Rhea> +combat/start", "Ada> +combat/join")
    assert arena.do_all("Olga> +combat").reply[-1] == "Ada: unarmed."


def test_initiative_is_told_again(arena: Arena) -> None:
    assert "rolled when a second one joins" in arena.no("Ada", "+initiative")
    face_off(arena)
    assert arena.do_all("Ada> +reaction").reply == (
        "Your initiative of this phase is 60; +combat shows all.",
    )
    assert "Usage" in arena.no("Ada", "+initiative now")
    assert "rolled when" in arena.no("Cass", "+initiative")
