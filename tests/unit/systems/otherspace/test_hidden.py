"""Hidden NPCs: in the scene and its fight for those who referee, nowhere for anybody else."""

from __future__ import annotations

import pytest

from tests.unit.systems.otherspace.arena import Arena
from tests.unit.systems.otherspace.ears import NAME, Ears


@pytest.fixture
def ears(arena: Arena) -> Ears:
    return Ears(arena)


def lurking(ears: Ears) -> None:
    """Let Ada and Bram fight, with a hidden thug of the referee's between them."""
    ears.arena.falls(reaction=[0, 4, -4])
    ears.say("Rhea> +npc/hidden Lurker=thug", "Rhea> +combat/start")
    ears.say("Ada> +combat/join", "Bram> +combat/join", "Ada> +reaction at 4")
    ears.say("Bram> +reaction at -4")
    assert [seat.name for seat in ears.arena.seats()] == ["Ada", "Lurker", "Bram"]


def test_a_hidden_npc_comes_into_scene_and_fight_with_the_referee_alone_knowing(
    arena: Arena, ears: Ears
) -> None:
    said = ears.say("Rhea> +npc/hidden Lurker=thug")
    (line,) = said.seen["Rhea"]
    assert line.startswith("Lurker (NPC, template thug: ")
    assert line.endswith(" is in the scene. (hidden)")
    arena.falls(reaction=1)
    said = ears.say("Rhea> +combat/start")
    assert said.room == ["[Combat] Rhea starts a fight. Join with +combat/join; then +reaction."]
    assert "[Combat] Lurker joins the fight. (hidden)" in said.seen["Rhea"]
    (rolled,) = [line for line in said.seen["Rhea"] if line.startswith("[Reaction] Lurker")]
    assert rolled.endswith(f". (hidden) #{said.action}")
    ears.look()
    ears.check()


def test_the_order_is_shown_without_who_is_hidden_and_to_the_referee_whole(
    arena: Arena, ears: Ears
) -> None:
    ears.say("Rhea> +npc/hidden Lurker=thug", "Rhea> +combat/start")
    arena.falls(reaction=[4, -4])
    ears.say("Ada> +combat/join", "Bram> +combat/join", "Ada> +reaction at 4")
    said = ears.say("Bram> +reaction at -4")
    assert said.one("Order") == "[Order] Ada 19, Bram 3"
    orders = [line for line in said.seen["Rhea"] if line.startswith("[Order]")]
    (whole,) = orders
    assert whole.startswith("[Order] Ada 19, Lurker ")
    assert whole.endswith(", Bram 3 (hidden)")
    ears.check()


def test_the_turn_of_a_hidden_npc_is_nothing_to_the_room(arena: Arena, ears: Ears) -> None:
    lurking(ears)
    said = ears.say("Ada> +next")
    assert said.room == []
    assert said.seen["Rhea"] == ["[Turn] Round 1: Lurker. (hidden)"]
    assert arena.turn() == "1 Lurker"
    (head, *_) = arena.do_all("Bram> +combat").reply
    assert head == "[Combat] Round 1, between turns. Nothing pending."
    assert "Round 1, Lurker's turn." in arena.do_all("Rhea> +combat").reply[0]
    assert arena.no("Bram", "+next") == "It is not your turn. +combat shows whose it is."
    said = ears.say("Lurker: +next".join(("Rhea> ", "")))
    assert said.room == ["[Turn] Round 1: Bram."]
    ears.look()
    ears.check()


def test_a_hidden_npc_that_can_not_act_is_passed_over_without_a_word(
    arena: Arena, ears: Ears
) -> None:
    lurking(ears)
    said = ears.say("Rhea> +damage Lurker=95, a test")
    assert said.room == []
    said = ears.say("Ada> +next")
    assert said.room == ["[Turn] Round 1: Bram."]
    assert said.seen["Rhea"] == ["[Turn] Round 1: Bram. (Lurker can't act.) (hidden)"]
    ears.look()
    ears.check()


