"""Measure the server against bare Twisted: `python -m benchmarks`.

Both run on this machine at the same time and are loaded in turn, some rounds each. Only the
ratio says something: rates are those of this machine, now. Exit status: 1 when a line did not
arrive exactly once and in order, 2 when there was nothing to measure.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from benchmarks import server
from benchmarks.clients import Client, connect, leave, log_in, open_scenes, settle
from benchmarks.errors import LostError, RunFailedError
from benchmarks.load import CALCULATION, POSE, FullRoom, Load, RoundTrips, Talk, bare
from benchmarks.measure import AFTER, DRAIN, WARM, Span, measure, syncs
from benchmarks.report import Row, as_json, table

ROOM, SPEAKERS, PLAYERS = 100, 10, 50
NAMES = [f"Bench{n:04d}" for n in range(ROOM)]
ROWS = ("writer-1", "writer-50", "command-50", "room-100")
"""The order of the table."""

SETTING_UP = 25.0
"""Seconds that starting, logging in and stopping may take."""


@dataclass(frozen=True, slots=True)
class Side:
    """A server and those who are connected to it."""

    pid: int
    clients: list[Client]


Make = Callable[[list[Client]], Load]


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how often to measure."""

    seconds: float
    rounds: int

    @property
    def bound(self) -> float:
        """The seconds that a whole run may take."""
        once = self.seconds + WARM + AFTER + 0.2
        return SETTING_UP + DRAIN + 2 * len(ROWS) * self.rounds * once

    async def compare(
        self, key: str, what: str, wanted: str, ours: tuple[Side, Make], other: tuple[Side, Make]
    ) -> Row:
        """Load a bare server and ours in turn."""
        spans: tuple[list[Span], list[Span]] = ([], [])
        for _ in range(self.rounds):
            for (side, make), into in zip((other, ours), spans, strict=True):
                load = make(side.clients)
                into.append(await measure(load, side.clients, side.pid, self.seconds))
        return Row(key, what, wanted, *spans)


def _trips(talk: Talk) -> Make:
    return lambda clients: RoundTrips(clients, talk)


def _room(talk: Talk) -> Make:
    return lambda clients: FullRoom(clients, SPEAKERS, talk)


async def _measure_room(plan: Plan, ours: Side, port: int, pid: int) -> Row:
    """Measure poses outside a scene, in the room where everyone starts."""
    other = Side(pid, await connect(port, NAMES))
    what = f"lines delivered in a room of {ROOM}"
    row = await plan.compare(
        "room-100", what, "ratio 0.55", (ours, _room(POSE)), (other, _room(bare(POSE)))
    )
    for client in other.clients:
        client.transport.abort()
    return row


async def _measure_commands(plan: Plan, ours: Side, other: Side, rows: list[Row]) -> None:
    """Measure a command without the database, then poses in scenes."""
    command, echoed = _trips(CALCULATION), _trips(bare(CALCULATION))
    what = f"cheap commands, {PLAYERS} clients"
    rows.append(
        await plan.compare("command-50", what, "ratio 0.4", (ours, command), (other, echoed))
    )
    await settle(ours.clients)
    await open_scenes(ours.clients)
    pose, echoed = _trips(POSE), _trips(bare(POSE))
    for key, count, wanted in (("writer-1", 1, ""), ("writer-50", PLAYERS, "2,000/s")):
        few, echoes = Side(ours.pid, ours.clients[:count]), Side(other.pid, other.clients[:count])
        what = f"poses committed, {count} client{'s' if count > 1 else ''}"
        rows.append(await plan.compare(key, what, wanted, (few, pose), (echoes, echoed)))


async def _measure_all(plan: Plan, folder: Path, rows: list[Row]) -> None:
    with ExitStack() as stack:
        program = stack.enter_context(server.mushcombat(folder, NAMES))
        echo = stack.enter_context(server.bare(folder, "echo"))
        broadcast = stack.enter_context(server.bare(folder, "broadcast"))
        async with asyncio.timeout(plan.bound):
            everyone = await log_in(program.port, NAMES)
            full = Side(program.pid, everyone)
            rows.append(await _measure_room(plan, full, broadcast.port, broadcast.pid))
            await leave(everyone[PLAYERS:], everyone[:PLAYERS])
            ours = Side(program.pid, everyone[:PLAYERS])
            other = Side(echo.pid, await connect(echo.port, NAMES[:PLAYERS]))
            await _measure_commands(plan, ours, other, rows)


def _plan(options: argparse.Namespace) -> Plan:
    if options.quick:
        return Plan(options.seconds or 0.5, options.rounds or 1)
    return Plan(options.seconds or 1.5, options.rounds or 3)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--seconds", type=float, help="of each measurement (default 1.5)")
    parser.add_argument("--rounds", type=int, help="measurements of each kind (default 3)")
    parser.add_argument("--quick", action="store_true", help="one round of half a second")
    parser.add_argument("--json", action="store_true", help="print JSON instead of the table")
    return parser.parse_args()


def main() -> int:
    """Run everything; gives the exit status."""
    options = _options()
    rows: list[Row] = []
    lost = ""
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        disk = syncs(Path(name))
        try:
            asyncio.run(_measure_all(_plan(options), Path(name), rows))
        except LostError as problem:
            lost = str(problem)
        except (RunFailedError, TimeoutError) as problem:
            print(f"benchmarks: {problem or 'the run took too long'}", file=sys.stderr)
            return 2
    rows.sort(key=lambda row: ROWS.index(row.key))
    print(as_json(rows, disk, lost) if options.json else table(rows, disk))
    if lost:
        print(f"LOST: {lost}", file=sys.stderr)
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
