"""What comes back from the writer: each job's owner is told, whatever happens to the others."""

from __future__ import annotations

import logging

import pytest

from mushcombat.domain.command import Committed, Job, Outcome, Refused, Result
from mushcombat.domain.events import Audience, Fact, Spoken, Who
from mushcombat.net.session import Session
from tests.unit.net.fakes import Link, Table
from tests.unit.support import ADA, NOW, START


def job_of(who: Who, told: list[Result]) -> Job:
    return Job("id", who, START, lambda _: Outcome(), told.append)


def come(table: Table, name: str) -> tuple[Session, Link]:
    """Let somebody in whom the gate has counted."""
    session, link = table.inside(name)
    table.game.sessions.add(session)
    return session, link


def test_what_can_not_be_shown_hurts_no_other_of_its_batch_and_is_told(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    told: list[Result] = []
    ada = Who(ADA.id, "Ada")
    broken = Committed((Fact(Spoken("say", "one"), ada, NOW, Audience.ROOM, START),))
    publish, left = table.game.publisher.publish, [broken.facts]

    def fails_once(facts: tuple[Fact, ...]) -> None:
        if left:
            left.pop()
            raise RuntimeError("no view")
        publish(facts)

    monkeypatch.setattr(table.game.publisher, "publish", fails_once)
    refused = Refused("no")
    table.game.release([(job_of(ada, told), broken), (job_of(ada, told), refused)])
    assert told == [broken, refused]
    assert [record.levelno for record in caplog.records] == [logging.ERROR]


def test_those_whose_jobs_hang_are_told_once_and_nobody_else(table: Table) -> None:
    ada, hers = come(table, "Ada")
    bram, his = come(table, "Bram")
    hers.seen()
    for session in (ada, bram):
        session.wait()
    absent = Who(4711, "Nobody")
    jobs = [job_of(who, []) for who in (Who(ADA.id, "Ada"), Who(ADA.id, "Ada"), absent)]
    table.game.hold(jobs, "Wait.")
    table.game.hold(jobs, "Wait.")
    assert hers.seen() == ["Wait."]
    assert his.seen() == []
