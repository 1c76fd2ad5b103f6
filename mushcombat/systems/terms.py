"""Terms of a sum before anything is rolled."""

from __future__ import annotations

from collections.abc import Sequence

from mushcombat.domain.breakdown import Term


def written(terms: Sequence[Term]) -> str:
    """Write terms before the dice with what they come to: "Pistol 6 (Great) - 1 (blind) is 5"."""
    first, *rest = terms
    more = "".join(f" {term.op} {term.text}" for term in rest)
    return f"{first.text}{more} is {sum(term.value for term in terms)}"
