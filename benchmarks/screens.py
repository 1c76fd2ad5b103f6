"""One line to 500 viewers on 8 kinds of screen: `python -m benchmarks.screens`.

Counts how often it is rendered, and compares the time with that of 500 viewers on one kind, in
turns, and with what rendering for each viewer would take. Nothing is sent anywhere.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from statistics import median

from mushcombat import rulebook
from mushcombat.config import Config
from mushcombat.domain.character import Actor, Role
from mushcombat.domain.events import Audience, Fact, Spoken, Who
from mushcombat.domain.ports import Place
from mushcombat.domain.screen import PLAIN, TRUE_COLOURS, Kind
from mushcombat.net.publisher import Publisher
from mushcombat.service.presence import Presence
from mushcombat.service.world import World
from mushcombat.views.plain import PlainView, Side
from mushcombat.views.spoken import SpokenView

VIEWERS, ROUNDS, LINES, ROOM = 500, 9, 40, 1
KINDS = (
    PLAIN,
    Kind(width=79, colours=16),
    Kind(width=99, colours=TRUE_COLOURS),
    Kind(width=79, colours=256),
    Kind("latin-1", width=79),
    Kind("ascii"),
    Kind(reader=True),
    Kind(width=39, colours=256, brief=True),
)
POSE = "ducks behind the crates, counts to three – “now!” – and looks round the corner. " * 3
"""Longer than a line, with quotes that Latin-1 lacks: nothing of it takes a fast path."""


class Screen:
    """A connection that takes bytes and forgets them."""

    behind = False

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.taken = 0

    def judge(self) -> None:
        """Stay what it is."""

    def write(self, data: bytes) -> None:
        """Count what comes."""
        self.taken += len(data)


class Counting(Publisher):
    """Counts what it renders."""

    renders = 0

    def _rendered(self, fact: Fact, side: Side, kind: Kind, *, signed: bool = False) -> bytes:
        self.renders += 1
        return super()._rendered(fact, side, kind, signed=signed)


def full_room(kinds: tuple[Kind, ...]) -> World:
    """Put so many viewers in a room, on these kinds of screen in turn."""
    world, now = World(), datetime.now(UTC)
    world.load([Place(ROOM, "Hall", "start", "")], [])
    for number in range(VIEWERS):
        actor = Actor(number + 10, f"Viewer{number}", Role.PLAYER, number + 10)
        presence = Presence(actor, ROOM, "", "", now, now)
        presence.screens.append(Screen(kinds[number % len(kinds)]))
        world.arrive(presence)
    return world


def line() -> Fact:
    """Give what somebody poses whom nobody of them is."""
    at = datetime.now(UTC)
    return Fact(Spoken("pose", POSE), Who(1, "Ada"), at, Audience.ROOM, ROOM)


def spent(work: Callable[[], None]) -> float:
    """Give the milliseconds of processor of one call, of many."""
    start = time.process_time()
    for _ in range(LINES):
        work()
    return (time.process_time() - start) * 1000 / LINES


def publisher(kinds: tuple[Kind, ...], view: PlainView, spoken: SpokenView) -> Counting:
    """Make one for a room full of viewers on these kinds."""
    return Counting(full_room(kinds), view, spoken)


def main() -> int:
    """Print the count and the ratios; exit status 1 for more renders than kinds."""
    book = rulebook.load_rulebook(Config())
    one = publisher((PLAIN,), book.view, book.spoken)
    many = publisher(KINDS, book.view, book.spoken)
    fact = line()
    many.publish([fact])
    renders = many.renders

    def each() -> None:
        for number in range(VIEWERS):
            many._rendered(fact, Side.OTHER, KINDS[number % len(KINDS)])

    rounds = [
        (spent(lambda: one.publish([fact])), spent(lambda: many.publish([fact])), spent(each))
        for _ in range(ROUNDS)
    ]
    more = median(kinds / alone for alone, kinds, _ in rounds)
    saved = median(viewers / kinds for _, kinds, viewers in rounds)
    alone, kinds = (median(r[at] for r in rounds) for at in (0, 1))
    print(f"one line to {VIEWERS} viewers on {len(KINDS)} kinds of screen: {renders} renders")
    print(f"time against one kind of screen: {more:.2f} ({kinds:.2f} ms against {alone:.2f} ms)")
    print(f"rendering for each viewer instead would take {saved:.1f} times as long")
    return 0 if renders <= len(KINDS) else 1


if __name__ == "__main__":
    sys.exit(main())
