"""Checking an exported transcript without trusting whoever exported it.

What is checked: each row against its digest, the digests against the chain, the chain against
the footer and against a head that was noted when the scene closed; each seed against the
commitment shown at the opening; every die against the seed. See `docs/trust.md`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from mushcombat.domain.dice import Throw, commitment, reroll, scene_key
from mushcombat.domain.ledger import GENESIS, Row, digest, link

FORMAT = 1
"""Version of the exported lines."""

_ROW_KEYS = frozenset(Row.__slots__)
_NUMBERS = ("scene", "seq", "action", "era", "dice_from", "dice_to")


class AlteredError(Exception):
    """A line of a transcript does not hold; `line` counts from 1."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(f"line {line}: {text}")
        self.line = line


@dataclass(slots=True)
class Verified:
    """What was checked: rows and dice, and the eras whose seed is not shown yet."""

    head: str = GENESIS
    rows: int = 0
    withheld: int = 0
    dice: int = 0
    unproved: int = 0


@dataclass(slots=True)
class _Eras:
    """Commitments and seeds, by era."""

    commitments: dict[int, str] = field(default_factory=dict)
    keys: dict[int, bytes] = field(default_factory=dict)


def verify(lines: Iterable[str], again: Iterable[str], head: str | None = None) -> Verified:
    """Check a transcript, handed over twice: seeds stand at its end, dice all through it.

    Raises AlteredError for the first line that does not hold.
    """
    eras = _chain_eras(lines)
    return _Verifier(eras).run(again, head)


def _chain_eras(lines: Iterable[str]) -> _Eras:
    """Gather commitments and seeds; a seed that does not fit its commitment is altered."""
    eras = _Eras()
    for number, value in _objects(lines):
        payload = value.get("payload")
        if value.get("type") != "row" or not isinstance(payload, dict):
            continue  # only what is hashed counts
        if value.get("kind") == "scene.opened":
            _take_commitment(eras, number, payload)
        if value.get("kind") == "scene.closed":
            _take_seed(eras, number, payload)
    return eras


def _era(number: int, payload: Mapping[str, Any]) -> int:
    era = payload.get("era")
    if type(era) is not int:
        raise AlteredError(number, "the era is no number")
    return era


def _take_commitment(eras: _Eras, number: int, payload: Mapping[str, Any]) -> None:
    shown = str(payload.get("commitment"))
    if eras.commitments.setdefault(_era(number, payload), shown) != shown:
        raise AlteredError(number, "another commitment was shown before")


def _take_seed(eras: _Eras, number: int, payload: Mapping[str, Any]) -> None:
    era = _era(number, payload)
    try:
        seed = bytes.fromhex(str(payload.get("seed")))
        shown = commitment(seed)
    except ValueError:
        raise AlteredError(number, "the seed is no seed of 32 bytes") from None
    if eras.commitments.get(era) != shown:
        raise AlteredError(number, "the seed does not fit the commitment shown at the opening")
    eras.keys[era] = scene_key(seed)


