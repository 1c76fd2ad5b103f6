"""What can't be done in a fight: one clear line to who typed it, nothing to others, no change."""

from __future__ import annotations

import re

from tests.e2e.fight_script import Duel, settle, start_duel
from tests.e2e.harness import Client, Server


def check_refused(duel: Duel, client: Client, line: str, answer: str) -> None:
    """A line is answered with one line, and is all that anybody notices of it."""
    settle(*duel.all)
    before = duel.rhea.ask("+combat", "+scene")
    settle(*duel.all)
    told = client.ask(line)
    assert told == f"{answer}\n", f"{client.name}: {line}"
    for other in duel.all:
        heard = other.sync()
        assert other is client or not heard, f"{other.name} hears of {line!r}: {heard!r}"
    assert duel.rhea.ask("+combat", "+scene") == before, f"{line!r} has changed something"


def test_an_attack_that_cannot_be_is_refused_with_the_reason(server: Server) -> None:
    duel = start_duel(server, "+give Ada=sonic gun", "+give Ada=stun grenade")
    cass = server.login("Cass")
    cass.ask(f"+scene/join {duel.scene}")
    turn = "It is not your turn. +combat shows whose it is."
    for line in ("+attack Ada=knife", "+next", "+grapple Ada"):
        check_refused(duel, duel.bram, line, turn)
    full = "Full defence is taken on one's own turn. +combat shows it."
    check_refused(duel, duel.bram, "+full", full)
    hint = "+combat lists it."
    refused = {
        "+attack Ada=pistol": "That is you. Name somebody else.",
        "+attack Cass=pistol": f"Cass is not in the fight. {hint}",
        "+attack Rhea=pistol": f"Rhea is not in the fight. {hint}",
        "+attack Nobody=pistol": f'Nobody of the fight is called "Nobody". {hint}',
        "+attack Bram, Cass=pistol": f"Cass is not in the fight. {hint}",
        "+attack Bram=sword": "Ada carries no sword. A referee gives it: +give Ada=sword",
        "+attack Bram=pistol, 1500 feet": "1500 feet is out of range. At most 1000 feet.",
        "+attack Bram=sonic, medium": (
            "The sonic gun has no shot at medium range. It reaches short range, 20 feet."
        ),
        "+attack Bram=unarmed, 30 feet": (
            "Hand to hand reaches 5 feet, no farther. Come closer first."
        ),
        "+throw Bram=pistol": "The pistol is not made for throwing. Try +attack.",
        "+attack Bram=pistol, -1 wind": ("The referee rules modifiers. Leave out + and - numbers."),
        "+attack Bram=pistol, close, long": (
            'modifier: "long" contradicts "close". Type one of them.'
        ),
        "+disarm Bram=claws": ("Ada carries no claws. A referee gives it: +give Ada=claws"),
        "+counter": "You have no counterattack (OS-30). +combat shows it.",
    }
    for line, answer in refused.items():
        check_refused(duel, duel.ada, line, answer)


def test_a_weapon_or_modifier_that_is_none_is_refused_with_what_there_is(server: Server) -> None:
    duel = start_duel(server)
    for line, named in (
        ("+attack Bram=banana", 'weapon: "banana" is none'),
        ("+attack Bram=pistol, sideways", 'modifier: "sideways"'),
        ("+attack Bram=pistol, cover lots", 'cover: "lots"'),
        ("+attack Bram=pistol, card Joker", 'card: "joker" is no action card'),
        ("+attack", "Usage: +attack "),
        ("+defend", "Nothing is pending."),
        ("+defend/always", "Usage: +defend"),
    ):
        settle(*duel.all)
        told = duel.ada.ask(line)
        assert named in told
        assert told.count("\n") == 1
        assert duel.rhea.sync() + duel.bram.sync() == ""
    assert "Round 1, Ada's turn. Nothing pending." in duel.bram.ask("+combat")


def test_who_is_unconscious_or_not_in_the_fight_does_nothing(server: Server) -> None:
    duel = start_duel(server)
    cass = server.login("Cass")
    cass.ask(f"+scene/join {duel.scene}")
    duel.rhea.ask("+damage Ada=92 a falling crate")
    duel.ada.expect(r"Ada is unconscious\.")
    for line in ("+attack Bram=pistol", "+grapple Bram", "+throw Bram=grenade"):
        answer = "Ada can't act: unconscious. +combat shows it."
        check_refused(duel, duel.ada, line, answer)
    for line in ("+attack Bram=unarmed", "+full", "+defend/always sword", "+combat/leave"):
        before = duel.rhea.ask("+combat")
        told = cass.ask(line)
        assert re.fullmatch(r"[^\n]*(?:not in the fight|on one's own turn)[^\n]*\n", told), told
        assert duel.rhea.ask("+combat") == before


