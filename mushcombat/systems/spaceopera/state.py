"""What this system keeps of a combatant and of an action under way: versioned, loaded strictly."""

from __future__ import annotations

from typing import ClassVar, Literal

from mushcombat.domain.breakdown import Term
from mushcombat.records import record
from mushcombat.systems.spaceopera.board import Figure
from mushcombat.systems.stored import STRICT, Stored

Kind = Literal["attack", "device", "disarm", "parry", "turn", "move"]
"""What is declared: an attack on somebody, a strike at a device, and so on."""


@record(frozen=True, slots=True)
class Seat:
    """A combatant, this system's part.

    `x`, `y`, `facing`: the board (SO-1), None before a square is taken. `weapon` is in the primary
    hand, `device` in the off hand. `declared`: the kind of action of this phase, "" for none yet,
    "nothing" for who passed. `parry`: the primary weapon parries this phase (SO-4). `turn_to`: whom
    one turns to face when one's time comes, `exposed` that this was from the rear (SO-7). `grip`
    can't be used until after the phase `grip_until` (SO-21). `engaged`: from where one was engaged
    when initiative was rolled, "rear", "side" or "" (SO-6); the chance to hit keeps it (SO-9).
    """

    __pydantic_config__: ClassVar = STRICT

    version: Literal[1] = 1
    x: int | None = None
    y: int | None = None
    facing: int = 0
    weapon: str = "unarmed"
    device: str = ""
    declared: str = ""
    parry: str = ""
    turn_to: int | None = None
    exposed: bool = False
    grip: str = ""
    grip_until: int = 0
    engaged: str = ""

    @property
    def figure(self) -> Figure:
        """The figure on the board; ValueError before a square is taken."""
        if self.x is None or self.y is None:
            raise ValueError("no square is taken yet")
        return Figure(self.x, self.y, self.facing)


@record(frozen=True, slots=True)
class Act:
    """An action under way.

    `kind`: attack, device (a strike at it), disarm, parry, turn or move. `shares` of the chance,
    one for each target (SO-10), () for all of it. `at`: what a disarm goes after. `rulings`: the
    referee's terms for the chance, `tech` those for going through a device (SO-17). `hold`: a
    strength roll may save what is caught (SO-21). A move goes `squares` in a `direction`, or
    toward the first target.
    """

    __pydantic_config__: ClassVar = STRICT

    version: Literal[1] = 1
    kind: Kind = "attack"
    targets: tuple[int, ...] = ()
    weapon: str = "unarmed"
    shares: tuple[int, ...] = ()
    at: str = ""
    rulings: tuple[Term, ...] = ()
    tech: tuple[Term, ...] = ()
    hold: bool = False
    squares: int = 0
    direction: int | None = None


_SEAT = Stored(Seat)
_ACT = Stored(Act)


def load_seat(text: str) -> Seat:
    """Read a seat as it was stored; pydantic's ValidationError for another shape."""
    return _SEAT.load(text)


def load_act(text: str) -> Act:
    """Read an action as it was stored; pydantic's ValidationError for another shape."""
    return _ACT.load(text)


def dump(state: Seat | Act) -> str:
    """Write a state for storing."""
    return _SEAT.dump(state) if isinstance(state, Seat) else _ACT.dump(state)