class _Verifier:
    """Goes through the lines once, in order."""

    def __init__(self, eras: _Eras) -> None:
        self._eras = eras
        self._done = Verified()
        self._seq = 0
        self._scene: object = None
        self._next_die: dict[int, int] = {}
        self._hidden = False  # a withheld row since the last one shown may own dice
        self._ended = False

    def run(self, lines: Iterable[str], head: str | None) -> Verified:
        number = 0
        for number, value in _objects(lines):
            self._line(number, value)
        if not self._ended:
            raise AlteredError(number + 1, "the end is missing: the transcript was cut short")
        if head is not None and head.strip().lower() != self._done.head:
            raise AlteredError(number, f"the chain ends in {self._done.head}, not in that head")
        return self._done

    def _line(self, number: int, value: Mapping[str, Any]) -> None:
        kind = value.get("type")
        if self._ended:
            raise AlteredError(number, "something stands behind the end")
        if number == 1:
            self._scene = value.get("scene")
            self._expect(number, kind == "transcript" and value.get("format") == FORMAT, "header")
        elif kind == "row":
            self._row(number, value)
        elif kind == "withheld":
            self._done.withheld += 1
            self._hidden = True
            self._link(number, value, str(value.get("digest")))
        else:
            self._expect(number, kind == "end", "row")
            self._end(number, value)

    def _row(self, number: int, value: Mapping[str, Any]) -> None:
        row = {key: value[key] for key in _ROW_KEYS if key in value}
        self._expect(number, len(row) == len(_ROW_KEYS), "row")
        self._expect(number, all(type(row[key]) is int for key in _NUMBERS), "row")
        self._expect(number, row["scene"] == self._scene, "row")
        try:
            computed = digest(str(value.get("salt")), row)
        except (ValueError, RecursionError):
            raise AlteredError(number, "the row and its salt can't be hashed") from None
        if computed != value.get("digest"):
            raise AlteredError(number, "the row was altered: its digest is another one")
        self._done.rows += 1
        self._link(number, value, computed)
        self._dice(number, row)

    def _link(self, number: int, value: Mapping[str, Any], row_digest: str) -> None:
        self._seq += 1
        if value.get("seq") != self._seq:
            raise AlteredError(number, f"row {self._seq} of the log is missing")
        try:
            self._done.head = link(self._done.head, row_digest)
        except ValueError:
            raise AlteredError(number, "the digest is not one") from None

    def _dice(self, number: int, row: Mapping[str, Any]) -> None:
        """Throw a row's dice again; die numbers go up, and belong to one row each."""
        era, at = row["era"], row["dice_from"]
        try:
            throws = throws_in(row["payload"])
        except ValueError:
            raise AlteredError(number, "these are no dice") from None
        if at < self._next_die.get(era, 0):
            raise AlteredError(number, "these dice were thrown before")
        if at > self._next_die.get(era, 0) and not self._hidden:
            raise AlteredError(number, "dice were thrown before it that no row shows")
        for throw in throws:
            if throw.start != at or throw.start + len(throw.faces) > row["dice_to"]:
                raise AlteredError(number, "these dice are not the row's own")
            at = throw.start + len(throw.faces)
            self._throw(number, era, throw)
        if at != row["dice_to"]:
            raise AlteredError(number, "it owns dice that it does not show")
        self._next_die[era], self._hidden = row["dice_to"], False

    def _throw(self, number: int, era: int, throw: Throw) -> None:
        if era not in self._eras.commitments:
            raise AlteredError(number, "no commitment was shown for these dice")
        key = self._eras.keys.get(era)
        if key is None:
            self._done.unproved += len(throw.faces)
            return
        try:
            honest = reroll(key, throw)
        except ValueError:
            raise AlteredError(number, f"no die has {throw.sides} sides") from None
        if honest != throw:
            raise AlteredError(number, "the dice of the seed fell otherwise")
        self._done.dice += len(throw.faces)

    def _end(self, number: int, value: Mapping[str, Any]) -> None:
        self._ended = True
        if value.get("head") != self._done.head:
            raise AlteredError(number, "the head is not that of the rows")
        counts = (value.get("rows"), value.get("withheld"))
        if counts != (self._done.rows, self._done.withheld):
            raise AlteredError(number, "the counts are not those of the rows")

    @staticmethod
    def _expect(number: int, good: bool, what: str) -> None:  # noqa: FBT001 -- an assertion
        if not good:
            raise AlteredError(number, f"this is no {what} of a transcript")


def _objects(lines: Iterable[str]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, line in enumerate(lines, 1):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            raise AlteredError(number, "this is not JSON") from None
        if not isinstance(value, dict):
            raise AlteredError(number, "this is not a JSON object")
        yield number, value


def throws_in(value: object) -> list[Throw]:
    """Find every throw in a payload, however deep, in the order of the dice.

    Raises ValueError for what is none.
    """
    found: list[Throw] = []
    todo = [value]
    while todo:
        here = todo.pop()
        if isinstance(here, dict):
            if {"start", "label", "sides", "faces"} <= here.keys():
                found.append(_throw_of(here))
            else:
                todo += here.values()
        elif isinstance(here, list):
            todo += here
    return sorted(found, key=lambda throw: throw.start)


def _throw_of(value: Mapping[str, Any]) -> Throw:
    start, sides, faces = value["start"], value["sides"], value["faces"]
    numbers = [start, sides, *(faces if isinstance(faces, list) else [None])]
    if not all(type(n) is int for n in numbers) or not isinstance(value["label"], str):
        raise ValueError("these are no dice")
    return Throw(start, value["label"], sides, tuple(faces))
