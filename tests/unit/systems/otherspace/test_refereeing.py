"""Referees among themselves: notes, who referees, handing over, reasons."""

from __future__ import annotations

import pytest

from mushcombat.domain.character import Role
from tests.unit.systems.otherspace.arena import Arena

HUH = 'Huh?  (Type "help" for help.)'


# notes


def test_a_note_is_shown_to_the_referees_alone(arena: Arena) -> None:
    said = arena.do_all("Rhea> +note The crate is trapped.")
    assert said.seen["Rhea"] == [f"[Note] Rhea: The crate is trapped. #{said.action}"]
    assert [who for who, seen in said.seen.items() if seen] == ["Rhea"]


def test_notes_are_listed_with_their_times_and_stand_in_the_referees_log(arena: Arena) -> None:
    assert arena.do_all("Rhea> +notes").reply == ("There are no notes. +note <text> makes one.",)
    first = arena.do_all("Rhea> +ref/note one").action
    second = arena.do_all("Rhea> +note two").action
    assert arena.do_all("Rhea> +notes").reply == (
        "Notes of scene 1, times in UTC:",
        f"2026-05-17 20:00 [Note] Rhea: one #{first}",
        f"2026-05-17 20:00 [Note] Rhea: two #{second}",
    )
    assert "[Note] Rhea: one" in "\n".join(arena.do_all("Rhea> +scene/log").reply)
    assert "one" not in "\n".join(arena.do_all("Ada> +scene/log").reply)
    assert arena.no("Ada", f"+why {first}").startswith(f"There is no action #{first}.")


def test_only_the_last_notes_are_listed(arena: Arena) -> None:
    for number in range(32):
        arena.do_all(f"Rhea> +note number {number}")
    _, first, *rest = arena.do_all("Rhea> +notes").reply
    assert first == "(2 earlier ones: +scene/log 1 has them.)"
    assert len(rest) == 30


@pytest.mark.parametrize("line", ["+note x", "+notes"])
def test_for_who_does_not_referee_there_are_no_notes(arena: Arena, line: str) -> None:
    assert arena.no("Ada", line) == HUH


@pytest.mark.parametrize("switch", ["note x", "handover Bram", "step", "state", "zzz"])
def test_for_who_does_not_referee_there_is_nothing_but_the_list(arena: Arena, switch: str) -> None:
    refusal = arena.no("Ada", f"+ref/{switch}")
    assert refusal == f'+ref has no switch "/{switch.split(maxsplit=1)[0]}". Usage: +ref'


def test_a_note_needs_words_and_a_scene(arena: Arena) -> None:
    assert arena.no("Rhea", "+note") == "Usage: +note <text>"
    arena.do_all("Rhea> +scene/leave")
    assert arena.no("Rhea", "+note x").startswith("You are in no scene here.")


# who referees


def test_everyone_in_the_scene_sees_who_referees_it(arena: Arena) -> None:
    assert arena.do_all("Ada> +ref").reply == ("Referees of scene 1: Rhea.",)
    arena.do_all("Rhea> +scene/referee Cass")
    arena.disconnect("Cass")
    assert arena.do_all("Ada> +referee").reply == (
        "Referees of scene 1: Cass (not connected) and Rhea.",
    )


def test_where_nobody_is_named_it_says_who_may_act(arena: Arena) -> None:
    arena.do_all("Rhea> +ref/step")
    assert arena.do_all("Ada> +ref").reply == (
        "Nobody is named referee here: staff in the scene may act.",
        "Staff name one with +scene/referee <name>.",
    )


def test_a_referee_steps_down(arena: Arena) -> None:
    arena.do_all("Rhea> +scene/referee Cass")
    said = arena.do_all("Cass> +ref/step")
    assert said.room == [f"Cass referees the scene no longer. #{said.action}"]
    assert arena.no("Cass", "+npc Thug") == HUH