def test_what_a_hidden_npc_rolls_poses_and_wields_is_for_the_referee(
    arena: Arena, ears: Ears
) -> None:
    lurking(ears)
    for line in ("+roll knife", "pose creeps.", "+wield knife", "say Psst", "+full", "ooc hm"):
        if line == "+full":
            ears.say("Ada> +next")
        said = ears.say(f"Rhea> Lurker: {line}")
        assert [seen for seen in said.room if "[Turn]" not in seen] == []
        assert "Lurker" in said.seen["Rhea"][0]
    ears.look()
    ears.check()


def test_a_hidden_npc_attacks_nobody_before_it_is_shown(arena: Arena, ears: Ears) -> None:
    lurking(ears)
    ears.say("Ada> +next")
    refusal = "Lurker is hidden. Type +npc/show Lurker first."
    assert arena.no("Rhea", "Lurker: +attack bram=knife") == refusal
    assert arena.no("Rhea", "Lurker: +heal bram") == refusal
    said = ears.say("Rhea> +npc/show Lurker")
    assert [line.partition("(")[0] for line in said.room] == [
        "Lurker ",
        "[Combat] Lurker joins the fight.",
        "[Order] Ada 19, Lurker 10, Bram 3",
        "[Turn] Round 1: Lurker.",
    ]
    declared = arena.do_all("Rhea> Lurker: +attack bram=knife")
    assert declared.one("Attack").startswith("[Attack] Lurker attacks Bram with knife")


def test_nobody_can_aim_at_a_hidden_npc_not_even_the_referees_own(arena: Arena, ears: Ears) -> None:
    lurking(ears)
    typed = arena.no("Ada", "+attack Lurker=unarmed")
    nobody = arena.no("Ada", "+attack Nobody=unarmed")
    assert typed == nobody.replace("Nobody=", "Lurker=").replace('"Nobody"', '"Lurker"')
    assert arena.no("Ada", "+combat/join Lurker") == (
        'Nobody called "Lurker" is in the scene. +scene lists it.'
    )
    refusal = arena.no("Rhea", "+as Ada=+attack Lurker=unarmed")
    assert refusal == "Lurker is hidden. Type +npc/show Lurker first."


def test_os_19_a_blast_catches_a_hidden_npc_when_the_referee_says_so(
    arena: Arena, ears: Ears
) -> None:
    arena.gear("Ada", "grenade")
    lurking(ears)
    assert "is called" in arena.no("Ada", "+detonate Bram, Lurker=grenade")
    arena.falls(reaction=[0, -4, -4])
    said = ears.say("Rhea> +as Ada=+detonate Bram, Lurker=grenade")
    assert said.room[0].startswith("[Attack] Ada detonates among Bram with grenade")
    assert said.seen["Rhea"][0].startswith("[Attack] Ada detonates among Bram and Lurker")
    assert arena.health("Lurker") < 100
    ears.look("Bram", "Olga")
    ears.check()


def test_os_18_a_throw_at_hidden_npcs_alone_is_for_the_referee(arena: Arena, ears: Ears) -> None:
    arena.gear("Ada", "grenade")
    lurking(ears)
    arena.falls(attack=4, defence=-4)
    said = ears.say("Rhea> +as Ada=+throw Lurker=grenade, close")
    assert "[Attack] Ada throws at Lurker" in "\n".join(said.seen["Rhea"])
    ears.look("Bram", "Olga")
    ears.check()


