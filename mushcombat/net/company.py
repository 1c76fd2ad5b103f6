"""Who comes and goes: news at once in a game of one process, else it crosses to the others."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from twisted.internet.task import LoopingCall

from mushcombat.domain.command import Committed, Outcome, Result
from mushcombat.domain.events import Connected, Draft, Who
from mushcombat.domain.processes import RENEWED
from mushcombat.service.accounts import guest_leaves
from mushcombat.service.clock import CLOCK
from mushcombat.service.contacts import watch_news
from mushcombat.service.presence import Presence

if TYPE_CHECKING:
    from mushcombat.net.game import Game

log = logging.getLogger(__name__)

Run = Callable[[Any], Outcome]


class Company(Protocol):
    """What a connection, and what runs by the clock, ask about other processes."""

    @property
    def leads(self) -> bool:
        """Whether this process does what only one of them may do."""
        ...

    @property
    def crosses(self) -> bool:
        """Whether there are others to hear what is said here."""
        ...

    def came(self, presence: Presence) -> None:
        """Tell that somebody has a first connection here."""
        ...

    def went(self, presence: Presence) -> None:
        """Tell that somebody's last connection here is gone."""
        ...


class Alone:
    """A game of one process."""

    leads = True
    crosses = False

    def __init__(self, game: Game) -> None:
        self._game = game

    def came(self, presence: Presence) -> None:
        """Tell the room."""
        self._announce(presence, here=True)

    def went(self, presence: Presence) -> None:
        """Tell the room; a guest is gone for good."""
        self._announce(presence, here=False)
        retire(self._game, presence)

    def _announce(self, presence: Presence, *, here: bool) -> None:
        who = Who(presence.id, presence.name)
        news = watch_news(self._game.world, presence, here=here)
        self._game.show(who, presence.room, [Draft(Connected(here)), *news])


def retire(game: Game, presence: Presence) -> None:
    """End a guest who is connected nowhere any more."""
    if presence.actor.is_guest and not presence.elsewhere:
        run = guest_leaves(presence.actor, game.clock())
        game.write(Who(presence.id, presence.name), None, run, _nobody_waits)


def _nobody_waits(_: Result) -> None:
    """Stand for whoever would be told."""


class Members(Protocol):
    """The jobs that tell other processes of this one; storage makes them."""

    process: int

    def came(self, presence: Presence, news: Sequence[Draft] = ()) -> Run:
        """Make the job that tells of somebody's first connection here."""
        ...

    def went(self, presence: Presence, news: Sequence[Draft] = ()) -> Run:
        """Make the job that tells that somebody's last connection here is gone."""
        ...

    def stirred(self, active: Mapping[int, datetime], away: Mapping[int, str]) -> Run:
        """Make the job that tells when players of this process last typed something."""
        ...

    def bury(self, process: int, news: Mapping[int, Sequence[Draft]]) -> Run:
        """Make the job that takes out a process which is dead, if it still is: its players go."""
        ...

    def ends(self) -> Run:
        """Make the job by which this process itself goes, with whoever is still connected."""
        ...

    def again(self, presences: list[Presence]) -> Run:
        """Make the job that brings this process back, which the others have taken for dead."""
        ...


class Census(Protocol):
    """Which processes there are."""

    @property
    def alive(self) -> Sequence[int]:
        """Give those that have renewed their lease."""
        ...

    @property
    def dead(self) -> Sequence[int]:
        """Give those that have not."""
        ...

    @property
    def known(self) -> bool:
        """Tell whether this process is one of them."""
        ...


