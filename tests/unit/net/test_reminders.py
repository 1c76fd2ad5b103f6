from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from mushcombat.config import Config, Scenes
from mushcombat.domain.events import Audience, Fact, Spoken
from mushcombat.domain.scene import Scene
from mushcombat.net.reminders import EVERY, Reminders
from tests.unit.net.fakes import Link, Table, quick_hashing
from tests.unit.support import ADA, BRAM, NOW, RHEA, START, scene_of, who

HOUR = timedelta(hours=1)


class Watch:
    """A scene with Ada in its room, whose last pose was some time ago."""

    def __init__(self, ago: timedelta | None, config: Config | None = None, **changes: Any):
        scene: Scene = scene_of(ADA, BRAM, RHEA, **changes)
        self.table = Table(scene, config=config)
        self.now = NOW
        self.table.game.clock = lambda: self.now
        if ago is not None:
            self.pose(NOW - ago)
        self.reminders = Reminders(self.table.game)
        self.reminders.start()

    def pose(self, at: datetime) -> None:
        log = self.table.store.logs.setdefault(7, [])
        number = len(log) + 1
        fact = Fact(
            Spoken("pose", "x"),
            who(ADA),
            at,
            Audience.ROOM,
            START,
            7,
            number,
            number,
        )
        log.append(fact)

    def enters(self) -> Link:
        return self.table.inside()[1]

    def later(self, span: timedelta) -> None:
        """Let time go by, and the reminders look."""
        self.now += span
        self.table.reactor.advance(EVERY)


Make = Callable[..., Watch]


@pytest.fixture
def watch_of(monkeypatch: pytest.MonkeyPatch) -> Make:
    def make(*args: Any, **kwargs: Any) -> Watch:
        made = Watch(*args, **kwargs)
        quick_hashing(monkeypatch, made.table)
        return made

    return make


SAID = '[Scene] Nobody has posed in scene 7 "Night Watch" for {}. +scene/pause lets it rest, '


def test_an_idle_scenes_room_is_reminded_once_in_a_span(watch_of: Make) -> None:
    watch = watch_of(HOUR * 0.5)
    link = watch.enters()
    watch.later(HOUR * 0.25)
    assert link.seen() == []
    watch.later(HOUR * 0.25)
    assert link.seen()[0].startswith(SAID.format("1h"))
    watch.later(HOUR * 0.5)
    assert link.seen() == []
    watch.later(HOUR * 0.5)
    assert link.seen()[0].startswith(SAID.format("2h"))


def test_a_pose_begins_the_span_anew(watch_of: Make) -> None:
    watch = watch_of(HOUR * 2)
    link = watch.enters()
    watch.later(HOUR * 0)
    assert len(link.seen()) == 1
    watch.pose(NOW)
    watch.later(HOUR * 0.9)
    assert link.seen() == []
    watch.later(HOUR * 0.1)
    assert link.seen()[0].startswith(SAID.format("1h"))


@pytest.mark.parametrize(
    ("pacing", "silent", "told"),
    [
        ("live", 59 * HOUR / 60, HOUR),
        ("relaxed", HOUR * 23, HOUR * 24),
        ("slow", HOUR * 167, HOUR * 168),
    ],
)
def test_the_span_is_that_of_the_scenes_pacing(
    watch_of: Make, pacing: str, silent: timedelta, told: timedelta
) -> None:
    for ago, count in ((silent, 0), (told, 1)):
        watch = watch_of(ago, pacing=pacing)
        link = watch.enters()
        watch.later(HOUR * 0)
        assert len(link.seen()) == count


def test_a_scene_in_which_nobody_ever_posed_is_idle_since_its_opening(watch_of: Make) -> None:
    watch = watch_of(None)
    link = watch.enters()
    watch.later(HOUR)
    assert link.seen()[0].startswith(SAID.format("1h"))


def test_a_span_of_zero_and_a_pause_keep_silent(watch_of: Make) -> None:
    never = Config(scenes=Scenes(live=0))
    for watch in (watch_of(HOUR * 9, never), watch_of(HOUR * 9, paused=True)):
        link = watch.enters()
        watch.later(HOUR)
        assert link.seen() == []


def test_the_store_is_not_asked_where_nobody_is(
    watch_of: Make, caplog: pytest.LogCaptureFixture
) -> None:
    watch = watch_of(HOUR * 9)
    watch.table.readers.fault = RuntimeError("the store was read")
    watch.later(HOUR)
    assert caplog.records == []
    watch.table.readers.fault = None
    link = watch.enters()
    watch.later(HOUR)
    assert link.seen()[0].startswith(SAID.format("11h"))


def test_a_database_that_cannot_be_read_does_not_end_the_looking(
    watch_of: Make, caplog: pytest.LogCaptureFixture
) -> None:
    watch = watch_of(HOUR * 9)
    link = watch.enters()
    watch.table.readers.fault = RuntimeError("gone")
    watch.later(HOUR)
    assert caplog.messages == ["looking for idle scenes failed: gone"]
    watch.table.readers.fault = None
    watch.later(HOUR)
    assert len(link.seen()) == 1
    watch.reminders.stop()
    watch.reminders.stop()
    watch.later(HOUR * 9)
    assert link.seen() == []