def test_hiding_takes_an_npc_out_of_what_was_logged_before(arena: Arena, ears: Ears) -> None:
    arena.falls(reaction=[0, 4, -4])
    arena.do_all("Rhea> +npc Lurker=thug", "Rhea> +combat/start")
    arena.do_all("Ada> +combat/join", "Bram> +combat/join")
    arena.do_all("Ada> +reaction at 4", "Bram> +reaction at -4", "Ada> +next")
    arena.do_all("Rhea> Lurker: pose snarls.", "Rhea> +damage Lurker=10, a test")
    arena.do_all("Rhea> +undo=a mistake")
    assert NAME in "\n".join(arena.do_all("Ada> +scene/log").reply)
    said = ears.say("Rhea> +npc/hide Lurker")
    how = "Only referees know of it: +npc/show Lurker ends that."
    assert said.seen["Rhea"] == [f"[Hidden] Rhea hides Lurker. {how} #{said.action}"]
    log = "\n".join(ears.look())
    ears.check()
    assert "[Order] Ada 19, Bram 3" in log
    assert "[Undo] Rhea takes back #" in log
    assert "Lurker" in "\n".join(arena.do_all("Rhea> +scene/log").reply)
    arena.do_all("Rhea> +npc/show Lurker")
    assert "Lurker snarls." in "\n".join(arena.do_all("Ada> +scene/log").reply)


def test_what_an_npc_did_while_it_was_hidden_stays_hidden_once_it_is_shown(
    arena: Arena, ears: Ears
) -> None:
    lurking(ears)
    ears.say("Ada> +next", "Rhea> Lurker: +roll knife", "Rhea> Lurker: pose creeps.")
    ears.say("Rhea> Lurker: +next")
    ears.check()
    arena.do_all("Rhea> +npc/show Lurker")
    log = [line for line in arena.do_all("Ada> +scene/log").reply if NAME in line]
    assert [line.split(" ", 2)[2].partition("(")[0] for line in log] == [
        "Lurker ",
        "[Combat] Lurker joins the fight.",
        "[Order] Ada 19, Lurker 10, Bram 3",
    ]


