from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from twisted.internet.task import Clock

from mushcombat.net.flood import Allowance


def test_so_many_at_once_are_allowed_and_then_so_many_a_second() -> None:
    clock = Clock()
    allowance = Allowance(2, 5, clock.seconds)
    assert [allowance.take() for _ in range(7)] == [True] * 5 + [False] * 2
    clock.advance(1)
    assert [allowance.take() for _ in range(3)] == [True, True, False]
    clock.advance(1000)
    assert [allowance.take() for _ in range(6)] == [True] * 5 + [False]


def test_what_is_refused_costs_nothing() -> None:
    clock = Clock()
    allowance = Allowance(1, 3, clock.seconds)
    assert not allowance.take(4)
    assert allowance.take(3)


@given(waits=st.lists(st.floats(0, 3), max_size=60))
def test_nobody_gets_more_than_the_burst_and_the_rate(waits: list[float]) -> None:
    clock = Clock()
    allowance = Allowance(4, 10, clock.seconds)
    taken = 0
    for wait in waits:
        clock.advance(wait)
        taken += allowance.take()
    assert taken <= 10 + 4 * clock.seconds() + 1e-6
