from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from twisted.internet.protocol import Protocol
from twisted.internet.tcp import Connection

from mushcombat.net.outbox import Outbox, Waiting


class Transport:
    """Takes so many bytes before it says that it is full, as Twisted's do."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.sent = b""
        self.producer: Outbox | None = None
        self.ended: list[str] = []
        self.handle: socket.socket | None = None

    def getHandle(self) -> socket.socket | None:  # noqa: N802 -- Twisted's
        return self.handle

    def registerProducer(self, producer: Outbox, streaming: bool) -> None:  # noqa: N802 -- Twisted's
        assert streaming
        self.producer = producer

    def unregisterProducer(self) -> None:  # noqa: N802 -- Twisted's
        self.producer = None

    def write(self, data: bytes) -> None:
        self.sent += data
        if self.producer and len(self.sent) > self.room:
            self.producer.pauseProducing()

    def loseConnection(self) -> None:  # noqa: N802 -- Twisted's
        self.ended.append("LOSE")

    def abortConnection(self) -> None:  # noqa: N802 -- Twisted's
        self.ended.append("ABORT")


def behind(box: Outbox) -> bool:
    return box.behind


class Made:
    def __init__(self, room: int = 10, limit: int = 100, limit_all: int = 1000) -> None:
        self.transport = Transport(room)
        self.waiting = Waiting(limit, limit_all)
        self.box = Outbox(self.transport, self.waiting)


def test_what_is_read_is_sent_at_once() -> None:
    made = Made()
    made.box.write(b"12345")
    made.box.write(b"")
    assert made.transport.sent == b"12345"
    assert made.waiting.size == 0


def test_what_is_not_read_waits_in_order() -> None:
    made = Made()
    for part in (b"12345678901", b"a", b"bc"):
        made.box.write(part)
    assert made.transport.sent == b"12345678901"
    assert made.waiting.size == 3
    made.transport.room = 1000
    made.box.resumeProducing()
    assert made.transport.sent == b"12345678901abc"
    assert made.waiting.size == 0


def test_a_link_that_does_not_read_is_cut_and_holds_nothing_any_more() -> None:
    made = Made()
    for _ in range(20):
        made.box.write(b"0123456789")
        assert made.waiting.size <= 110
    assert made.transport.ended == ["ABORT"]
    assert (made.waiting.size, made.waiting.cut_off) == (0, 1)
    sent = made.transport.sent
    made.box.write(b"more")
    made.box.close()
    made.box.resumeProducing()
    assert made.transport.sent == sent
    assert made.transport.ended == ["ABORT"]


def test_what_goes_another_way_counts_too() -> None:
    made = Made(limit=100)
    assert made.box.counts(1000)
    assert made.waiting.size == 0
    made.box.write(b"12345678901")
    assert made.box.counts(100)
    assert made.waiting.size == 100
    assert not made.box.counts(1)
    assert made.transport.ended == ["ABORT"]
    assert not made.box.counts(1)


def test_all_who_do_not_read_have_a_limit_together() -> None:
    waiting = Waiting(limit=0, limit_all=50)
    transports = [Transport(0) for _ in range(4)]
    boxes = [Outbox(transport, waiting) for transport in transports]
    for box in boxes:
        box.write(b"x")
        box.write(b"y" * 20)
    assert [transport.ended for transport in transports] == [[], [], ["ABORT"], ["ABORT"]]
    assert waiting.size == 40
    for box in boxes:
        box.lost()
    assert waiting.size == 0


def test_with_limits_of_0_nothing_is_cut() -> None:
    made = Made(limit=0, limit_all=0)
    for _ in range(1000):
        made.box.write(b"0123456789")
    assert made.transport.ended == []
    assert made.waiting.size == 10_000 - 20


def test_who_leaves_gets_all_that_waits() -> None:
    made = Made()
    made.box.write(b"12345678901")
    made.box.write(b"goodbye")
    made.box.close()
    made.box.close()
    assert made.transport.sent == b"12345678901goodbye"
    assert made.transport.producer is None
    assert made.transport.ended == ["LOSE"]


def test_a_link_is_behind_while_it_does_not_read() -> None:
    made = Made()
    made.box.write(b"12345")
    assert not behind(made.box)
    made.box.write(b"678901")
    assert behind(made.box)
    made.box.resumeProducing()
    assert not behind(made.box)


def test_what_the_kernel_holds_unread_is_behind_too() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        transport = Transport(10**9)
        transport.handle = ours
        box = Outbox(transport, Waiting(0, 0))
        assert not behind(box)
        ours.sendall(b"not read yet")
        assert behind(box)
        theirs.recv(100)
        assert not behind(box)
    assert not behind(box), "a closed socket tells nothing"


def test_a_link_that_was_cut_or_broke_was_behind_for_ever() -> None:
    cut = Made(limit=5)
    cut.box.write(b"12345678901")
    cut.box.write(b"too much")
    cut.box.lost(clean=False)
    assert cut.box.behind
    left = Made()
    left.box.write(b"12345678901")
    left.box.lost(clean=True)  # the other side closed, and had not read
    assert left.box.behind


def test_a_link_that_we_closed_and_that_took_everything_is_not_behind() -> None:
    made = Made()
    made.box.write(b"12345678901")
    made.box.close()
    made.box.lost(clean=True)
    assert not behind(made.box)
    gave_up = Made()
    gave_up.box.write(b"12345678901")
    gave_up.box.close()
    gave_up.box.lost(clean=False)
    assert gave_up.box.behind


def test_a_lost_link_holds_nothing() -> None:
    made = Made()
    made.box.write(b"12345678901")
    made.box.write(b"waits")
    made.box.stopProducing()
    assert made.waiting.size == 0


class Reactor:
    """Stands for Twisted's, which is only told who wants to write."""

    def __init__(self) -> None:
        self.writers: set[Connection] = set()

    def addReader(self, _: Connection) -> None:  # noqa: N802 -- Twisted's
        pass

    def removeReader(self, _: Connection) -> None:  # noqa: N802 -- Twisted's
        pass

    def addWriter(self, it: Connection) -> None:  # noqa: N802 -- Twisted's
        self.writers.add(it)

    def removeWriter(self, it: Connection) -> None:  # noqa: N802 -- Twisted's
        self.writers.discard(it)


