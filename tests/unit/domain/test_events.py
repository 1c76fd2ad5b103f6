from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from mushcombat.domain import events
from mushcombat.domain.events import (
    CORE_EVENTS,
    GAME_LEDGER,
    Audience,
    Connected,
    Event,
    Fact,
    Moved,
    Spoken,
    Unreadable,
)
from tests.unit.support import ADA, NOW, who


def fact(event: Event, ledger: int | None = None) -> Fact:
    return Fact(event, who(ADA), NOW, Audience.ROOM, ledger=ledger)


def test_no_two_events_share_a_kind_and_a_version() -> None:
    every: tuple[type[Event], ...] = (*CORE_EVENTS, Unreadable)
    names = Counter((event.kind, event.version) for event in every)
    assert max(names.values()) == 1
    assert all(kind for kind, _ in names)


def test_every_event_of_the_core_is_in_its_list() -> None:
    there = {one for one in vars(events).values() if isinstance(one, type) and "kind" in vars(one)}
    assert there == {*CORE_EVENTS, Unreadable, Event}


def test_the_subject_of_a_fact_is_that_of_its_event() -> None:
    assert fact(Moved(12, "Bram", 1, 2)).subject == 12
    assert fact(Connected(here=True)).subject is None


@pytest.mark.parametrize(
    ("ledger", "in_scene"), [(None, False), (GAME_LEDGER, False), (1, True), (7, True)]
)
def test_only_a_scenes_log_makes_a_fact_one_of_a_scene(ledger: int | None, in_scene: bool) -> None:
    assert fact(Connected(here=True), ledger).in_scene is in_scene


def test_two_facts_are_the_same_wherever_their_chain_stands() -> None:
    one = fact(Spoken("say", "Hi"), 7)
    assert replace(one, head="aa") == replace(one, head="bb")
    assert replace(one, seq=1) != replace(one, seq=2)
