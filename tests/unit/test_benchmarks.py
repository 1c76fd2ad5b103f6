"""The benchmarks count right: what is lost, torn or out of order is noticed, a goal is judged."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from benchmarks.clients import Client
from benchmarks.errors import LostError
from benchmarks.fights import Fights
from benchmarks.load import POSE
from benchmarks.measure import Span, blame
from benchmarks.pace import Group, Paced
from benchmarks.report import RATE, Goal, Row, table


class Wire:
    """Stands for a connection's transport, and keeps what is sent."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.sent.append(data)


async def client(index: int) -> Client:
    made = Client(index, f"Bench{index:04d}")
    made.transport = Wire()
    return made


def arrives(listener: Client, data: bytes) -> None:
    """Let bytes arrive at a client."""
    assert listener.sink is not None
    listener.sink(listener, data)


async def paced(*, crowd: bool = False) -> tuple[Paced, Client, Client]:
    """Begin a load of one speaker and one listener; its first line is sent, and no other."""
    speaker, listener = await client(0), await client(1)
    load = Paced([Group([speaker], [speaker, listener])], 0.01, POSE, crowd=crowd)
    load.begin()
    return load, speaker, listener


def row(goal: Goal | None, ours: float, against: float | None = None, unit: str = RATE) -> Row:
    spans = [] if against is None else [Span(against, 0, 1, 0)]
    return Row("key", "what", unit, goal, spans, [Span(ours, 0, 1, 0)])


def test_a_line_at_a_pace_has_arrived_when_everyone_has_it() -> None:
    async def play() -> None:
        load, speaker, listener = await paced()
        line = POSE.heard(speaker, 1)
        assert (load.count(), load.left()) == (0, 2)
        arrives(speaker, line)
        arrives(listener, line[:7])
        assert (load.count(), load.left()) == (1, 1)
        arrives(listener, line[7:])
        assert (load.count(), load.left(), load.faults) == (2, 0, [])

    asyncio.run(play())


def test_only_the_way_to_the_listener_is_timed() -> None:
    async def play() -> None:
        load, speaker, listener = await paced()
        arrives(speaker, POSE.heard(speaker, 1))
        assert load.within(1) == 0
        arrives(listener, POSE.heard(speaker, 1))
        assert load.within(1) > 0
        load.forget()
        assert load.within(1) == 0

    asyncio.run(play())


@pytest.mark.parametrize("number", [0, 2])
def test_a_line_that_is_not_the_next_is_a_fault(number: int) -> None:
    async def play() -> None:
        load, speaker, listener = await paced()
        arrives(listener, POSE.heard(speaker, number))
        assert len(load.faults) == 1
        with pytest.raises(LostError, match="1 faults"):
            blame(load, [speaker, listener])

    asyncio.run(play())


def test_a_line_twice_is_a_fault_and_one_that_never_comes_is_lost() -> None:
    async def play() -> None:
        load, speaker, listener = await paced()
        arrives(listener, POSE.heard(speaker, 1))
        with pytest.raises(LostError, match="1 lines did not arrive"):
            blame(load, [speaker, listener])
        arrives(listener, POSE.heard(speaker, 1))
        assert len(load.faults) == 1

    asyncio.run(play())


def test_lines_of_others_are_faults_but_in_a_crowd() -> None:
    async def play() -> None:
        alone, _, listener = await paced()
        arrives(listener, b"Ada has connected.\r\n")
        assert len(alone.faults) == 1
        crowd, _, listener = await paced(crowd=True)
        arrives(listener, b"Ada has connected.\r\n")
        assert crowd.faults == []

    asyncio.run(play())


def test_fights_go_on_where_they_stopped() -> None:
    async def play() -> None:
        ada, bram = await client(0), await client(1)
        fights = Fights([ada, bram])

        def sent() -> list[Any]:
            return [*ada.transport.sent, *bram.transport.sent]

        fights.begin()
        assert sent() == [b"+reaction\r\n"] * 2
        for each in (ada, bram):
            arrives(each, b"[Turn] Round 1: Bench0000.\r\n")
        assert fights.left() == 1
        fights.going = False
        for each in (ada, bram):
            arrives(each, b"[Result] It misses. #7\r\n[Turn] Round 1: Bench0001.\r\n")
        assert (fights.count(), fights.left(), len(sent())) == (1, 0, 3)
        fights.begin()
        assert len(sent()) == 4
        assert b"+attack Bench0000=" in bram.transport.sent[-1]

    asyncio.run(play())


@pytest.mark.parametrize(
    ("goal", "ours", "met"),
    [
        (Goal("ratio", "least", 0.5), 50, True),
        (Goal("ratio", "least", 0.5), 49, False),
        (Goal("ratio", "most", 0.5), 51, False),
        (Goal("ours", "least", 60), 60, True),
        (Goal("ours", "most", 60), 61, False),
        (None, 1, None),
    ],
)
def test_a_goal_is_of_the_ratio_or_of_ours(
    goal: Goal | None, ours: float, met: bool | None
) -> None:
    assert row(goal, ours, against=100).met is met


def test_a_goal_of_a_ratio_is_missed_when_there_is_none() -> None:
    missed = row(Goal("ratio", "most", 2), 1)
    assert (missed.ratio, missed.cpu_ratio, missed.met) == (None, None, False)


def test_the_table_marks_what_is_missed() -> None:
    rows = [
        row(Goal("ratio", "least", 0.5), 70, 100),
        row(Goal("ours", "most", 9), 10, 4, "ms"),
        row(None, 5),
    ]
    lines = table(rows).splitlines()
    assert lines[2].split()[-4:] == ["ratio", ">=", "0.5", "met"]
    assert lines[3].split()[-3:] == ["<=", "9", "MISSED"]
    assert lines[4].split() == ["what", "/s", "5.00"]
