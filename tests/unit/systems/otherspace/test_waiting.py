"""What waits for somebody is told again: by +combat, by +defend alone, and to who comes back."""

from __future__ import annotations

import pytest

from mushcombat.domain.character import Role
from mushcombat.service.fights import on_arrival
from tests.unit.service.table import BOOK
from tests.unit.systems.otherspace.arena import Arena

SHOT = "Ada> +attack Bram=pistol"
QUESTION = (
    "[Defend] #{}: Dexterity 4 (Fair) - 2 (raw dexterity) is 2; Athletics 2 (Poor) is 2, costs"
    " the next attack. Type +defend {} Dexterity or Athletics."
)


@pytest.fixture
def duel(arena: Arena) -> Arena:
    arena.sheet("Ada", Pistol=6)
    arena.gear("Ada", "pistol")
    arena.fight("Ada", "Bram")
    return arena


def arrives(arena: Arena, name: str) -> tuple[str, ...]:
    """Give what somebody is told who comes back."""
    tell = arena.executor.unasked(
        arena.people[name], lambda context: on_arrival(BOOK.systems, context)
    )
    told: tuple[str, ...] = arena.read(tell) if tell else ()
    return told


def own(arena: Arena, name: str) -> tuple[str, ...]:
    """Give what +combat tells somebody besides what it tells Olga, who looks on."""
    everyone = arena.do_all("Olga> +combat").reply
    return tuple(line for line in arena.do_all(f"{name}> +combat").reply if line not in everyone)


def test_the_asked_gets_the_question_again(duel: Arena) -> None:
    number = duel.do_all(SHOT).action
    duel.do_all("Rhea> +ok")
    head = "Ada attacks you with pistol: how do you defend?"
    both = (head, QUESTION.format(number, number))
    assert own(duel, "Bram") == both
    assert duel.do_all("Bram> +defend").reply == both
    assert duel.do_all(f"Bram> +defend {number}").reply == both
    where = f"[Combat] Round 1, Ada's turn. Pending: #{number} (Ada) waits for +defend of Bram."
    assert arrives(duel, "Bram") == (where, *both)
    for name in ("Ada", "Olga", "Rhea"):
        assert arrives(duel, name) == (where,)


def test_asking_for_the_choices_answers_nothing_and_is_for_the_asked_alone(duel: Arena) -> None:
    number = duel.do_all(SHOT).action
    duel.do_all("Rhea> +ok")
    before = duel.dump()
    said = duel.do_all(f"Bram> +defend {number}, card Riposte")
    assert said.facts == ()
    assert not any(said.seen.values())
    assert duel.dump() == before
    assert duel.no("Ada", "+defend").startswith("You are not asked to defend.")
    assert duel.no("Cass", f"+defend {number}").startswith("You are not asked to defend.")
    duel.disconnect("Bram")
    assert duel.do_all("Rhea> +as Bram=+defend").reply[1] == QUESTION.format(number, number)


def test_a_grapple_is_asked_again_without_a_weapon(duel: Arena) -> None:
    duel.do_all("Ada> +grapple Bram", "Rhea> +ok")
    assert own(duel, "Bram")[0] == "Ada attacks you: how do you defend?"


def test_the_referee_gets_the_whole_ruling_again(duel: Arena) -> None:
    said = duel.do_all(f"{SHOT}, 30 feet, walking")
    block = [line for line in said.seen["Rhea"] if not line.startswith("[Attack]")]
    assert block[0].startswith(f"[Ruling] #{said.action} Ada > Bram, pistol: ")
    assert block[-1].startswith("  +ok, ")
    assert "\n".join(own(duel, "Rhea")).split("\n") == block
    assert "\n".join(arrives(duel, "Rhea")[1:]).split("\n") == block
    assert len(arrives(duel, "Ada")) == len(arrives(duel, "Bram")) == 1


def test_the_referee_is_told_when_the_target_has_left_meanwhile(duel: Arena) -> None:
    number = duel.do_all(SHOT).action
    duel.do_all("Bram> +combat/leave")
    gone = f"[Ruling] #{number}: Bram has left the fight. +no {number}=gone, or +ok {number}"
    assert own(duel, "Rhea") == (gone,)


def test_who_left_the_fight_is_asked_no_more(duel: Arena) -> None:
    duel.do_all(SHOT, "Rhea> +ok", "Bram> +combat/leave")
    assert own(duel, "Bram") == ()
    assert len(arrives(duel, "Bram")) == 1


