"""A whole fight, and the server killed after every single step of it."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from tests.e2e.fight_script import Step, Table
from tests.e2e.harness import Server
from tests.e2e.torture.places import server


def say(line: str) -> None:
    """Print a line now."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


class Torture:
    """Plays a fight with a kill behind each step, and counts."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.passed = 0

    def run(self) -> None:
        """Play it; raises what the first failure raised."""
        table = Table(self._server)
        try:
            table.run(partial(self._kill, table))
        finally:
            for client in self._server.clients:
                client.close()
            self._server.clients.clear()
        shown = table.shown["Rhea"]
        if any(lines != shown for lines in table.shown.values()):
            raise AssertionError("not everyone was shown the same")
        self._verify(table.state.scene)

    def _kill(self, table: Table, step: Step) -> None:
        table.kill()
        self.passed += 1
        where = table.look("Rhea")["Rhea"].splitlines()[0]
        say(f"kill {self.passed} after '{step.who}: {step.lines[-1]}': {where}")

    def _verify(self, scene: int) -> None:
        file = self._server.folder / f"{scene}.jsonl"
        options = ("--format", "jsonl", "--profile", "audit", "--output", str(file))
        self._server.cli("transcript", "export", str(scene), *options)
        self._server.cli("verify", str(file))


def by_steps(kinds: Sequence[str]) -> int:
    """Play a whole fight on each kind of database; gives the number of failures."""
    failed = 0
    for kind in kinds:
        with tempfile.TemporaryDirectory() as folder, server(kind, Path(folder)) as running:
            torture = Torture(running)
            try:
                torture.run()
            except (AssertionError, OSError) as problem:
                failed += 1
                say(f"FAILED after kill {torture.passed}: {problem}")
    return failed
