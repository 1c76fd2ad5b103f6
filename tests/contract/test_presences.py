"""Who is connected to which process: leases, and what the others are told."""

from __future__ import annotations

from collections.abc import Iterator
from queue import Queue

import pytest
from sqlalchemy import text

from mushcombat.domain.character import Actor, Role
from mushcombat.domain.command import Committed
from mushcombat.domain.events import Connected, Event, SceneLeft
from mushcombat.domain.ports import Login
from mushcombat.domain.processes import PlayerCame, PlayersStirred, PlayerWent
from mushcombat.service.presence import Presence
from mushcombat.storage.listener import Census
from tests.contract.bench import PATIENCE, Bench, saying
from tests.contract.processes import Process, stays, two

pytestmark = pytest.mark.parametrize("backend", ["postgresql"], indirect=True)


@pytest.fixture
def pair(bench: Bench) -> Iterator[tuple[Process, Process]]:
    with two(bench) as pair:
        yield pair


def presence(bench: Bench, login: Login) -> Presence:
    now = bench.clock()
    actor = Actor(login.character, login.name, login.role, login.account)
    return Presence(actor, 1, "", "", now, now)


def events(process: Process) -> list[Event]:
    """Give what a process has been told since the last time."""
    process.look()
    found = [fact.event for fact in process.shown]
    process.shown.clear()
    return found


def come(bench: Bench, process: Process, them: Presence) -> None:
    assert isinstance(process.run(bench.job(process.neighbours.members.came(them)))[0], Committed)


def go(bench: Bench, process: Process, them: Presence) -> None:
    assert isinstance(process.run(bench.job(process.neighbours.members.went(them)))[0], Committed)


def sleep_long(bench: Bench, process: Process) -> None:
    """Let a process's lease run out."""
    with bench.engine.begin() as connection:
        late = "UPDATE processes SET renewed_at = renewed_at - interval '1 minute' WHERE id = :id"
        connection.execute(text(late), {"id": process.number})


def bury(bench: Bench, process: Process, other: Process) -> None:
    process.run(bench.job(process.neighbours.members.bury(other.number)))


def test_who_comes_and_goes_is_told_to_the_others(
    bench: Bench, pair: tuple[Process, Process]
) -> None:
    one, other = pair
    ada = presence(bench, bench.login("Ada"))
    come(bench, one, ada)
    came, shown = events(other)
    assert isinstance(came, PlayerCame)
    them = came.standing
    assert (them.process, them.character, them.name) == (one.number, ada.id, "Ada")
    assert (them.role, them.since, them.room) == (Role.PLAYER, ada.since, 1)
    assert shown == Connected(here=True)
    go(bench, one, ada)
    assert events(other) == [PlayerWent(one.number, ada.id), Connected(here=False)]


def test_who_comes_to_a_second_process_is_no_news(
    bench: Bench, pair: tuple[Process, Process]
) -> None:
    one, other = pair
    ada = presence(bench, bench.login("Ada"))
    come(bench, one, ada)
    events(other)
    come(bench, other, ada)
    assert [type(event) for event in events(other)] == [PlayerCame]
    go(bench, one, ada)
    assert events(other) == [PlayerWent(one.number, ada.id)]
    go(bench, other, ada)
    assert events(other) == [PlayerWent(other.number, ada.id), Connected(here=False)]


def test_going_twice_is_told_once(bench: Bench, pair: tuple[Process, Process]) -> None:
    one, other = pair
    ada = presence(bench, bench.login("Ada"))
    come(bench, one, ada)
    go(bench, one, ada)
    events(other)
    go(bench, one, ada)
    assert events(other) == [PlayerWent(one.number, ada.id)]


def test_a_process_that_joins_knows_who_is_there(
    bench: Bench, pair: tuple[Process, Process]
) -> None:
    ada = presence(bench, bench.login("Ada"))
    come(bench, pair[0], ada)
    third = Process(bench.url)
    third.writer.close()
    assert [(s.process, s.character) for s in third.there] == [(pair[0].number, ada.id)]


def test_when_players_stirred_is_told_and_kept(bench: Bench, pair: tuple[Process, Process]) -> None:
    one, other = pair
    ada = presence(bench, bench.login("Ada"))
    come(bench, one, ada)
    events(other)
    now = bench.clock()
    one.run(bench.job(one.neighbours.members.stirred({ada.id: now, 4711: now}, {ada.id: "lunch"})))
    assert events(other) == [PlayersStirred({ada.id: now, 4711: now}, {ada.id: "lunch"})]
    third = Process(bench.url)
    third.writer.close()
    assert [s.active for s in third.there] == [now]


