"""Commands: one that only calculates, and attacks from `+attack` to their result."""

from __future__ import annotations

from pathlib import Path

from benchmarks import server
from benchmarks.clients import connect, log_in
from benchmarks.fights import Fights, begin_fights
from benchmarks.load import CALCULATION, POSE, bare
from benchmarks.plan import Plan, Side, trips
from benchmarks.report import Goal, Row

PLAYERS, FIGHTERS = 50, 20


async def measure_commands(plan: Plan, folder: Path, rows: list[Row]) -> None:
    """Measure a cheap command, then fights of two in as many scenes as there are pairs."""
    players, fighters = plan.size(PLAYERS), plan.size(FIGHTERS)
    names = [f"Bench{n:04d}" for n in range(players)]
    with server.mushcombat(folder, names) as program, server.bare(folder, "echo") as echo:
        ours = Side([program.pid], await log_in(program.port, names))
        other = Side([echo.pid], await connect(echo.port, names))
        rows.append(
            await plan.compare(
                f"command-{players}",
                f"cheap commands, {players} clients",
                Goal("ratio", "least", 0.4),
                (ours, trips(CALCULATION)),
                (other, trips(bare(CALCULATION))),
            )
        )
        ours, other = Side(ours.pids, ours.clients[:fighters]), Side(other.pids, other.clients)
        rows.append(await _fights(plan, ours, Side(other.pids, other.clients[: fighters // 2])))


async def _fights(plan: Plan, ours: Side, other: Side) -> Row:
    """Measure attacks; an echo has as many lines under way as there are fights."""
    await begin_fights(ours.clients)
    fights = Fights(ours.clients)
    return await plan.compare(
        f"attack-{len(other.clients)}",
        f"+attack to [Result], {len(other.clients)} open scenes",
        Goal("ours", "least", 500),
        (ours, lambda _: fights),
        (other, trips(bare(POSE))),
    )
