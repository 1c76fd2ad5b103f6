"""Whose a change is: what is done with an NPC stands on its coming into the scene."""

from __future__ import annotations

import json

from mushcombat.domain.state import WHOLE, Change, read_row

_OWNERS = {
    **dict.fromkeys(("npc", "condition", "treatment", "item", "trait", "quirk"), 0),
    "combatant": 1,
}
"""Things whose key names a character, and where."""

_NAMED = {"pending": "actor_id", "wound": "character_id"}
"""Things that name one in a field, which they have from their coming on."""


def whose(change: Change) -> int | None:
    """Give the character that a change is of; None where it is of none, or does not say."""
    if change.thing in _OWNERS:
        return int(json.loads(change.key)[_OWNERS[change.thing]])
    if change.field != WHOLE or change.thing not in _NAMED:
        return None
    row = read_row(change.after) or read_row(change.before) or {}
    who = row.get(_NAMED[change.thing])
    return who if isinstance(who, int) else None


def is_coming(change: Change) -> bool:
    """Tell whether an NPC came into a scene by it, or left one."""
    return change.thing == "npc" and change.field == "scene_id"
