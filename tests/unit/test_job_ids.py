from __future__ import annotations

import re
import time

import pytest

from mushcombat.job_ids import job_id


def test_an_id_is_32_hexadecimal_digits_the_width_of_its_column() -> None:
    assert re.fullmatch("[0-9a-f]{32}", job_id())


def test_no_two_are_alike_even_in_the_same_nanosecond(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time_ns", lambda: 1_780_000_000_000_000_000)
    assert len({job_id() for _ in range(10_000)}) == 10_000


@pytest.mark.parametrize("at", [0, 15, 16, 1_780_000_000_000_000_000, 2**63])
def test_later_ones_sort_behind_earlier_ones(monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    ids = []
    for now in (at, at + 1, at + 1_000_000):
        monkeypatch.setattr(time, "time_ns", lambda now=now: now)
        ids.append(job_id())
    assert ids == sorted(ids)
