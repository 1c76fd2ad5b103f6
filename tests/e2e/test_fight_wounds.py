"""What blows leave behind: hidden numbers, stuns, lethal intent, luck."""

from __future__ import annotations

import re
import sqlite3

from tests.e2e.fight_script import Duel, settle, start_duel
from tests.e2e.harness import Server

NUMBERS = r"\d+/100|takes \d|[Hh]ealth:? -?\d|\bharm \d|\d stun|stun \d|ODF|-> \d|less Constitution"
"""How health and damage show where a scene does not hide them."""

BANDS = "unhurt|scratched|hurt|badly hurt|down"


def again(duel: Duel, server: Server) -> None:
    """Log all three in again."""
    duel.rhea, duel.ada, duel.bram = server.logins("Rhea", "Ada", "Bram")


def test_where_health_is_hidden_no_player_is_shown_a_number_and_the_referee_is(
    server: Server,
) -> None:
    duel = start_duel(server)
    duel.rhea.ask("+scene/set health=bands")
    begun = {id(client): len(client.seen) for client in duel.all}
    duel.ada.ask("+attack Bram=pistol, close")
    duel.rhea.send("+ok")
    for client in (duel.ada, duel.bram):
        client.expect(rf"^\[Result\] Ada hits Bram, who is (?:{BANDS})\..* #\d+$")
    number = int(duel.rhea.expect(r"^\[Result\] #(\d+): ODF .*; health \d+/100\.")[1])
    duel.rhea.ask("+damage Bram=5 glass", "+damage Bram=1 stun")
    looks = ("+health", "+health Bram", "+combat", "+scene/log", "+scene/recap", f"+why {number}")
    for client in (duel.ada, duel.bram):
        told = client.ask(*looks)
        assert re.search(rf"Bram is (?:{BANDS})\.", told)
        assert re.search(rf"^Bram: (?:{BANDS}), knife in hand", told, re.MULTILINE)
    settle(*duel.all)
    for client in (duel.ada, duel.bram):
        leaked = re.search(f".*(?:{NUMBERS}).*", client.seen[begun[id(client)] :])
        assert leaked is None, leaked[0] if leaked else ""
    assert re.search(r"Bram: Health \d+/100", duel.rhea.ask("+health Bram"))
    assert re.search(r"^Bram: health \d+/100", duel.rhea.ask("+combat"), re.MULTILINE)


def test_where_health_is_hidden_what_is_taken_back_tells_no_number_either(server: Server) -> None:
    duel = start_duel(server)
    duel.rhea.ask("+scene/set health=bands")
    duel.ada.ask("+attack Bram=pistol, close")
    duel.rhea.ask("+ok")
    settle(*duel.all)
    duel.rhea.ask("+undo =too far")
    for client in (duel.ada, duel.bram):
        told = client.expect(r"^\[Undo\] Rhea takes back #\d+ \(too far\).*$")[0]
        assert re.search(NUMBERS, told) is None, told
    settle(*duel.all)
    duel.rhea.ask("+redo")
    for client in (duel.ada, duel.bram):
        told = client.expect(r"^\[Redo\] Rhea lets #\d+ stand again.*$")[0]
        assert re.search(NUMBERS, told) is None, told


def test_where_health_is_hidden_a_chance_tells_no_number_either(server: Server) -> None:
    duel = start_duel(server, "+damage Bram=33")
    duel.rhea.ask("+scene/set health=bands")
    told = duel.ada.ask("+odds ada/pistol=bram, close")
    assert "[Odds]" in told
    assert "Then Bram is" not in told, "the shares of the bands tell how much health is left"