class Plain:
    """A box on a plain socket, whose other end is `peer`."""

    def __init__(self, waiting: Waiting | None = None) -> None:
        ours, self.peer = socket.socketpair()
        ours.setblocking(False)
        self.peer.setblocking(False)
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        self.reactor = Reactor()
        self.transport: Any = Connection(ours, Protocol(), self.reactor)  # type: ignore[arg-type]  # the least of each
        self.transport.connected = True
        self.box = Outbox(self.transport, waiting or Waiting(0, 0))

    def turn(self) -> bytes:
        """Read what is there, and let the reactor write on."""
        try:
            found = self.peer.recv(1_000_000)
        except BlockingIOError:
            found = b""
        for writer in list(self.reactor.writers):
            writer.doWrite()  # type: ignore[no-untyped-call]  # Twisted's
        return found

    def close(self) -> None:
        self.peer.close()
        self.transport.getHandle().close()


@pytest.fixture
def plain() -> Iterator[Plain]:
    made = Plain()
    yield made
    made.close()


def test_on_a_plain_socket_the_reactor_is_not_asked(plain: Plain) -> None:
    plain.box.write(b"12345")
    assert plain.reactor.writers == set()
    assert plain.turn() == b"12345"
    assert not plain.box._full


def test_what_the_kernel_does_not_take_follows_in_order(plain: Plain) -> None:
    parts = [bytes([65 + n]) * 3000 for n in range(26)]
    for part in parts:
        plain.box.write(part)
    assert behind(plain.box)
    assert plain.box._waiting.size > 0
    got = b"".join(plain.turn() for _ in range(200))
    assert got == b"".join(parts)
    assert plain.box._waiting.size == 0
    plain.box.write(b"again")
    assert plain.turn() == b"again"
    assert plain.reactor.writers == set()


def test_who_leaves_a_plain_socket_that_is_full_gets_all_that_waits(plain: Plain) -> None:
    parts = [bytes([65 + n]) * 3000 for n in range(26)]
    for part in parts:
        plain.box.write(part)
    assert plain.box.let_go()
    assert b"".join(plain.turn() for _ in range(200)) == b"".join(parts)


def test_a_plain_socket_that_is_broken_is_left_to_the_transport(plain: Plain) -> None:
    plain.peer.close()
    plain.box.write(b"12345")
    assert plain.reactor.writers == {plain.transport}
    plain.peer = socket.socket()


@given(st.lists(st.tuples(st.integers(0, 9000), st.booleans()), max_size=40))
def test_however_it_is_read_all_of_it_comes_once_and_in_order(
    steps: list[tuple[int, bool]],
) -> None:
    plain = Plain()
    sent, got = b"", b""
    for number, (size, reads) in enumerate(steps):
        data = bytes([number]) * size
        sent += data
        plain.box.write(data)
        if reads:
            got += plain.turn()
    got += b"".join(plain.turn() for _ in range(300))
    plain.close()
    assert got == sent
