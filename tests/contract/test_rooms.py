"""Rooms, the ways between them, and who is where."""

from __future__ import annotations

import pytest

from mushcombat.domain.ports import Place, Way
from mushcombat.errors import MushError
from tests.contract.bench import Bench


def test_a_room_is_dug_described_and_found(bench: Bench) -> None:
    deck = bench.do(lambda store: store.dig("Deck Ünter"))
    bench.do(lambda store: store.describe_room(deck, "Cold.\nVery."))
    expected = Place(deck, "Deck Ünter", "room", "Cold.\nVery.", None, ())
    assert bench.read(lambda store: store.place(deck)) == expected
    assert bench.read(lambda store: store.places())[-1] == expected


def test_an_exit_has_its_names_in_order_and_leads_one_way(bench: Bench) -> None:
    deck = bench.room()
    way = bench.do(lambda store: store.open_exit(1, ["North Hatch", "north", "n"], deck))
    start, there = (bench.read(lambda s, room=room: s.place(room)) for room in (1, deck))  # type: ignore[misc]
    assert start.ways[-1] == Way(way, ("North Hatch", "north", "n"), deck)
    assert len(start.ways) == 2
    assert there.ways == ()


def test_ways_are_listed_in_the_order_of_their_making(bench: Bench) -> None:
    deck = bench.room()
    ways = [bench.do(lambda s, n=n: s.open_exit(deck, [f"way {n}"], 1)) for n in range(4)]  # type: ignore[misc]
    place = bench.read(lambda store: store.place(deck))
    assert place is not None
    assert [way.id for way in place.ways] == ways


def test_a_temporary_room_knows_where_it_came_from_and_goes_in_the_end(bench: Bench) -> None:
    room = bench.do(lambda store: store.dig("A Scene", kind="temporary", origin=1))
    assert bench.read(lambda store: store.places())[-1].origin == 1
    bench.do(lambda store: store.retire_room(room))
    assert room not in [place.id for place in bench.read(lambda store: store.places())]
    gone = bench.read(lambda store: store.place(room))
    assert gone is not None
    assert (gone.kind, gone.origin) == ("gone", 1)


@pytest.mark.parametrize("kind", ["start", "ooc"])
def test_there_is_one_start_room_and_one_lounge(bench: Bench, kind: str) -> None:
    with pytest.raises(MushError, match="Somebody else was quicker"):
        bench.do(lambda store: store.dig("Another", kind=kind))
    assert len(bench.read(lambda store: store.places())) == 2


def test_who_moves_is_there_and_no_longer_here(bench: Bench) -> None:
    ada, bram, deck = bench.login("Ada"), bench.login("Bram"), bench.room()
    bench.do(lambda store: store.move(bram.character, deck))
    here = bench.do(lambda store: store.occupants(1))
    there = bench.do(lambda store: store.occupants(deck))
    assert [each.id for each in here] == [ada.character]
    assert [(each.id, each.room) for each in there] == [(bram.character, deck)]


def test_an_exit_to_nowhere_is_refused(bench: Bench) -> None:
    with pytest.raises(MushError, match="Somebody else was quicker"):
        bench.do(lambda store: store.open_exit(1, ["void"], 999))


def test_what_is_gone_is_told_as_gone(bench: Bench) -> None:
    with pytest.raises(MushError, match="no longer there"):
        bench.do(lambda store: store.describe_room(999, "?"))
    with pytest.raises(MushError, match="no longer there"):
        bench.do(lambda store: store.move(999, 1))