def test_a_stun_lasts_by_the_clock_over_a_restart_and_costs_a_turn(server: Server) -> None:
    duel = start_duel(server)
    duel.rhea.send("+damage Bram=45 stun a stun grenade")
    for client in duel.all:
        client.expect(r"^\[Result\] Bram takes 45 stun .*health 55/100\. Bram is stunned\.")
    settle(*duel.all)
    assert "Bram can't act: stunned." in duel.bram.ask("+attack Ada=knife")
    server.kill()
    file = sqlite3.connect(server.url.removeprefix("sqlite:///"))
    with file:
        later = "UPDATE conditions SET stunned_until = stunned_until - 595 WHERE stun = 45"
        assert file.execute(later).rowcount == 1
    file.close()
    server.start()
    again(duel, server)
    assert re.search(r"^Bram: .*stunned", duel.bram.ask("+combat"), re.MULTILINE)
    duel.ada.send("+next")
    for client in duel.all:
        client.expect(r"^\[Turn\] Round 2: Ada\. \(Bram can't act\.\)$")
    for client in duel.all:
        client.expect(r"^\[Combat\] Bram is no longer stunned\.", seconds=15)
    assert "Health 100/100 (harm 0, stun 0)" in duel.bram.ask("+health")
    duel.ada.send("+next")
    duel.bram.expect(r"^\[Turn\] Round 2: Bram\.$")


def test_a_stun_does_not_end_before_it_has_cost_a_turn(server: Server) -> None:
    duel = start_duel(server)
    duel.rhea.ask("+damage Bram=45 stun")
    server.kill()
    file = sqlite3.connect(server.url.removeprefix("sqlite:///"))
    with file:
        file.execute("UPDATE conditions SET stunned_until = stunned_until - 700 WHERE stun = 45")
    file.close()
    server.start()
    again(duel, server)
    duel.ada.send("+attack Bram=pistol, close")
    duel.rhea.expect(r"^\[Ruling\] ")
    duel.rhea.send("+ok =-40 wide")  # a blow could stun him again
    duel.bram.expect(r"^\[Roll\] Bram: no defence \(stunned\), counts as 1 \(Terrible\)\.")
    duel.bram.expect(r"^\[Turn\] Round 2: Ada\. \(Bram can't act\.\)$")
    duel.bram.expect(r"^\[Combat\] Bram is no longer stunned\.", seconds=15)


def test_a_lethal_blow_meets_a_luck_card_first_and_then_kills(server: Server) -> None:
    duel = start_duel(server, "+damage Bram=88")
    duel.shoot(", lethal")
    for client in duel.all:
        assert re.search(r"but for a luck card: near death", client.seen)
    assert "Critically Wounded" in duel.bram.ask("+health")
    duel.ada.ask("+attack Bram=pistol, close")
    assert "no lethal intent is declared: +lethal (OS-51)" in duel.rhea.sync()
    duel.ada.send("+lethal")
    duel.rhea.expect(r"^\[Combat\] Ada means to kill\.")
    duel.rhea.send("+ok")
    for client in duel.all:
        client.expect(r"^\[Result\] Bram takes .* Bram is dead\.")
    assert "dead" in duel.rhea.ask("+combat")


def test_without_lethal_intent_nobody_dies_and_after_the_roll_it_is_too_late(
    server: Server,
) -> None:
    duel = start_duel(server, "+damage Bram=88")
    duel.bram.ask("+defend/always unarmed")  # so that he is asked
    duel.ada.ask("+attack Bram=pistol, close")
    duel.rhea.ask("+ok")
    settle(*duel.all)
    assert duel.ada.ask("+lethal") == "The roll has been made. Declare it before (OS-49).\n"
    duel.bram.send("+defend dexterity")
    for client in duel.all:
        client.expect(r"^\[Result\] Bram takes .*health 0/100.* Bram is near death")


def test_where_luck_does_not_count_between_players_a_lethal_blow_kills(server: Server) -> None:
    duel = start_duel(server, "+damage Bram=88", "+scene/set luck=no")
    duel.shoot(", lethal")
    assert all(re.search(r"Bram is dead\. #\d+$", c.seen, re.MULTILINE) for c in duel.all)
    assert "Bram can't act: dead." in duel.bram.ask("+attack Ada=knife")
