"""What referees do to a fight, and who is told what of it."""

from __future__ import annotations

import re
import shutil
import time
from pathlib import Path

from tests.e2e.conftest import Serve
from tests.e2e.fight_script import settle, start_duel
from tests.e2e.harness import PATIENCE, Client, Server, open_scene

RULES = Path(__file__).resolve().parents[2] / "config" / "rules"


def health(client: Client, name: str) -> int:
    """Give what +health says that somebody has left."""
    found = re.search(r"Health (\d+)/100", client.ask(f"+health {name}"))
    assert found is not None
    return int(found[1])


def test_an_undo_tells_everyone_the_reason_and_what_it_put_back_and_a_redo_repeats_it(
    server: Server,
) -> None:
    duel = start_duel(server)
    number, left = duel.shoot()
    duel.rhea.send(f"+undo {number}=it was dark")
    for client in duel.all:
        client.expect(
            rf"^\[Undo\] Rhea takes back #{number} \(it was dark\): "
            rf"Bram's health {left} -> 100, Ada's turn again\. #\d+$"
        )
    assert health(duel.bram, "Bram") == 100
    assert "[Combat] Round 1, Ada's turn. Nothing pending." in duel.ada.ask("+combat")
    assert re.search(
        r"UTC, taken back by #\d+ \(Rhea: it was dark\)\n", duel.bram.ask(f"+why {number}")
    )
    duel.rhea.send(f"+redo {number}")
    for client in duel.all:
        client.expect(rf"^\[Redo\] Rhea lets #{number} stand again: Bram's health 100 -> {left}")
    assert health(duel.bram, "Bram") == left
    assert "Bram's turn" in duel.ada.ask("+combat")


def test_what_later_actions_built_on_is_not_taken_back_alone(server: Server) -> None:
    duel = start_duel(server)
    first, _ = duel.shoot()
    duel.bram.ask("+next")
    second, left = duel.shoot(", walking", "+ok =-5 she stumbles")
    settle(*duel.all)
    refused = duel.rhea.ask(f"+undo {first}")
    assert re.fullmatch(
        rf"#{first} can't be taken back alone: .*#{second}.* built on it .*\n", refused
    )
    assert duel.ada.sync() + duel.bram.sync() == ""
    assert health(duel.bram, "Bram") == left
    assert "The referee takes back what was done." in duel.ada.ask(f"+undo {second}")
    for undo in (f"+undo {second}", "+undo", f"+undo {first}"):  # Bram's +next is between them
        assert duel.rhea.ask(undo).startswith("[Undo] Rhea takes back #")
    assert health(duel.bram, "Bram") == 100


def test_an_undo_tells_the_health_that_there_is_though_some_of_the_loss_is_stun(
    server: Server,
) -> None:
    duel = start_duel(server, "+damage Bram=20 stun")
    number, left = duel.shoot()
    duel.rhea.send(f"+undo {number}")
    for client in duel.all:
        client.expect(rf"^\[Undo\] .*: Bram's health {left} -> 80")
    assert health(duel.bram, "Bram") == 80


def test_an_undo_by_force_takes_back_the_difference_alone(server: Server) -> None:
    duel = start_duel(server)
    first, once = duel.shoot()
    duel.bram.ask("+next")
    _, twice = duel.shoot("", "+ok =-6 she stumbles")
    duel.rhea.send(f"+undo/force {first}=the wrong target")
    for client in duel.all:
        client.expect(
            rf"^\[Undo\] Rhea takes back #{first} \(the wrong target\), by force: "
            rf"Bram's health {twice} -> {twice + 100 - once}, .*by the difference"
        )
    assert health(duel.bram, "Bram") == twice + 100 - once


