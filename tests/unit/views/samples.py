"""An event of every class and shape, built from the types of its fields."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from datetime import UTC, datetime
from itertools import product
from typing import Any, Literal, get_args, get_origin, get_type_hints

from mushcombat.domain.breakdown import Breakdown, Term, modifier
from mushcombat.domain.dice import Throw
from mushcombat.domain.events import Event, Paged
from mushcombat.domain.state import Change
from mushcombat.systems.otherspace.combat_text import OUTCOMES

SUM = Breakdown(
    (Term(6, "Pistol 6 (Great)", kind="level"), modifier(-1, "asked"), Term(2, "2 (4dF)")),
    (Throw(1, "attack", 3, (3, 3, 2, 2)),),
)
ASKED = "\n".join(
    (
        "[Ruling] #5 Ada > Bram, pistol: Pistol 6 (Great) - 1 (medium). Bram defends with 4.",
        "  74%: can't reach 0.",
        "  +ok, +ok 5=<number> <reason>, or +no 5=<reason>",
    )
)
"""What a referee is told, as it is written for eyes."""

VALUES: dict[str, tuple[Any, ...]] = {
    "outcome": ("", *OUTCOMES),
    "maneuver": ("attack", "psi"),
    "title": ("Brawl",),
    "shown": (("Bram's health 64 -> 100", "Ada's turn again"),),
    "names": (("Ada", "Bram"),),
    "ranks": (((9, 3), (9, 2)),),
    "people": ((), (1, 2)),
    "changes": ((Change("scene", "[7]", "title", "x", "y", "the scene"),),),
    "reason": ("", "steam from the vents"),
    "note": ("", "A crate is near."),
    "skipped": ((), ("Cass", "Dora")),
    "system": ("otherspace",),
    "group": ("skill",),
    "trait": ("Pistol",),
    "level": (2,),
    "before": (None, 4),
    "health": (64,),
    "margin": (0, 2, -2),
    "commitment": ("ab" * 32,),
    "seed": ("cd" * 32,),
}


def samples(event: type[Event]) -> Iterator[Event]:
    """Give events of a class: every switch both ways, every choice, every usual word."""
    hints = get_type_hints(event)
    choices = [_values(event, field.name, hints[field.name]) for field in fields(event)]
    for values in product(*choices):
        yield event(*values)


def _values(event: type[Event], name: str, hint: Any) -> tuple[Any, ...]:
    if name == "text" and event.__name__ in {"Told", "Asked"}:
        return (ASKED,)
    if name == "people" and event is Paged:
        return (), ("Bram", "Rhea")
    if name in VALUES:
        return VALUES[name]
    return _by_type(name, hint)


def _by_type(name: str, hint: Any) -> tuple[Any, ...]:
    options = get_args(hint)
    if get_origin(hint) is Literal:
        return options
    if get_origin(hint) is tuple:
        return (tuple(_by_type(name, options[0])),)
    if options:  # a union with None
        return tuple(v for one in options if one is not type(None) for v in _by_type(name, one))
    simple: dict[Any, tuple[Any, ...]] = {
        bool: (True, False),
        int: (5,),
        str: ("lantern",),
        datetime: (datetime(2026, 5, 17, 20, 0, tzinfo=UTC),),
        Breakdown: (SUM,),
        Term: (modifier(-1, "steam"),),
    }
    return simple[hint]
