"""A fight goes on where it stood when the server was killed."""

from __future__ import annotations

import re

from tests.e2e.fight_script import FIGHTERS, ROUNDS, Step, Table
from tests.e2e.harness import Server

KILLS = (
    "started",
    "rolled",
    "declared",
    "ruled",
    "asked",
    "answered",
    "undone",
    "redone",
    "proposed",
    "imposed",
)
"""After the first of each of these steps the server is killed."""


def check_question(table: Table, step: Step) -> None:
    """What waited for somebody before the kill waits for them after it."""
    where = table.look("Rhea")["Rhea"].splitlines()[0]
    if step.label == "declared":
        assert re.search(r"Pending: #\d+ \(\w+\) waits for the referee's ruling\.$", where)
    if step.label == "asked":
        assert re.search(r"Pending: #\d+ \(\w+\) waits for \+defend of Cass\.$", where)


def test_a_fight_killed_ten_times_goes_on_each_time_as_it_stood(either: Server) -> None:
    table, left = Table(either), list(KILLS)

    def kill(step: Step) -> None:
        if step.label not in left:
            return
        left.remove(step.label)
        table.kill()
        check_question(table, step)

    table.run(kill)
    assert len(KILLS) - len(left) >= 8, f"the fight had no step {left}"
    shown = table.shown["Rhea"]
    assert all(lines == shown for lines in table.shown.values())
    assert any(line.startswith(f"[Turn] Round {ROUNDS}: ") for line in shown)
    assert sum(line.startswith("[Order]") for line in shown) == 1
    scene, file = str(table.state.scene), either.folder / "log.jsonl"
    options = ("--format", "jsonl", "--profile", "audit", "--output", str(file))
    either.cli("transcript", "export", scene, *options)
    either.cli("verify", str(file))
    for name in FIGHTERS:
        assert table.clients[name].ask("+combat").startswith("You are in no scene here.")