class Companions:
    """Several processes on one database: tells the others who is here, until it is on disk."""

    def __init__(self, game: Game, members: Members) -> None:
        self._game = game
        self._members = members
        self._alive: Sequence[int] = (members.process,)
        # Those who are there are heard before the first count of processes comes.
        self._met = any(presence.elsewhere for presence in game.world.everyone())
        self._here: dict[int, Presence] = {}
        self._told: dict[int, Presence] = {}  # as the others know it
        self._asked: set[int] = set()  # jobs about these players are under way
        self._stirs: dict[int, tuple[datetime, str]] = {}  # as the others know them
        self._burying: set[int] = set()
        self._returning = False
        self._loop = LoopingCall(self._look)
        self._loop.clock = game.reactor

    @property
    def leads(self) -> bool:
        """Whether this is the oldest process that is alive."""
        return min(self._alive, default=self._members.process) == self._members.process

    @property
    def crosses(self) -> bool:
        """Whether there are others, or were: one that was taken for dead may come back."""
        return self._met

    def start(self) -> None:
        """Begin to tell who stirs, and what could not be told at once."""
        self._loop.start(RENEWED, now=False)

    def stop(self) -> None:
        """Take this process out, with whoever is still connected."""
        if self._loop.running:
            self._loop.stop()
        self._job(self._members.ends(), _nobody_waits)

    # who is here

    def came(self, presence: Presence) -> None:
        """Tell the others of somebody who is here now."""
        self._here[presence.id] = presence
        self._settle(presence.id)

    def went(self, presence: Presence) -> None:
        """Tell the others of somebody who is here no more."""
        self._here.pop(presence.id, None)
        self._settle(presence.id)
        retire(self._game, presence)

    def _settle(self, character: int) -> None:
        """Tell the others about one player, if what they know is not so; one thing at a time."""
        here, told = self._here.get(character), self._told.get(character)
        if here is told or character in self._asked or self._returning:
            return
        self._asked.add(character)
        if told is not None:
            run = self._members.went(told, watch_news(self._game.world, told, here=False))
            self._job(run, lambda result: self._settled(character, result, None))
        elif here is not None:
            run = self._members.came(here, watch_news(self._game.world, here, here=True))
            self._job(run, lambda result: self._settled(character, result, here))

    def _settled(self, character: int, result: Result, now: Presence | None) -> None:
        self._asked.discard(character)
        if not isinstance(result, Committed):
            return  # the loop tries it again
        if now is None:
            self._told.pop(character, None)
        else:
            self._told[character] = now
        self._settle(character)

    def _look(self) -> None:
        for character in {*self._here, *self._told}:
            self._settle(character)
        now = {c: (p.active, p.away) for c, p in self._told.items()}
        stirs = {c: mark for c, mark in now.items() if self._stirs.get(c) != mark}
        if stirs and self.crosses:
            self._stirs = now
            active = {c: at for c, (at, _) in stirs.items()}
            away = {c: text for c, (_, text) in stirs.items() if text}
            self._job(self._members.stirred(active, away), _nobody_waits)

    # the others

    def counted(self, census: Census) -> None:
        """Take in which processes there are; who is dead is buried, whoever is quicker."""
        alive = [number for number in census.alive if number != self._members.process]
        if set(alive) - set(self._alive):
            self._stirs = {}  # who is new has to be told of everybody
        self._alive = alive
        self._met = self._met or bool(self._alive)
        self._alive.append(self._members.process)
        for number in {*census.dead} - self._burying:
            log.warning("process %d is dead: its players are taken out", number)
            self._burying.add(number)
            self._job(self._members.bury(number, self._news(number)), partial(self._buried, number))
        if not census.known and not self._returning and not self._asked:
            self._return()

    def _news(self, process: int) -> dict[int, list[Draft]]:
        """Draft what those are told who watch the players of a process."""
        world = self._game.world
        theirs = [p for p in world.everyone() if process in p.elsewhere]
        return {p.id: watch_news(world, p, here=False) for p in theirs}

    def _buried(self, process: int, _: Result) -> None:
        self._burying.discard(process)

    def _return(self) -> None:
        """Come back: the others have taken this process for dead."""
        log.warning("this process did not renew its lease in time; it joins the others again")
        self._returning = True
        here = [*self._here.values()]

        def done(result: Result) -> None:
            self._returning = False
            if isinstance(result, Committed):
                self._told = {presence.id: presence for presence in here}
            self._look()

        self._job(self._members.again(here), done)

    def _job(self, run: Run, done: Callable[[Result], None]) -> None:
        self._game.write(CLOCK, None, run, done)
