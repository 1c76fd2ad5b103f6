"""The reactor of our own: who can be read is read, and who fails takes nobody along."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from twisted.internet.error import ConnectionLost
from twisted.python.failure import Failure

from mushcombat.net import reactor as ours

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="epoll is Linux's")


class Reader:
    """One end of a link: it does with what comes what it was told to."""

    def __init__(self, end: socket.socket, takes: Callable[[bytes], object]) -> None:
        self._end = end
        self._takes = takes
        self.ended: list[Failure] = []

    def fileno(self) -> int:
        return self._end.fileno()

    def doRead(self) -> None:  # noqa: N802 -- Twisted's
        self._takes(self._end.recv(100))

    def connectionLost(self, reason: Failure) -> None:
        self.ended.append(reason)

    def logPrefix(self) -> str:  # noqa: N802 -- Twisted's
        raise AssertionError("nobody asks whom this is for")


Pairs = list[tuple[socket.socket, socket.socket]]


@pytest.fixture
def pairs() -> Iterator[Pairs]:
    found = [socket.socketpair() for _ in range(2)]
    yield found
    for one, other in found:
        one.close()
        other.close()


@pytest.fixture
def made(pairs: Pairs) -> Iterator[Any]:
    # Its links end after it: it can't let go of one that is closed.
    one: Any = ours.Reactor()  # type: ignore[no-untyped-call]  # Twisted's
    yield one
    one.removeAll()
    one._poller.close()


def test_what_came_is_read_and_no_more(made: Any, pairs: Pairs) -> None:
    got: list[bytes] = []
    for here, there in pairs:
        made.addReader(Reader(here, got.append))
        there.sendall(b"a line")
    made.doIteration(0)
    assert got == [b"a line", b"a line"]
    made.doIteration(0)
    assert got == [b"a line", b"a line"]


def test_it_waits_as_long_as_it_is_told_to(made: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    class Poller:
        def poll(self, wait: float, _most: int) -> list[tuple[int, int]]:
            waits.append(wait)
            return []

    with monkeypatch.context() as patch:
        patch.setattr(made, "_poller", Poller())
        made.doIteration(0.25)
        made.doIteration(None)
    assert waits == [0.25, -1], "None is until something comes"


def test_who_fails_is_ended_and_the_others_are_read(made: Any, pairs: Pairs) -> None:
    got: list[bytes] = []

    def fail(_: bytes) -> None:
        raise ZeroDivisionError

    failing = Reader(pairs[0][0], fail)
    made.addReader(failing)
    made.addReader(Reader(pairs[1][0], got.append))
    for _, there in pairs:
        there.sendall(b"a line")
    made.doIteration(0)
    assert got == [b"a line"]
    assert [reason.type for reason in failing.ended] == [ZeroDivisionError]


def test_who_was_ended_in_the_same_turn_is_not_read(made: Any, pairs: Pairs) -> None:
    got: list[bytes] = []
    readers: list[Reader] = []

    def end_all(data: bytes) -> None:
        got.append(data)
        for reader in readers:
            made.removeReader(reader)

    for here, there in pairs:
        readers.append(Reader(here, end_all))
        made.addReader(readers[-1])
        there.sendall(b"a line")
    made.doIteration(0)
    assert got == [b"a line"]


def test_a_link_that_breaks_is_told_of(made: Any, pairs: Pairs) -> None:
    here, there = pairs[0]
    reader = Reader(here, lambda _: pytest.fail("there is nothing to read"))
    made.addWriter(reader)
    there.close()
    made.doIteration(0)
    assert [reason.type for reason in reader.ended] == [ConnectionLost]


def test_a_signal_ends_the_wait_and_nothing_else(
    made: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Interrupted:
        def poll(self, *_: object) -> None:
            raise InterruptedError

    with monkeypatch.context() as patch:
        patch.setattr(made, "_poller", Interrupted())
        made.doPoll(None)
