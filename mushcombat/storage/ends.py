"""The last rows of logs, of the kinds that jobs ask for again and again: a round asks who posed.

Kept by the writer like its other answers, and added to by what it appends.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace

from mushcombat.domain.events import Fact

MOST = 64
"""Rows of one log that are kept."""


class Ends:
    """For each log the kinds that were asked for last, and the last rows of those."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[tuple[str, ...], deque[Fact]]] = {}

    def __len__(self) -> int:
        return sum(len(facts) for _, facts in self._kept.values())

    def forget(self) -> None:
        """Forget everything."""
        self._kept.clear()

    def learn(self, ledger: int, kinds: Sequence[str], facts: Sequence[Fact]) -> None:
        """Keep the last rows of some kinds that were read, in the log's order."""
        self._kept[ledger] = tuple(kinds), deque(facts, MOST)

    def add(self, fact: Fact) -> None:
        """Note a row that was appended; read back it would name no room."""
        kept = self._kept.get(fact.ledger or 0)
        if kept is not None and fact.event.kind in kept[0]:
            kept[1].append(replace(fact, room=None))

    def take_back(self, ledger: int, seq: int) -> None:
        """Forget a row that is not appended after all, and those behind it."""
        kept = self._kept.get(ledger)
        while kept is not None and kept[1] and (kept[1][-1].seq or 0) >= seq:
            kept[1].pop()

    def last(self, ledger: int, kinds: Sequence[str], count: int) -> list[Fact] | None:
        """Give the last rows of some kinds, in the log's order; None where it is not known."""
        kept = self._kept.get(ledger)
        if kept is None or kept[0] != tuple(kinds) or len(kept[1]) < count:
            return None
        return list(kept[1])[-count:]
