"""One scene on one database: played by ten people, killed again and again, and looked through."""

from __future__ import annotations

import itertools
import random
import signal
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial

from tests.contract.moves import REFEREE
from tests.e2e.harness import PATIENCE, Server
from tests.e2e.torture import moment
from tests.e2e.torture.judge import Judge
from tests.e2e.torture.seer import Seer
from tests.e2e.torture.talk import FIGHTERS, PEOPLE, Line, Talk, opening
from tests.e2e.torture.tap import KilledError, Tap
from tests.e2e.torture.witness import Session

LOGIN_BYTES, PLAY_BYTES = 80_000, 40_000
"""At most so many bytes go over the wires before a kill: while all ten log in, or from then on."""

EARLY = 0.2
"""How often the kill comes while people log in."""

GENTLE = 0.15
"""How often a server is told to end (SIGTERM) instead: then nothing is told twice, either."""

LATE, DELAY = 0.5, 0.008
"""How often it comes a moment, at most so many seconds, after the next line that is typed: most
bytes come behind commits, and some kills are to come between."""

BUSY = 0.5
"""How often others play on, at other servers, while people come back."""

AT_ONCE, BEHIND, GONE = "at once", "behind its players", "when they are seen to be gone"
"""When a server is started that others outlived: its players are at those already, or not yet."""

PAUSE = 0.1
"""Seconds between what people type while a server starts, or counts as alive: it needs its turn."""

TRIES = 20
"""Lines that are thought of, before somebody who is there just poses."""

MOST = 5
"""People at one of several servers."""


@dataclass(frozen=True)
class Aim:
    """Which server is to end, how, and after how many bytes."""

    victim: Server
    left: int
    early: bool
    gentle: bool
    delay: float


