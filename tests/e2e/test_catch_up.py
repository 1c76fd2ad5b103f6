"""Who comes back is told what they missed: after quitting, after a kill, after an orderly end."""

from __future__ import annotations

import re
import signal

from tests.e2e.harness import Client, Server, open_scene, sync

MISSED = re.compile(r'^\[Scene\] "Patience": you missed (\d+) lines?\.$', re.MULTILINE)
LINE = re.compile(r"^#(\d+) \d\d:\d\d:\d\d (.*)$", re.MULTILINE)


def told(client: Client) -> tuple[int, list[str]]:
    """Give how many lines a login said were missed, and which."""
    client.sync()
    found = MISSED.search(client.seen)
    return int(found[1]) if found else 0, [text for _, text in LINE.findall(client.seen)]


def gone(leaver: Client, witness: Client) -> None:
    """Let somebody quit, and wait until that is seen."""
    leaver.send("QUIT")
    witness.expect(rf"^{leaver.name} has disconnected\.$")


def test_who_was_away_is_told_exactly_what_came_even_after_a_kill(either: Server) -> None:
    ada, bram = either.logins("Ada", "Bram")
    open_scene(ada, "Patience", bram)
    bram.ask("pose waits.")
    sync(ada, bram)
    gone(bram, ada)
    ada.ask("pose one", "say two", "pose three")
    either.restart()
    bram = either.login("Bram")
    assert told(bram) == (3, ["Ada one", 'Ada says, "two"', "Ada three"])
    seen = ["Bram waits.", "Ada one", 'Ada says, "two"', "Ada three"]
    count, lines = told(either.login("Ada"))
    assert count == len(lines)
    assert all(line in seen or "scene" in line.casefold() for line in lines), lines
    again = either.login("Bram")
    assert told(again) == (0, [])


def test_an_orderly_end_leaves_nothing_to_be_told_twice(either: Server) -> None:
    ada, bram = either.logins("Ada", "Bram")
    open_scene(ada, "Patience", bram)
    ada.ask("pose one", "pose two")
    sync(ada, bram)
    either.signal(signal.SIGTERM)
    assert either.wait() == 0
    either.start()
    for name in ("Ada", "Bram"):
        assert told(either.login(name)) == (0, [])


def test_who_leaves_a_scene_and_joins_again_is_told_how_much_was_missed(server: Server) -> None:
    ada, bram, cass = server.logins("Ada", "Bram", "Cass")
    scene = open_scene(ada, "Patience", bram)
    ada.ask("pose before")
    bram.ask("+scene/leave")
    ada.ask("pose one", "pose two")
    bram.send("+scene/join")
    bram.expect(rf'^\[Scene\] "Patience": you missed 2 lines: \+scene/log {scene}=1 shows them\.$')
    cass.ask("+scene/join", "pose is new.")
    sync(cass, bram)
    assert "you missed" not in cass.seen
    ada.ask("lounge", "pose in the lounge")
    bram.ask("pose three")
    ada.send("out")
    ada.expect(r'^\[Scene\] "Patience": you missed 1 line: \+scene/log')
