"""Giving and taking what characters carry, in any system."""

from __future__ import annotations

from mushcombat.domain.character import Character
from mushcombat.domain.command import Call, WriteContext
from mushcombat.domain.reasons import reason_of
from mushcombat.errors import MushError


def read_gift(call: Call) -> tuple[str, str, str]:
    """Parse `<name>=<item>[, <reason>]`."""
    left, right = call.sides()
    item, _, reason = (right or "").partition(",")
    if not left or not item.strip():
        raise call.wrong()
    return left, item.strip(), reason_of(reason)


def put(context: WriteContext, system: str, them: Character, item: str, by: int) -> None:
    """Give or take a number of one item; MushError when there is none to take."""
    held = next((i for i in context.store.items(them.id, system) if i.name == item), None)
    count = (held.count if held else 0) + by
    if count < 0:
        raise MushError("item", f"{them.name} has no {item}.", f"+sheet {them.name} shows what.")
    in_use = bool(held and held.in_use and count)
    key, about = (them.id, system, item), f"{them.name}'s {item}"
    context.store.write("item", key, about, count=count, in_use=in_use)
