"""Three servers on one database, killed one at a time while four people play in one scene."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.harness import Client, open_scene
from tests.e2e.several import Several, settle, several

PLAYERS = ("Rhea", "Ada", "Bram", "Cass")
KILLS = 4
LINES = 12
"""What everybody poses before each kill, and in the midst of it."""

_LIVE = re.compile(r"^\w+ says (w\d+n\d+n\w+)\.$", re.MULTILINE)
_TOLD = re.compile(r"^#\d+ [\d:]{8} \w+ says (w\d+n\d+n\w+)\.$", re.MULTILINE)


@pytest.fixture
def three(peopled: str, tmp_path: Path) -> Iterator[Several]:
    """Start three servers on one database."""
    with several(peopled, tmp_path, 3) as game:
        yield game


class Seats:
    """Who sits at which server, and all connections that each ever had."""

    def __init__(self, game: Several) -> None:
        self.game = game
        self.at: dict[str, int] = {}
        self.now: dict[str, Client] = {}
        self.all: list[Client] = []
        for number, name in enumerate(PLAYERS):
            self.sit(name, number % len(game.servers))

    def sit(self, name: str, number: int) -> None:
        self.at[name] = number
        self.now[name] = self.game.servers[number].login(name)
        self.all.append(self.now[name])

    def pose(self, kill: int, part: str) -> None:
        """Let everybody pose, in turns, without waiting for anything."""
        for number in range(LINES):
            for client in self.now.values():
                client.send(f":says w{kill}n{number}n{client.name}{part}.")

    def kill(self, victim: int) -> None:
        """Kill a server; its players go to the other two, and another one takes its place."""
        self.game.servers[victim].kill()
        homeless = [name for name, number in self.at.items() if number == victim]
        for turn, name in enumerate(homeless):
            while self.now[name].pump(0.2):  # all that was sent to them
                pass
            self.sit(name, (victim + 1 + turn % 2) % len(self.game.servers))
        self.game.servers[victim].start()

    def settle(self) -> None:
        """Wait until all that was typed is done and shown to everybody."""
        for client in self.now.values():
            settle(client, *(other for other in self.now.values() if other is not client))


def logged(game: Several, scene: int) -> list[str]:
    """Give the words that the log has, in order; its chain holds."""
    file = game.servers[0].folder / "log.jsonl"
    options = ("--format", "jsonl", "--profile", "audit", "--output", str(file))
    game.cli("transcript", "export", str(scene), *options)
    game.cli("verify", str(file))
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    texts = [str(line.get("payload", {}).get("text", "")) for line in lines]
    return [found[1] for text in texts if (found := re.fullmatch(r"says (w\S+)\.", text))]


def check(client: Client, log: list[str]) -> None:
    """What a connection saw is in the log: in order, once, and from its first line on all of it."""
    place = {word: number for number, word in enumerate(log)}
    live = _LIVE.findall(client.seen)
    assert [word for word in live if word not in place] == [], f"{client.name} saw what is lost"
    seen = [place[word] for word in live]
    assert seen == [*range(seen[0], seen[0] + len(seen))] if seen else True, client.name
    told = [place[word] for word in _TOLD.findall(client.seen)]
    assert told == sorted(set(told)), f"{client.name} was told twice, or not in order"


def test_three_servers_killed_one_at_a_time_lose_and_double_nothing(three: Several) -> None:
    seats = Seats(three)
    for client in (*seats.now.values(),):
        if client.name != PLAYERS[-1]:
            client.expect(rf"^{PLAYERS[-1]} has connected\.$")
    scene = open_scene(seats.now["Rhea"], "Torture", *[*seats.now.values()][1:])
    seats.settle()
    for kill in range(KILLS):
        seats.pose(kill, "a")
        victim = kill % 3
        stays = [c for c in seats.now.values() if seats.at[c.name] != victim]
        stays[0].sync()  # somewhere in the midst of it
        seats.kill(victim)
        seats.pose(kill, "b")
        seats.settle()
    log = logged(three, scene)
    assert len(log) == len(set(log)), "something is in the log twice"
    for client in seats.all:
        check(client, log)
    unharmed = {f"w{KILLS - 1}n{number}n{name}b" for number in range(LINES) for name in PLAYERS}
    assert unharmed <= set(log)
    for client in seats.now.values():
        assert unharmed <= set(_LIVE.findall(client.seen)), client.name
