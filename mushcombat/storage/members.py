"""The jobs by which processes on one PostgreSQL know of each other, and of each other's players."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from mushcombat.domain.character import Actor
from mushcombat.domain.command import Outcome
from mushcombat.domain.events import Audience, Connected, Draft, Who
from mushcombat.domain.processes import PlayerCame, PlayersStirred, PlayerWent, Standing
from mushcombat.service.accounts import guest_leaves
from mushcombat.service.presence import Presence
from mushcombat.storage.writes import WriteStore

NO_NEWS: Mapping[int, Sequence[Draft]] = MappingProxyType({})

Run = Callable[[Any], Outcome]
"""A job's work; it is handed a WriteStore, which the layers above know as `Writes`."""


class Members:
    """Makes the jobs of one process.

    What they tell is decided in the transaction: coming twice, or going from one of two, is no
    news.
    """

    def __init__(self, process: int, clock: Callable[[], datetime]) -> None:
        self.process = process
        self._clock = clock

    def came(self, presence: Presence, news: Sequence[Draft] = ()) -> Run:
        """Make the job that tells of somebody's first connection here.

        The news are for those who watch them.
        """

        def run(store: WriteStore) -> Outcome:
            them, since, active = presence.id, presence.since, presence.active
            only = store.stand(self.process, them, since, active)
            found = next(s for s in store.standings(self.process) if s.character == them)
            return Outcome.of(*_came(found, news if only else None))

        return run

    def went(self, presence: Presence, news: Sequence[Draft] = ()) -> Run:
        """Make the job that tells that somebody's last connection here is gone."""

        def run(store: WriteStore) -> Outcome:
            them = store.character(presence.id)
            last = store.part(self.process, presence.id)
            room = them.room if them else presence.room
            who = Who(presence.id, presence.name)
            return Outcome.of(*_went(self.process, who, room, news if last else None))

        return run

    def stirred(self, active: Mapping[int, datetime], away: Mapping[int, str]) -> Run:
        """Make the job that tells when players of this process last typed something."""

        def run(store: WriteStore) -> Outcome:
            for character, at in sorted(active.items()):
                store.stirred(self.process, character, at)
            return Outcome.of(Draft(PlayersStirred(dict(active), dict(away)), Audience.REFEREES))

        return run

    def bury(self, process: int, news: Mapping[int, Sequence[Draft]] = NO_NEWS) -> Run:
        """Make the job that takes out a process which is dead, if it still is: its players go.

        The news are for those who watch them, by character.
        """

        def run(store: WriteStore) -> Outcome:
            if not store.is_dead(process):
                return Outcome()
            return Outcome.of(*self._burial(store, process, news))

        return run

    def ends(self) -> Run:
        """Make the job by which this process itself goes, with whoever is still connected."""

        def run(store: WriteStore) -> Outcome:
            return Outcome.of(*self._burial(store, self.process, NO_NEWS))

        return run

    def again(self, presences: list[Presence]) -> Run:
        """Make the job that brings this process back, which the others have taken for dead."""

        def run(store: WriteStore) -> Outcome:
            store.begin_process(self.process)
            return Outcome.of(
                *(draft for presence in presences for draft in self.came(presence)(store).drafts)
            )

        return run

    def _burial(
        self, store: WriteStore, process: int, news: Mapping[int, Sequence[Draft]]
    ) -> list[Draft]:
        drafts: list[Draft] = []
        for them in store.standings(process):
            last = store.part(process, them.character)
            who = Who(them.character, them.name)
            told = news.get(them.character, ()) if last else None
            drafts += _went(process, who, them.room, told)
            actor = Actor(them.character, them.name, them.role, them.account)
            if last and actor.is_guest:
                left = guest_leaves(actor, self._clock())(store).drafts
                drafts += (
                    Draft(d.event, d.audience, d.ledger, actor=who, room=d.room) for d in left
                )
        store.end_process(process)
        return drafts


def _came(standing: Standing, news: Sequence[Draft] | None) -> list[Draft]:
    """Draft what is told of who comes; without news, who was connected elsewhere already."""
    who = Who(standing.character, standing.name)
    picture = Draft(PlayerCame(standing), Audience.REFEREES, actor=who, room=standing.room)
    return [picture, *_shown(who, standing.room, news, here=True)]


def _went(process: int, who: Who, room: int, news: Sequence[Draft] | None) -> list[Draft]:
    """Draft what is told of who goes; without news, who is still connected elsewhere."""
    picture = Draft(PlayerWent(process, who.id), Audience.REFEREES, actor=who, room=room)
    return [picture, *_shown(who, room, news, here=False)]


def _shown(who: Who, room: int, news: Sequence[Draft] | None, *, here: bool) -> list[Draft]:
    if news is None:
        return []
    drafts = (Draft(Connected(here)), *news)
    return [replace(draft, actor=who, room=room) for draft in drafts]
