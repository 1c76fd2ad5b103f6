"""A load at a fixed pace: lines go out on a schedule, whatever comes back."""

from __future__ import annotations

import asyncio
import itertools
import time
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.clients import Client
from benchmarks.load import NUMBERED, Talk


@dataclass(frozen=True, slots=True)
class Group:
    """Who hear each other, and those of them who speak in turn."""

    speakers: Sequence[Client]
    everyone: Sequence[Client]


class Paced:
    """So many lines a second, all groups' speakers in turn; each line's way is timed.

    From the moment it is sent to its arrival at each client other than the speaker (or the
    speaker, alone in the group). Every client must hear every line of its group once, whole and
    in its speaker's order. In a `crowd`, lines of others come in between.
    """

    def __init__(
        self, groups: Sequence[Group], rate: float, talk: Talk, *, crowd: bool = False
    ) -> None:
        self.going = True
        self.faults: list[str] = []
        self._talk = talk
        self._pause = 1 / rate
        self._crowd = crowd
        self._next = 0.0
        self._turns = itertools.cycle(
            (group.speakers[at], group)
            for at in range(max(len(group.speakers) for group in groups))
            for group in groups
            if at < len(group.speakers)
        )
        self._speakers = {s.index: s for group in groups for s in group.speakers}
        self._sent: dict[int, list[float]] = {index: [] for index in self._speakers}
        self._heard: dict[Client, dict[int, int]] = {}
        self._torn: dict[Client, bytes] = {}
        self._alone: set[Client] = set()
        self._due = self._arrived = 0
        self._waits = array("d")
        for group in groups:
            self._listen(group)

    def _listen(self, group: Group) -> None:
        for client in group.everyone:
            self._heard[client] = {speaker.index: 0 for speaker in group.speakers}
            self._torn[client] = b""
            client.sink = self._take
        if len(group.everyone) == 1:
            self._alone.update(group.everyone)

    def begin(self) -> None:
        """Start the schedule."""
        self._next = asyncio.get_running_loop().time()
        self._speak()

    def count(self) -> float:
        """Tell how many lines have arrived."""
        return self._arrived

    def left(self) -> int:
        """Tell how many lines somebody has yet to receive."""
        return self._due - self._arrived

    def within(self, share: float) -> float:
        """Give the milliseconds in which such a share of the lines arrived, 1 for all."""
        waits = sorted(self._waits)
        return waits[min(len(waits) - 1, int(len(waits) * share))] * 1000 if waits else 0.0

    def forget(self) -> None:
        """Forget the times of what has arrived."""
        del self._waits[:]

    def _speak(self) -> None:
        if not self.going:
            return
        client, group = next(self._turns)
        sent = self._sent[client.index]
        line = self._talk.send(client, len(sent) + 1)
        self._due += len(group.everyone)
        sent.append(time.perf_counter())
        client.send(line)
        self._next += self._pause
        asyncio.get_running_loop().call_at(self._next, self._speak)

    def _take(self, client: Client, data: bytes) -> None:
        now = time.perf_counter()
        whole, end, torn = (self._torn[client] + data).rpartition(b"\n")
        self._torn[client] = torn
        for line in (whole + end).splitlines(keepends=True):
            found = NUMBERED.search(line)
            if found:
                self._hear(client, int(found[1]), line, now)
            elif not self._crowd:
                self.faults.append(f"nobody said {line[:300]!r}")

    def _hear(self, client: Client, speaker: int, line: bytes, now: float) -> None:
        heard = self._heard[client]
        if speaker not in heard:
            self.faults.append(f"client {client.index} was not to hear {line[:300]!r}")
            return
        number = heard[speaker] = heard[speaker] + 1
        due = self._talk.heard(self._speakers[speaker], number)
        if line != due:
            self.faults.append(f"client {client.index} received {line[:300]!r}, due was {due!r}")
            return
        self._arrived += 1
        if client is not self._speakers[speaker] or client in self._alone:
            self._waits.append(now - self._sent[speaker][number - 1])
