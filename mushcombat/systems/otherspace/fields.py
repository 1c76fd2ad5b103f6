"""What players type in fields, as numbers of the rules (OS-4)."""

from __future__ import annotations

from mushcombat.domain.numbers import refusal, whole
from mushcombat.systems.otherspace.tables import Tables
from mushcombat.systems.shapes import Span


def parse_roll(text: str, field: str, tables: Tables) -> int:
    """Read a result, as a whole number or a ladder word; its range is `fields.roll`.

    Raises MushError that names the field, what was typed and what it takes.
    """
    return parse_level(text, field, tables.fields.roll, tables)


def parse_level(text: str, field: str, span: Span, tables: Tables) -> int:
    """Read a level within `span`, as a whole number or a ladder word; MushError otherwise.

    Words count in any case, also those off the ladder as they are printed: "Legendary+2".
    """
    typed = text.strip(" ")
    number = whole(typed)
    level = tables.ladder.level(typed) if number is None else number
    if level is None or not span.holds(level):
        numbers = f"a whole number from {span.low} to {span.high}"
        words = f"a word from {tables.ladder.ends}"
        raise refusal(text, field, f"neither {numbers} nor {words}")
    return level
