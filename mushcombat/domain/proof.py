"""Checking an exported transcript without trusting whoever exported it.

What is checked: each row against its digest, the digests against the chain, the chain against
the footer and against a head that was noted when the scene closed; each era's seed against the
commitment shown at its opening; every die against seed and players' words. See `docs/trust.md`.
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
_ROW = _ROW_KEYS | {"type", "salt", "digest"}
_WITHHELD = frozenset({"type", "seq", "digest"})
_END = frozenset({"type", "head", "rows", "withheld"})
_NUMBERS = ("scene", "seq", "action", "era", "dice_from", "dice_to")
_OPENING, _REOPENING, _CLOSING, _WORDS = (
    "scene.opened",
    "scene.reopened",
    "scene.closed",
    "dice.words",
)


class AlteredError(Exception):
    """A line of a transcript does not hold; `line` counts from 1."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(f"line {line}: {text}")
        self.line = line


@dataclass(slots=True)
class Verified:
    """What was checked: rows, and dice.

    `dice` fell as the seed of their era says; of these `uncommitted` ones the commitment is
    withheld. `unproved` are dice whose seed, or words that are in their key, are not shown.
    """

    head: str = GENESIS
    rows: int = 0
    withheld: int = 0
    dice: int = 0
    unproved: int = 0
    uncommitted: int = 0


def verify(lines: Iterable[str], again: Iterable[str], head: str | None = None) -> Verified:
    """Check a transcript, handed over twice: seeds stand at its end, dice all through it.

    Raises AlteredError for the first line that does not hold.
    """
    return _Verifier(_Eras.of(lines)).run(again, head)


@dataclass(slots=True)
class _Eras:
    """What binds the dice, by era; what does not fit, by line, to be told when that is reached."""

    commitments: dict[int, str] = field(default_factory=dict)
    words: dict[int, list[str]] = field(default_factory=dict)
    keys: dict[int, bytes] = field(default_factory=dict)
    problems: dict[int, str] = field(default_factory=dict)
    withheld: bool = False

    @classmethod
    def of(cls, lines: Iterable[str]) -> _Eras:
        """Gather from a transcript, up to the first line that can't be read."""
        eras = cls()
        try:
            for number, value in _objects(lines):
                eras._take(number, value)
        except AlteredError:
            pass  # whoever goes through the lines in order comes upon it
        return eras

    def _take(self, number: int, value: Mapping[str, Any]) -> None:
        self.withheld |= value.get("type") == "withheld"
        payload, kind = value.get("payload"), value.get("kind")
        if value.get("type") != "row" or not isinstance(payload, dict):
            return  # only what is hashed counts
        takes = {
            _OPENING: self._commitment,
            _REOPENING: self._commitment,
            _WORDS: self._word,
            _CLOSING: self._seed,
        }
        take = takes.get(kind) if isinstance(kind, str) else None
        if take is None:
            return
        era = payload.get("era")
        problem = take(era, payload) if type(era) is int else "the era is no number"
        if not problem and era != value.get("era"):
            problem = "the row belongs to another era than it says"
        if problem:
            self.problems[number] = problem

    def _commitment(self, era: int, payload: Mapping[str, Any]) -> str:
        shown = str(payload.get("commitment"))
        other = self.commitments.setdefault(era, shown) != shown
        return "another commitment was shown before" if other else ""

    def _word(self, era: int, payload: Mapping[str, Any]) -> str:
        words = payload.get("words")
        if not isinstance(words, str):
            return "the words are no text"
        self.words.setdefault(era, []).append(words)
        return ""

    def _seed(self, era: int, payload: Mapping[str, Any]) -> str:
        try:
            seed = bytes.fromhex(str(payload.get("seed")))
            shown = commitment(seed)
        except ValueError:
            return "the seed is no seed of 32 bytes"
        known, words = self.commitments.get(era), self.words.get(era, [])
        if known != shown and (known is not None or not self.withheld):
            return "the seed does not fit the commitment shown at the opening"
        count = payload.get("words", 0)
        if type(count) is not int or count != len(words):
            missing = type(count) is int and count > len(words) and self.withheld
            return "" if missing else "it counts other words for the dice than were given"
        self.keys[era] = scene_key(seed, words)
        return ""


