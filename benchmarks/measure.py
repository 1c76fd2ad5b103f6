"""Measuring a load: how many lines a second, and what the processors did meanwhile."""

from __future__ import annotations

import asyncio
import gc
import os
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.clients import Client
from benchmarks.errors import LostError
from benchmarks.load import Load

WARM = 0.3
DRAIN = 5.0
"""How long late lines may take; what has not come by then is lost."""
AFTER = 0.05
"""How long to listen for lines that nobody is owed."""

_TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Span:
    """A rate, and shares of one core; those of others are 0 where there is no /proc."""

    rate: float
    client: float
    server: float
    other: float


class Meter:
    """Reads the clocks of the processors."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._begun = self._read()

    def span(self, lines: float) -> Span:
        """Give what was used since the beginning, when so many lines arrived."""
        wall, client, server, busy = (
            now - then for now, then in zip(self._read(), self._begun, strict=True)
        )
        other = max(0.0, busy - client - server)
        return Span(lines / wall, client / wall, server / wall, other / wall)

    def _read(self) -> tuple[float, float, float, float]:
        return time.perf_counter(), time.process_time(), _used_by(self._pid), _busy()


def _used_by(pid: int) -> float:
    """Tell the processor seconds of a process, user and system."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICK


def _busy() -> float:
    """Tell the processor seconds of the whole machine, stolen ones included."""
    try:
        fields = Path("/proc/stat").read_text().partition("\n")[0].split()[1:9]
    except OSError:
        return 0.0
    values = [int(field) for field in fields]
    return (sum(values) - values[3] - values[4]) / _TICK


async def measure(load: Load, clients: list[Client], pid: int, seconds: float) -> Span:
    """Run a load for so many seconds; LostError unless every line arrived as it should."""
    gc.collect()
    gc.disable()
    try:
        load.begin()
        await asyncio.sleep(WARM)
        meter, before = Meter(pid), load.count()
        await asyncio.sleep(seconds)
        span = meter.span(load.count() - before)
        load.going = False
        end = time.perf_counter() + DRAIN
        while load.left() and not load.faults and time.perf_counter() < end:
            await asyncio.sleep(0.01)
    finally:
        gc.enable()
    await asyncio.sleep(AFTER)
    _blame(load, clients)
    return span


def _blame(load: Load, clients: list[Client]) -> None:
    gone = sum(client.closed for client in clients)
    if gone:
        raise LostError(f"the server hung up on {gone} clients")
    if load.faults:
        raise LostError(f"{len(load.faults)} faults; the first: {load.faults[0]}")
    if load.left():
        raise LostError(f"{load.left()} lines did not arrive within {DRAIN:g} s")


def syncs(folder: Path, seconds: float = 0.3) -> float:
    """Tell how many times a second the disk takes a page for good: the writer's lower bound."""
    file = folder / "syncs"
    with file.open("wb", buffering=0) as out:
        done, begun = 0, time.perf_counter()
        while (passed := time.perf_counter() - begun) < seconds:
            out.write(bytes(4096))
            os.fdatasync(out.fileno())
            done += 1
    file.unlink()
    return done / passed
