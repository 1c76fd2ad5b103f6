"""What waits for somebody is said to them again when they come back, after a kill -9 too."""

from __future__ import annotations

from tests.e2e.fight_script import Duel, settle, start_duel
from tests.e2e.harness import PASSWORD, Client, Server


def back(server: Server, name: str) -> tuple[Client, list[str]]:
    """Log somebody in; gives the lines of the fight that they are told unasked."""
    client = server.connect(name=name)
    client.send(f"connect {name} {PASSWORD}")
    client.expect(rf"^Connected as {name}\.$")
    client.expect(r"^Scene \d+ .* is open here\. You take part\.$")
    client.expect(r"^\[(?:Combat|Wounds)\] .*$")
    first = client.seen[client.seen.rindex("\n[", 0, len(client.seen) - len(client.rest)) + 1 :]
    return client, (first.removesuffix(client.rest) + client.sync()).splitlines()


def killed(server: Server, duel: Duel) -> dict[str, list[str]]:
    """Kill the server, start it, and let all three come back; gives what each is told."""
    settle(*duel.all)
    server.restart()
    server.clients.clear()
    found = {name: back(server, name) for name in ("Rhea", "Ada", "Bram")}
    duel.rhea, duel.ada, duel.bram = (client for client, _ in found.values())
    return {name: lines for name, (_, lines) in found.items()}


def test_after_a_kill_referee_attacker_and_defender_are_asked_again_what_they_were_asked(
    server: Server,
) -> None:
    duel = start_duel(server, "+scene/set rolls=manual")
    duel.bram.ask("+combat/leave", "+combat/join", "+reaction at -4")  # to be asked from now on
    duel.ada.send("+attack Bram=pistol, 30 feet, walking")
    settle(*duel.all)
    block = duel.rhea.seen[duel.rhea.seen.rindex("[Ruling] #") :].splitlines()
    block = [line for line in block if line.startswith(("[Ruling]", "  "))]
    number = int(block[0].split()[1].removeprefix("#"))
    told = killed(server, duel)
    waits = f"[Combat] Round 1, Ada's turn. Pending: #{number} (Ada) waits for "
    assert told["Rhea"] == [f"{waits}the referee's ruling.", *block]
    assert told["Ada"] == told["Bram"] == [f"{waits}the referee's ruling."]

    duel.rhea.send("+ok =-1 steam")
    duel.ada.expect(rf"^\[Roll\] It is allowed: \+go {number}$")
    told = killed(server, duel)
    assert told["Ada"] == [f"{waits}+go of Ada.", f"[Roll] It is allowed: +go {number}"]
    assert told["Rhea"] == told["Bram"] == [f"{waits}+go of Ada."]

    duel.ada.send("+go")
    question = duel.bram.expect(rf"^\[Defend\] #{number}: .*$")[0]
    told = killed(server, duel)
    head = "Ada attacks you with pistol: how do you defend?"
    assert told["Bram"] == [f"{waits}+defend of Bram.", head, question]
    assert told["Rhea"] == told["Ada"] == [f"{waits}+defend of Bram."]
    assert duel.bram.ask("+defend") == f"{head}\n{question}\n"
    assert duel.bram.ask("+combat").splitlines()[-2:] == [head, question]
    duel.bram.send("+defend dexterity")
    for client in duel.all:
        client.expect(rf"^\[Result\] .*#{number}$")


def test_proposed_wounds_are_told_to_the_referee_who_comes_back(server: Server) -> None:
    duel = start_duel(server, "+damage Bram=50")
    duel.rhea.send("+combat/stop")
    wound = duel.rhea.expect(r"^\[Wounds\] Proposed: Bram, .* \+ok, \+no, or .*$")[0]
    assert wound in duel.rhea.ask("+combat")
    assert wound not in duel.ada.ask("+combat")
    server.restart()
    server.clients.clear()
    rhea, told = back(server, "Rhea")
    assert told == [wound]
    rhea.ask("+ok")
    assert wound not in rhea.ask("+combat")


def test_a_fight_that_nobody_joined_yet_is_told_at_login(server: Server) -> None:
    duel = start_duel(server)
    duel.rhea.ask("+combat/stop", "+combat/start")
    told = "[Combat] A fight begins, and nobody has joined yet: +combat/join. Nothing pending."
    assert set(map(tuple, killed(server, duel).values())) == {(told,)}
