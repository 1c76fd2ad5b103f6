"""Dice that can be checked afterwards: a secret committed to beforehand, and a number per die.

A scene has 32 random bytes, its seed. Their SHA-256 is shown when it opens (the commitment), the
seed itself when it closes; anyone can then throw every die of the log again and compare.
Nothing here draws a random number: seeds, and the source for dice outside scenes, are handed in.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from mushcombat.records import record

SEED_BYTES = 32
FEWEST_SIDES, MOST_SIDES = 2, 256

_KEY_PREFIX = b"mushcombat dice key 1"
"""Keeps the key apart from the commitment: without it, SHA-256 of a bare seed would be both."""


@record(frozen=True, slots=True)
class Throw:
    """Dice thrown at once.

    `start` is the number of the first die in its scene (each die has one number; 0 outside
    scenes); `label` says what for, in our own words; each face is 1..`sides`.
    """

    start: int
    label: str
    sides: int
    faces: tuple[int, ...]


class Dice(Protocol):
    """Where throws come from."""

    def throw(self, count: int, sides: int, label: str) -> Throw:
        """Throw `count` dice (1 or more) of `sides` sides (2..256)."""
        ...


def commitment(seed: bytes) -> str:
    """Give what is shown of a seed beforehand: its SHA-256, in hex.

    Raises ValueError if the seed does not have 32 bytes.
    """
    return hashlib.sha256(_checked(seed)).hexdigest()


def scene_key(seed: bytes, words: Sequence[str] = ()) -> bytes:
    """Make the key of a scene's dice from its seed and the players' words, in their order.

    SHA-256 of: a fixed prefix, the seed, then each word as UTF-8 behind its length in bytes
    (4 bytes, the high one first), so that ("ab", "c") and ("a", "bc") differ. The prefix makes the
    key another value than the public commitment. Raises ValueError if the seed does not
    have 32 bytes.
    """
    digest = hashlib.sha256(_KEY_PREFIX + _checked(seed))
    for word in words:
        data = word.encode()
        digest.update(len(data).to_bytes(4, "big") + data)
    return digest.digest()


def die(key: bytes, n: int, label: str, sides: int) -> int:
    """Give the face, 1..`sides`, of a scene's die number `n`.

    The bytes of HMAC-SHA256(key, "n:label") are gone through in order. One at or over the
    largest multiple of `sides` within 256 is skipped, since it would favour low faces; the first
    one left decides. Should all 32 be skipped, "n:label:1" follows, then "n:label:2", ...
    Raises ValueError if `sides` is not 2..256.
    """
    _check_sides(sides)
    fair = MOST_SIDES - MOST_SIDES % sides
    return next(byte for byte in _stream(key, f"{n}:{label}") if byte < fair) % sides + 1


def reroll(key: bytes, throw: Throw) -> Throw:
    """Throw again what a log says was thrown; with the right key the result is equal.

    Raises ValueError if the sides are not 2..256.
    """
    return _thrown(key, throw.start, len(throw.faces), throw.sides, throw.label)


class SceneDice:
    """The dice of one scene: each throw uses up the next numbers."""

    def __init__(self, key: bytes, counter: int) -> None:
        """Go on with the die numbered `counter`, the first one that was never thrown."""
        self._key = key
        self._counter = counter

    @property
    def counter(self) -> int:
        """The number of the next die; it never goes back."""
        return self._counter

    def throw(self, count: int, sides: int, label: str) -> Throw:
        """Throw `count` dice; ValueError for less than one die or sides not 2..256."""
        thrown = _thrown(self._key, self._counter, _at_least_one(count), sides, label)
        self._counter += count
        return thrown


class FreeDice:
    """Dice outside scenes: nobody logs them, so they have no numbers and `start` is 0."""

    def __init__(self, randbelow: Callable[[int], int]) -> None:
        """Take a source: `randbelow(n)` gives each of 0..n-1 alike."""
        self._randbelow = randbelow

    def throw(self, count: int, sides: int, label: str) -> Throw:
        """Throw `count` dice; ValueError for less than one die or sides not 2..256."""
        _check_sides(sides)
        faces = tuple(self._randbelow(sides) + 1 for _ in range(_at_least_one(count)))
        return Throw(start=0, label=label, sides=sides, faces=faces)


def _thrown(key: bytes, start: int, count: int, sides: int, label: str) -> Throw:
    faces = tuple(die(key, n, label, sides) for n in range(start, start + count))
    return Throw(start=start, label=label, sides=sides, faces=faces)


def _stream(key: bytes, message: str) -> Iterator[int]:
    """Give bytes without end, 32 from each message."""
    yield from hmac.digest(key, message.encode(), "sha256")
    again = 0
    while True:
        again += 1
        yield from hmac.digest(key, f"{message}:{again}".encode(), "sha256")


def _checked(seed: bytes) -> bytes:
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
    return seed


def _check_sides(sides: int) -> None:
    if not FEWEST_SIDES <= sides <= MOST_SIDES:
        raise ValueError(f"a die has {FEWEST_SIDES} to {MOST_SIDES} sides, not {sides}")


def _at_least_one(count: int) -> int:
    if count < 1:
        raise ValueError(f"one die or more is thrown, not {count}")
    return count
