"""Transcripts: a log as text that people read, or as lines that `verify` checks.

Profiles: `story` is what was said and done in character; `results` adds what was rolled and
worked out; `audit` is everything. A row that a profile leaves out of the JSON lines leaves its
digest, so that the chain can be checked all the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mushcombat.domain.events import (
    Audience,
    Fact,
    PrivacySet,
    RefereeNamed,
    SceneClosed,
    SceneInvited,
    SceneJoined,
    SceneLeft,
    SceneOpened,
    Spoken,
    TraitSet,
    Unreadable,
)
from mushcombat.domain.fight import FightJoined, FightLeft, NpcEntered, SceneSet
from mushcombat.domain.ledger import GENESIS
from mushcombat.domain.proof import FORMAT
from mushcombat.domain.scene import Scene
from mushcombat.domain.scene_events import Muttered, PoseSkipped, ScenePaused, SceneResumed
from mushcombat.domain.state import StateChanged
from mushcombat.domain.text import listing, signed
from mushcombat.domain.visibility import ARCHIVIST, PUBLIC, redact

PROFILES = ("story", "results", "audit")

Render = Callable[[Fact], str]

_FRAME = (SceneOpened, SceneClosed)
"""What every proof needs: the commitment and the seed."""

_BOOKKEEPING = (
    StateChanged,
    ScenePaused,
    SceneResumed,
    PoseSkipped,
    FightJoined,
    FightLeft,
    NpcEntered,
    SceneSet,
    SceneJoined,
    SceneLeft,
    SceneInvited,
    RefereeNamed,
    PrivacySet,
    TraitSet,
    Unreadable,
)
"""What only an audit shows."""


@dataclass(frozen=True, slots=True)
class LoggedRow:
    """A row of a log for export: the fact, and what it was hashed as."""

    fact: Fact
    hashed: dict[str, Any]
    salt: str
    digest: str


@dataclass(frozen=True, slots=True)
class Cast:
    """Names for a transcript's heading."""

    place: str
    people: Sequence[str]
    referees: Sequence[str]


def shown_in(profile: str, fact: Fact, unknown: frozenset[int] = frozenset()) -> bool:
    """Tell whether a profile shows a fact; the visibility gate is asked first.

    A row that names those who are `unknown` among others can't be shown in part: its digest is
    that of the whole.
    """
    if profile == "audit":
        return redact(fact, ARCHIVIST) is not None
    seen = redact(fact, replace(PUBLIC, unknown=unknown))
    if seen != fact or isinstance(fact.event, _BOOKKEEPING):
        return False
    if isinstance(fact.event, Muttered):
        return True
    if isinstance(fact.event, Spoken):
        return fact.event.style != "ooc"
    return profile == "results" or isinstance(fact.event, _FRAME)


def text_lines(
    scene: Scene, cast: Cast, rows: Iterable[LoggedRow], profile: str, render: Render
) -> Iterator[str]:
    """Write a transcript as text, a paragraph a fact; in an audit each is numbered and timed."""
    yield signed(scene.title, "title")
    yield _heading(scene, cast)
    for row in rows:
        fact = row.fact
        frame = isinstance(fact.event, _FRAME)
        if not shown_in(profile, fact, scene.hidden) or (frame and profile != "audit"):
            continue
        yield ""
        yield _numbered(fact, render) if profile == "audit" else render(fact)


def _heading(scene: Scene, cast: Cast) -> str:
    people = f" With {listing(list(cast.people))}." if cast.people else ""
    referees = f" Referee: {listing(list(cast.referees))}." if cast.referees else ""
    return f"Scene {scene.id}, {scene.opened_at:%Y-%m-%d}, {cast.place}.{people}{referees}"


def _numbered(fact: Fact, render: Render) -> str:
    audience = "" if fact.audience is Audience.ROOM else f" ({fact.audience.value})"
    at = f"{fact.at:%Y-%m-%d %H:%M:%S} UTC"
    return f"#{fact.seq} {at} {fact.actor.name}{audience}: {render(fact)}"


def jsonl_lines(scene: Scene, rows: Iterable[LoggedRow], profile: str) -> Iterator[str]:
    """Write a transcript as JSON lines, which `docs/transcript-format.md` describes."""
    yield _json({"type": "transcript", "format": FORMAT, "scene": scene.id, "profile": profile})
    shown = withheld = 0
    head = GENESIS
    for row in rows:
        head = row.fact.head
        if shown_in(profile, row.fact, scene.hidden):
            shown += 1
            yield _json({"type": "row", "salt": row.salt, "digest": row.digest, **row.hashed})
        else:
            withheld += 1
            yield _json({"type": "withheld", "seq": row.fact.seq, "digest": row.digest})
    yield _json({"type": "end", "head": head, "rows": shown, "withheld": withheld})


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)