def test_nothing_is_hidden_while_something_is_pending(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +npc Lurker=thug")
    declared = arena.do_all("Ada> +attack Lurker=unarmed")
    refusal = arena.no("Rhea", "+npc/hide Lurker")
    assert refusal.startswith(f"#{declared.action} is pending, and would be half shown. ")


@pytest.mark.parametrize(
    ("line", "refusal"),
    [
        ("+npc/hide Ada", "Ada is a player's: only NPCs can be hidden. "),
        ("+npc/hide Ghost", "Ghost is hidden. +npc/show Ghost ends that."),
        ("+npc/show Lurker", "Lurker is not hidden. +npc/hide Lurker hides."),
        ("+npc/hide Nobody", 'Nobody called "Nobody" is in the scene. '),
        ("+npc/hide ,", "Usage: +npc/hide <name>[, <name>]"),
    ],
)
def test_only_npcs_that_are_there_are_hidden_and_shown(
    arena: Arena, line: str, refusal: str
) -> None:
    arena.do_all("Rhea> +npc Lurker", "Rhea> +npc/hidden Ghost")
    assert arena.no("Rhea", line).startswith(refusal)


@pytest.mark.parametrize("line", ["+npc/hide Lurker", "+npc/show Lurker", "+npc/hidden Zed"])
def test_for_players_there_is_no_hiding(arena: Arena, line: str) -> None:
    arena.do_all("Rhea> +npc Lurker")
    assert arena.no("Ada", line) == 'Huh?  (Type "help" for help.)'


def test_several_are_hidden_and_shown_in_one_action(arena: Arena, ears: Ears) -> None:
    arena.do_all("Rhea> +npc Lurker*2=guard")
    said = ears.say("Rhea> +npc/hide Lurker 1, Lurker 2")
    assert {fact.action for fact in said.facts} == {said.action}
    ears.look()
    ears.check()
    shown = arena.do_all("Rhea> +npc/show Lurker 1, Lurker 2")
    assert [line[:8] for line in shown.room] == ["Lurker 1", "Lurker 2"]
    assert {fact.action for fact in shown.facts} == {shown.action}


def test_hiding_is_taken_back_and_done_again_without_a_word_to_the_room(
    arena: Arena, ears: Ears
) -> None:
    arena.do_all("Rhea> +npc Lurker")
    hidden = ears.say("Rhea> +npc/hide Lurker")
    ears.look()
    said = ears.say("Rhea> +undo")
    told = f"[Undo] Rhea takes back #{hidden.action}: Lurker is hidden no longer. (hidden) #"
    assert said.seen["Rhea"][0].startswith(told)
    assert "Lurker" in "\n".join(arena.do_all("Ada> +scene/log").reply)
    assert arena.do_all("Rhea> Lurker: pose nods.").room == ["Lurker nods."]
    ears.say("Rhea> +redo")
    assert arena.do_all("Rhea> Lurker: pose nods.").room == []
    ears.look()
    ears.check()


def test_showing_is_taken_back(arena: Arena, ears: Ears) -> None:
    ears.say("Rhea> +npc/hidden Lurker")
    arena.do_all("Rhea> +npc/show Lurker")
    ears.say("Rhea> +undo")
    ears.look()
    ears.check()


def test_what_a_hidden_npc_did_is_taken_back_without_a_word_of_it(arena: Arena, ears: Ears) -> None:
    lurking(ears)
    ears.say("Ada> +next")
    passed = ears.say("Rhea> Lurker: +next")
    assert passed.room == ["[Turn] Round 1: Bram."]
    said = ears.say(f"Rhea> +undo {passed.action}=too early")
    assert said.room[0].startswith(f"[Undo] Rhea takes back #{passed.action} (too early). #")
    assert "Lurker's turn again" in said.seen["Rhea"][0]
    said = ears.say(f"Rhea> +redo {passed.action}")
    ears.look()
    ears.check()
    harmed = ears.say("Rhea> +damage Lurker=10, a test")
    assert ears.say("Rhea> +undo").room == []
    assert arena.no("Ada", f"+undo {harmed.action}") == (
        f"There is no action #{harmed.action}. +scene/log shows numbers."
    )
    assert arena.no("Ada", f"+why {harmed.action}") == arena.no("Ada", f"+undo {harmed.action}")


def test_os_45_the_wounds_of_a_hidden_npc_are_for_the_referee(arena: Arena, ears: Ears) -> None:
    lurking(ears)
    ears.say("Rhea> +damage Lurker=60, a test", "Rhea> +combat/stop")
    ears.look()
    ears.say("Rhea> +ok")
    assert arena.quirks("Lurker")
    ears.look()
    ears.check()


def test_os_30_no_counterattack_is_left_on_who_has_been_hidden_since(
    arena: Arena, ears: Ears
) -> None:
    arena.do_all("Rhea> +npc Lurker=thug")
    arena.sheet("Ada", Unarmed=8)
    arena.falls(reaction=[4, -2, -4])
    arena.do_all("Rhea> +combat/start")
    arena.do_all("Ada> +combat/join", "Bram> +combat/join", "Ada> +reaction at -2")
    arena.do_all("Bram> +reaction at -4")
    arena.falls(attack=-4, defence=4)
    declared = arena.do_all("Rhea> Lurker: +attack Ada=knife")
    arena.do_all(f"Ada> +defend {declared.action} unarmed")
    log = "\n".join(arena.do_all("Ada> +scene/log").reply)
    assert "You may strike back at Lurker" in log
    ears.say("Rhea> +npc/hide Lurker")
    assert arena.no("Ada", "+counter").startswith("You have no counterattack (OS-30).")
    ears.look("Ada", "Bram", "Olga")
    ears.check()


def test_a_beginning_that_fits_a_hidden_npc_too_is_not_ambiguous(arena: Arena, ears: Ears) -> None:
    ears.say("Rhea> +npc/hidden Lurker", "Rhea> +npc Lucy")
    ears.heard.clear()
    assert ears.say("Ada> +health lu").reply[0].startswith("Lucy: ")
    assert "could be" in arena.no("Rhea", "+health lu")