def test_a_dead_process_is_buried_once_and_its_guests_with_it(
    bench: Bench, pair: tuple[Process, Process]
) -> None:
    one, other = pair
    ada, guest = bench.login("Ada"), bench.login("Guest 7", Role.GUEST)
    scene = bench.scene(ada)
    bench.do(lambda store: store.join_scene(scene, guest.character, bench.clock()))
    for login in (ada, guest):
        come(bench, other, presence(bench, login))
    events(one)
    bury(bench, one, other)
    assert events(one) == []  # it is alive
    sleep_long(bench, other)
    bury(bench, one, other)
    told = events(one)
    assert told == [
        PlayerWent(other.number, ada.character),
        Connected(here=False),
        PlayerWent(other.number, guest.character),
        Connected(here=False),
        SceneLeft(),
    ]
    assert [login.disabled for login in bench.read(lambda s: s.logins())] == [False, True]
    bury(bench, one, other)
    assert events(one) == []
    assert bench.value("SELECT count(*) FROM presences") == 0


def test_who_is_connected_elsewhere_too_does_not_go_with_a_dead_process(
    bench: Bench, pair: tuple[Process, Process]
) -> None:
    one, other = pair
    ada = presence(bench, bench.login("Ada"))
    for process in pair:
        come(bench, process, ada)
    events(one)
    sleep_long(bench, other)
    bury(bench, one, other)
    assert events(one) == [PlayerWent(other.number, ada.id)]


def test_who_was_taken_for_dead_comes_back_with_its_players(
    bench: Bench, pair: tuple[Process, Process]
) -> None:
    one, other = pair
    ada = presence(bench, bench.login("Ada"))
    come(bench, other, ada)
    sleep_long(bench, other)
    bury(bench, one, other)
    events(one)
    other.run(bench.job(other.neighbours.members.again([ada])))
    assert [type(event) for event in events(one)] == [PlayerCame, Connected]
    assert bench.value("SELECT count(*) FROM processes") == 2


def test_a_process_that_ends_takes_its_players_along(
    bench: Bench, pair: tuple[Process, Process]
) -> None:
    one, other = pair
    ada = presence(bench, bench.login("Ada"))
    come(bench, other, ada)
    events(one)
    other.run(bench.job(other.neighbours.members.ends()))
    assert events(one) == [PlayerWent(other.number, ada.id), Connected(here=False)]
    assert bench.value("SELECT count(*) FROM processes") == 1


def test_a_process_of_this_machine_that_is_gone_is_dead_at_once(bench: Bench) -> None:
    first = Process(bench.url)  # of this very pid: as after a restart in a container
    second = Process(bench.url)
    second.run(bench.job(second.neighbours.members.bury(first.number)))
    assert bench.value("SELECT count(*) FROM processes") == 1
    for process in (first, second):
        process.writer.close()


def test_the_listener_counts_renews_and_hears(bench: Bench, pair: tuple[Process, Process]) -> None:
    one, other = pair
    scene = bench.scene(bench.login("Ada"))
    looks: Queue[bool] = Queue()
    counts: Queue[Census] = Queue()
    sleep_long(bench, one)
    listener = one.neighbours.listener(lambda: looks.put(True), counts.put)
    listener.start()
    try:
        wait_for(counts, Census((one.number, other.number), (), known=True))
        other.run(stays(bench, saying(scene, "hear me"), scene))
        looks.get(timeout=PATIENCE)
        sleep_long(bench, other)
        wait_for(counts, Census((one.number,), (other.number,), known=True))
        bench.do(lambda store: store.end_process(one.number))
        wait_for(counts, Census((), (other.number,), known=False))
    finally:
        listener.stop()


def wait_for(counts: Queue[Census], wanted: Census) -> None:
    while counts.get(timeout=PATIENCE) != wanted:
        pass


def test_a_listener_that_is_cut_off_listens_again(
    bench: Bench, pair: tuple[Process, Process]
) -> None:
    one, other = pair
    counts: Queue[Census] = Queue()
    listener = one.neighbours.listener(lambda: None, counts.put)
    listener.start()
    try:
        counts.get(timeout=PATIENCE)
        with bench.engine.begin() as connection:
            cut = (
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            connection.execute(text(cut))
        while not counts.empty():
            counts.get()
        sleep_long(bench, other)
        # Where the database was gone, nobody is called dead at once.
        wait_for(counts, Census((one.number,), (), known=True))
    finally:
        listener.stop()
