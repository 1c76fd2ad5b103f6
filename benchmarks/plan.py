"""How long, how often and how large to measure, and two sides that are loaded in turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from benchmarks.clients import Client
from benchmarks.load import Load, RoundTrips, Talk
from benchmarks.measure import Span, measure
from benchmarks.pace import Paced
from benchmarks.report import RATE, Goal, Row


@dataclass(frozen=True, slots=True)
class Side:
    """Server processes, and those who are connected to them."""

    pids: Sequence[int]
    clients: list[Client]


Make = Callable[[list[Client]], Load]
MakePaced = Callable[[], Paced]


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how often to measure; a quick one is small, and only shows that it runs.

    `postgresql` is the URL of a server to make a database in.
    """

    seconds: float
    rounds: int
    quick: bool
    postgresql: str

    def size(self, full: int) -> int:
        """Give how many of something there are: a quick run has few, an even number."""
        return max(2, full // 25 * 2) if self.quick else full

    async def compare(
        self,
        key: str,
        what: str,
        goal: Goal | None,
        ours: tuple[Side, Make],
        other: tuple[Side, Make],
    ) -> Row:
        """Load a bare server and ours in turn; gives lines a second."""
        spans: tuple[list[Span], list[Span]] = ([], [])
        for _ in range(self.rounds):
            for (side, make), into in zip((other, ours), spans, strict=True):
                load = make(side.clients)
                into.append(await measure(load, side.clients, side.pids, self.seconds))
        return Row(key, what, RATE, goal, *spans)

    async def compare_latency(
        self,
        key: str,
        what: str,
        goal: Goal,
        ours: tuple[Side, MakePaced],
        other: tuple[Side, MakePaced],
    ) -> Row:
        """Speak at the same pace to two sides in turn, twice as long as for a rate.

        Gives the milliseconds within which 99 of 100 lines were delivered.
        """
        spans: tuple[list[Span], list[Span]] = ([], [])
        for _ in range(self.rounds):
            for (side, make), into in zip((other, ours), spans, strict=True):
                load = make()
                span = await measure(load, side.clients, side.pids, 2 * self.seconds)
                into.append(replace(span, value=load.within(0.99)))
        return Row(key, what, "ms", goal, *spans)


def trips(talk: Talk) -> Make:
    """Make a load of commands that wait for their answer."""
    return lambda clients: RoundTrips(clients, talk)
