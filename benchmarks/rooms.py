"""Poses outside a scene, in the room where everyone starts: none of them is saved."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from benchmarks import server
from benchmarks.clients import connect, hang_up, leave, log_in
from benchmarks.load import POSE, FullRoom, Talk, bare
from benchmarks.pace import Group, Paced
from benchmarks.plan import Make, MakePaced, Plan, Side
from benchmarks.report import Goal, Row

LARGE, ROOM, SPEAKERS, PACE = 500, 100, 10, 20
"""People in a large and an ordinary room; those who speak; lines a second when nobody hurries."""


def _full(speakers: int, talk: Talk) -> Make:
    return lambda clients: FullRoom(clients, speakers, talk)


def _calm(side: Side, speakers: int, talk: Talk) -> MakePaced:
    group = Group(side.clients[:speakers], side.clients)
    return partial(Paced, [group], PACE, talk)


async def measure_rooms(plan: Plan, folder: Path, rows: list[Row]) -> None:
    """Measure a bare broadcaster and ours with a large room, then with an ordinary one."""
    large, ordinary = plan.size(LARGE), plan.size(ROOM)
    names = [f"Bench{n:04d}" for n in range(large)]
    with server.mushcombat(folder, names) as program, server.bare(folder, "broadcast") as broadcast:
        ours = Side([program.pid], await log_in(program.port, names))
        other = Side([broadcast.pid], await connect(broadcast.port, names))
        rows.append(await _saturated(plan, 0.7, ours, other))
        await leave(ours.clients[ordinary:], ours.clients[:ordinary])
        hang_up(other.clients[ordinary:])
        ours, other = (Side(side.pids, side.clients[:ordinary]) for side in (ours, other))
        rows.append(await _saturated(plan, 0.55, ours, other))
        rows.append(await _calmly(plan, ours, other))


async def _saturated(plan: Plan, wanted: float, ours: Side, other: Side) -> Row:
    """Measure delivered lines a second while speakers say all that gets through."""
    size, speakers = len(ours.clients), min(SPEAKERS, len(ours.clients))
    return await plan.compare(
        f"room-{size}",
        f"lines delivered in a room of {size}",
        Goal("ratio", "least", wanted),
        (ours, _full(speakers, POSE)),
        (other, _full(speakers, bare(POSE))),
    )


async def _calmly(plan: Plan, ours: Side, other: Side) -> Row:
    """Measure how long a line is on its way to each listener when there are few."""
    size = len(ours.clients)
    return await plan.compare_latency(
        f"latency-{size}",
        f"p99 at {PACE} lines/s to {size} clients",
        Goal("ratio", "most", 1.3),
        (ours, _calm(ours, SPEAKERS, POSE)),
        (other, _calm(other, SPEAKERS, bare(POSE))),
    )
