"""The tracker: whose turn it is, in which round, and what waits for somebody.

It knows no rule system: how an order is rolled, and what an action does, is the system's.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from mushcombat.domain.events import Event
from mushcombat.records import record

ROLLING, ON, OVER = "rolling", "on", "over"

DECLARED, RULING, ROLL, DEFENCE, DAMAGE, COUNTER, PROPOSED = (
    "declared",
    "ruling",
    "roll",
    "defence",
    "damage",
    "counter",
    "proposed",
)
"""Stages of a pending action: what it waits for. Done ones are not pending any more."""

IDLE = (PROPOSED, DECLARED)
"""Stages that hold no turn up: a wound that may be imposed, an action whose time will come."""

MOST_REROLLS = 100
"""Honest dice part any tie long before; a source that never does must not hold up the game."""


@record(frozen=True, slots=True)
class Fight:
    """The fight of a scene; `turn` is the character whose turn it is."""

    scene: int
    phase: str
    round: int
    turn: int | None


@record(frozen=True, slots=True)
class Combatant:
    """Somebody in a fight. `rank` is the reaction, then each reroll; () is not rolled yet."""

    scene: int
    character: int
    name: str
    rank: tuple[int, ...]
    place: int
    late: bool
    state: str
    player: bool


@record(frozen=True, slots=True)
class Pending:
    """An action under way; `owner` has to do something, None is the referee."""

    scene: int
    action: int
    kind: str
    actor: int
    stage: str
    owner: int | None
    due: int | None
    state: str


@record(frozen=True, slots=True)
class Step:
    """Where the turn goes: the round, whose it is, and who was passed over."""

    round: int
    turn: int | None
    skipped: tuple[int, ...] = ()


def next_turn(
    order: Sequence[int], fight: Fight, can_act: Callable[[int], bool], after: int | None = None
) -> Step:
    """Find who is next after the one whose turn it is, in this round or the next.

    `after` is the place in the order that the last one had, when they are in it no more. Those
    who can't act are passed over; when nobody can, the turn is nobody's.
    """
    if not order:
        return Step(fight.round, None)
    start = order.index(fight.turn) + 1 if fight.turn in order else (after or 0)
    skipped: list[int] = []
    for step in range(len(order)):
        place = start + step
        candidate = order[place % len(order)]
        if can_act(candidate):
            return Step(fight.round + (place >= len(order)), candidate, tuple(skipped))
        skipped.append(candidate)
    return Step(fight.round + 1, None, tuple(skipped))


def break_ties(
    ranks: Mapping[int, tuple[int, ...]],
    reroll: Callable[[Sequence[int], Sequence[int]], Mapping[int, int]],
) -> dict[int, tuple[int, ...]]:
    """Let those who are tied roll again, against those tied with them alone, until none are.

    Who comes late to a tie that is broken rolls alone, against the rerolls there are. `reroll` is
    handed those who roll, and all whom that is between.
    RuntimeError if ties are left after `MOST_REROLLS` rounds.
    """
    standing = dict(ranks)
    for _ in range(MOST_REROLLS):
        ties = _ties(standing)
        if not ties:
            return standing
        for tied in ties:
            again = reroll(tied, _between(standing, standing[tied[0]]))
            standing |= {one: (*standing[one], again[one]) for one in tied}
    raise RuntimeError(f"dice that left a tie after {MOST_REROLLS} rerolls are broken")


def _ties(ranks: Mapping[int, tuple[int, ...]]) -> list[list[int]]:
    groups: dict[tuple[int, ...], list[int]] = {}
    for one, rank in ranks.items():
        groups.setdefault(rank, []).append(one)
    return [
        groups[rank]
        for rank in sorted(groups, reverse=True)
        if len(groups[rank]) > 1 or any(_goes_on(other, rank) for other in groups)
    ]


def _between(ranks: Mapping[int, tuple[int, ...]], rank: tuple[int, ...]) -> list[int]:
    """Give those of a rank, and those of the same one who have rerolls behind it."""
    return [one for one, other in ranks.items() if other == rank or _goes_on(other, rank)]


def _goes_on(longer: tuple[int, ...], rank: tuple[int, ...]) -> bool:
    """Tell whether a rank is another one and rerolls behind it."""
    return len(longer) > len(rank) and longer[: len(rank)] == rank


def by_rank(ranks: Mapping[int, tuple[int, ...]]) -> list[int]:
    """Put characters in order, the highest first."""
    return sorted(ranks, key=lambda one: ranks[one], reverse=True)


def written_order(names: Sequence[str], ranks: Sequence[tuple[int, ...]]) -> str:
    """Write an order: `Ada 11, Bram 9, Cass 9 (reroll 6 under 8)`.

    Who lost a reroll bears it: theirs, under that of the one before them.
    """
    parts = []
    for place, (name, rank) in enumerate(zip(names, ranks, strict=True)):
        above = ranks[place - 1] if place else ()
        lost = next((at for at in range(1, len(rank)) if _lost_at(above, rank, at)), None)
        note = f" (reroll {rank[lost]} under {above[lost]})" if lost else ""
        parts.append(f"{name} {rank[0]}{note}")
    return ", ".join(parts)


def _lost_at(above: tuple[int, ...], rank: tuple[int, ...], at: int) -> bool:
    return len(above) > at and above[:at] == rank[:at] and above[at] > rank[at]


@record(frozen=True, slots=True)
class FightStarted(Event):
    """A fight began; who joins rolls for the order, or is rolled for `unasked`."""

    kind: ClassVar[str] = "fight.started"
    unasked: bool = False


@record(frozen=True, slots=True)
class FightJoined(Event):
    """The subject is in the fight."""

    kind: ClassVar[str] = "fight.joined"
    subject: int
    name: str


@record(frozen=True, slots=True)
class FightLeft(Event):
    """The subject is out of the fight."""

    kind: ClassVar[str] = "fight.left"
    subject: int
    name: str


@record(frozen=True, slots=True)
class FightStopped(Event):
    """The fight is over."""

    kind: ClassVar[str] = "fight.stopped"


@record(frozen=True, slots=True)
class OrderMade(Event):
    """The order stands; rank is the reaction and the rerolls, highest first.

    `people` are the characters behind the names; logs of old have none.
    """

    kind: ClassVar[str] = "fight.order"
    names: tuple[str, ...]
    ranks: tuple[tuple[int, ...], ...]
    reason: str = ""
    people: tuple[int, ...] = ()

    def without(self, unknown: frozenset[int]) -> OrderMade | None:
        """Give the order of those who are known; None when nobody is left, or can be told."""
        left = [at for at, one in enumerate(self.people) if one not in unknown]
        if not left:
            return None
        return replace(
            self,
            names=tuple(self.names[at] for at in left),
            ranks=tuple(self.ranks[at] for at in left),
            people=tuple(self.people[at] for at in left),
        )


@record(frozen=True, slots=True)
class TurnBegan(Event):
    """It is the subject's turn; None when nobody can act.

    `skipped` were passed over; `skipped_people` are their characters, in logs of old not there.
    """

    kind: ClassVar[str] = "fight.turn"
    subject: int | None
    name: str
    round: int
    skipped: tuple[str, ...] = ()
    note: str = ""
    skipped_people: tuple[int, ...] = ()

    def without(self, unknown: frozenset[int]) -> TurnBegan:
        """Give it without those passed over who are not known, or can't be told from them."""
        left = [at for at, one in enumerate(self.skipped_people) if one not in unknown]
        return replace(
            self,
            skipped=tuple(self.skipped[at] for at in left),
            skipped_people=tuple(self.skipped_people[at] for at in left),
        )


