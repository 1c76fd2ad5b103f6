"""What every connection shares: the world, the lanes that work runs in, and the clock."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from twisted.internet.defer import CancelledError, Deferred, fail
from twisted.internet.threads import deferToThreadPool
from twisted.python.failure import Failure
from twisted.python.threadpool import ThreadPool

from mushcombat.config import Config
from mushcombat.domain.command import Committed, Job, Outcome, ReadContext, Refused, Result
from mushcombat.domain.events import Draft, Fact, Who
from mushcombat.domain.ports import Reads, Writes
from mushcombat.errors import MushError
from mushcombat.job_ids import job_id
from mushcombat.net.attendance import Attendance
from mushcombat.net.company import Alone, Company
from mushcombat.net.data import DataFeed, DataView
from mushcombat.net.health import Health
from mushcombat.net.limits import Gate
from mushcombat.net.metrics import Metrics
from mushcombat.net.outbox import Waiting
from mushcombat.net.passwords import Passwords
from mushcombat.net.publisher import Publisher
from mushcombat.service.accounts import Throttle
from mushcombat.service.executor import Executor
from mushcombat.service.world import World
from mushcombat.storage.writer import UNSAVED

if TYPE_CHECKING:
    from mushcombat.net.session import Session

log = logging.getLogger(__name__)


class Submits(Protocol):
    """The writer, as the connections need it.

    `trouble` is what the database said when it last took nothing, "" once it takes things again.
    """

    trouble: str

    def submit(self, job: Job) -> None:
        """Queue a job."""
        ...

    def withdraw(self) -> Sequence[Job]:
        """Take back what is queued and was not tried."""
        ...


class Runs(Protocol):
    """The readers, as the connections need them."""

    def run(self, work: Callable[[Any], Any]) -> Any:
        """Run work with a store to read."""
        ...


@dataclass(eq=False)
class Game:
    """Handed to every session by the composition root.

    `sessions` are the connections that were let in.
    `shown` is told of facts that were committed, once everybody has seen them.
    `on_arrival` gives what somebody is told who comes back into the scene that they are in.
    `describe` is what makes data for clients that take GMCP.
    `silent`: the database does not answer, and nothing new is given to it.
    """

    config: Config
    world: World
    executor: Executor
    publisher: Publisher
    writer: Submits
    readers: Runs
    passwords: Passwords
    throttle: Throttle
    pool: ThreadPool
    reactor: Any
    clock: Callable[[], datetime]
    on_arrival: Callable[[ReadContext], tuple[str, ...]]
    describe: DataView
    banner: str
    motd: str
    spoken_banner: str = ""
    closing: bool = False
    silent: bool = False
    shown: Callable[[Sequence[Fact]], None] = lambda _: None
    attendance: Attendance = field(init=False)
    company: Company = field(init=False)
    data: DataFeed = field(init=False)
    started: datetime = field(init=False)
    gate: Gate = field(init=False)
    waiting: Waiting = field(init=False)
    metrics: Metrics = field(init=False)
    health: Health = field(init=False)
    sessions: set[Session] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.attendance = Attendance(self)
        self.company = Alone(self)
        self.data = DataFeed(self)
        self.publisher.also = self.data.show
        self.started = self.clock()
        limits = self.config.limits
        self.gate = Gate(limits, self.world.bans, self.reactor.seconds, self.clock)
        self.waiting = Waiting(limits.output, limits.output_all)
        self.metrics = Metrics(self)
        self.health = Health(self)
        self._next: list[Callable[[], None]] = []
        self._ends: list[Callable[[], None]] = []
        self._turning = False
        self._reading: set[Deferred[Any]] = set()
        self._speaking: dict[str, Job] = {}  # what nobody needs kept, and the writer has

    def next_turn(self, work: Callable[[], None]) -> bool:
        """Do something in the next turn of the reactor; all that waits is one call of it."""
        if not self._next:
            self.reactor.callLater(0, self._turn)
        self._next.append(work)
        return True

    def at_turns_end(self, work: Callable[[], None]) -> None:
        """Do something when what runs now is done: output that has gathered is sent then."""
        if self._turning:
            self._ends.append(work)
        else:
            self.reactor.callLater(0, work)

    def _end_turn(self) -> None:
        """Do what was put off until the end of a turn: no other turn has to begin."""
        self._turning = False
        ends, self._ends = self._ends, []
        for end in ends:
            end()

    def _turn(self) -> None:
        works, self._next = self._next, []
        self._turning = True
        for work in works:
            try:
                work()
            except Exception:  # of a session's turn: the others must have theirs
                log.exception("a session's turn failed")
        self._end_turn()

    def read(self, work: Callable[[Reads], Any]) -> Deferred[Any]:
        """Run work in the reader pool; it fails at once while the database is silent."""
        if self.silent:
            return fail(_unread())
        answer = deferToThreadPool(self.reactor, self.pool, self.readers.run, work)
        self._reading.add(answer)
        return answer.addBoth(self._was_read, answer)

    def _was_read(self, result: Any, answer: Deferred[Any]) -> Any:
        self._reading.discard(answer)
        if isinstance(result, Failure) and isinstance(result.value, CancelledError):
            raise _unread()
        return result

    def check_answers(self) -> None:
        """Raise MushError while the database is silent, for who would wait for it."""
        if self.silent:
            raise _unread()

    def write(
        self,
        actor: Who,
        room: int | None,
        run: Callable[[Writes], Outcome],
        done: Callable[[Result], None],
        *,
        appends: bool = False,
        ledger: int | None = None,
        stays: bool = False,
    ) -> None:
        """Give the writer a job; `done` is called on the reactor once its facts are shown."""
        self._submit(Job(job_id(), actor, room, run, done, appends, ledger, stays))

    def _submit(self, job: Job) -> None:
        if self.silent:  # it is told in a turn of its own, as by the writer
            self.reactor.callFromThread(self._hand_over, _refused([job]))
            return
        self.metrics.queued()
        self.writer.submit(job)

    def release(self, results: Sequence[tuple[Job, Result]]) -> None:
        """Show what was committed, and tell each job's owner, in the order of the commit."""
        self.metrics.batch(len(results))
        self._hand_over(results)

    def _hand_over(self, results: Sequence[tuple[Job, Result]]) -> None:
        self._turning = True
        for job, result in results:
            try:
                self._release(job, result)
            except Exception:  # of a session's job: the others in its batch must be told
                log.exception("showing the result of a job failed")
        self._end_turn()

    def _release(self, job: Job, result: Result) -> None:
        if job.speech and self._speaking.pop(job.id, None) is None:
            return  # it was shown here when the database fell silent
        try:
            if isinstance(result, Committed):
                self.publisher.publish(result.facts)
                self.attendance.released(result.facts)
        finally:
            job.done(result)  # or the session would wait for ever
        if isinstance(result, Committed):
            self.shown(result.facts)

    def hold(self, jobs: Sequence[Job], text: str) -> None:
        """Tell those whose jobs hang that they do; who logs in is nobody yet."""
        actors = {job.actor.id for job in jobs}
        for session in list(self.sessions):
            if (session.presence.id if session.presence else 0) in actors:
                session.hold(text)

    def hold_all(self, text: str) -> None:
        """Tell all whose line is under way that it hangs."""
        for session in list(self.sessions):
            session.hold(text)

    def fall_silent(self) -> None:
        """Wait no more for the database where that loses nothing.

        What is spoken is shown here, reading is given up, and what the writer has not begun is
        refused. What it has begun may still be saved: who waits for that goes on waiting.
        """
        self.silent = True
        queued = self.writer.withdraw()
        spoken = list(self._speaking.values())
        self.metrics.taken_back(len(queued))
        self._hand_over(_refused([*spoken, *(job for job in queued if not job.speech)]))
        for answer in list(self._reading):
            answer.cancel()

    @property
    def crosses(self) -> bool:
        """Whether there are others who can hear now what is said here."""
        return self.company.crosses and not self.silent

    def show(self, who: Who, room: int, drafts: Sequence[Draft]) -> None:
        """Show what nobody needs kept."""
        if drafts and self.crosses:
            self.speak(who, room, Outcome.of(*drafts), lambda _: None)
        else:
            self.show_here(who, room, drafts)

    def speak(self, who: Who, room: int, outcome: Outcome, done: Callable[[Result], None]) -> None:
        """Show what nobody needs kept to the players of all processes, in the order of all.

        Without the database those of this process alone see it: their room goes on.
        """

        def spoken(result: Result) -> None:
            if isinstance(result, Refused):
                self.show_here(who, room, outcome.drafts)
            done(Committed((), outcome.reply))

        number = job_id()
        job = Job(number, who, room, lambda _: outcome, spoken, appends=True, speech=True)
        self._speaking[number] = job
        self._submit(job)

    def show_here(self, who: Who, room: int, drafts: Sequence[Draft]) -> None:
        """Show what nobody needs kept, to the players of this process."""
        now = self.clock()
        self.publisher.publish(
            [Fact(d.event, d.actor or who, now, d.audience, d.room or room) for d in drafts]
        )


def refusal_text(result: Result) -> str:
    """Give what to tell the actor of a job that was refused, '' of one that was not."""
    return result.text if isinstance(result, Refused) else ""


def _refused(jobs: Iterable[Job]) -> list[tuple[Job, Result]]:
    return [(job, Refused(UNSAVED)) for job in jobs]


def _unread() -> MushError:
    return MushError("unread", "The database can't be read just now.", "Try again in a moment.")
