"""What this system keeps of a combatant and of an action under way: versioned, loaded strictly."""

from __future__ import annotations

from typing import ClassVar, Literal

from mushcombat.domain.breakdown import Term
from mushcombat.records import record
from mushcombat.systems.otherspace.situation import Situation
from mushcombat.systems.stored import STRICT, Stored


@record(frozen=True, slots=True)
class Seat:
    """A combatant, this system's part.

    `defences` made and `full` defence in this round (OS-28); `no_attack`: the next attack is given
    up (OS-27); `warm_from`: the round from which the railgun fires (OS-16), 0 is cold; `closed`:
    who is inside the reach of this one's polearm (OS-21); `next_attack`: what stands against the
    next attack; `counter`: whom a free counterattack may be made on (OS-30); `stun_skip`: a stun
    that has not cost a turn yet (OS-43); `always`: how this one defends without being asked;
    `sniped`: the round of the last shot with a sniper rifle (OS-29); `closed_in`: the round in
    which this one last came into a polearm's reach (OS-21).
    """

    __pydantic_config__: ClassVar = STRICT

    version: Literal[1] = 1
    defences: int = 0
    full: bool = False
    no_attack: bool = False
    warm_from: int = 0
    closed: tuple[int, ...] = ()
    next_attack: tuple[Term, ...] = ()
    counter: int | None = None
    stun_skip: bool = False
    always: str = ""
    sniped: int = 0
    closed_in: int = 0


@record(frozen=True, slots=True)
class Act:
    """An action under way.

    `hands`: one situation, or two of a dual wielder; `targets` in order. Strike number n is hand
    n // targets, target n % targets; `strike` is the one that is being resolved. `attacks` are
    the totals rolled, by hand. `rulings`: the referee's terms. `choice`: how the defender of this
    strike defends, `card` what they play with it. `approved`: the damage of this strike is
    (strict mode). `free`: a counterattack, which ends no turn. `unaware`: the targets do not
    see it coming, by the referee's ruling (OS-26).
    """

    __pydantic_config__: ClassVar = STRICT

    version: Literal[1] = 1
    hands: tuple[Situation, ...] = ()
    targets: tuple[int, ...] = ()
    rulings: tuple[Term, ...] = ()
    strike: int = 0
    attacks: tuple[int, ...] = ()
    defence: int | None = None
    choice: str = ""
    note: str = ""
    card: str = ""
    approved: bool = False
    free: bool = False
    unaware: bool = False

    @property
    def hand(self) -> int:
        """The hand of the present strike."""
        return self.strike // len(self.targets)

    @property
    def target(self) -> int:
        """The target of the present strike."""
        return self.targets[self.strike % len(self.targets)]

    @property
    def situation(self) -> Situation:
        """The situation of the present strike."""
        return self.hands[self.hand]

    @property
    def done(self) -> bool:
        """Whether every strike is resolved."""
        return self.strike >= len(self.hands) * len(self.targets)


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
