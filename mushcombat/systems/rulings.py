"""What a referee rules on an action: numbers with reasons, as terms of its sum."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mushcombat.domain.breakdown import Term, modifier
from mushcombat.domain.command import Call, WriteContext
from mushcombat.domain.numbers import parse_whole
from mushcombat.domain.reasons import reason_of
from mushcombat.domain.text import clip
from mushcombat.errors import MushError
from mushcombat.records import record
from mushcombat.systems.pending import number_of

_RULED = re.compile(r"\s*[+-]\s*\d")
LONGEST_REASON = 60


@record(frozen=True, slots=True)
class Ruling:
    """Arguments of +ok and +no."""

    number: int | None
    items: tuple[str, ...]

    @property
    def reason(self) -> str:
        """What stands behind a +no."""
        return reason_of(", ".join(self.items))


def read_ruling(call: Call) -> Ruling:
    """Parse `[<number>][=<number> <reason>, ...]`."""
    left, right = call.sides()
    items = tuple(item.strip() for item in (right or "").split(",") if item.strip())
    return Ruling(number_of(left), items)


def split_rulings(items: Sequence[str]) -> tuple[list[str], list[str]]:
    """Part `-1 steam` of a referee from modifiers of the rules."""
    rulings = [item for item in items if _RULED.match(item)]
    return rulings, [item for item in items if item and not _RULED.match(item)]


def read_rulings(context: WriteContext, items: Sequence[str], rule: str) -> tuple[Term, ...]:
    """Read `<number> <reason>` items; one that begins otherwise goes on with the reason before.

    `rule` is that by which a referee may: each term bears it.
    """
    joined: list[str] = []
    for item in items:
        if joined and not re.match(r"\s*[+-]?\s*\d", item):
            joined[-1] += f", {item.strip()}"
        else:
            joined.append(item.strip())
    return tuple(_ruling(context, item, rule) for item in joined if item)


def _ruling(context: WriteContext, item: str, rule: str) -> Term:
    number, _, reason = re.sub(r"^([+-])\s+", r"\1", item).partition(" ")
    value = parse_whole(number, "ruling", -99, 99)
    shown = reason_of(reason)
    if not shown:
        raise MushError(
            "ruling", f'ruling: "{clip(item)}" has no reason.', f"Type {number} <reason>."
        )
    by = (context.by or context.who).name
    return modifier(value, clip(shown, LONGEST_REASON), rule, by)
