"""Measure the server against bare Twisted: `python -m benchmarks`.

Both run on this machine at the same time and are loaded in turn, some rounds each. Only the
ratio says something: rates are those of this machine, now. Exit status: 1 when a line did not
arrive exactly once and in order, 2 when something could not be measured. What is missed of the
goals is told, and is no failure: the machine may be busy.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.commands import measure_commands
from benchmarks.connections import measure_idle, measure_storm
from benchmarks.errors import LostError, RunFailedError
from benchmarks.measure import sync_wait, syncs
from benchmarks.plan import Plan
from benchmarks.processes import measure_processes
from benchmarks.report import Row, as_json, table
from benchmarks.rooms import measure_rooms
from benchmarks.scenes import PACE, measure_scenes

Part = Callable[[Plan, Path, list[Row]], Awaitable[None]]

PARTS: dict[str, Part] = {
    "rooms": measure_rooms,
    "scenes": measure_scenes,
    "commands": measure_commands,
    "idle": measure_idle,
    "storm": measure_storm,
    "processes": measure_processes,
}
"""What is measured, in the order of the table; each part starts servers of its own."""

PATIENCE = 240.0
"""Seconds that a part may take."""

POSTGRESQL = "postgresql://postgres@127.0.0.1:5432/postgres"


@dataclass(slots=True)
class Run:
    """What has been measured, what was lost, and what could not be measured."""

    rows: list[Row] = field(default_factory=list)
    lost: str = ""
    failed: list[str] = field(default_factory=list)

    def measure(self, plan: Plan, name: str) -> None:
        """Measure a part in a folder of its own, and note how it went."""
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            try:
                asyncio.run(_within(PATIENCE, PARTS[name](plan, Path(folder), self.rows)))
            except LostError as problem:
                self.lost = f"{name}: {problem}"
            except (RunFailedError, TimeoutError) as problem:
                self.failed.append(f"{name}: {problem or 'took too long'}")

    @property
    def status(self) -> int:
        """The exit status."""
        return 1 if self.lost else 2 if self.failed else 0


async def _within(seconds: float, part: Awaitable[None]) -> None:
    async with asyncio.timeout(seconds):
        await part


def _plan(options: argparse.Namespace) -> Plan:
    seconds, rounds = (0.3, 1) if options.quick else (1.5, 3)
    return Plan(
        options.seconds or seconds, options.rounds or rounds, options.quick, options.postgresql
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; none for all"
    )
    parser.add_argument("--seconds", type=float, help="of each measurement (default 1.5)")
    parser.add_argument("--rounds", type=int, help="measurements of each kind (default 3)")
    parser.add_argument("--quick", action="store_true", help="small and short: does it run?")
    parser.add_argument("--json", action="store_true", help="print JSON instead of the table")
    there = os.environ.get("MUSHCOMBAT_TEST_POSTGRESQL", POSTGRESQL)
    parser.add_argument("--postgresql", default=there, help="where to make a database for a while")
    options = parser.parse_args()
    if unknown := [part for part in options.parts if part not in PARTS]:
        parser.error(f"there is no part {unknown[0]!r}: {', '.join(PARTS)}")
    return options


def main() -> int:
    """Run everything; gives the exit status."""
    options = _options()
    run = Run()
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        seconds = 0.3 if options.quick else 3.0
        disk, wait = syncs(Path(name)), sync_wait(Path(name), PACE, seconds)
    for part in options.parts or PARTS:
        run.measure(_plan(options), part)
    if options.json:
        print(as_json(run.rows, run.lost, syncs_per_s=round(disk), sync_p99_ms=round(wait, 2)))
    else:
        told = (
            f"The disk takes {disk:,.0f} fdatasync/s; at {PACE}/s, 99 of 100 within {wait:.2f} ms."
        )
        print(table(run.rows, [told]))
    for problem in run.failed:
        print(f"benchmarks: not measured: {problem}", file=sys.stderr)
    if run.lost:
        print(f"LOST: {run.lost}", file=sys.stderr)
    return run.status


if __name__ == "__main__":
    sys.exit(main())
