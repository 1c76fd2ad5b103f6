"""A duel with blades: a shield broken, a sword flung, and the server killed in between.

The rules are bent so far that no die decides: what the parry turns is always damaged, penetrated
and destroyed, and no blow goes through the armour.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from mushcombat.config import Config
from tests.e2e.conftest import Serve
from tests.e2e.fight_script import settle
from tests.e2e.harness import Client, Server, open_scene

BENT = (
    ("base = 20\n", "base = 100\n"),
    ("destroyed = 50\n", "destroyed = 100\n"),
)
"""Lines of the rules, and what stands in their place."""

SHIELD = re.compile(r'(name = "target shield"\nshield = true\nparry = \{ percent = )20')

SHEETS = ("Ada/HTH=100", "Ada/sword=10", "Bram/HTH=20", "Bram/armour=A", "Bram/shield=10")


def bend(folder: Path) -> str:
    """Write the bent rules; gives the configuration that uses them."""
    shutil.copytree(Config().rules_folder, folder / "rules")
    file = folder / "rules" / "spaceopera.toml"
    text, count = SHIELD.subn(r"\g<1>100", file.read_text(encoding="utf-8"))
    assert count == 1
    for old, new in BENT:
        assert text.count(old) == 1
        text = text.replace(old, new)
    file.write_text(text, encoding="utf-8")
    return f"[paths]\nrules = '{folder / 'rules'}'\n"


@pytest.fixture(params=["sqlite", "postgresql"])
def bent(request: pytest.FixtureRequest, serve: Serve, tmp_path: Path) -> Iterator[Server]:
    """Start a server with the bent rules on each kind of database."""
    config = bend(tmp_path)
    if request.param == "sqlite":
        yield serve(config)
        return
    folder = tmp_path / "server"
    folder.mkdir()
    with Server(folder, request.getfixturevalue("peopled"), config) as server:
        yield server


class Duel:
    """Rhea, Ada and Bram at their clients."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.sit_down()
        self.scene = open_scene(self.rhea, "Cantina=spaceopera", self.ada, self.bram)

    def sit_down(self) -> None:
        self.rhea, self.ada, self.bram = self.server.logins("Rhea", "Ada", "Bram")
        settle(self.rhea, self.ada, self.bram)

    def all_see(self, pattern: str) -> re.Match[str]:
        for one in (self.ada, self.bram):
            one.expect(pattern)
        return self.rhea.expect(pattern)

    def look(self) -> list[str]:
        """Give what each one's tracker and Bram's sheet say."""
        settle(self.rhea, self.ada, self.bram)
        asked: list[tuple[Client, str]] = [
            *((one, "+combat") for one in (self.rhea, self.ada, self.bram)),
            (self.bram, "+sheet"),
            (self.ada, "+map"),
        ]
        return [one.ask(line) for one, line in asked]

    def kill(self) -> None:
        """Kill the server and start it again: everything is as it was."""
        before = self.look()
        self.server.restart()
        self.sit_down()
        assert self.look() == before


def test_a_duel_goes_on_after_each_kill_with_a_shield_broken_and_a_sword_flung(
    bent: Server,
) -> None:
    duel = Duel(bent)
    duel.rhea.ask(*(f"+set {one}" for one in SHEETS), "+combat/start")
    duel.ada.ask("+combat/join")
    duel.bram.send("+combat/join")
    duel.all_see(r"^\[Turn\] Round 1: Bram\.")
    duel.rhea.ask("+place Bram=1,0,west", "+place Ada=0,0,east")
    duel.kill()

    duel.bram.ask("+wield sword", "+parry target shield", "+pass")
    duel.ada.send("+attack Bram=sword")
    attack = duel.all_see(r"^\[Attack\] Ada attacks Bram with sword\. #(\d+)$")[1]
    duel.kill()
    assert f"#{attack} (Ada) waits for the referee's ruling" in duel.rhea.ask("+combat")

    duel.rhea.send(f"+ok {attack}=+50 tech level")
    duel.all_see(r"^\[Result\] Bram parries Ada with target shield\.")
    duel.all_see(r"^\[Roll\] Ada, through the target shield: .* \+ 50 \(tech level\) = 100: ")
    duel.all_see(r"^\[Result\] Bram's target shield is penetrated and destroyed\.")
    duel.all_see(r"^\[Result\] Ada hits Bram, whose armour holds\.")
    duel.all_see(r"^\[Turn\] Round 2: Bram\.")
    duel.kill()
    assert "Things: target shield (ruined)" in duel.bram.ask("+sheet")
    assert "lost or ruined" in duel.bram.ask("+parry target shield")

    duel.bram.ask("+pass")
    duel.ada.send("+disarm Bram=weapon")
    disarm = duel.all_see(r"^\[Attack\] Ada tries to disarm Bram with sword, .*#(\d+)$")[1]
    duel.rhea.send(f"+ok {disarm}")
    flung = duel.all_see(r"^\[Result\] Bram's sword (?:flies \d m [a-z-]+, to|drops at) .*$")[0]
    duel.kill()
    assert "lost or ruined" in duel.bram.ask("+wield sword")
    assert "sword (lost)" in duel.bram.ask("+sheet")
    assert flung in duel.rhea.ask(f"+scene/log {duel.scene}")

    duel.rhea.send(f"+undo {disarm}=after all")
    duel.all_see(r"^\[Undo\] Rhea takes back #\d+ \(after all\): .*Bram's sword lost -> whole")
    duel.kill()
    assert "sword (lost)" not in duel.bram.ask("+sheet")
    duel.rhea.ask("+combat/stop", "+scene/close")
    file = str(bent.folder / "log.jsonl")
    options = ("--format", "jsonl", "--profile", "audit", "--output", file)
    bent.cli("transcript", "export", str(duel.scene), *options)
    bent.cli("verify", file)
