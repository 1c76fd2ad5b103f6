from __future__ import annotations

import resource

import pytest

from mushcombat.config import Limits
from mushcombat.net.descriptors import OURS, fitted


class System:
    """A system with limits of open files."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, soft: int, hard: int) -> None:
        self.now = (soft, hard)
        monkeypatch.setattr(resource, "getrlimit", lambda _: self.now)
        monkeypatch.setattr(resource, "setrlimit", self._set)

    def _set(self, _: int, limits: tuple[int, int]) -> None:
        self.now = limits


def test_as_many_files_are_asked_for_as_all_connections_need(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    system = System(monkeypatch, 1024, 500_000)
    limits = Limits(connections=4000)
    assert fitted(limits) == limits
    assert system.now == (4000 + OURS, 500_000)


def test_where_the_system_allows_less_fewer_connections_are_let_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    System(monkeypatch, 1024, 2048)
    assert fitted(Limits(connections=4000)).connections == 2048 - OURS


def test_without_a_limit_of_ours_the_system_has_the_last_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    System(monkeypatch, 1024, 2048)
    assert fitted(Limits(connections=0)).connections == 2048 - OURS
    system = System(monkeypatch, 1024, resource.RLIM_INFINITY)
    assert fitted(Limits(connections=0)).connections == 0
    assert system.now[0] == resource.RLIM_INFINITY


def test_a_limit_that_is_high_enough_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    system = System(monkeypatch, 8192, 8192)
    limits = Limits(connections=4000)
    assert fitted(limits) == limits
    assert system.now == (8192, 8192)