class _Verifier:
    """Goes through the lines once, in order."""

    def __init__(self, eras: _Eras) -> None:
        self._eras = eras
        self._done = Verified()
        self._seq = 0
        self._scene: object = None
        self._era = 1
        self._cast = 0  # the last era of which a die was seen
        self._next_die = 0
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
        kind, problem = value.get("type"), self._eras.problems.get(number)
        if problem:
            raise AlteredError(number, problem)
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
            _only(number, value, _WITHHELD)
            self._link(number, value, str(value.get("digest")))
        else:
            self._expect(number, kind == "end", "row")
            _only(number, value, _END)
            self._end(number, value)

    def _row(self, number: int, value: Mapping[str, Any]) -> None:
        _only(number, value, _ROW)
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
        self._in_its_era(number, row)
        self._dice(number, row)

    def _link(self, number: int, value: Mapping[str, Any], row_digest: str) -> None:
        self._seq += 1
        if value.get("seq") != self._seq:
            raise AlteredError(number, f"row {self._seq} of the log is missing")
        try:
            self._done.head = link(self._done.head, row_digest)
        except ValueError:
            raise AlteredError(number, "the digest is not one") from None

    def _in_its_era(self, number: int, row: Mapping[str, Any]) -> None:
        """Eras follow each other, each begun by a row; words come before an era's first die."""
        era = row["era"]
        if era < self._era:
            raise AlteredError(number, "an era goes on that was over")
        if era > self._era and row["kind"] != _REOPENING and not self._hidden:
            raise AlteredError(number, "an era begins that no row opens")
        if row["kind"] == _WORDS and self._cast == era:
            raise AlteredError(number, "words were given after the first die")
        self._era = era

    def _dice(self, number: int, row: Mapping[str, Any]) -> None:
        """Throw a row's dice again; die numbers go up, and belong to one row each."""
        era, at = row["era"], row["dice_from"]
        try:
            throws = throws_in(row["payload"])
        except ValueError:
            raise AlteredError(number, "these are no dice") from None
        if at < self._next_die:
            raise AlteredError(number, "these dice were thrown before")
        if at > self._next_die and not self._hidden:
            raise AlteredError(number, "dice were thrown before it that no row shows")
        for throw in throws:
            if throw.start != at or throw.start + len(throw.faces) > row["dice_to"]:
                raise AlteredError(number, "these dice are not the row's own")
            at = throw.start + len(throw.faces)
            self._throw(number, era, throw)
        if at != row["dice_to"]:
            raise AlteredError(number, "it owns dice that it does not show")
        self._next_die, self._hidden = row["dice_to"], False

    def _throw(self, number: int, era: int, throw: Throw) -> None:
        committed = era in self._eras.commitments
        if not committed and not self._done.withheld:
            raise AlteredError(number, "no commitment was shown for these dice")
        self._cast = era
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
        self._done.uncommitted += 0 if committed else len(throw.faces)

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


def _only(number: int, value: Mapping[str, Any], fields: frozenset[str]) -> None:
    """Refuse what else stands in a line: it would look proved, and is not."""
    if not value.keys() <= fields:
        raise AlteredError(number, "it has a field that nothing proves")


def _objects(lines: Iterable[str]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, line in enumerate(lines, 1):
        try:
            value = json.loads(line, object_pairs_hook=_once)
        except _TwiceError:
            raise AlteredError(number, "a field stands in it twice") from None
        except (ValueError, RecursionError):
            raise AlteredError(number, "this is not JSON") from None
        if not isinstance(value, dict):
            raise AlteredError(number, "this is not a JSON object")
        yield number, value


class _TwiceError(ValueError):
    """A JSON object has a key twice: what is hashed is one value, what is read may be another."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise _TwiceError
    return value


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
