"""Every event of the program is stored, and read back as it was."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from mushcombat.domain.breakdown import Breakdown, Term
from mushcombat.domain.command import Outcome
from mushcombat.domain.dice import Throw
from mushcombat.domain.events import CORE_EVENTS, GAME_LEDGER, Audience, Draft, Event, SceneClosed
from mushcombat.domain.ledger import canonical
from mushcombat.storage.codec import Codec
from mushcombat.systems.otherspace.events import EVENTS
from tests.contract.bench import CODEC, Bench

ALL = [*CORE_EVENTS, *EVENTS]

throws = st.builds(
    Throw,
    start=st.integers(0, 2**30),
    label=st.text(),
    sides=st.integers(2, 256),
    faces=st.lists(st.integers(1, 256), min_size=1, max_size=6).map(tuple),
)
firsts = st.builds(Term, op=st.sampled_from(["+", "-"]))
st.register_type_strategy(
    Breakdown,
    st.builds(
        Breakdown,
        terms=st.tuples(firsts, st.lists(st.from_type(Term), max_size=3)).map(
            lambda both: (both[0], *both[1])
        ),
        throws=st.lists(throws, max_size=2).map(tuple),
    ),
)
anything: st.SearchStrategy[Any] = st.one_of([st.from_type(event) for event in ALL])


@given(event=anything)
def test_every_event_reads_back_from_its_json(event: Event) -> None:
    stored = canonical(CODEC.dump(event))
    assert CODEC.load(event.kind, event.version, stored, None) == event


def storable(event: Event) -> bool:
    """Tell whether PostgreSQL takes its text, which nothing typed can break: no NUL."""
    return "\\u0000" not in canonical(CODEC.dump(event))


@settings(
    max_examples=10,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # a database is too slow to shrink on
)
@given(data=st.data())
def test_every_event_reads_back_from_the_database(bench: Bench, data: st.DataObject) -> None:
    kinds = sorted(ALL, key=lambda kind: kind is SceneClosed)  # nothing follows that in a log
    events = [data.draw(st.from_type(kind).filter(storable)) for kind in kinds]
    last = bench.read(lambda store: store.last_seq(GAME_LEDGER))
    drafts = [Draft(event, Audience.ROOM, GAME_LEDGER) for event in events]
    facts = bench.facts(lambda _: Outcome.of(*drafts))
    assert [fact.event for fact in facts] == events
    assert bench.read(lambda store: store.log(GAME_LEDGER, last + 1, last + 99)) == facts


def test_no_two_events_may_have_one_name() -> None:
    with pytest.raises(ValueError, match="two events are called spoken version 1"):
        Codec([*CORE_EVENTS, CORE_EVENTS[0]])


@pytest.mark.parametrize("event", ALL)
def test_every_event_has_a_name_that_its_column_takes(event: type[Event]) -> None:
    assert 0 < len(event.kind) <= 32
    assert event.version >= 1
