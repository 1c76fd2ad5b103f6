"""Two processes in one: each has a writer of its own, and notes what it would show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Thread

from mushcombat.domain.command import Job, Outcome, Result
from mushcombat.domain.events import Fact
from mushcombat.domain.processes import Standing
from mushcombat.storage.database import Database
from mushcombat.storage.neighbours import Neighbours
from mushcombat.storage.reads import ReadStore
from mushcombat.storage.writer import OTHERS
from tests.contract.bench import CODEC, Bench, Clock, Run, describe, words_of


class Process:
    """One server's storage: `shown` is all that it would show, in order."""

    def __init__(self, url: str) -> None:
        database = Database(url, CODEC, describe, Clock())
        neighbours = database.neighbours()
        assert neighbours is not None
        self.neighbours: Neighbours = neighbours
        self.there: list[Standing] = []
        self.neighbours.join(self._load)
        self.shown: list[Fact] = []
        self.delivered: list[tuple[Job, Result]] = []
        self.writer = database.writer(self._deliver, neighbours=neighbours)

    def _load(self, _store: ReadStore, there: list[Standing]) -> None:
        self.there = there

    def _deliver(self, results: Sequence[tuple[Job, Result]]) -> None:
        self.delivered += results
        self.shown += facts_in(results)

    @property
    def number(self) -> int:
        return self.neighbours.members.process

    def run(self, *jobs: Job) -> list[Result]:
        """Run jobs in one batch; gives their results, and notes what others did before."""
        results = self.writer.run(jobs)
        self._deliver(results)
        return [result for job, result in results if job is not OTHERS]

    def look(self) -> list[Fact]:
        """Look for what others did; gives that alone."""
        results = self.writer.look_round()
        self._deliver(results)
        return facts_in(results)

    def said(self) -> list[str]:
        return words_of(self.shown)


def facts_in(results: Sequence[tuple[Job, Result]]) -> list[Fact]:
    return [fact for _, result in results for fact in getattr(result, "facts", ())]


@contextmanager
def two(bench: Bench) -> Iterator[tuple[Process, Process]]:
    pair = Process(bench.url), Process(bench.url)
    yield pair
    for process in pair:
        process.writer.close()


def stays(bench: Bench, run: Run, scene: int) -> Job:
    """Make a job that belongs to a scene, as the connections do."""
    job = bench.job(run)
    return Job(job.id, job.actor, None, run, job.done, ledger=scene, stays=True)


def speech(bench: Bench, outcome: Outcome) -> Job:
    """Make a job that only tells what nobody needs kept."""
    job = bench.job(lambda _: outcome)
    return Job(job.id, job.actor, None, job.run, job.done, speech=True)


def at_once(*works: Sequence[object]) -> None:
    """Run (function, arguments...) in a thread each, and wait for all."""
    problems: list[BaseException] = []

    def guarded(work: Sequence[object]) -> None:
        function, *arguments = work
        try:
            function(*arguments)  # type: ignore[operator]  # the first is callable
        except BaseException as problem:  # noqa: BLE001 -- it is raised again, in the test's thread
            problems.append(problem)

    threads = [Thread(target=guarded, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if problems:
        raise problems[0]
