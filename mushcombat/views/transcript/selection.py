"""Which rows of a log a profile shows, and how they read now."""

from __future__ import annotations

import re
from dataclasses import replace

from mushcombat.domain.eras import DiceWords, SceneReopened
from mushcombat.domain.events import (
    Event,
    Fact,
    PoseEdited,
    PoseWithdrawn,
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
from mushcombat.domain.ledger import canonical
from mushcombat.domain.refereeing import REFEREE_EVENTS
from mushcombat.domain.scene_events import PoseSkipped, ScenePaused, SceneResumed
from mushcombat.domain.sharing import SharingAnswered, SharingAsked
from mushcombat.domain.state import Redone, StateChanged, Undone
from mushcombat.domain.transcripts import AUDIT, RESULTS, LoggedRow, Source, Wanted
from mushcombat.domain.visibility import ARCHIVIST, Viewer, redact

SPEECH = frozenset({"spoken", "muttered"})
"""Kinds of what is said and done in character (a `spoken` may also be ooc)."""

FRAME: tuple[type[Event], ...] = (SceneOpened, SceneReopened, SceneClosed, DiceWords)
"""What every proof needs: commitments, seeds, players' words. People read it in an audit alone."""

_NOT_READ = (PoseEdited, PoseWithdrawn, *FRAME)
"""What proves, or tells of another row: an edit is read where the pose stands."""

BOOKKEEPING: tuple[type[Event], ...] = (
    StateChanged,
    Undone,
    Redone,
    FightJoined,
    FightLeft,
    NpcEntered,
    SceneSet,
    SceneJoined,
    SceneLeft,
    SceneInvited,
    RefereeNamed,
    PrivacySet,
    ScenePaused,
    SceneResumed,
    PoseSkipped,
    *REFEREE_EVENTS,
    SharingAsked,
    SharingAnswered,
    TraitSet,
    Unreadable,
)
"""What only an audit shows. A kind that is not named here is a result."""


def is_speech(fact: Fact) -> bool:
    """Tell whether a fact is something said or done in character, which results fold under."""
    return fact.event.kind in SPEECH and not is_ooc(fact.event)


def is_ooc(event: Event) -> bool:
    """Tell whether something was said out of character."""
    return isinstance(event, Spoken | PoseEdited) and event.style == "ooc"


class Selection:
    """What one transcript shows; the visibility gate is asked first, always."""

    def __init__(self, source: Source, wanted: Wanted) -> None:
        self.amendments = source.amendments
        self.audit = wanted.profile == AUDIT
        self._results = wanted.profile == RESULTS
        self._ooc = wanted.ooc
        self._viewer = ARCHIVIST if self.audit else Viewer(None, unknown=source.unknown)
        names = "" if self.audit else "|".join(re.escape(name) for name in sorted(source.names))
        self._unknown = re.compile(rf"(?<!\w)(?:{names})(?!\w)") if names else None

    def shown(self, fact: Fact) -> Fact | None:
        """Give a fact as people read it now; None: they don't."""
        seen = redact(fact, self._viewer)
        if seen is None or self.audit:
            return seen
        if isinstance(seen.event, _NOT_READ) or not self._belongs(seen):
            return None
        if self.amendments.withdrawn(seen.seq):
            return None
        now = self.amendments.version(seen.seq)
        return replace(seen, event=Spoken(now.style, now.text)) if now else seen

    def exported(self, row: LoggedRow) -> bool:
        """Tell whether a row may stand in the lines that are verified, whole as it was hashed.

        There nothing can be taken out of a row or mended in it: one that people read otherwise is
        withheld.
        """
        fact = row.fact
        seen = redact(fact, self._viewer)
        if seen is None or self.audit:
            return seen is not None
        if isinstance(fact.event, FRAME):
            return True
        if isinstance(fact.event, PoseEdited | PoseWithdrawn):
            return self._last_change(fact, fact.event)
        whole = seen == fact and getattr(fact.event, "numbers", True)
        if not whole or self.amendments.changes(fact.seq) or not self._belongs(fact):
            return False
        return is_speech(fact) or not self.names_unknown(canonical(row.hashed["payload"]))

    def names_unknown(self, text: str) -> bool:
        """Tell whether a line of the server's names somebody who does not exist in this transcript.

        The gate knows them by who acts and who is acted on; an event may name more people.
        """
        return self._unknown is not None and self._unknown.search(text) is not None

    def _belongs(self, fact: Fact) -> bool:
        """Tell whether a fact is of the kind that the profile shows."""
        if isinstance(fact.event, BOOKKEEPING) or self.amendments.taken_back(fact):
            return False
        if is_ooc(fact.event):
            return self._ooc
        return self._results or fact.event.kind in SPEECH

    def _last_change(self, fact: Fact, event: PoseEdited | PoseWithdrawn) -> bool:
        """Tell whether a change of a pose is how it stands now."""
        if isinstance(event, PoseWithdrawn):
            return True
        now = self.amendments.version(event.row)
        last = now is not None and self.amendments.changes(event.row)[-1].seq == fact.seq
        return last and (self._ooc or not is_ooc(event))