@record(frozen=True, slots=True)
class NpcEntered(Event):
    """The referee brought an NPC into the scene."""

    kind: ClassVar[str] = "npc.entered"
    subject: int
    name: str
    about: str


@record(frozen=True, slots=True)
class SceneSet(Event):
    """A property of the scene was set."""

    kind: ClassVar[str] = "scene.set"
    setting: str
    value: str


@record(frozen=True, slots=True)
class Told(Event):
    """The server reminds those who referee of something; nobody else sees it."""

    kind: ClassVar[str] = "told"
    for_referees: ClassVar[bool] = True
    text: str


@record(frozen=True, slots=True)
class Asked(Event):
    """The server asks the subject something; `about` is somebody whom the text names, if any."""

    kind: ClassVar[str] = "asked"
    subject: int
    name: str
    text: str
    about: int | None = None

    def without(self, unknown: frozenset[int]) -> Asked | None:
        """Give nothing when it names somebody who is not known."""
        return None if self.about in unknown else self


FIGHT_EVENTS: tuple[type[Event], ...] = (
    FightStarted,
    FightJoined,
    FightLeft,
    FightStopped,
    OrderMade,
    TurnBegan,
    NpcEntered,
    SceneSet,
    Told,
    Asked,
)


def members(combatants: Collection[Combatant]) -> list[int]:
    """Give those who have rolled, in the order of their places."""
    rolled = [c for c in combatants if c.rank]
    return [c.character for c in sorted(rolled, key=lambda c: c.place)]
