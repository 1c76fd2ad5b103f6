"""A sum written out: each term with its reason, and terms that always add up to the total."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from mushcombat.domain.dice import Throw
from mushcombat.records import record

Op = Literal["+", "-", "less", "floor", "cap"]
_PLAIN = frozenset({"+", "-"})


@record(frozen=True, slots=True)
class Term:
    """One term of a sum.

    `value` is what it adds (negative takes away); `text` is how it is written behind its
    operator, its own reason included ("1 (asked)", "5 x (6 - 4)"). `op`:

    - "+", "-": written before the text. A term may be "+" and negative: "+ 5 x (2 - 5)" is -15.
    - "less": takes part of all before it away ("40 less armour (20%)").
    - "floor", "cap": brings all before it to a bound, and is that difference.

    `rule` names the rule it comes from, `by` who ruled it, `kind` what it is for a view that
    treats some terms apart: "level", "asked", "dice", "limit", else "term".
    """

    value: int
    text: str
    op: Op = "+"
    rule: str = ""
    by: str = ""
    kind: str = "term"


@record(frozen=True, slots=True)
class Breakdown:
    """A sum of one term or more, the first one "+" or "-", and the dice thrown for it.

    Raises ValueError if there is no term or the first one has nothing to work on.
    """

    terms: tuple[Term, ...]
    throws: tuple[Throw, ...] = ()

    def __post_init__(self) -> None:
        if not self.terms or self.terms[0].op not in _PLAIN:
            raise ValueError("a sum begins with a term that is added or taken away")

    @property
    def total(self) -> int:
        """What the terms add up to."""
        total = 0
        for term in self.terms:  # sooner done than by sum(), for as few as there are
            total += term.value
        return total

    def formula(self) -> str:
        """Write the sum in one line: "a + b - c = 4", "a - b = -5, not under 0 = 0"."""
        first, *others = self.terms
        written = first.text if first.op == "+" else f"{first.op} {first.text}"
        total = first.value
        for place, term in enumerate(others, start=1):
            plain = term.op in _PLAIN
            joint = f" {term.op} " if plain else _joint(term.op, place, total)
            written += joint + term.text
            total += term.value
        return f"{written} = {total}"

    def then(self, *terms: Term, throws: Iterable[Throw] = ()) -> Breakdown:
        """Go on with more terms, and the dice behind them."""
        return Breakdown((*self.terms, *terms), (*self.throws, *throws))

    def at_least(self, low: int, rule: str = "") -> Breakdown:
        """Bring the total up to `low` by a term of its own; unchanged if it is not under."""
        if self.total >= low:
            return self
        return self.then(Term(low - self.total, f"not under {low}", "floor", rule, kind="limit"))

    def at_most(self, high: int, rule: str = "") -> Breakdown:
        """Bring the total down to `high` by a term of its own; unchanged if it is not over."""
        if self.total <= high:
            return self
        return self.then(Term(high - self.total, f"not over {high}", "cap", rule, kind="limit"))


def modifier(value: int, reason: str, rule: str = "", by: str = "", kind: str = "term") -> Term:
    """Make the term for a modifier and its reason: "- 1 (asked)", "+ 0 (asked)"."""
    op: Op = "-" if value < 0 else "+"
    return Term(value, f"{abs(value)} ({reason})", op, rule, by, kind)


def _joint(op: Op, place: int, subtotal: int) -> str:
    """Write what stands between a term and those before it, on all of which it works.

    It is written behind their sum, or it would read as if it worked on the last of them alone.
    """
    if op != "less":
        return f" = {subtotal}, "
    return " less " if place == 1 else f" = {subtotal}, less "
