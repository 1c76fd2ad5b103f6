from __future__ import annotations

import ctypes
import gc
import weakref
from types import SimpleNamespace

import pytest

from mushcombat.net.memory import LARGE, MANY, give_back_large_blocks, stop_searching_what_stays


def test_glibc_is_told_once_from_which_size_on_blocks_go_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[tuple[int, int]] = []

    def mallopt(option: int, value: int) -> int:
        told.append((option, value))
        return 1

    monkeypatch.setattr(ctypes, "CDLL", lambda _: SimpleNamespace(mallopt=mallopt))
    assert give_back_large_blocks()
    assert told == [(-3, LARGE)]


@pytest.mark.parametrize("library", [SimpleNamespace(), OSError("no such library")])
def test_another_library_is_left_alone(monkeypatch: pytest.MonkeyPatch, library: object) -> None:
    def load(_: None) -> object:
        if isinstance(library, OSError):
            raise library
        return library

    monkeypatch.setattr(ctypes, "CDLL", load)
    assert not give_back_large_blocks()


class Ring:
    """Refers to itself: only a search finds that nobody else does."""

    def __init__(self) -> None:
        self.me = self


def test_what_is_there_at_the_start_is_not_searched_and_what_comes_later_is() -> None:
    before, stays = gc.get_threshold(), Ring()
    early, late = weakref.ref(stays), None
    try:
        stop_searching_what_stays()
        del stays
        late = weakref.ref(Ring())
        gc.collect()
        assert gc.get_threshold()[0] == MANY
        assert early() is not None
        assert late() is None
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)
    gc.collect()
    assert early() is None
