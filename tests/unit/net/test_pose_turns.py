from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mushcombat.domain.pot import Waiting
from mushcombat.net.pose_turns import PoseTurns
from mushcombat.net.session import Session
from tests.unit.net.fakes import Link, Table, quick_hashing, type_
from tests.unit.support import ADA, BRAM, RHEA, scene_of

YOURS = "[Pot] You have waited longest in scene 7: your pose. (+pot)"


class Ring:
    """A scene that keeps an order, with Ada, Bram and the referee Rhea connected."""

    def __init__(self, order: str = "order") -> None:
        scene = scene_of(ADA, BRAM, RHEA, referees=[RHEA], pose_order=order)
        self.table = Table(scene)
        self.table.game.shown = PoseTurns(self.table.game).look
        self.sessions: dict[str, tuple[Session, Link]] = {}

    def enter(self) -> Ring:
        """Let all three log in."""
        for name in ("Ada", "Bram", "Rhea"):
            self.sessions[name] = self.table.inside(name)
        self.heard()
        return self

    def heard(self) -> dict[str, list[str]]:
        """Give who was told that it is their turn, and how often."""
        links: dict[str, Link] = {name: link for name, (_, link) in self.sessions.items()}
        told = {name: [s for s in link.seen() if "[Pot] You" in s] for name, link in links.items()}
        return {name: lines for name, lines in told.items() if lines}

    def type(self, name: str, line: str) -> dict[str, list[str]]:
        type_(self.sessions[name][0], line)
        return self.heard()


Make = Callable[..., Ring]


@pytest.fixture
def ring_of(monkeypatch: pytest.MonkeyPatch) -> Make:
    def make(*args: Any, **kwargs: Any) -> Ring:
        made = Ring(*args, **kwargs)
        quick_hashing(monkeypatch, made.table)
        return made.enter()

    return make


def test_the_next_one_is_told_and_nobody_else(ring_of: Make) -> None:
    ring = ring_of()
    assert ring.type("Ada", "pose waves.") == {"Bram": [YOURS]}
    assert ring.type("Bram", "pose nods.") == {"Ada": [YOURS]}


def test_one_is_told_once_for_a_turn(ring_of: Make) -> None:
    ring = ring_of()
    ring.type("Ada", "pose waves.")
    assert ring.type("Ada", "pose waves again.") == {}
    ring.type("Bram", "pose nods.")
    assert ring.type("Ada", "pose waves.") == {"Bram": [YOURS]}


def test_what_is_said_out_of_character_moves_nothing(ring_of: Make) -> None:
    ring = ring_of()
    assert ring.type("Ada", "ooc brb") == {}
    assert ring.type("Ada", "+pot") == {}


def test_a_turn_that_is_passed_over_is_the_next_ones(ring_of: Make) -> None:
    ring = ring_of()
    ring.type("Ada", "pose waves.")
    assert ring.type("Rhea", "+pot/skip bram") == {"Ada": [YOURS]}


@pytest.mark.parametrize("order", ["free", "3-per"])
def test_nobody_is_told_in_a_scene_that_keeps_no_order(ring_of: Make, order: str) -> None:
    ring = ring_of(order)
    assert ring.type("Ada", "pose waves.") == {}


def test_who_is_alone_is_never_told_that_it_is_their_turn_again(ring_of: Make) -> None:
    ring = ring_of()
    ring.table.world.depart(ring.table.world.online[BRAM.id])
    assert ring.type("Ada", "pose waves.") == {}


def test_a_log_that_cannot_be_read_is_no_reason_to_tell_anybody(
    ring_of: Make, caplog: pytest.LogCaptureFixture
) -> None:
    ring = ring_of()
    ring.table.readers.fault = RuntimeError("gone")
    assert ring.type("Ada", "pose waves.") == {}
    assert caplog.messages == ["looking for whose pose it is failed: gone"]


def test_nobody_is_told_of_a_scene_that_is_closed_meanwhile(ring_of: Make) -> None:
    ring = ring_of()
    turns = PoseTurns(ring.table.game)
    turns._tell(8, ADA.id, Waiting(BRAM.id, "Bram"))
    assert ring.heard() == {}
    turns._tell(7, ADA.id, Waiting(BRAM.id, "Bram"))
    assert ring.heard() == {"Bram": [YOURS]}
