"""Who comes and goes where several processes are one game, and what only one of them does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import pytest
from twisted.internet.defer import Deferred

from mushcombat.domain.command import Job, Outcome, Refused
from mushcombat.domain.events import Audience, Draft, Fact, Moved, Spoken
from mushcombat.domain.processes import DEAD, RENEWED, PlayerCame, PlayersStirred, Standing
from mushcombat.net.alarms import Alarms
from mushcombat.net.company import Companions
from mushcombat.net.pose_turns import PoseTurns
from mushcombat.net.reminders import Reminders
from mushcombat.net.session import Session
from mushcombat.service.presence import Presence
from mushcombat.storage.listener import SWEEP
from tests.unit.net.fakes import Link, Table, quick_hashing, type_
from tests.unit.support import ADA, BRAM, DOCK, NOW, START, scene_of, who

US, OTHER, THIRD = 5, 3, 8
SCENE = scene_of(ADA, BRAM)


@dataclass(frozen=True)
class Counted:
    """A census."""

    alive: tuple[int, ...] = (US,)
    dead: tuple[int, ...] = ()
    known: bool = True


class Members:
    """Makes jobs that note what they are; `fault` refuses them."""

    process = US

    def __init__(self) -> None:
        self.said: list[str] = []
        self.news: list[Draft] = []

    def came(self, presence: Presence, news: Sequence[Draft] = ()) -> Any:
        self.news += news
        return self._job(f"{presence.name} came")

    def went(self, presence: Presence, news: Sequence[Draft] = ()) -> Any:
        self.news += news
        return self._job(f"{presence.name} went")

    def stirred(self, active: Mapping[int, datetime], away: Mapping[int, str]) -> Any:
        names = sorted(active)
        return self._job(f"{names} stirred, away: {dict(away)}")

    def bury(self, process: int, news: Mapping[int, Sequence[Draft]]) -> Any:
        return self._job(f"{process} is buried, {sorted(news)} went")

    def ends(self) -> Any:
        return self._job("ends")

    def again(self, presences: list[Presence]) -> Any:
        return self._job(f"again with {[presence.name for presence in presences]}")

    def _job(self, what: str) -> Any:
        def run(_: object) -> Outcome:
            self.said.append(what)
            return Outcome()

        return run

    def take(self) -> list[str]:
        said, self.said = self.said, []
        return said


class Party:
    """A game among others."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.members = Members()
        self.companions = Companions(table.game, self.members)
        table.game.company = self.companions
        table.world.process = US

    def said(self) -> list[str]:
        return self.members.take()

    def meet(self, *others: int) -> None:
        """Learn of others."""
        self.companions.counted(Counted(alive=(*others, US)))

    def lose_database(self) -> None:
        """Let the writer refuse everything."""
        writer = self.table.writer

        def submit(job: Job) -> None:
            self.table.game.release([(job, Refused("The database is gone."))])

        writer.submit = submit  # type: ignore[method-assign]

    def find_database(self) -> None:
        del self.table.writer.submit


@pytest.fixture
def party(monkeypatch: pytest.MonkeyPatch) -> Party:
    table = Table(SCENE)
    quick_hashing(monkeypatch, table)
    return Party(table)


def come(party: Party, name: str = "Ada") -> tuple[Session, Link]:
    session, link = party.table.session()
    type_(session, f"connect {name} {name}s-own-word")
    return session, link


def go(party: Party, session: Session) -> None:
    session.lost()
    party.table.reactor.advance(0)


def test_the_first_connection_is_told_and_the_last_one(party: Party) -> None:
    first, _ = come(party)
    second, _ = come(party)
    assert party.said() == ["Ada came"]
    go(party, first)
    assert party.said() == []
    go(party, second)
    assert party.said() == ["Ada went"]


def test_who_comes_and_goes_while_it_is_being_told_is_told_in_order(party: Party) -> None:
    party.table.writer.quick = False
    session, _ = come(party)
    party.table.writer.work()  # the login itself
    go(party, session)
    party.table.writer.work()
    assert party.said() == ["Ada came"]
    party.table.writer.work()
    assert party.said() == ["Ada went"]


