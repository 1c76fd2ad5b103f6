"""Who has been shown which lines, and what those are told who come back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from twisted.internet.defer import Deferred

from mushcombat.domain.command import Outcome
from mushcombat.domain.events import (
    Audience,
    Draft,
    Moved,
    PrivacySet,
    SceneClosed,
    SceneJoined,
    SceneLeft,
    Spoken,
)
from mushcombat.domain.refereeing import Noted
from mushcombat.net.attendance import EVERY
from mushcombat.service.catch_up import LOOK_BACK, MOST
from tests.unit.net.fakes import Link, Table, password_of, quick_hashing, type_
from tests.unit.service.table import presence_of
from tests.unit.support import ADA, BRAM, DOCK, NOW, RHEA, START, scene_of, who

SCENE = scene_of(ADA, BRAM, RHEA, referees=[RHEA])
HEAD = '[Scene] "Night Watch": you missed '


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    table = Table(SCENE)
    table.game.attendance.load({SCENE.id: 0})
    quick_hashing(monkeypatch, table)
    return table


def write(table: Table, *drafts: Draft) -> None:
    """Let the writer log something, as Bram's doing."""
    table.game.write(who(BRAM), START, lambda _: Outcome.of(*drafts), lambda _: None)


class Held:
    """Holds up what is read until it is to go on."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._read = table.game.read
        self._waiting: list[tuple[Any, Deferred[Any]]] = []
        table.game.read = self._hold  # type: ignore[method-assign]

    def _hold(self, work: Any) -> Deferred[Any]:
        answer: Deferred[Any] = Deferred()
        self._waiting.append((work, answer))
        return answer

    def go_on(self) -> None:
        self._table.game.read = self._read  # type: ignore[method-assign]
        for work, answer in self._waiting:
            answer.callback(self._table.readers.run(work))


def pose(table: Table, count: int = 1, audience: Audience = Audience.ROOM) -> None:
    """Let Bram pose in the scene, wherever he is."""
    for _ in range(count):
        number = len(table.store.logs.get(SCENE.id, [])) + 1
        draft = Draft(Spoken("pose", f"poses {number}."), audience, SCENE.id)
        write(table, draft)


def come(table: Table, name: str = "Ada") -> tuple[Link, list[str]]:
    """Log in; gives the link and what was told of what was missed."""
    session, link = table.session()
    type_(session, f"connect {name} {name}s-own-word")
    assert session.presence is not None
    seen = link.seen()
    at = next((at for at, line in enumerate(seen) if line.startswith(HEAD)), len(seen))
    return link, seen[at:]


def cursor(table: Table, name: int = ADA.id) -> int:
    return table.store.seen(SCENE.id, name)


def test_who_missed_nothing_is_told_nothing(table: Table) -> None:
    assert come(table)[1] == []
    pose(table, 3)
    table.reactor.advance(EVERY)


def test_who_was_away_is_told_each_line_with_number_and_time(table: Table) -> None:
    pose(table, 2)
    assert come(table)[1] == [
        f"{HEAD}2 lines.",
        "#1 12:30:45 Bram poses 1.",
        "#2 12:30:45 Bram poses 2.",
    ]


def test_times_of_what_somebody_missed_are_those_of_the_scenes_zone(table: Table) -> None:
    table.store.scenes[SCENE.id] = replace(SCENE, zone="Asia/Tokyo")
    pose(table, 2)
    assert come(table)[1][:2] == [
        f"{HEAD}2 lines, times in Asia/Tokyo.",
        "#1 21:30:45 Bram poses 1.",
    ]


def test_of_one_line_it_is_said_that_it_is_one(table: Table) -> None:
    pose(table)
    assert come(table)[1][0] == f"{HEAD}1 line."


def test_at_most_the_last_fifty_are_shown_with_a_count_of_all(table: Table) -> None:
    pose(table, MOST + 5)
    head, *lines = come(table)[1]
    assert head == (
        f"{HEAD}{MOST + 5} lines; the last {MOST} follow,"
        " +scene/log 7=1 and the pages behind it have them all:"
    )
    assert len(lines) == MOST
    assert lines[-1] == f"#{MOST + 5} 12:30:45 Bram poses {MOST + 5}."


def test_of_very_many_it_is_said_that_there_are_more(table: Table) -> None:
    pose(table, LOOK_BACK + 3)
    head, *lines = come(table)[1]
    assert head.startswith(f"{HEAD}over {LOOK_BACK} lines; the last {MOST} follow, ")
    assert len(lines) == MOST


def test_what_is_for_referees_is_missed_by_them_alone(table: Table) -> None:
    pose(table, audience=Audience.REFEREES)
    write(table, Draft(Noted("hm"), Audience.REFEREES, SCENE.id))
    assert come(table)[1] == []
    assert come(table, "Rhea")[1] == [
        f"{HEAD}2 lines.",
        "#1 12:30:45 Bram poses 1. (hidden)",
        "#2 12:30:45 [Note] Bram: hm #2",
    ]


def test_who_has_been_told_is_not_told_again(table: Table) -> None:
    pose(table, 2)
    session, _link = table.inside()
    session.lost()
    assert cursor(table) == 2
    assert come(table)[1] == []


def test_what_one_connection_shows_another_does_not_repeat(table: Table) -> None:
    table.inside()
    pose(table)
    assert come(table)[1] == []


def test_who_is_there_has_seen_it_which_is_noted_every_few_seconds(table: Table) -> None:
    table.game.attendance.start()
    table.inside()
    pose(table, 3)
    assert cursor(table) == 0
    jobs = len(table.writer.jobs)
    table.reactor.advance(EVERY)
    assert (cursor(table), len(table.writer.jobs)) == (3, jobs)
    assert cursor(table, BRAM.id) == 0
    pose(table)
    table.game.attendance.stop()
    assert cursor(table) == 4


def test_where_nothing_was_said_nothing_is_noted(table: Table) -> None:
    submitted: list[object] = []
    table.game.attendance.start()
    table.inside()
    table.game.attendance.save()
    table.writer.submit = submitted.append  # type: ignore[method-assign,assignment]
    table.reactor.advance(EVERY * 3)
    assert submitted == []


def test_what_was_seen_is_noted_when_the_last_connection_goes(table: Table) -> None:
    session, _ = table.inside()
    pose(table, 2)
    session.lost()
    assert cursor(table) == 2
    pose(table)
    assert come(table)[1][0] == f"{HEAD}1 line."


def test_after_a_crash_a_few_lines_are_told_twice_and_none_never(table: Table) -> None:
    table.inside()
    pose(table, 2)  # seen, and not noted: the server is killed here
    again = Table(SCENE)
    again.store.logs = table.store.logs
    again.store.accounts = table.store.accounts
    again.game.attendance.load({SCENE.id: 2})
    assert come(again)[1][0] == f"{HEAD}2 lines."


def test_lines_that_come_while_one_logs_in_are_shown_once(table: Table) -> None:
    pose(table, 2)
    reads = Held(table)
    session, link = table.session()
    type_(session, "connect Ada Adas-own-word")
    link.seen()
    pose(table)
    table.game.attendance.save()
    assert cursor(table) == 0
    reads.go_on()
    assert link.seen() == [
        "Bram poses 3.",
        f"{HEAD}2 lines.",
        "#1 12:30:45 Bram poses 1.",
        "#2 12:30:45 Bram poses 2.",
    ]
    table.game.attendance.save()
    assert cursor(table) == 3


def moved(table: Table, origin: int, to: int) -> None:
    """Let Ada walk."""
    table.store.move(ADA.id, to)
    write(table, Draft(Moved(ADA.id, "Ada", origin, to)))


def test_who_walks_out_and_comes_back_is_told_how_much_was_missed(table: Table) -> None:
    _, link = table.inside()
    pose(table, 2)
    moved(table, START, DOCK)
    assert cursor(table) == 2
    pose(table, 3)
    link.seen()
    moved(table, DOCK, START)
    assert link.seen()[-1] == f"{HEAD}3 lines: +scene/log 7=1 shows them."
    moved(table, START, DOCK)
    moved(table, DOCK, START)
    assert not [line for line in link.seen() if line.startswith(HEAD)]


def test_who_disconnects_elsewhere_still_misses_what_goes_on(table: Table) -> None:
    session, _link = table.inside()
    pose(table, 2)
    moved(table, START, DOCK)
    pose(table)
    session.lost()
    assert cursor(table) == 2
    _, told = come(table)
    assert told[0] == f"{HEAD}1 line."
    assert cursor(table) <= 3


def test_who_stands_elsewhere_and_is_told_is_not_told_again(table: Table) -> None:
    session, _ = table.inside()
    moved(table, START, DOCK)
    pose(table)
    session.lost()
    session, _ = table.inside()
    pose(table)
    session.lost()
    table.game.attendance.save()
    assert cursor(table) == 1
    assert come(table)[1][0] == f"{HEAD}1 line."


def test_who_is_gone_before_they_could_be_told_is_told_next_time(table: Table) -> None:
    pose(table, 2)
    reads = Held(table)
    session, link = table.session()
    type_(session, "connect Ada Adas-own-word")
    session.lost()
    reads.go_on()
    table.game.attendance.save()
    assert cursor(table) == 0
    assert not [line for line in link.seen() if line.startswith(HEAD)]
    assert come(table)[1][0] == f"{HEAD}2 lines."


def test_who_could_not_be_told_is_told_next_time(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    pose(table, 2)
    table.readers.fault = RuntimeError("the disk is gone")
    table.game.attendance.arrived(presence_of(ADA), lambda _: True)
    assert "looking for missed lines failed" in caplog.text
    table.readers.fault = None
    assert come(table)[1][0] == f"{HEAD}2 lines."


def test_who_joins_for_the_first_time_has_missed_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(scene_of(BRAM, RHEA))
    quick_hashing(monkeypatch, table)
    _, link = table.inside()
    pose(table, 2)
    link.seen()
    reads = Held(table)
    join = Draft(SceneJoined(), ledger=SCENE.id, actor=who(ADA))
    write(table, Draft(Moved(ADA.id, "Ada", DOCK, START)), join)
    table.game.attendance.save()
    assert cursor(table) == 3
    reads.go_on()
    assert not [line for line in link.seen() if line.startswith(HEAD)]
    write(table, Draft(SceneLeft(), ledger=SCENE.id, actor=who(ADA)))
    table.store.saw([(SCENE.id, ADA.id, 4)])
    pose(table)
    table.store.join_scene(SCENE.id, ADA.id, NOW)
    write(table, join)
    assert link.seen()[-1] == f"{HEAD}1 line: +scene/log 7=1 shows them."


def test_a_scene_that_moves_with_its_people_is_nothing_missed(table: Table) -> None:
    _, link = table.inside()
    pose(table, 2)
    event = PrivacySet(private=True, room=DOCK, place="Dock 7")
    walk = Draft(Moved(ADA.id, "Ada", START, DOCK))
    drafts = (walk, Draft(event, ledger=SCENE.id, room=DOCK))
    write(table, *drafts)
    assert not [line for line in link.seen() if line.startswith(HEAD)]


def test_a_closed_scene_is_missed_by_nobody(table: Table) -> None:
    pose(table, 2)
    closed = Draft(SceneClosed(1, "00"), ledger=SCENE.id)
    write(table, closed)
    table.game.attendance.save()
    assert come(table)[1] == []


def test_who_does_not_read_is_not_noted_as_having_seen_until_they_do(table: Table) -> None:
    _, link = table.inside("Ada")
    table.game.attendance.save()
    before = table.store.seen(SCENE.id, ADA.id)
    write(table, Draft(Spoken("say", "one"), ledger=SCENE.id))
    link.behind = True
    table.game.attendance.save()
    assert table.store.seen(SCENE.id, ADA.id) == before
    link.behind = False
    table.game.attendance.save()
    assert table.store.seen(SCENE.id, ADA.id) == table.store.last_seq(SCENE.id)


def test_who_reads_on_one_of_two_connections_has_seen_it(table: Table) -> None:
    _, link = table.inside("Ada")
    table.inside("Ada")
    link.behind = True
    write(table, Draft(Spoken("say", "one"), ledger=SCENE.id))
    table.game.attendance.save()
    assert table.store.seen(SCENE.id, ADA.id) == table.store.last_seq(SCENE.id)


def test_who_was_cut_off_for_not_reading_is_told_at_the_next_login(table: Table) -> None:
    session, link = table.inside("Ada")
    write(table, Draft(Spoken("say", "seen"), ledger=SCENE.id))
    table.game.attendance.save()
    link.behind = True
    write(table, Draft(Spoken("say", "one"), ledger=SCENE.id))
    table.game.attendance.save()
    session.lost()
    write(table, Draft(Spoken("say", "two"), ledger=SCENE.id))
    again, link = table.session()
    type_(again, f"connect Ada {password_of('Ada')}")
    told = [line for line in link.seen() if "Bram says" in line or "missed" in line]
    assert told[0] == f"{HEAD}2 lines."
    assert [line.rpartition("Bram")[2] for line in told[1:]] == [' says, "one"', ' says, "two"']
