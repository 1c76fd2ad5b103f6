"""Telling what was taken back to those who may know of it: with who is named in each part."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from mushcombat.domain.command import ReadContext
from mushcombat.domain.events import Audience, Draft
from mushcombat.domain.scene import Scene
from mushcombat.domain.state import Redone, Undone
from mushcombat.domain.visibility import Viewer, redact, veiled


def named_in(text: str, names: Mapping[int, str]) -> tuple[int, ...]:
    """Give those whose whole name stands in a text."""
    return tuple(
        who for who, name in names.items() if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)
    )


def people_in(told: Sequence[str], names: Mapping[int, str]) -> tuple[tuple[int, ...], ...]:
    """Give those who are named in each part of what is told."""
    return tuple(named_in(text, names) for text in told)


def drafts_about(
    context: ReadContext, scene: Scene, event: Undone | Redone, hidden: frozenset[int]
) -> tuple[Draft, ...]:
    """Draft what became of an action: for the referees alone when all of it was.

    `hidden` are the NPCs that were before it: one whose coming is taken back is known of no more.
    """
    facts, anybody = context.store.action(scene.id, event.target), Viewer(None, unknown=hidden)
    open_ = [replace(f, audience=Audience.ROOM) for f in facts if f.audience != Audience.REFEREES]
    seen = any(redact(fact, anybody) for fact in open_)
    draft = Draft(event, Audience.ROOM if seen else Audience.REFEREES, scene.id)
    return veiled(draft, context.who, hidden)
