"""Two loads: commands that wait for their answer, and a room full of listeners.

Both know every byte that is due: what is lost, doubled, torn, out of order or uncalled for
ends the run.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from benchmarks.clients import Client

WINDOW = 16
"""Lines that each speaker of a full room keeps under way."""

_PAD = b"the quick brown fox jumps over the lazy dog, and the dog does not care"
NUMBERED = re.compile(rb"s(\d\d+)n(\d{7}) ")


@dataclass(frozen=True, slots=True)
class Talk:
    """What client and number make: the line to send, and the line that comes of it."""

    send: Callable[[Client, int], bytes]
    heard: Callable[[Client, int], bytes]


def _posed(client: Client, number: int) -> bytes:
    return b":s%02dn%07d %b\r\n" % (client.index, number, _PAD)


def _saw_pose(client: Client, number: int) -> bytes:
    return b"%b s%02dn%07d %b\r\n" % (client.name, client.index, number, _PAD)


def _odf(number: int) -> int:
    """Give each number an ODF of its own, so that an answer tells what it answers."""
    return 50 + number % 900


def _calculate(_client: Client, number: int) -> bytes:
    return b"+rcalcdamage/self 6/4/%d/20\r\n" % _odf(number)


def _calculated(client: Client, number: int) -> bytes:
    odf = _odf(number)
    tail = b"ODF %d + 5 x (6 - 4) - DDF 20 = %d, before Constitution.\r\n" % (odf, odf - 10)
    return b"[Damage] %b: ranged: %b" % (client.name, tail)


POSE = Talk(_posed, _saw_pose)
CALCULATION = Talk(_calculate, _calculated)


def bare(talk: Talk) -> Talk:
    """Give the same talk with a server that hands lines back as they are."""
    return Talk(talk.send, talk.send)


class Load(Protocol):
    """What can be measured: it is begun, counts, is told to add nothing, and runs dry."""

    going: bool
    faults: list[str]

    def begin(self) -> None:
        """Send the first lines."""
        ...

    def count(self) -> float:
        """Tell how many lines have arrived."""
        ...

    def left(self) -> int:
        """Tell how many lines are still due."""
        ...


class RoundTrips:
    """Each client sends as soon as its last line was answered."""

    def __init__(self, clients: Sequence[Client], talk: Talk) -> None:
        self.going = True
        self.faults: list[str] = []
        self._clients = clients
        self._talk = talk
        self._arrived = 0
        self._numbers = dict.fromkeys(clients, 0)
        self._due = dict.fromkeys(clients, b"")
        self._torn = dict.fromkeys(clients, b"")
        for client in clients:
            client.sink = self._take

    def begin(self) -> None:
        """Send everyone's first line."""
        for client in self._clients:
            self._send(client)

    def count(self) -> float:
        """Tell how many answers have arrived."""
        return self._arrived

    def left(self) -> int:
        """Tell how many answers are due."""
        return sum(1 for due in self._due.values() if due)

    def _send(self, client: Client) -> None:
        number = self._numbers[client] = self._numbers[client] + 1
        self._due[client] = self._talk.heard(client, number)
        client.send(self._talk.send(client, number))

    def _take(self, client: Client, data: bytes) -> None:
        torn, due = self._torn[client], self._due[client]
        got = torn + data if torn else data
        if got == due:
            self._arrived += 1
            self._torn[client] = self._due[client] = b""
            if self.going:
                self._send(client)
        elif due.startswith(got):
            self._torn[client] = got
        else:
            self.faults.append(f"client {client.index} received {got[:300]!r}, due was {due!r}")


class FullRoom:
    """Some speak, all listen: a line that everybody has is followed by the speaker's next.

    All must receive the same bytes. The first to receive a line has it checked; the others are
    only compared, so that thousands of lines a second to each of a hundred cost little.
    """

    def __init__(self, clients: Sequence[Client], speakers: int, talk: Talk) -> None:
        self.going = True
        self.faults: list[str] = []
        self._clients = clients
        self._talk = talk
        self._said = [0] * speakers
        self._heard = [0] * speakers
        self._stream = bytearray()  # what the foremost client has received
        self._checked = 0  # how much of it are whole lines that were looked at
        self._at = [0] * len(clients)  # how much of it each client has received
        self._hindmost = 0
        self._bytes = 0
        self._under_way: deque[tuple[int, int]] = deque()  # where a line ends, and whose it is
        self._done = 0
        for client in clients:
            client.sink = self._take

    def begin(self) -> None:
        """Send a window of lines of each speaker."""
        for _ in range(WINDOW):
            for speaker in range(len(self._said)):
                self._say(speaker)

    def count(self) -> float:
        """Tell how many lines were delivered; they are as long as each other."""
        return self._bytes / self._checked * sum(self._heard) if self._checked else 0.0

    def left(self) -> int:
        """Tell how many lines somebody has yet to receive."""
        return sum(self._said) - self._done

    def _say(self, speaker: int) -> None:
        self._said[speaker] += 1
        client = self._clients[speaker]
        client.send(self._talk.send(client, self._said[speaker]))

    def _take(self, client: Client, data: bytes) -> None:
        """Compare what a client received; this is the hot path."""
        index, stream = client.index, self._stream
        start, size = self._at[index], len(data)
        known = len(stream) - start
        if size <= known:
            good = stream.startswith(data, start)
        else:
            good = stream.endswith(data[:known], start)
            stream += data[known:]
            self._check()
        if not good:
            self.faults.append(f"client {index} received {data[:300]!r}, unlike the others")
        self._bytes += size
        self._at[index] = start + size
        if start == self._hindmost:
            self._hindmost = min(self._at)
            self._complete()

    def _check(self) -> None:
        """Look at the whole lines that are new: each must be its speaker's next."""
        end = self._stream.rfind(b"\n", self._checked) + 1
        if not end:
            return
        place = self._checked
        for line in bytes(self._stream[place:end]).splitlines(keepends=True):
            place += len(line)
            found = NUMBERED.search(line)
            speaker = int(found[1]) if found else -1
            if not 0 <= speaker < len(self._heard):
                self.faults.append(f"nobody said {line[:300]!r}")
                continue
            self._heard[speaker] += 1
            due = self._talk.heard(self._clients[speaker], self._heard[speaker])
            if line != due:
                self.faults.append(f"received {line[:300]!r}, due was {due!r}")
            self._under_way.append((place, speaker))
        self._checked = end

    def _complete(self) -> None:
        """Let the speakers go on whose lines all have received."""
        under_way = self._under_way
        while under_way and under_way[0][0] <= self._hindmost:
            _, speaker = under_way.popleft()
            self._done += 1
            if self.going:
                self._say(speaker)
