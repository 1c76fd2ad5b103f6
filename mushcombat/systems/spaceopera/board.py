"""The board: squares of about 1 m, eight facings, and who has whom in which arc (SO-1 to SO-3).

x grows to the east, y to the north. A facing or bearing is 0 for north, then by 45 degrees
clockwise to 7. No I/O, no fighters: figures are squares with a facing.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Literal

from mushcombat.records import record

NAMES = (
    "north",
    "north-east",
    "east",
    "south-east",
    "south",
    "south-west",
    "west",
    "north-west",
)
"""Facings in words, by their number."""

ARROWS = "↑↗→↘↓↙←↖"
"""Facings as arrows, by their number."""

_SHORT = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
_STEPS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))

Arc = Literal["front", "left", "right", "rear"]
Square = tuple[int, int]

TOUCHING = 1


@record(frozen=True, slots=True)
class Figure:
    """Where somebody stands, and which way they face."""

    x: int
    y: int
    facing: int

    @property
    def square(self) -> Square:
        """The square of the figure."""
        return self.x, self.y


def read_direction(typed: str) -> int | None:
    """Read a direction: a name, its letters, with or without a hyphen; None for no direction."""
    word = typed.strip().casefold().replace("-", "").replace(" ", "")
    names = [name.replace("-", "") for name in NAMES]
    if word in names:
        return names.index(word)
    return _SHORT.index(word) if word in _SHORT else None


def step(square: Square, direction: int, squares: int = 1) -> Square:
    """Give the square so many squares away in a direction."""
    across, up = _STEPS[direction]
    return square[0] + squares * across, square[1] + squares * up


def distance(one: Square, other: Square) -> int:
    """Give the squares between two, a diagonal one counting as one; 1 touches."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def bearing(origin: Square, target: Square) -> int:
    """Give the bearing of another square, rounded to the nearest 45 degrees (SO-2)."""
    across, up = target[0] - origin[0], target[1] - origin[1]
    return round(math.atan2(across, up) / (math.pi / 4)) % len(NAMES)


def arc(figure: Figure, other: Square) -> Arc:
    """Give the arc of a figure that another square is in (SO-2)."""
    turned = (bearing(figure.square, other) - figure.facing) % len(NAMES)
    if turned in {7, 0, 1}:
        return "front"
    return "right" if turned == 2 else "left" if turned == 6 else "rear"


def off_side(*, left_handed: bool) -> Arc:
    """Give the side of the off hand (SO-3)."""
    return "right" if left_handed else "left"


def free_square(around: Square, apart: int, taken: Collection[Square]) -> Square:
    """Find the first free square so far from one: east first, then round by 45 degrees, then out.

    There always is one: whoever finds no room in a ring stands in the next.
    """
    order = (2, 6, 0, 4, 1, 5, 3, 7)
    while True:
        for direction in order:
            square = step(around, direction, apart)
            if square not in taken:
                return square
        apart += 1


def path(start: Square, direction: int, squares: int, taken: Collection[Square]) -> Square:
    """Walk up to so many squares in a direction; who stands in the way stops it before them."""
    for _ in range(squares):
        ahead = step(start, direction)
        if ahead in taken:
            break
        start = ahead
    return start


def approach(start: Square, goal: Square, squares: int, taken: Collection[Square]) -> Square:
    """Walk up to so many squares toward another one, until it is touched or the way is barred."""
    for _ in range(squares):
        if distance(start, goal) <= TOUCHING:
            break
        start = path(start, bearing(start, goal), 1, taken)
    return start