def test_what_could_not_be_told_is_told_later(party: Party) -> None:
    party.companions.start()
    session, _ = come(party)
    assert party.said() == ["Ada came"]
    party.lose_database()
    go(party, session)
    assert party.said() == []
    party.table.reactor.advance(RENEWED)
    party.find_database()
    party.table.reactor.advance(RENEWED)
    assert party.said() == ["Ada went"]
    party.companions.stop()
    assert party.said() == ["ends"]
    party.table.reactor.advance(RENEWED)
    assert party.said() == []


def test_a_game_that_never_started_can_end(party: Party) -> None:
    party.companions.stop()
    assert party.said() == ["ends"]


def test_alone_speech_is_shown_at_once(party: Party) -> None:
    session, link = come(party, "Rhea")
    link.seen()
    party.table.writer.quick = False
    type_(session, "say hello")
    assert link.seen() == ['You say, "hello"']
    assert party.table.writer.jobs == []


def test_among_others_speech_goes_to_all_before_the_next_line(party: Party) -> None:
    session, link = come(party, "Rhea")
    party.meet(OTHER)
    link.seen()
    party.table.writer.quick = False
    type_(session, "say hello", "WHO")
    assert link.seen() == []
    (job,) = party.table.writer.jobs
    assert (job.speech, job.stays) == (True, False)
    party.table.writer.work()
    assert link.seen()[0] == 'You say, "hello"'


def test_what_is_read_and_said_to_others_goes_the_same_way(party: Party) -> None:
    session, link = come(party)
    party.meet(OTHER)
    link.seen()
    party.table.writer.quick = False
    type_(session, "+sheet", "+finger Bram", "say then")
    assert any("Bram" in line for line in link.seen())
    assert len(party.table.writer.jobs) == 1


def test_without_the_database_a_room_goes_on(party: Party) -> None:
    session, link = come(party, "Rhea")
    party.meet(OTHER)
    party.lose_database()
    link.seen()
    type_(session, "say hello", "say again")
    assert link.seen() == ['You say, "hello"', 'You say, "again"']


def test_who_was_met_once_may_come_back(party: Party) -> None:
    crossed = [party.companions.crosses]
    for others in ((OTHER,), ()):
        party.meet(*others)
        crossed.append(party.companions.crosses)
    assert crossed == [False, True, True]


def test_who_starts_beside_others_speaks_to_their_players_from_the_first_word(
    party: Party,
) -> None:
    remote = Standing(OTHER, BRAM.id, "Bram", BRAM.role, 2, START, "", "", NOW, NOW)
    fact = Fact(PlayerCame(remote), who(BRAM), NOW, Audience.REFEREES)
    party.table.game.publisher.publish([fact])
    assert Party(party.table).companions.crosses


def test_the_oldest_process_leads(party: Party) -> None:
    leads = [party.companions.leads]
    for alive in ((US, THIRD), (OTHER, US, THIRD), ()):
        party.companions.counted(Counted(alive, known=bool(alive)))
        leads.append(party.companions.leads)
    assert leads == [True, True, False, True]


def test_who_does_not_lead_leaves_the_clock_alone(party: Party) -> None:
    come(party)
    party.meet(OTHER)
    looked: list[object] = []
    party.table.game.read = looked.append  # type: ignore[method-assign,assignment]
    alarms, reminders = Alarms(party.table.game, {}), Reminders(party.table.game)
    alarms.start()
    reminders.start()
    party.table.reactor.advance(100)
    assert looked == []
    for loop in (alarms, reminders):
        loop.stop()


def test_who_leads_tells_whose_turn_it_is_of_every_pose(party: Party) -> None:
    ordered = replace(SCENE, pose_order="order")
    party.table.world.load(party.table.world.rooms.values(), [ordered])
    turns = PoseTurns(party.table.game)
    looked: list[object] = []

    def read(work: object) -> Deferred[object]:
        looked.append(work)
        return Deferred()

    party.table.game.read = read  # type: ignore[method-assign]
    pose = Fact(Spoken("pose", "waits."), who(BRAM), NOW, Audience.ROOM, START, SCENE.id, 1)
    for others in ((THIRD,), (OTHER,)):
        party.meet(*others)
        turns.look([pose])
    assert len(looked) == 1


