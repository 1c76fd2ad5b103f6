"""Poses in scenes: each is committed to the scene's log before anyone sees it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from benchmarks import server
from benchmarks.clients import Client, connect, log_in, open_scenes, settle
from benchmarks.load import POSE, bare
from benchmarks.pace import Group, Paced
from benchmarks.plan import MakePaced, Plan, Side, trips
from benchmarks.report import Goal, Row

SCENES, PACE = 50, 200
"""Scenes with a speaker each, and poses a second of all of them when nobody hurries."""


async def measure_scenes(plan: Plan, folder: Path, rows: list[Row]) -> None:
    """Measure speakers alone in their scenes, then with a listener each, at a fixed pace.

    Names are in pairs that share a room: the first half has scenes, the other half has none.
    """
    scenes = plan.size(SCENES)
    names = [f"Bench{n:04d}" for n in range(4 * scenes)]
    with server.mushcombat(folder, names, apart=2) as program, server.bare(folder, "echo") as echo:
        speakers = await log_in(program.port, names[: 2 * scenes : 2])
        await open_scenes(speakers)
        ours = Side([program.pid], speakers)
        other = Side([echo.pid], await connect(echo.port, names[:scenes]))
        for count in (1, scenes):
            rows.append(await _saturated(plan, count, ours, other))
        await settle(speakers)
        listeners = await log_in(program.port, names[1 : 2 * scenes : 2])
        await _join(speakers, listeners)
        others = await log_in(program.port, names[2 * scenes :])
        apart = Side([program.pid], _numbered(others))
        rows.append(await _calmly(plan, Side([program.pid], speakers + listeners), apart))


async def _saturated(plan: Plan, count: int, ours: Side, other: Side) -> Row:
    """Measure poses of speakers who pose as soon as they see their last one."""
    people = f"{count} speaker{'s in as many scenes' if count > 1 else ''}"
    return await plan.compare(
        f"writer-{count}",
        f"poses committed, {people}",
        Goal("ours", "least", 2000) if count > 1 else None,
        (Side(ours.pids, ours.clients[:count]), trips(POSE)),
        (Side(other.pids, other.clients[:count]), trips(bare(POSE))),
    )


def _numbered(clients: list[Client]) -> list[Client]:
    """Put speakers first, then the listener of each."""
    return clients[::2] + clients[1::2]


async def _join(speakers: Sequence[Client], listeners: Sequence[Client]) -> None:
    """Let each listener join the scene of the room they share with a speaker."""
    for speaker, listener in zip(speakers, listeners, strict=True):
        listener.send(b"+scene/join\r\n")
        await listener.expect(b"You join scene")
        await speaker.find(re.compile(rb"%b joins" % listener.name))
    await settle([*speakers, *listeners])


def _paced(clients: Sequence[Client]) -> MakePaced:
    """Let the speakers, the first half, pose in turn, each to one listener."""
    half = len(clients) // 2
    pairs = zip(clients[:half], clients[half:], strict=True)
    return partial(Paced, [Group([one], [one, other]) for one, other in pairs], PACE, POSE)


async def _calmly(plan: Plan, logged: Side, unlogged: Side) -> Row:
    """Measure how long a pose is on its way to a listener, logged and not.

    The two sides differ in the scene alone: the same process and the same pace, as many rooms,
    each with one who poses and one who listens, in turns.
    """
    return await plan.compare_latency(
        "latency-logged",
        f"p99 at {PACE} poses/s in {len(logged.clients) // 2} scenes, against outside",
        Goal("ratio", "most", 3),
        (logged, _paced(logged.clients)),
        (unlogged, _paced(unlogged.clients)),
    )
