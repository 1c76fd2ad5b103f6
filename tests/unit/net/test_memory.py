from __future__ import annotations

import ctypes
from types import SimpleNamespace

import pytest

from mushcombat.net.memory import LARGE, give_back_large_blocks


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
