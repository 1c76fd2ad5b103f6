"""What can be measured of a running server, in the form that Prometheus reads.

Counting costs a command about a microsecond; what is there anyway (connections, players, what
waits) is looked at only when somebody asks.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from ipaddress import ip_address, ip_network
from itertools import accumulate
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)

if TYPE_CHECKING:
    from mushcombat.net.game import Game

CONTENT_TYPE = b"text/plain; version=0.0.4; charset=utf-8"

SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
JOBS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
LANES = ("here", "read", "write", "session")

FORWARDED = frozenset({b"forwarded", b"x-forwarded-for", b"x-real-ip", b"via"})
"""Headers that a proxy adds: then the address is the proxy's, and says nothing of who asks."""


class Spread:
    """How many of what was counted were up to each of some bounds, and their sum.

    The library's own histogram takes a lock for each; here all is counted on one thread.
    """

    __slots__ = ("_bounds", "_counts", "_sum")

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def add(self, value: float) -> None:
        """Count one."""
        self._counts[bisect_left(self._bounds, value)] += 1
        self._sum += value

    @property
    def count(self) -> int:
        """How many there were."""
        return sum(self._counts)

    def tell(self, family: HistogramMetricFamily, *labels: str) -> None:
        """Write it as Prometheus wants it: each bound with all that were up to it."""
        names = [*(str(float(bound)) for bound in self._bounds), "+Inf"]
        up_to = list(zip(names, accumulate(self._counts), strict=True))
        family.add_metric(labels, up_to, self._sum)


class Metrics:
    """The counters of one server; `render` gives them all."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._registry = CollectorRegistry()
        self._seconds = {lane: Spread(SECONDS) for lane in LANES}
        self._batch = Spread(JOBS)
        self._queued = 0
        self._registry.register(self)

    # counting

    def command(self, lane: str, seconds: float) -> None:
        """Count a command that is answered, and how long that took."""
        self._seconds[lane].add(seconds)

    def queued(self) -> None:
        """Count a job that the writer was given."""
        self._queued += 1

    def taken_back(self, jobs: int) -> None:
        """Count jobs that the writer was given and will not do."""
        self._queued -= jobs

    def batch(self, jobs: int) -> None:
        """Count a batch that the writer has done."""
        self._queued -= jobs
        self._batch.add(jobs)

    # telling

    def render(self) -> bytes:
        """Write all there is."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """Give what is looked at only now; Prometheus' library asks for it."""
        game = self._game
        for name, what, value in (
            ("connections", "Connections that were let in", game.gate.count),
            ("players", "Players who are logged in", len(game.world.online)),
            ("scenes_open", "Scenes that are open", len(game.world.scenes)),
            ("writer_queue", "Jobs that wait for the writer", self._queued),
            ("output_waiting_bytes", "Bytes that wait for slow readers", game.waiting.size),
        ):
            yield GaugeMetricFamily(f"mushcombat_{name}", what, value=value)
        for name, what, value in (
            ("refused", "Connections that were not let in", game.gate.refused),
            ("cut_off", "Connections that did not read and were cut off", game.waiting.cut_off),
            ("commits", "Batches that the writer has handed over", self._batch.count),
        ):
            yield CounterMetricFamily(f"mushcombat_{name}", what, value=value)
        yield from self._commands()
        jobs = HistogramMetricFamily("mushcombat_batch_jobs", "Jobs in a batch")
        self._batch.tell(jobs)
        yield jobs

    def _commands(self) -> Iterator[Metric]:
        total = CounterMetricFamily(
            "mushcombat_commands", "Commands that were run", labels=["lane"]
        )
        what = "Seconds from a command's turn to its answer"
        seconds = HistogramMetricFamily("mushcombat_command_seconds", what, labels=["lane"])
        for lane, spread in self._seconds.items():
            total.add_metric([lane], spread.count)
            spread.tell(seconds, lane)
        yield total
        yield seconds


def may_read(address: str, headers: Iterable[bytes], allowed: Iterable[str]) -> bool:
    """Tell whether an address may read the metrics; whoever comes through a proxy may not.

    `headers` are the names of the request's headers, in small letters.
    """
    if FORWARDED & set(headers):
        return False
    try:
        ip = ip_address(address)
    except ValueError:
        return False
    return any(ip in ip_network(one, strict=False) for one in allowed)
