"""A whole fight over telnet: everyone sees the same, and the log proves it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tests.e2e.fight_script import PLAYERS, RESULT, ROUNDS, Step, Table
from tests.e2e.harness import Server

_TAKES = re.compile(r"^\[Result\] (\w+) takes \d+ ?.*?: health (\d+)/100\.")
MOVES_ON = {"rolled", "ruled", "npc", "answered", "passed"}
_BACK = re.compile(r"(\w+)'s health \d+ -> (\d+)")


def healths(shown: Sequence[str]) -> dict[str, str]:
    """Give the health that results and what was taken back leave to each."""
    left: dict[str, str] = {}
    for line in shown:
        found = _TAKES.match(line)
        if found:
            left[found[1]] = found[2]
        elif line.startswith(("[Undo]", "[Redo]")):
            left.update(_BACK.findall(line))
    return left


def tracker(answer: str) -> str:
    """Give what +combat tells everybody: what waits for who asks comes after it."""
    found = re.match(r"(?:(?:\[(?:Combat|Order)\] |\w+: ).*\n)*", answer)
    assert found is not None
    return found[0]


def check_board(table: Table, step: Step) -> None:
    """Compare what each one's tracker says with the results that were shown."""
    answers = table.look()
    board = answers["Rhea"]
    if not board.startswith("[Combat]"):
        return
    assert len({tracker(answer) for answer in answers.values()}) == 1, f"after {step}: {answers}"
    for name, left in healths(table.shown["Rhea"]).items():
        line = re.search(rf"^{name}: health (\d+)/100", board, re.MULTILINE)
        assert line is not None, f"after {step}: {board}"
        assert line[1] == left, f"after {step}: {board}, but {name} has {left}"
    turns = [line for line in table.shown["Rhea"] if line.startswith("[Turn]")]
    turn = re.match(r"\[Combat\] Round (\d+), (\w+)'s turn\.", board)
    if turn and step.label in MOVES_ON:
        assert turns[-1].startswith(f"[Turn] Round {turn[1]}: {turn[2]}.")


def rulings(table: Table) -> tuple[int, int]:
    """Count the referee's lines that were about attacks, and the attacks that were resolved."""
    lines = [
        line
        for step in table.typed
        if step.who == "Rhea" and step.label in {"ruled", "npc", "asked"}
        for line in step.lines
    ]
    results = [line for line in table.shown["Rhea"] if re.match(RESULT, line)]
    resolved = {found[1] for line in results if (found := re.search(r"#(\d+)$", line))}
    fell = sum(step.label == "damaged" for step in table.typed)
    return len(lines), len(resolved) - fell


def test_a_fight_of_five_rounds_is_the_same_on_every_screen_and_in_the_log(
    server: Server,
) -> None:
    played = Table(server)
    played.run(lambda step: check_board(played, step))
    assert len({tuple(lines) for lines in played.shown.values()}) == 1
    shown = played.shown["Rhea"]
    assert any(line.startswith(f"[Turn] Round {ROUNDS}: ") for line in shown)
    typed, resolved = rulings(played)
    assert 0 < typed <= resolved, "the referee types more than one line for an attack"
    for name in PLAYERS:
        assert "Changed: " not in played.clients[name].seen, "bookkeeping is nobody's to read"
    scene = str(played.state.scene)
    text = server.cli("transcript", "export", scene, "--profile", "results", "--width", "0")
    logged = {line.strip() for line in text.splitlines()}
    undone = re.findall(r"^\[Undo\] Rhea takes back (#\d+)", "\n".join(shown), re.MULTILINE)
    results = [line for line in shown if re.match(RESULT, line)]
    missing = [line for line in results if line not in logged]
    assert [line for line in missing if line.split()[-1] not in undone] == []
    file = server.folder / "log.jsonl"
    options = ("--format", "jsonl", "--profile", "audit", "--output", str(file))
    server.cli("transcript", "export", scene, *options)
    assert re.search(r"(?i)dice", server.cli("verify", str(file)))