def test_who_stirs_is_told_and_everybody_to_who_is_new(party: Party) -> None:
    party.companions.start()
    session, _ = come(party)
    party.said()
    party.table.reactor.advance(RENEWED)
    assert party.said() == []  # nobody is there to hear it
    party.meet(OTHER)
    party.table.reactor.advance(RENEWED)
    assert party.said() == [f"[{ADA.id}] stirred, away: {{}}"]
    party.table.reactor.advance(RENEWED)
    assert party.said() == []
    assert session.presence is not None
    session.presence.away = "lunch"
    party.table.reactor.advance(RENEWED)
    assert party.said() == [f"[{ADA.id}] stirred, away: {{{ADA.id}: 'lunch'}}"]
    party.meet(OTHER, THIRD)
    party.table.reactor.advance(RENEWED)
    assert party.said() == [f"[{ADA.id}] stirred, away: {{{ADA.id}: 'lunch'}}"]


def test_who_is_dead_is_gone_within_ten_seconds() -> None:
    assert DEAD + SWEEP < 10


def test_the_dead_are_buried_once_at_a_time(party: Party) -> None:
    remote = Standing(OTHER, BRAM.id, "Bram", BRAM.role, 2, START, "", "", NOW, NOW)
    fact = Fact(PlayerCame(remote), who(BRAM), NOW, Audience.REFEREES)
    party.table.game.publisher.publish([fact])
    party.table.writer.quick = False
    for _ in range(2):
        party.companions.counted(Counted(dead=(OTHER,)))
    assert len(party.table.writer.jobs) == 1
    party.table.writer.work()
    assert party.said() == [f"{OTHER} is buried, [{BRAM.id}] went"]
    party.companions.counted(Counted(dead=(OTHER,)))
    assert len(party.table.writer.jobs) == 1


def test_who_was_taken_for_dead_comes_back_once_with_all_who_are_here(party: Party) -> None:
    come(party)
    party.said()
    party.table.writer.quick = False
    for _ in range(2):
        party.companions.counted(Counted(known=False))
    come(party, "Bram")  # meanwhile
    party.table.writer.work()
    party.table.writer.work()
    assert party.said() == ["again with ['Ada']", "Bram came"]


def test_who_could_not_come_back_tries_again(party: Party) -> None:
    come(party)
    party.said()
    party.lose_database()
    party.companions.counted(Counted(known=False))
    party.find_database()
    party.companions.counted(Counted(known=False))
    assert party.said() == ["again with ['Ada']"]


def test_pictures_are_shown_to_nobody(party: Party) -> None:
    _, link = come(party)
    link.seen()
    event = PlayersStirred({ADA.id: NOW}, {})
    party.table.game.publisher.publish([Fact(event, who(ADA), NOW, Audience.ROOM, START)])
    assert link.seen() == []


def test_who_is_elsewhere_too_stays_in_the_world_when_they_go(party: Party) -> None:
    session, _ = come(party)
    presence = session.presence
    assert presence is not None
    presence.elsewhere.add(OTHER)
    go(party, session)
    assert party.table.world.online[ADA.id] is presence
    again, link = come(party)
    assert again.presence is presence
    assert "Connected as Ada." in link.seen()
    assert party.said() == ["Ada came", "Ada went", "Ada came"]


def test_who_walks_elsewhere_is_told_by_their_own_process(party: Party) -> None:
    party.table.game.attendance.load({SCENE.id: 4})
    remote = Standing(OTHER, BRAM.id, "Bram", BRAM.role, 2, START, "", "", NOW, NOW)
    come_ = Fact(PlayerCame(remote), who(BRAM), NOW, Audience.REFEREES)
    walk = Fact(Moved(BRAM.id, "Bram", START, DOCK), who(BRAM), NOW, Audience.ROOM, START)
    back = Fact(Moved(BRAM.id, "Bram", DOCK, START), who(BRAM), NOW, Audience.ROOM, START)
    for fact in (come_, walk, back):
        party.table.game.publisher.publish([fact])
        party.table.game.attendance.released([fact])
    party.table.game.attendance.save()
    assert party.table.store.seen(SCENE.id, BRAM.id) == 0
