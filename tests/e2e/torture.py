"""Kill the server after every single step of a fight: `python -m tests.e2e.torture --help`."""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from tests.e2e.conftest import LOGINS, sqlite_url
from tests.e2e.fight_script import Step, Table
from tests.e2e.harness import Server


def say(line: str) -> None:
    """Print a line now."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


class EnoughError(Exception):
    """As many kills as were asked for."""


class Torture:
    """Plays fights with a kill behind each step, and counts."""

    def __init__(self, server: Server, most: int | None) -> None:
        self._server = server
        self._most = most
        self.passed = 0
        self._fight = 0

    def run(self) -> None:
        """Play one fight, or as many as it takes; raises what the first failure raised."""
        while self._more():
            self._fight += 1
            table = Table(self._server)
            try:
                table.run(partial(self._kill, table))
            except EnoughError:
                return
            finally:
                for client in self._server.clients:
                    client.close()
                self._server.clients.clear()
            shown = table.shown["Rhea"]
            if any(lines != shown for lines in table.shown.values()):
                raise AssertionError("not everyone was shown the same")
            self._verify(table.state.scene)

    def _more(self) -> bool:
        return self._fight == 0 if self._most is None else self.passed < self._most

    def _kill(self, table: Table, step: Step) -> None:
        if not self._more() and self._most is not None:
            raise EnoughError
        table.kill()
        self.passed += 1
        where = table.look("Rhea")["Rhea"].splitlines()[0]
        typed = f"{step.who}: {step.lines[-1]}"
        say(f"kill {self.passed} after {typed!r}: {where}")

    def _verify(self, scene: int) -> None:
        file = self._server.folder / f"{scene}.jsonl"
        options = ("--format", "jsonl", "--profile", "audit", "--output", str(file))
        self._server.cli("transcript", "export", str(scene), *options)
        self._server.cli("verify", str(file))


def make_logins(server: Server) -> None:
    """Make the logins that a database has not got yet."""
    known = server.cli("account", "list")
    for name, role in LOGINS.items():
        if not re.search(rf"\b{name}\b", known):
            server.account(name, role)


def main(arguments: Sequence[str]) -> int:
    """Run it; gives the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.torture", description=__doc__)
    parser.add_argument("--kills", type=int, help="how many (default: one whole fight)")
    parser.add_argument("--database", help="SQLAlchemy URL (default: a new SQLite file)")
    given = parser.parse_args(arguments)
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server = Server(folder, given.database or sqlite_url(folder))
        make_logins(server)
        with server:
            torture = Torture(server, given.kills)
            try:
                torture.run()
            except (AssertionError, OSError) as problem:
                failed = 1
                say(f"failed after kill {torture.passed}: {problem}")
    say(f"{torture.passed} passed, {failed} failed")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