def test_the_referee_is_asked_again_whether_damage_stands(duel: Arena) -> None:
    duel.do_all("Rhea> +scene/set mode=strict", "Bram> +defend/always dex")
    number = duel.do_all(SHOT).action
    said = duel.do_all("Rhea> +ok")
    ask = said.seen["Rhea"][-1]
    assert ask.startswith(f"[Ruling] #{number}: it hits for ")
    assert own(duel, "Rhea") == ("Ada hits Bram with pistol, 6 against 2.", ask)
    assert own(duel, "Ada") == own(duel, "Bram") == ()


def test_the_attacker_is_told_again_to_roll(duel: Arena) -> None:
    duel.do_all("Rhea> +scene/set rolls=manual")
    number = duel.do_all(SHOT).action
    duel.do_all("Rhea> +ok")
    assert own(duel, "Ada") == (f"[Roll] It is allowed: +go {number}",)
    assert arrives(duel, "Ada")[1:] == own(duel, "Ada")
    assert own(duel, "Bram") == own(duel, "Rhea") == ()


def test_os_30_a_counterattack_that_is_open_is_offered_again(duel: Arena) -> None:
    duel.sheet("Bram", Unarmed=9)
    duel.do_all("Ada> +attack Bram=unarmed", "Rhea> +ok", "Bram> +defend unarmed")
    offer = "[Counter] You may strike back at Ada, free: +counter[ <weapon>]"
    assert own(duel, "Bram") == (offer,)
    assert own(duel, "Ada") == ()


def test_wounds_that_are_proposed_are_shown_to_the_referee_until_they_are_answered(
    duel: Arena,
) -> None:
    duel.do_all("Rhea> +damage Ada=45", "Rhea> +damage Bram=60", "Rhea> +combat/stop")
    first, second = duel.pending()
    none = "There is no fight here. A referee starts one: +combat/start."
    told = duel.do_all("Rhea> +combat").reply
    assert told == (
        none,
        "[Wounds] Proposed: Ada, Lightly Wounded (health 55 without stun): Constitution -1."
        f" +ok, +no, or +quirk Ada=<other>. #{first.action}",
        told[2],
    )
    assert told[2].startswith("[Wounds] Proposed: Bram, ")
    assert told[2].endswith(f"#{second.action}")
    assert arrives(duel, "Rhea") == told[1:]
    for name in ("Ada", "Bram", "Olga"):
        assert duel.do_all(f"{name}> +combat").reply == (none,)
        assert arrives(duel, name) == ()
    duel.do_all(f"Rhea> +ok {first.action}")
    assert duel.do_all("Rhea> +combat").reply == (none, told[2])
    duel.do_all("Rhea> +no")
    assert arrives(duel, "Rhea") == ()


def test_a_proposed_wound_is_shown_in_the_next_fight_too(duel: Arena) -> None:
    duel.do_all("Rhea> +damage Ada=50", "Rhea> +combat/stop", "Rhea> +combat/start")
    assert duel.do_all("Ada> +combat").reply[0].endswith("Nothing pending.")
    assert own(duel, "Rhea")[0].startswith("[Wounds] Proposed: Ada, ")


def test_staff_are_asked_when_no_named_referee_is_connected(duel: Arena) -> None:
    duel.create("Sten", Role.STAFF)
    duel.do_all("Sten> +scene/join", SHOT)
    assert own(duel, "Sten") == ()
    duel.disconnect("Rhea")
    assert own(duel, "Sten")[0].startswith("[Ruling] #")


def test_os_56_who_fights_is_asked_for_no_ruling(duel: Arena) -> None:
    duel.create("Sten", Role.STAFF)
    duel.do_all("Sten> +scene/join", "Sten> +combat/join", SHOT)
    duel.disconnect("Rhea")
    assert own(duel, "Sten") == ()


def test_a_fight_that_nobody_joined_yet_is_told_to_who_comes_back(arena: Arena) -> None:
    assert arrives(arena, "Ada") == ()
    arena.do_all("Rhea> +combat/start")
    told = "[Combat] A fight begins, and nobody has joined yet: +combat/join. Nothing pending."
    assert arrives(arena, "Ada") == arrives(arena, "Rhea") == (told,)
    arena.do_all("Ada> +combat/join", "Bram> +combat/join")
    (told,) = arrives(arena, "Cass")
    assert "+reaction. Ada and Bram have not rolled yet." in told


def test_who_is_in_no_scene_is_told_nothing(arena: Arena) -> None:
    arena.do_all("Rhea> +combat/start", "Cass> +scene/leave")
    assert arrives(arena, "Cass") == ()
    tell = arena.executor.unasked(
        arena.people["Ada"], lambda context: on_arrival(BOOK.systems, context)
    )
    assert tell is not None
    arena.do_all("Rhea> +scene/close")
    assert arena.read(tell) == ()