def test_why_shows_rules_who_ruled_and_the_faces_of_the_dice(server: Server) -> None:
    duel = start_duel(server)
    number, _ = duel.shoot(", walking, cover 25", "+ok =-1 smoke, +2 clear, bright sight")
    for client in duel.all:
        told = client.ask(f"+why {number}")
        assert re.search(r"walking.*OS-31", told)
        assert re.search(r"cover 25%.*OS-31", told)
        assert re.search(r"smoke.*Rhea", told)
        assert re.search(r"clear, bright sight.*Rhea", told)
        assert re.search(r"raw dexterity.*OS-26", told)
        faces = r"^  [-+] \d dice  +[-+0](?: [-+0]){3}   \(dice \d+ to \d+ of this scene\)$"
        assert len(re.findall(faces, told, re.M)) == 2
    assert duel.ada.ask("+why 99999") == "There is no action #99999. +scene/log shows numbers.\n"


def test_of_two_referees_in_the_same_instant_one_wins_and_the_other_is_told(server: Server) -> None:
    server.account("Sten", "staff")
    duel = start_duel(server)
    sten = server.login("Sten")
    sten.ask(f"+scene/join {duel.scene}")
    duel.rhea.ask("+scene/referee Sten")
    settle(*duel.all, sten)
    duel.ada.ask("+attack Bram=pistol, close")
    settle(*duel.all, sten)
    for referee in (duel.rhea, sten):
        referee.send("+ok")
    answers = [referee.sync() for referee in (duel.rhea, sten)]
    settle(*duel.all, sten)
    assert sum("Nothing is pending. +combat shows what is." in a for a in answers) == 1
    assert len(re.findall(r"^\[Result\] ", duel.bram.seen, re.M)) == 1
    assert "Nothing is pending" not in duel.ada.seen + duel.bram.seen


def test_what_a_referee_does_not_allow_is_told_with_the_reason_and_changes_nothing(
    server: Server,
) -> None:
    duel = start_duel(server)
    duel.ada.ask("+attack Bram=pistol, close")
    duel.rhea.send("+no =there is a wall, and no door")
    for client in duel.all:
        client.expect(r"^\[Ruling\] Rhea does not allow it: there is a wall, and no door\. #\d+$")
    assert "Round 1, Ada's turn. Nothing pending." in duel.bram.ask("+combat")
    assert health(duel.bram, "Bram") == 100
    duel.shoot()


def test_in_strict_mode_the_referee_approves_the_damage_or_spares_it(server: Server) -> None:
    duel = start_duel(server)
    duel.rhea.ask("+scene/set mode=strict")
    for word, left in (("+no =only a graze", 100), ("+ok", None)):
        duel.ada.ask("+attack Bram=pistol, close")
        duel.rhea.ask("+ok")
        settle(*duel.all)
        asked = re.findall(r"^\[Ruling\] #(\d+): it hits for (\d+)\. \+ok", duel.rhea.seen, re.M)
        assert "it hits for" not in duel.ada.seen + duel.bram.seen
        assert health(duel.bram, "Bram") == 100
        duel.rhea.ask(word)
        settle(*duel.all)
        assert health(duel.bram, "Bram") == (100 - int(asked[-1][1]) if left is None else left)
        if left is not None:
            assert "[Ruling] Rhea does not allow it: only a graze." in duel.bram.seen
            duel.bram.ask("+next")


def test_in_open_mode_nobody_rules_and_one_takes_back_ones_own_last_action(server: Server) -> None:
    duel = start_duel(server)
    duel.rhea.ask("+scene/set mode=open")
    duel.ada.send("+attack Bram=pistol, close")
    number = duel.bram.expect(r"^\[Result\] Bram takes .* #(\d+)$")[1]
    settle(*duel.all)
    assert "The referee takes back what was done." in duel.bram.ask(f"+undo {number}")
    duel.ada.send(f"+undo {number}=the wrong gun")
    for client in duel.all:
        client.expect(rf"^\[Undo\] Ada takes back #{number} \(the wrong gun\): Bram's health")
    assert health(duel.bram, "Bram") == 100


