from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import pytest

from mushcombat.domain.events import GAME_LEDGER, Audience, Connected, Event, Fact, Paged
from mushcombat.domain.visibility import ARCHIVIST, PUBLIC, Viewer, redact
from tests.unit.support import ADA, BRAM, NOW, RHEA, who

PAGE = Paged(BRAM.id, BRAM.name, "psst")
OTHER, SCENE = 99, 7


def fact(audience: Audience, ledger: int | None = None, event: Event = PAGE) -> Fact:
    return Fact(event, who(ADA), NOW, audience, room=1, ledger=ledger)


@pytest.mark.parametrize("viewer", [PUBLIC, Viewer(OTHER), Viewer(ADA.id), ARCHIVIST])
def test_what_the_room_notices_everyone_sees(viewer: Viewer) -> None:
    shown = fact(Audience.ROOM)
    assert redact(shown, viewer) is shown


@pytest.mark.parametrize(
    ("viewer", "sees"),
    [
        (Viewer(ADA.id), True),
        (Viewer(BRAM.id), True),
        (Viewer(OTHER), False),
        (Viewer(RHEA.id, referee=True), False),
        (PUBLIC, False),
        (ARCHIVIST, True),
    ],
)
@pytest.mark.parametrize("ledger", [None, GAME_LEDGER])
def test_a_private_fact_outside_a_scene_is_for_the_two_of_them(
    viewer: Viewer, sees: bool, ledger: int | None
) -> None:
    private = fact(Audience.PRIVATE, ledger)
    assert redact(private, viewer) is (private if sees else None)


@pytest.mark.parametrize(
    ("viewer", "sees"),
    [
        (Viewer(ADA.id), True),
        (Viewer(BRAM.id), True),
        (Viewer(OTHER), False),
        (Viewer(RHEA.id, referee=True), True),
        (PUBLIC, False),
        (ARCHIVIST, True),
    ],
)
def test_in_a_scene_its_referees_see_private_facts_too(viewer: Viewer, sees: bool) -> None:
    private = fact(Audience.PRIVATE, SCENE)
    assert redact(private, viewer) is (private if sees else None)


@pytest.mark.parametrize(
    ("viewer", "sees"),
    [
        (Viewer(ADA.id), False),
        (Viewer(BRAM.id), False),
        (Viewer(RHEA.id, referee=True), True),
        (PUBLIC, False),
        (ARCHIVIST, True),
    ],
)
def test_what_is_for_referees_even_the_two_of_them_do_not_see(viewer: Viewer, sees: bool) -> None:
    hidden = fact(Audience.REFEREES, SCENE)
    assert redact(hidden, viewer) is (hidden if sees else None)


def test_a_fact_about_nobody_is_not_for_a_viewer_who_is_nobody() -> None:
    about_nobody = fact(Audience.PRIVATE, event=Connected(here=True))
    assert about_nobody.subject is None
    assert redact(about_nobody, PUBLIC) is None
    assert redact(about_nobody, Viewer(ADA.id)) is about_nobody


@pytest.mark.parametrize(("audience", "ledger"), [*product(Audience, [None, GAME_LEDGER, SCENE])])
def test_whoever_reads_what_is_published_sees_only_what_the_room_saw(
    audience: Audience, ledger: int | None
) -> None:
    seen = redact(fact(audience, ledger), PUBLIC) is not None
    assert seen is (audience is Audience.ROOM)


def test_somebody_unknown_to_a_viewer_does_nothing_and_nothing_happens_to_them() -> None:
    shown = fact(Audience.ROOM)
    assert redact(shown, Viewer(OTHER, unknown=frozenset({ADA.id}))) is None
    assert redact(shown, Viewer(OTHER, unknown=frozenset({BRAM.id}))) is None
    assert redact(shown, Viewer(OTHER, unknown=frozenset({RHEA.id}))) == shown


def test_an_event_that_lists_people_leaves_out_the_unknown_or_says_nothing() -> None:
    @dataclass(frozen=True, slots=True)
    class Listed(Event):
        people: frozenset[int]

        def without(self, unknown: frozenset[int]) -> Event | None:
            left = self.people - unknown
            return Listed(left) if left else None

    both = fact(Audience.ROOM, event=Listed(frozenset({BRAM.id, RHEA.id})))
    seen = redact(both, Viewer(OTHER, unknown=frozenset({BRAM.id})))
    assert seen is not None
    assert seen.event == Listed(frozenset({RHEA.id}))
    assert redact(both, Viewer(OTHER, unknown=frozenset({BRAM.id, RHEA.id}))) is None
