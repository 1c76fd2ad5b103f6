"""The pose order of a scene, worked out from its log: who posed when, and who has waited."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from datetime import datetime

from mushcombat.domain.events import Fact, PoseWithdrawn, SceneJoined, SceneOpened, Spoken
from mushcombat.domain.poses import in_character
from mushcombat.domain.scene_events import Muttered, PoseSkipped
from mushcombat.records import record

POT_KINDS = (
    Spoken.kind,
    Muttered.kind,
    PoseWithdrawn.kind,
    PoseSkipped.kind,
    SceneJoined.kind,
    SceneOpened.kind,
)
"""Kinds of the rows that a pose order is made of."""

OTHERS = 3
"""How many others pose before one poses again, in the order `3-per`."""


@record(frozen=True, slots=True)
class Waiting:
    """Somebody in the order. `since` is the row since when they wait, 0: for longer than we look.

    `posed_at` is when they last posed, None for not lately; `others` are those who have posed
    since; `here` tells whether they are connected, `player` that they are no NPC or referee.
    """

    id: int
    name: str
    since: int = 0
    posed_at: datetime | None = None
    others: frozenset[int] = field(default_factory=frozenset)
    here: bool = True
    player: bool = True

    @property
    def waited_for(self) -> bool:
        """Whether it can be their turn: referees, NPCs and the absent are never waited for."""
        return self.here and self.player


def pose_order(facts: Iterable[Fact], people: Mapping[int, Waiting]) -> tuple[Waiting, ...]:
    """Work out who has waited since when, longest first.

    `facts` are rows of POT_KINDS in the log's order, `people` those to tell of. A withdrawn pose
    was none. Who joins or is passed over waits from then on.
    """
    rows = list(facts)
    gone = {fact.event.row for fact in rows if isinstance(fact.event, PoseWithdrawn)}
    order = dict(people)
    for fact in rows:
        if in_character(fact) and fact.seq not in gone:
            _pose(order, fact)
        elif isinstance(fact.event, SceneJoined | SceneOpened | PoseSkipped):
            one = fact.subject or fact.actor.id
            if one in order:
                order[one] = replace(order[one], since=fact.seq or 0)
    return tuple(sorted(order.values(), key=lambda each: (each.since, each.id)))


def _pose(order: dict[int, Waiting], fact: Fact) -> None:
    """Note a pose: who posed waits anew, all others have heard one more."""
    me = fact.actor.id
    for one, waiting in order.items():
        if one == me:
            order[one] = replace(waiting, since=fact.seq or 0, posed_at=fact.at, others=frozenset())
        else:
            order[one] = replace(waiting, others=waiting.others | {me})


def whose_turn(order: Iterable[Waiting]) -> Waiting | None:
    """Give who has waited longest of those who are waited for."""
    return next((one for one in order if one.waited_for), None)


def still_to_pose(order: Iterable[Waiting], one: Waiting) -> int:
    """Tell how many others pose before somebody may again, in the order `3-per`; 0: none.

    In a small company it is all the others, once.
    """
    if one.posed_at is None:
        return 0
    company = sum(each.id != one.id and (each.here or not each.player) for each in order)
    return max(0, min(OTHERS, company) - len(one.others))