def test_what_is_ruled_twice_or_by_the_wrong_one_is_refused(server: Server) -> None:
    duel = start_duel(server)
    nothing = "Nothing is pending. +combat shows what is."
    check_refused(duel, duel.rhea, "+ok", nothing)
    check_refused(duel, duel.rhea, "+no", nothing)
    duel.ada.ask("+attack Bram=pistol, close")
    pending = "You have an action pending. +combat shows it."
    check_refused(duel, duel.ada, "+attack Bram=pistol, close", pending)
    check_refused(
        duel, duel.rhea, "+next", "Something is pending. +combat shows what; +ok or +no it."
    )
    number = re.search(r"#(\d+) \(Ada\) waits", duel.ada.ask("+combat"))[1]  # type: ignore[index]
    waits = f"Something is pending. #{number} (Ada) waits for the referee's ruling."
    check_refused(duel, duel.ada, "+next", waits)
    huh = 'Huh?  (Type "help" for help.)'
    check_refused(duel, duel.ada, "+ok", huh)
    check_refused(duel, duel.bram, "+no", huh)
    check_refused(duel, duel.rhea, "+ok 9999", "#9999 is not pending. +combat shows what is.")
    check_refused(duel, duel.rhea, "+ok =-1", 'ruling: "-1" has no reason. Type -1 <reason>.')
    duel.rhea.ask("+ok")
    duel.bram.expect(r"^\[Turn\] Round 1: Bram\.$")
    check_refused(duel, duel.rhea, "+ok", nothing)


def test_a_defence_that_is_not_allowed_is_refused_and_asked_for_again(server: Server) -> None:
    duel = start_duel(server)
    duel.bram.ask("+defend/always unarmed")
    duel.ada.ask("+attack Bram=pistol, close")
    duel.rhea.ask("+ok")
    settle(*duel.all)
    number = re.findall(r"^\[Defend\] #(\d+): ", duel.bram.seen, re.MULTILINE)[-1]
    hint = "Choose Dexterity or Athletics."
    for choice in ("knife", "sword", "luck", "d%s"):
        answer = f'choice: "{choice}" is not one here. {hint}'
        check_refused(duel, duel.bram, f"+defend {choice}", answer)
    theirs = "You are not asked to defend. +combat shows who is."
    check_refused(duel, duel.ada, "+defend dexterity", theirs)
    duel.bram.send(f"+defend {number} athletics")
    duel.rhea.expect(r"^\[Roll\] Bram: Athletics ")
    duel.rhea.expect(r"^\[Turn\] Round 1: Bram\.$")
    nothing = "Nothing is pending. +combat shows what is."
    check_refused(duel, duel.bram, "+defend dexterity", nothing)
    given_up = "Athletics or full defence cost you this attack (OS-27). Pose, then +next."
    check_refused(duel, duel.bram, "+attack Ada=knife", given_up)


def test_an_attack_on_who_has_left_in_the_meantime_finds_nobody(server: Server) -> None:
    duel = start_duel(server)
    duel.ada.ask("+attack Bram=pistol, close")
    duel.bram.send("+combat/leave")
    for client in duel.all:
        client.expect(r"^\[Combat\] Bram is out of the fight\.$")
    settle(*duel.all)
    duel.rhea.send("+ok")
    for client in duel.all:
        client.expect(r"^\[Combat\] Bram is out of reach: the attack finds nobody\. #\d+$")
    settle(*duel.all)
    assert "[Result]" not in duel.bram.seen
    assert "Nothing pending." in duel.rhea.ask("+combat")
    assert "Health 100/100" in duel.bram.ask("+health")


def test_who_is_asked_and_leaves_is_asked_no_more(server: Server) -> None:
    duel = start_duel(server)
    duel.bram.ask("+defend/always unarmed")
    duel.ada.ask("+attack Bram=pistol, close")
    duel.rhea.ask("+ok")
    duel.bram.expect(r"^\[Defend\] ")
    duel.bram.ask("+combat/leave")
    settle(*duel.all)
    duel.bram.ask("+defend dexterity")
    settle(*duel.all)
    assert "[Result]" not in duel.rhea.seen
    assert "Nothing pending." in duel.rhea.ask("+combat"), "the action would wait for ever"
