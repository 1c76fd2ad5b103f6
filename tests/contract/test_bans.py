"""Bans as they are stored, and the rows that staff leave in the game's ledger."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from mushcombat.domain.bans import Ban
from mushcombat.domain.command import Outcome, Refused
from mushcombat.domain.events import GAME_LEDGER, Audience, Draft, Event
from mushcombat.domain.staff_events import (
    STAFF_EVENTS,
    BanLifted,
    BanSet,
    Booted,
    LoginChanged,
    PasswordReset,
    ShutdownCancelled,
    ShutdownSet,
    Teleported,
)
from mushcombat.errors import MushError
from mushcombat.storage.codec import Codec
from mushcombat.storage.database import Database
from mushcombat.storage.writes import WriteStore
from tests.contract.bench import Bench, Clock, describe


def test_bans_are_kept_replaced_and_lifted(bench: Bench) -> None:
    bram = bench.login("Bram")
    now = bench.clock()
    address = Ban("192.0.2.0/24", None, "floods", "Rhea", now, now + timedelta(days=3))
    player = Ban("Bram", bram.character, "", "Rhea", now)
    for ban in (player, address):
        bench.do(lambda store, ban=ban: store.ban(ban))  # type: ignore[misc]
    assert bench.read(lambda store: store.bans()) == [address, player]
    longer = replace(address, until=None, reason="worse floods")
    bench.do(lambda store: store.ban(longer))
    assert bench.read(lambda store: store.bans()) == [longer, player]
    assert bench.do(lambda store: store.lift_ban("192.0.2.0/24"))
    assert not bench.do(lambda store: store.lift_ban("192.0.2.0/24"))
    assert bench.read(lambda store: store.bans()) == [player]


def test_a_ban_whose_job_is_refused_is_not_kept(bench: Bench) -> None:
    ban = Ban("192.0.2.7", None, "", "Rhea", bench.clock())

    def refused(store: WriteStore) -> Outcome:
        store.ban(ban)
        raise MushError("no", "It is not to be.")

    (result,) = bench.run(refused)
    assert result == Refused("It is not to be.")
    assert bench.read(lambda store: store.bans()) == []


def test_every_act_of_staff_is_read_back_from_the_ledger_as_it_was_written(
    prepared_url: str,
) -> None:
    database = Database(prepared_url, Codec(STAFF_EVENTS), describe, Clock())
    end = Clock()()
    events: tuple[Event, ...] = (
        Booted(12, "Bram", "a novel"),
        BanSet("192.0.2.7", None, end, "floods"),
        BanSet("Bram", 12, None),
        BanLifted("192.0.2.7"),
        PasswordReset(12, "Bram"),
        ShutdownSet(5, "new disk"),
        ShutdownCancelled(),
        Teleported(12, "Bram", 2, "Dock 7"),
        LoginChanged("Bram", "is staff"),
    )
    assert {type(event) for event in events} == set(STAFF_EVENTS)
    drafts = [Draft(event, Audience.REFEREES, GAME_LEDGER) for event in events]
    database.perform(lambda _: Outcome.of(*drafts))
    readers = database.readers(1)
    log = readers.run(lambda store: store.log(GAME_LEDGER, 1, 100))
    readers.close()
    assert [fact.event for fact in log] == list(events)
    assert {fact.actor.name for fact in log} == {"console"}
