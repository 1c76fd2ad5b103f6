"""Measuring a load: how many lines a second, and what the processors did meanwhile."""

from __future__ import annotations

import asyncio
import gc
import os
import time
from collections.abc import Sequence
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

_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Span:
    """What was measured, and shares of one core; those of others are 0 where there is no /proc."""

    value: float
    client: float
    server: float
    other: float


class Meter:
    """Reads the clocks of the processors."""

    def __init__(self, pids: Sequence[int]) -> None:
        self._pids = pids
        self._begun = self._read()

    def span(self, lines: float) -> Span:
        """Give lines a second, when so many arrived since the beginning."""
        return self.span_of(lines / (time.perf_counter() - self._begun[0]))

    def span_of(self, value: float) -> Span:
        """Give a value, with what was used since the beginning."""
        wall, client, server, busy = (
            now - then for now, then in zip(self._read(), self._begun, strict=True)
        )
        other = max(0.0, busy - client - server)
        return Span(value, client / wall, server / wall, other / wall)

    def _read(self) -> tuple[float, float, float, float]:
        return time.perf_counter(), time.process_time(), sum(map(_used_by, self._pids)), _busy()


def _used_by(pid: int) -> float:
    """Tell the processor seconds of a process, user and system."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICK


def resident(pid: int) -> float:
    """Tell the KiB of memory that a process holds."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE / 1024


def _busy() -> float:
    """Tell the processor seconds of the whole machine, stolen ones included."""
    try:
        fields = Path("/proc/stat").read_text().partition("\n")[0].split()[1:9]
    except OSError:
        return 0.0
    values = [int(field) for field in fields]
    return (sum(values) - values[3] - values[4]) / _TICK


async def measure(
    load: Load, clients: Sequence[Client], pids: Sequence[int], seconds: float
) -> Span:
    """Run a load on some processes for so many seconds; gives lines a second.

    LostError unless every line arrived as it should.
    """
    gc.collect()
    gc.disable()
    try:
        load.begin()
        await asyncio.sleep(WARM)
        meter, before = Meter(pids), load.count()
        await asyncio.sleep(seconds)
        span = meter.span(load.count() - before)
        await drain(load)
    finally:
        gc.enable()
    await asyncio.sleep(AFTER)
    blame(load, clients)
    return span


async def drain(load: Load) -> None:
    """Let a load end, and wait for what is under way."""
    load.going = False
    end = time.perf_counter() + DRAIN
    while load.left() and not load.faults and time.perf_counter() < end:
        await asyncio.sleep(0.01)


def blame(load: Load, clients: Sequence[Client]) -> None:
    """Raise LostError when something was lost, doubled, torn or uncalled for."""
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


def sync_wait(folder: Path, rate: float, seconds: float) -> float:
    """Tell within how many milliseconds 99 of 100 such are done when there are so many a second.

    A pose that is logged waits for one: nothing that we do makes it quicker.
    """
    file, waits = folder / "paced syncs", []
    with file.open("wb", buffering=0) as out:
        for _ in range(int(rate * seconds)):
            out.write(bytes(5 * 4096))
            begun = time.perf_counter()
            os.fdatasync(out.fileno())
            waits.append(time.perf_counter() - begun)
            time.sleep(max(0.0, 1 / rate - waits[-1]))
    file.unlink()
    return 1000 * sorted(waits)[int(len(waits) * 0.99)]