class Story:
    """Plays on after each kill; raises AssertionError for whatever does not hold."""

    def __init__(self, servers: Sequence[Server], seed: int, say: Callable[[str], None]) -> None:
        self._servers = servers
        self._chance = random.Random(seed)
        self._talk = Talk(self._chance)
        self._say = say
        self._seer = Seer(servers[0].url, PEOPLE)
        self._judge = Judge(self._seer)
        self._tap = Tap(servers)
        self._starter = ThreadPoolExecutor(1)
        self._where = ""
        self._ways = itertools.cycle((GONE, AT_ONCE, BEHIND))
        self.tally = self._judge.tally
        self.keep = self._judge.keep

    # the beginning and the end

    def begin(self) -> None:
        """Open the scene, and begin a fight in it."""
        tap = self._tap
        for name in PEOPLE:
            tap.connect(name, self._seat())
            tap.log_in(name)
        tap.meet()
        for name, line in opening():
            tap.send(name, line)
            tap.settle([name])
        tap.meet()
        self._judge.begin()
        tap.leave()

    def play(self, kills: int) -> None:
        """Play until so many servers were killed, and see after each what is left."""
        for number in range(kills):
            aim, rows = self._aim(), self._seer.last
            when = self._until_killed(aim)
            how = "SIGTERM" if aim.gentle else "kill"
            self.tally.kills[how if aim.gentle else self._where] += 1
            which = f" of server {self._servers.index(aim.victim) + 1}" * (len(self._servers) > 1)
            late = f" and {aim.delay * 1000:.0f} ms" if aim.delay else ""
            rows = self._seer.last - rows
            self._say(
                f"{how} {number + 1}{which} at byte {aim.left}{late} {when}, {rows} rows later,"
                f" {self._where}"
            )
            self._recover(aim)

    def end(self) -> None:
        """See a last time what is left, close the scene, and prove its transcript."""
        self._bring_back()
        self._tap.send(REFEREE, "+scene/close")
        self._tap.settle(PEOPLE)
        server = self._servers[0]
        file = server.folder / "log.jsonl"
        options = ("--format", "jsonl", "--profile", "audit", "--output", str(file))
        server.cli("transcript", "export", "1", *options)
        server.cli("verify", str(file))

    def close(self) -> None:
        """Let go of the database, and of everybody."""
        self._starter.shutdown()
        self._seer.close()
        for client in self._tap.clients.values():
            client.close()

    # between two kills

    def _aim(self) -> Aim:
        there = [server for server in self._servers if self._tap.at(server)] or self._servers
        gentle, early = self._chance.random() < GENTLE, self._chance.random() < EARLY
        logins = LOGIN_BYTES * (len(PEOPLE) - len(self._tap.clients)) // len(PEOPLE)
        left = self._chance.randint(1, logins if early and logins else PLAY_BYTES)
        late = not gentle and self._chance.random() < LATE
        delay = self._chance.uniform(0, DELAY) if late else 0.0
        return Aim(self._chance.choice(there), left, early, gentle, delay)

    def _until_killed(self, aim: Aim) -> str:
        """Play until a server ends; tells when that was."""
        when, end = "of the logins", partial(self._end, aim)
        try:
            left = aim.left if aim.early else None
            self._tap.aim(aim.victim, end, left, at_line=aim.delay > 0)
            self._bring_back(busy=self._chance.random() < BUSY)
            when = "of the play"
            if not aim.early:
                self._tap.left = aim.left
            while True:
                self._turn()
        except KilledError:
            self._judge.ended(self._tap.read_out(aim.victim), in_order=aim.gentle)
        code = aim.victim.wait()
        assert code == (0 if aim.gentle else -signal.SIGKILL), f"the server ended with {code}"
        return when

    def _end(self, aim: Aim) -> None:
        time.sleep(aim.delay)
        if aim.gentle:
            self._where = "in order"
            aim.victim.signal(signal.SIGTERM)
        else:
            self._where = moment.kill(aim.victim)

    def _recover(self, aim: Aim) -> None:
        """Start a server again; others play on, if there are any, and its players may go there."""
        if not self._tap.clients:
            aim.victim.start()
            return
        killed, when = time.monotonic(), next(self._ways)
        if when == GONE:
            self._see_them_go(killed, count=not aim.gentle)
        elif when == BEHIND:
            self._bring_back(busy=self._chance.random() < BUSY)
        starting: Future[None] = self._starter.submit(aim.victim.start)
        while not wait([starting], PAUSE).done:
            self._turn()
        starting.result()

    def _see_them_go(self, killed: float, *, count: bool) -> None:
        """Play on until everybody is shown that those of the dead server are gone; note how long.

        Who ends in order says so at once, which does not `count`.
        """
        end = killed + PATIENCE
        while missing := self._judge.missing():
            assert time.monotonic() < end, f"{missing} are not seen to go"
            time.sleep(PAUSE)
            self._turn()
        if count:
            self.tally.gone.append(time.monotonic() - killed)

    def _turn(self) -> None:
        """Let one to four people type something, and wait until they are answered."""
        self._seer.refresh()
        typed = [self._next() for _ in range(self._chance.randint(1, 4))]
        for name, line in typed:
            self._tap.send(name, line)
        self._tap.settle(dict(typed))

    def _next(self) -> Line:
        """Give a line of somebody who is connected; the referee types those of who is not."""
        there = self._tap.clients
        for _ in range(TRIES):
            name, line = self._talk.next(self._seer)
            if name in FIGHTERS and name not in there:
                name, line = REFEREE, f"+as {name}={line}"
            if name in there:
                return name, line
        return self._chance.choice([*there]), self._talk.pose()

    def _seat(self) -> Server:
        """Give a server that runs, and has a seat."""
        runs = [s for s in self._servers if s.process and s.process.poll() is None]
        free = [server for server in runs if len(self._tap.at(server)) < MOST]
        return self._chance.choice(free or runs)

    def _bring_back(self, *, busy: bool = False) -> None:
        """Log everyone in who is not, wait until all is shown to everybody, and look back."""
        before, there = self._seer.last, [*self._tap.clients]
        for name in PEOPLE:
            if name not in there:
                client = self._tap.connect(name, self._seat())
                self._judge.began(Session(name, client, before))
                self._tap.log_in(name)
        if busy and there:
            self._turn()
        while True:
            last = self._seer.last
            self._tap.meet()
            if self._seer.last == last and self._judge.level(last):
                break
        for server in self._servers:
            self._see_all_here(self._tap.at(server)[:1])

    def _see_all_here(self, names: Sequence[str]) -> None:
        """See that all ten are connected, as somebody is told who asks."""
        for name in names:
            client = self._tap.clients[name]
            start = len(client.seen)
            self._tap.send(name, "WHO")
            self._tap.settle([name])
            here = f"{len(PEOPLE)} players are connected."
            assert here in client.seen[start:], f"{name} is told {client.seen[start:]!r}"