def test_a_fight_keeps_one_referee_at_least(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    assert arena.no("Rhea", "+ref/step") == (
        "The fight would be without a referee. Type +ref/handover <name>, +scene/referee <name>"
        " or +combat/stop first."
    )
    arena.do_all("Rhea> +scene/referee Cass", "Rhea> +ref/step")
    assert arena.no("Cass", "+ref/step").startswith("The fight would be without a referee.")
    arena.do_all("Cass> +combat/stop", "Cass> +ref/step")


def test_a_fight_keeps_its_last_referee_in_the_scene(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    assert arena.no("Rhea", "+scene/leave").startswith("The fight would be without a referee.")
    arena.do_all("Ada> +scene/leave", "Rhea> +scene/referee Cass", "Rhea> +scene/leave")
    assert arena.no("Cass", "+scene/leave").startswith("The fight would be without a referee.")
    arena.do_all("Cass> +combat/stop", "Cass> +scene/leave")


def test_where_nobody_has_to_referee_the_last_referee_may_step_down(arena: Arena) -> None:
    arena.do_all("Rhea> +scene/set mode=open")
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +ref/step")


def test_where_nobody_has_to_referee_the_last_referee_may_leave(arena: Arena) -> None:
    arena.do_all("Rhea> +scene/set mode=open")
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +scene/leave")


def test_staff_who_are_not_named_have_nothing_to_step_down_from(arena: Arena) -> None:
    arena.do_all("Rhea> +ref/step")
    assert arena.no("Rhea", "+ref/step").startswith("You are not named referee here;")


# handing over


def test_handing_over_names_the_other_and_takes_oneself_off(arena: Arena) -> None:
    said = arena.do_all("Rhea> +ref/handover Cass")
    assert said.room == [f"Rhea hands the scene over to Cass. #{said.action}"]
    assert said.seen["Cass"][1] == "You referee scene 1 now, and this is open:"
    assert said.seen["Rhea"] == said.room
    assert arena.do_all("Ada> +ref").reply == ("Referees of scene 1: Cass.",)
    arena.do_all("Cass> +note mine now")
    arena.do_all("Cass> +ref/handover Bram")
    assert arena.no("Cass", "+note mine no more") == HUH


def test_the_new_referee_is_shown_all_that_is_open(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    arena.falls(reaction=0)
    arena.do_all("Rhea> +npc/hidden Lurker=thug", "Rhea> +note The crate.", "Rhea> +note Two.")
    harmed = arena.do_all("Rhea> +damage Bram=10, a fall")
    undone = arena.do_all(f"Rhea> +undo {harmed.action}=the wrong one")
    arena.do_all("Rhea> +scene/set gravity=no")
    declared = arena.do_all("Ada> +attack Bram=unarmed")
    told = "\n".join(arena.do_all("Rhea> +ref/handover Cass").seen["Cass"])
    for part in (
        'Scene 1 "Dockside Ambush": public, open, otherspace.',
        "Settings: mode normal, rolls auto, health numbers, atmosphere yes, gravity no, luck yes.",
        f"[Combat] Round 1, Ada's turn. Pending: #{declared.action} (Ada) waits for",
        "[Order] Ada ",
        "Lurker: health 100/100, knife in hand. (hidden)",
        f"[Ruling] #{declared.action} Ada > Bram, unarmed: ",
        "Hidden: Lurker.",
        "[Note] Rhea: The crate. #",
        f"Last taken back: [Undo] Rhea takes back #{harmed.action} (the wrong one): ",
    ):
        assert part in told, part
    assert undone.action
    arena.do_all(f"Rhea> +redo {harmed.action}")
    assert "Last taken back" not in "\n".join(arena.do_all("Cass> +ref/state").reply)


def test_os_45_wounds_that_are_proposed_are_handed_over_too(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +damage Bram=60", "Rhea> +combat/stop")
    told = arena.do_all("Rhea> +ref/handover Cass").seen["Cass"]
    assert "No fight is on." in told
    assert [line for line in told if line.startswith("[Wounds] Proposed: Bram, ")]
    assert "Hidden: nobody." in told


def test_of_many_notes_the_last_are_handed_over(arena: Arena) -> None:
    for number in range(7):
        arena.do_all(f"Rhea> +note number {number}")
    told = arena.do_all("Rhea> +ref/handover Cass").seen["Cass"]
    assert told[-1] == "(7 notes in all: +notes.)"
    assert len([line for line in told if "[Note]" in line]) == 5


def test_os_56_a_scene_is_not_handed_over_to_who_fights_in_it(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    refusal = arena.no("Rhea", "+ref/handover Bram")
    assert refusal.startswith("Bram fights in this one, and so can't referee it (OS-56).")
    arena.do_all("Rhea> +combat/stop", "Rhea> +ref/handover Bram")


@pytest.mark.parametrize(
    ("name", "refusal"),
    [
        ("me", "That is you. "),
        ("Thug", "Thug is an NPC. "),
        ("Nobody", 'Nobody called "Nobody" is in the scene. '),
        ("Guest 7", "Guest 7 is a guest. "),
        ("Olga", "Olga is not connected. "),
    ],
)
def test_a_scene_is_handed_over_to_a_player_who_is_there(
    arena: Arena, name: str, refusal: str
) -> None:
    arena.create("Guest 7", Role.GUEST)
    arena.do_all("Rhea> +npc Thug", "Rhea> +scene/invite Guest 7", "Guest 7> +scene/join")
    arena.disconnect("Olga")
    assert arena.no("Rhea", f"+ref/handover {name}").startswith(refusal)


def test_staff_who_are_not_named_hand_a_scene_over_all_the_same(arena: Arena) -> None:
    arena.do_all("Rhea> +ref/step", "Rhea> +ref/handover Cass")
    assert arena.do_all("Ada> +ref").reply == ("Referees of scene 1: Cass.",)


def test_each_ruling_names_the_referee_who_made_it(arena: Arena) -> None:
    arena.do_all("Rhea> +scene/referee Cass")
    arena.fight("Ada", "Bram")
    declared = arena.do_all("Ada> +attack Bram=unarmed").action
    said = arena.do_all(f"Cass> +ok {declared}=-1 steam")
    assert said.seen["Rhea"][0] == f"[Ruling] Cass allows it - 1 (steam). #{declared}"
    arena.do_all(f"Bram> +defend {declared} dex")
    why = arena.do_all(f"Ada> +why {declared}").reply
    assert [line.split() for line in why if "steam" in line] == [["-", "1", "steam", "Cass"]]
    said = arena.do_all(f"Rhea> +undo {declared}=wrong range")
    assert said.one("Undo").startswith(f"[Undo] Rhea takes back #{declared} (wrong range)")
    again = arena.do_all("Ada> +attack Bram=unarmed").action
    assert arena.do_all(f"Cass> +no {again}=a wall").one("Ruling") == (
        f"[Ruling] Cass does not allow it: a wall. #{again}"
    )


# reasons


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("+damage Bram=10", "[Result] Bram takes 10: health 90/100."),
        (
            "+damage Bram=10, falling crate",
            "[Result] Bram takes 10 (falling crate): health 90/100.",
        ),
        ("+damage Bram=10 falling crate", "[Result] Bram takes 10 (falling crate): health 90/100."),
        ("+damage Bram=10 stun", "[Result] Bram takes 10 stun: health 90/100."),
        ("+damage Bram=10 stun, a blow", "[Result] Bram takes 10 stun (a blow): health 90/100."),
        ("+damage Bram=10,stun,gas", "[Result] Bram takes 10 stun (gas): health 90/100."),
        ("+damage Bram=10, stunning", "[Result] Bram takes 10 (stunning): health 90/100."),
    ],
)
def test_damage_by_a_ruling_has_its_reason(arena: Arena, line: str, shown: str) -> None:
    said = arena.do_all(f"Rhea> {line}")
    assert said.room == [f"{shown} #{said.action}"]
    (head, *_) = arena.do_all(f"Ada> +why {said.action}").reply
    told = shown.removeprefix("[Result] ").removesuffix(".")
    assert head == f"#{said.action} {told}, by Rhea, 20:00:00 UTC"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("+give Bram=pistol, a gift", "Bram is given: pistol (a gift), by Rhea,"),
        (
            "+set Bram/Pistol=6, a month",
            "Bram's Pistol is now Great (6); it was unset (a month), by Rhea,",
        ),
        (
            "+quirk Bram=Lightly Wounded, a fall",
            "Bram: Lightly Wounded, by Rhea (a fall), 20",
        ),
    ],
)
def test_what_a_referee_gives_or_sets_has_its_reason_in_the_log(
    arena: Arena, line: str, told: str
) -> None:
    said = arena.do_all(f"Rhea> {line}")
    assert told in "\n".join(arena.do_all(f"Bram> +why {said.action}").reply)


def test_what_is_taken_away_has_its_reason(arena: Arena) -> None:
    arena.do_all("Rhea> +give Bram=pistol")
    said = arena.do_all("Rhea> +take Bram=pistol, lost at sea")
    assert said.seen["Bram"] == [f"Bram no longer has: pistol (lost at sea). #{said.action}"]
    assert arena.no("Rhea", "+take Bram=, lost").startswith("Usage: +take <name>=<item>")
    assert arena.no("Rhea", "+set Bram/Pistol=, lost").startswith("Usage: +set ")


def test_the_reason_of_an_order_is_shown_behind_who_ruled_it(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    said = arena.do_all("Rhea> +order Bram=1, he drew first")
    assert said.one("Order").endswith("(Rhea's ruling: he drew first)")


FALSE = "x). Ada dies. #9 [Result] ("
TRUE = "(x. Ada dies. #9 Result)"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (f"+damage Bram=5, {FALSE}", f"[Result] Bram takes 5 {TRUE}: health 94/100."),
        (f"+quirk Bram=Lightly Wounded, {FALSE}", f"Lightly Wounded, by Rhea {TRUE}."),
        (f"+give Bram=pistol, {FALSE}", f"Bram is given: pistol {TRUE}."),
        (f"+set Bram/Pistol=6, {FALSE}", f"it was unset {TRUE}."),
        (f"+order Bram=1, {FALSE}", f"(Rhea's ruling: {TRUE[1:]}"),
        (f"+undo={FALSE}", f"{TRUE}: "),
    ],
)
def test_no_reason_makes_a_line_of_its_own(arena: Arena, line: str, told: str) -> None:
    arena.fight("Ada", "Bram")
    arena.do_all("Rhea> +damage Bram=1")
    said = arena.do_all(f"Rhea> {line}")
    assert told in "\n".join(said.seen["Bram"])


def test_a_refusal_and_the_end_of_a_stun_have_no_reason_with_brackets(arena: Arena) -> None:
    arena.do_all("Rhea> +damage Bram=100 stun")
    assert TRUE in arena.do_all(f"Rhea> +heal/stun Bram={FALSE}").room[0]
    arena.fight("Ada", "Bram")
    arena.do_all("Ada> +attack Bram=unarmed")
    said = arena.do_all(f"Rhea> +no ={FALSE}")
    assert said.one("Ruling").startswith(f"[Ruling] Rhea does not allow it: {TRUE[1:-1]}.")


def test_no_reason_has_the_name_of_the_dice(arena: Arena) -> None:
    arena.fight("Ada", "Bram")
    arena.do_all("Ada> +attack Bram=unarmed")
    told = arena.no("Rhea", "+ok =+3 4dF")
    assert told.startswith('reason: "4dF" is what the server itself calls a term. Type what ')
    said = arena.do_all("Rhea> +ok =+1 steam) + 3 (4dF")
    assert "+ 1 (steam + 3 4dF)" in said.one("Roll")
    assert said.one("Roll").count("(4dF)") == 1
