"""Connections: the memory of idle ones, and what many logins at once do to a pose."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from benchmarks import server
from benchmarks.clients import Client, connect, enter, hang_up, log_in, settle
from benchmarks.errors import RunFailedError
from benchmarks.load import POSE, bare
from benchmarks.measure import Meter, Span, blame, drain, resident
from benchmarks.pace import Group, Paced
from benchmarks.plan import Plan
from benchmarks.report import Goal, Row

IDLE, FIRST = 1000, 20
"""Connections that are counted, and those before them: what the first ones load, stays."""

STORM, PACE = 200, 50
"""Logins at once, and poses a second meanwhile."""

REST = 1.0
"""Seconds without a storm, to compare with, and for memory to be given back."""


async def measure_idle(plan: Plan, folder: Path, rows: list[Row]) -> None:
    """Measure the growth of resident memory with connections that are logged in and do nothing.

    All are in one room. The servers are new: in memory left over from a load, growth would hide.
    """
    many, few = plan.size(IDLE), plan.size(FIRST)
    names = [f"Bench{n:04d}" for n in range(few + many)]
    guarded = server.mushcombat(folder, names, guarded=True)
    with guarded as program, server.bare(folder, "echo") as echo:
        first = await log_in(program.port, names[:few])
        meter, before = Meter([program.pid]), resident(program.pid)
        others = await connect(program.port, names[few:])
        await enter(others)
        await settle(first)
        ours = await _grown(meter, before, program.pid, others)
        await connect(echo.port, names[:few])
        meter, before = Meter([echo.pid]), resident(echo.pid)
        other = await _grown(meter, before, echo.pid, await connect(echo.port, names[few:]))
    what, goal = f"memory of an idle connection, {many}", Goal("ours", "most", 10)
    rows.append(Row("idle", what, "KiB", goal, [other], [ours]))


async def _grown(meter: Meter, before: float, pid: int, clients: Sequence[Client]) -> Span:
    """Give the KiB that each of some connections takes, since `before`."""
    await asyncio.sleep(REST)
    if any(client.closed for client in clients):
        raise RunFailedError("the server hung up on who was idle")
    grown = (resident(pid) - before) / len(clients)
    hang_up(clients)
    return meter.span_of(grown)


async def measure_storm(plan: Plan, folder: Path, rows: list[Row]) -> None:
    """Measure the slowest pose to one listener while many log in at once, in the same room.

    A bare echo is asked at the same pace at the same time: hashing of passwords takes both cores,
    and this is what that does to a program that does nothing else.
    """
    many = plan.size(STORM)
    names = [f"Bench{n:04d}" for n in range(2 + many)]
    guarded = server.mushcombat(folder, names, guarded=True)
    with guarded as program, server.bare(folder, "echo") as echo:
        pair, alone = await log_in(program.port, names[:2]), await connect(echo.port, names[:1])
        loads = (
            Paced([Group(alone, alone)], PACE, bare(POSE)),
            Paced([Group(pair[:1], pair)], PACE, POSE, crowd=True),
        )
        meters = Meter([echo.pid]), Meter([program.pid])
        quiet = await _rested(loads)
        await _let_in(program.port, names[2:])
        for load, people in zip(loads, (alone, pair), strict=True):
            await drain(load)
            blame(load, people)
        other, ours = (m.span_of(load.within(1)) for m, load in zip(meters, loads, strict=True))
        what = f"slowest pose while {many} log in (quiet: {quiet:.1f} ms)"
        rows.append(Row("storm", what, "ms", Goal("ours", "most", 100), [other], [ours]))


async def _rested(loads: tuple[Paced, Paced]) -> float:
    """Begin, and tell the slowest pose without a storm, in milliseconds."""
    for load in loads:
        load.begin()
    await asyncio.sleep(REST)
    slowest = loads[1].within(1)
    for load in loads:
        load.forget()
    return slowest


async def _let_in(port: int, names: Sequence[str]) -> None:
    """Connect, and log in all at once."""
    clients = await connect(port, names)
    await enter(clients, at_once=len(clients))
    hang_up(clients)