def test_with_manual_rolls_the_attacker_types_go(server: Server) -> None:
    duel = start_duel(server)
    duel.rhea.ask("+scene/set rolls=manual")
    duel.ada.ask("+attack Bram=pistol, close")
    duel.rhea.ask("+ok")
    number = duel.ada.expect(r"^\[Roll\] It is allowed: \+go (\d+)")[1]
    assert f"#{number} (Ada) waits for +go of Ada." in duel.bram.ask("+combat")
    assert duel.bram.ask("+go") == "That roll is somebody else's. +combat shows whose.\n"
    duel.ada.send("+go")
    for client in duel.all:
        client.expect(rf"^\[Result\] Bram takes .* #{number}$")


def test_who_is_not_connected_defends_with_the_better_choice(server: Server) -> None:
    duel = start_duel(server)
    duel.bram.ask("+defend/always unarmed")  # no help against a pistol
    duel.bram.close()
    duel.rhea.expect(r"^Bram has disconnected\.$")
    duel.ada.ask("+attack Bram=pistol, close")
    duel.rhea.send("+ok")
    for client in (duel.rhea, duel.ada):
        client.expect(r"^\[Roll\] Bram: .*not connected")
        client.expect(r"^\[Result\] Bram takes ")


def with_rules(serve: Serve, folder: Path, old: str, new: str) -> Server:
    """Start a server with one line of the rules changed."""
    shutil.copytree(RULES, folder / "rules")
    file = folder / "rules" / "otherspace.toml"
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), encoding="utf-8")
    return serve(f"[paths]\nrules = '{folder / 'rules'}'\n")


def test_who_is_silent_defends_with_the_better_choice_when_the_time_is_over(
    serve: Serve, tmp_path: Path
) -> None:
    seconds = "defence_seconds = 60", "defence_seconds = 2"
    duel = start_duel(with_rules(serve, tmp_path, *seconds))
    duel.bram.ask("+defend/always unarmed")
    duel.ada.ask("+attack Bram=pistol, close")
    start = time.monotonic()
    duel.rhea.send("+ok")
    duel.bram.expect(r"^\[Defend\] #\d+: ")
    for client in duel.all:
        client.expect(r"^\[Roll\] Bram: .*silent for 2 s: the better choice")
        client.expect(r"^\[Result\] Bram takes ")
    assert 1 < time.monotonic() - start < PATIENCE
    assert duel.bram.ask("+defend dexterity") == "Nothing is pending. +combat shows what is.\n"


def test_npcs_wait_for_a_player_and_the_referee_ends_their_turn_in_their_name(
    server: Server,
) -> None:
    rhea, ada = server.logins("Rhea", "Ada")
    open_scene(rhea, "Two Thugs", ada)
    rhea.ask("+npc Thug*2=thug", "+set Thug 1/Dexterity=15", "+combat/start")
    settle(rhea, ada)
    for client in (rhea, ada):
        assert len(re.findall(r"^\[Reaction\] Thug [12]: ", client.seen, re.M)) == 2
        assert "[Order]" not in client.seen
    ada.ask("+combat/join", "+reaction")
    settle(rhea, ada)
    assert re.search(r"^\[Order\] Thug 1 \d+, ", ada.seen, re.M)
    assert "[Turn] Round 1: Thug 1." in ada.seen
    rhea.send("Thug 1: +next")
    ada.expect(r"^\[Turn\] Round 1: (?:Thug 2|Ada)\.$")
    rhea.send("Thug 2: +combat/leave")
    ada.expect(r"^\[Combat\] Thug 2 is out of the fight\.$")


def test_who_has_given_up_an_attack_is_told_so_as_you_and_the_referee_by_name(
    server: Server,
) -> None:
    duel = start_duel(server)
    duel.bram.ask("+defend/always athletics")
    duel.ada.send("+attack Bram=pistol, close")
    duel.rhea.expect(r"^\[Ruling\] ")
    duel.rhea.send("+ok")
    duel.bram.expect(r"^Your attack of this turn is given up \(OS-27\): pose, then \+next\.$")
    duel.rhea.expect(r"^\(Bram is asked\.\) Your attack of this turn is given up")
    settle(*duel.all)
    assert "given up" not in duel.ada.seen
    assert "Changed: " not in "".join(client.seen for client in duel.all)
    assert "Changed: " not in duel.rhea.ask("+scene/log", "+scene/recap")
