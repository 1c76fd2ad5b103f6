"""Reads sums as people read them: what is shown has to come to what is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from mushcombat.domain.breakdown import Breakdown
from mushcombat.domain.events import Event

_TERM = re.compile(
    r"(?P<op>^|[+-] |, less )\s*"
    r"(?:(?P<by>\d+) x (?:[A-Za-z ]*)(?P<of>-?\d+)|(?:[A-Za-z '-]*?)(?P<number>-?\d+))"
    r"(?: \((?P<reason>[^()]*)\))?"
)


def sums_in(value: Any) -> Iterator[Breakdown]:
    """Find every sum in an event, however deep."""
    if isinstance(value, Breakdown):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from sums_in(part)
    elif isinstance(value, Event):
        for name in getattr(value, "__dataclass_fields__", ()):
            yield from sums_in(getattr(value, name))


def read_sum(written: str) -> int:
    """Work out a sum from its text alone; AssertionError where it contradicts itself."""
    first, *steps = written.split(" = ")
    total = _added(first)
    for step in steps:
        shown, _, rest = step.partition(", ")
        assert int(shown) == total, written
        total = _bounded(total, rest) if rest else total
    return total


def _added(text: str) -> int:
    """Add up "a + b - c", and take "less Name 4 (20%)" off what stands before it."""
    plain, _, less = text.partition(" less ")
    total, end = 0, 0
    for found in _TERM.finditer(plain):
        assert not plain[end : found.start()].strip(), text
        end = found.end()
        value = int(found["number"] or found["of"])
        value *= int(found["by"] or 1)
        total += -value if found["op"].startswith("-") else value
    assert not plain[end:].strip(), text
    return _bounded(total, f"less {less}") if less else total


def _bounded(total: int, rest: str) -> int:
    """Do what a step says: "not under 0", "not over 9", "less Constitution 4 (20%)"."""
    word, _, bound = rest.rpartition(" ")
    if word == "not under":
        return max(total, int(bound))
    if word == "not over":
        return min(total, int(bound))
    assert rest.startswith("less "), rest
    percent = sum(int(found) for found in re.findall(r"\((-?\d+)%\)", rest))
    return total * max(0, 100 - percent) // 100
