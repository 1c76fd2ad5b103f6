"""A whole fight with a hidden NPC: whatever others than the referee type, they never see it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mushcombat.config import Config
from mushcombat.domain.command import Access, Lane, Verb
from mushcombat.rulebook import build_routers, load_rulebook
from mushcombat.service.world import World
from tests.e2e.harness import Client, Server, open_scene, sync

SECRET = "Lurkerling"
TYPED = "Lurk"
"""What is typed comes back in refusals: so only the beginning of the name is."""

PROBES = ("", f" {TYPED}", f" {TYPED}=unarmed", f" me/unarmed={TYPED}", f" {TYPED}/unarmed=me")
DOES_SOMETHING = {"+scene/open", "+scene/leave", "+combat/leave", "+next", "+full", "quit", "home"}
"""What a player could type and be gone, or have ended the turn."""

ROUNDS = 3


def of_players() -> tuple[Verb, ...]:
    """Give the table of verbs of a player."""
    routers = build_routers(load_rulebook(Config()), World())
    return tuple(v for v in routers["otherspace"].verbs if v.access <= Access.PLAYER)


ALL = tuple(v for v in of_players() if v.name not in DOES_SOMETHING and v.lane is not Lane.SESSION)
READS = tuple(v for v in ALL if v.lane is not Lane.WRITE and not v.shown)


def probe(client: Client, verbs: tuple[Verb, ...], scene: int, last: int) -> None:
    """Type every command of some, in every way that could lead to somebody; and ask why of all."""
    numbers = [f" {scene}", f" {scene}=1", " 3"]
    lines = [f"{verb.name}{args}" for verb in verbs for args in (*PROBES, *numbers)]
    lines += [f"+why {number}" for number in range(1, last + 1)]
    for at in range(0, len(lines), 8):
        client.ask(*lines[at : at + 8])
    check(client)


def check(*clients: Client) -> None:
    for client in clients:
        found = re.search(rf"^.*{SECRET}.*$", client.seen, re.IGNORECASE | re.MULTILINE)
        assert found is None, f"{client.name} saw {found[0]!r}" if found else ""


def lines_of(client: Client) -> int:
    found = re.search(r"^Lines: (\d+)$", client.ask("+scene"), re.MULTILINE)
    assert found is not None
    return int(found[1])


def turn(rhea: Client) -> str:
    """Tell whose turn it is."""
    found = re.search(r"^\[Combat\] Round \d+, (\w+)'s turn\.", rhea.ask("+combat"), re.MULTILINE)
    return found[1] if found else ""


def begin(rhea: Client, ada: Client, bram: Client) -> int:
    scene = open_scene(rhea, "Ambush", ada, bram)
    told = rhea.ask(
        f"+npc/hidden {SECRET}=thug",
        "+npc Thug=thug",
        "+note He hides behind the crate.",
        "+roll/hidden perception",
        "+combat/start",
    )
    assert f"[Combat] {SECRET} joins the fight. (hidden)" in told
    for client in (ada, bram):
        client.ask("+combat/join", "+defend/always dexterity")
    for client in (ada, bram):
        client.ask("+reaction")
    sync(rhea, ada, bram)
    return scene


def act(rhea: Client, players: dict[str, Client]) -> Iterator[str]:
    """Let whose turn it is do something; gives who it was."""
    who = turn(rhea)
    if who == SECRET:
        refusal = rhea.ask(f"{SECRET}: +attack ada=knife")
        assert f"{SECRET} is hidden. Type +npc/show {SECRET} first." in refusal
        heard = rhea.ask(f"{SECRET}: pose creeps.", f"{SECRET}: +roll knife", f"{SECRET}: +next")
        assert f"{SECRET} creeps. (hidden)" in heard
    elif who in players:
        other = next(name for name in players if name != who)
        players[who].ask(f"+attack {other}=unarmed")
        rhea.ask("+ok")
    else:
        rhea.ask("+next")
    yield who


def test_a_fight_goes_by_without_anybody_learning_of_the_hidden_npc(server: Server) -> None:
    rhea, ada, bram, cass = server.logins("Rhea", "Ada", "Bram", "Cass")
    scene = begin(rhea, ada, bram)
    probe(ada, ALL, scene, lines_of(rhea))
    acted: set[str] = set()
    for _ in range(ROUNDS * 4):
        acted.update(act(rhea, {"Ada": ada, "Bram": bram}))
        sync(rhea, ada, bram, cass)
        check(ada, bram, cass)
        if len(acted) == 4:
            break
    assert SECRET in acted, acted
    undone = rhea.ask(f"+damage {SECRET}=60, the crate falls", "+undo", "+redo", "+undo 9=a try")
    assert "[Undo] Rhea takes back #" in undone
    last = lines_of(rhea)
    for client in (ada, cass):
        probe(client, READS, scene, last)

    server.restart()
    ada, cass, rhea = (server.login(name) for name in ("Ada", "Cass", "Rhea"))
    rhea.ask("+combat/stop", "+ok", f"{SECRET}: pose leaves.")
    for client in (ada, cass):
        probe(client, READS, scene, lines_of(rhea))
    for profile in ("story", "results"):
        for form in ("text", "jsonl"):
            options = ("--format", form, "--profile", profile)
            assert SECRET not in server.cli("transcript", "export", str(scene), *options)
    assert SECRET in rhea.ask("+recap")
    rhea.ask(f"+npc/show {SECRET}")
    shown = ada.ask("+scene/log")
    entered = [line for line in shown.splitlines() if SECRET in line]
    assert len(entered) == 1, entered
    assert f" {SECRET} (NPC, template thug: " in entered[0]
