"""Fighters for the tests, and what they look like written out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from mushcombat.domain.breakdown import Breakdown, Term
from mushcombat.systems.otherspace.fighter import Fighter
from tests.unit.domain.test_breakdown import evaluate


def fighter(name: str = "Ada", **changes: Any) -> Fighter:
    """Make somebody with nothing set but what is told; gifts, faults as a list."""
    values: dict[str, Any] = {"id": 1, "name": name, "attributes": {}, "skills": {}} | changes
    for key in ("gifts", "faults"):
        values[key] = frozenset(values.get(key, ()))
    return Fighter(**values)


def written(terms: Iterable[Term]) -> str:
    return Breakdown(tuple(terms)).formula()


def worked(sum_: Breakdown) -> int:
    """Work a sum out from its text alone, up to the first share that is taken off."""
    text = re.split(r",? less ", sum_.formula())[0]
    bare = re.sub(r" \([^)]*[a-z%][^)]*\)", "", text)
    bare = re.sub(r"(?:ODF|DDF|Strength|Psi|Intelligence) ", "", bare)
    return evaluate(bare)
