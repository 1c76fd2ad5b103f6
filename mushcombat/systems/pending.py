"""Finding what waits: pending actions by number, choices by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from mushcombat.domain.command import ReadContext, WriteContext
from mushcombat.domain.fight import DAMAGE, DECLARED, DEFENCE, PROPOSED, ROLL, RULING, Pending
from mushcombat.domain.numbers import parse_whole
from mushcombat.domain.scene import Scene
from mushcombat.domain.text import clip, listing
from mushcombat.errors import MushError

MOST = 999_999_999

RULINGS = (RULING, DAMAGE, PROPOSED)
"""Stages that wait for the referee."""

_WAITS = {
    RULING: "the referee's ruling",
    DAMAGE: "the referee's word on the damage",
    ROLL: "+go of {}",
    DEFENCE: "+defend of {}",
    DECLARED: "its turn",
}


def number_of(text: str) -> int | None:
    """Read an action's number; None for none."""
    return parse_whole(text.removeprefix("#"), "number", 1, MOST) if text else None


def find_pending(
    context: WriteContext, scene: Scene, number: int | None, stages: Sequence[str], hint: str
) -> Pending:
    """Find the pending action that is meant; without a number there must be exactly one."""
    waiting = context.store.pending(scene.id)
    fitting = [p for p in waiting if p.stage in stages]
    if number is not None:
        fitting = [p for p in fitting if p.action == number]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        numbers = listing([f"#{p.action}" for p in fitting])
        raise MushError("pending", f"{numbers} are pending.", f"Name one: {hint}")
    if number is not None and any(p.action == number for p in waiting):
        raise MushError("pending", f"#{number} waits for something else now.", "+combat shows it.")
    what = f"#{number} is not pending" if number is not None else "Nothing is pending"
    raise MushError("pending", f"{what}.", "+combat shows what is.")


def own_pending(context: ReadContext, scene: Scene, character: int) -> list[Pending]:
    """Give what somebody has under way: not the wound that a referee may still impose."""
    waiting = context.store.pending(scene.id)
    return [p for p in waiting if p.actor == character and p.stage != PROPOSED]


def stage_of(pending: Pending) -> str:
    """Give the stage that an action is kept at."""
    return pending.stage


def pending_text(
    context: ReadContext,
    scene: Scene,
    names: Mapping[int, str],
    stage: Callable[[Pending], str] = stage_of,
) -> str:
    """Write what is pending, and for whom it waits; proposed wounds are told to referees alone.

    Nothing of those whom the actor does not know. `stage` tells what an action waits for.
    """
    unknown = context.unknown
    known = (one for one in context.store.pending(scene.id) if one.actor not in unknown)
    waiting = [one for one in known if one.stage != PROPOSED]
    if not waiting:
        return "Nothing pending."
    parts = []
    for one in waiting:
        who = names.get(one.owner or 0, "somebody")
        parts.append(f"#{one.action} ({names.get(one.actor, 'somebody')}) waits for ")
        parts[-1] += _WAITS[stage(one)].format(who)
    return "Pending: " + "; ".join(parts) + "."


def meant(typed: str, known: Sequence[str]) -> str:
    """Find the one choice that is typed or begun; MushError that lists them."""
    word = typed.casefold()
    same = [name for name in known if name.casefold() == word]
    found = same or [name for name in known if name.casefold().startswith(word)]
    if len(found) == 1:
        return found[0]
    raise MushError(
        "defend", f'choice: "{clip(typed)}" is not one here.', f"Choose {' or '.join(known)}."
    )


def write_pending(context: WriteContext, pending: Pending) -> None:
    """Keep an action that is under way."""
    context.store.write(
        "pending",
        (pending.scene, pending.action),
        "what is pending",
        kind=pending.kind,
        actor_id=pending.actor,
        stage=pending.stage,
        owner_id=pending.owner,
        due=pending.due,
        state=pending.state,
    )
