from __future__ import annotations

from itertools import product

import pytest

from mushcombat.domain.channels import ChannelSpoken
from mushcombat.domain.character import Actor
from mushcombat.domain.events import (
    GAME_LEDGER,
    Audience,
    Connected,
    Draft,
    Event,
    Fact,
    Paged,
    Spoken,
    Whispered,
    Who,
)
from mushcombat.domain.fight import FightJoined, OrderMade
from mushcombat.domain.visibility import ARCHIVIST, PUBLIC, Viewer, redact, veiled, viewer_of
from mushcombat.records import record
from tests.unit.support import ADA, BRAM, NOW, RHEA, scene_of, who

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
    assert seen is (audience in {Audience.ROOM, Audience.OTHERS})


def test_somebody_unknown_to_a_viewer_does_nothing_and_nothing_happens_to_them() -> None:
    shown = fact(Audience.ROOM)
    assert redact(shown, Viewer(OTHER, unknown=frozenset({ADA.id}))) is None
    assert redact(shown, Viewer(OTHER, unknown=frozenset({BRAM.id}))) is None
    assert redact(shown, Viewer(OTHER, unknown=frozenset({RHEA.id}))) == shown


def test_an_event_that_lists_people_leaves_out_the_unknown_or_says_nothing() -> None:
    @record(frozen=True, slots=True)
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


@pytest.mark.parametrize(
    ("viewer", "sees"),
    [
        (Viewer(ADA.id), True),
        (Viewer(OTHER), True),
        (PUBLIC, True),
        (Viewer(RHEA.id, referee=True), False),
        (ARCHIVIST, True),
    ],
)
def test_what_the_others_see_in_place_of_a_fuller_row_the_referees_do_not(
    viewer: Viewer, sees: bool
) -> None:
    reduced = fact(Audience.OTHERS, SCENE)
    assert redact(reduced, viewer) is (reduced if sees else None)


HIDDEN = frozenset({99})
LISTED = OrderMade(("Ada", "Lurker"), ((9,), (7,)), "", (ADA.id, 99))


def veil(draft: Draft, actor: int = ADA.id) -> list[tuple[Audience, Event]]:
    return [(d.audience, d.event) for d in veiled(draft, Who(actor, "x"), HIDDEN)]


def test_where_nobody_is_hidden_a_draft_is_logged_as_it_is() -> None:
    draft = Draft(LISTED, ledger=SCENE)
    assert veiled(draft, who(ADA), frozenset()) == (draft,)


def test_what_a_hidden_one_does_is_for_the_referees() -> None:
    assert veil(Draft(PAGE), actor=99) == [(Audience.REFEREES, PAGE)]


def test_what_happens_to_a_hidden_one_is_for_the_referees() -> None:
    joined = FightJoined(99, "Lurker")
    assert veil(Draft(joined)) == [(Audience.REFEREES, joined)]
    assert veil(Draft(joined, Audience.PRIVATE)) == [(Audience.REFEREES, joined)]


def test_what_others_do_among_themselves_is_logged_as_it_is() -> None:
    joined = FightJoined(ADA.id, "Ada")
    assert veil(Draft(joined)) == [(Audience.ROOM, joined)]
    assert veil(Draft(joined, Audience.PRIVATE)) == [(Audience.PRIVATE, joined)]


def test_what_is_for_referees_is_so_whoever_is_in_it() -> None:
    assert veil(Draft(LISTED, Audience.REFEREES)) == [(Audience.REFEREES, LISTED)]


def test_a_list_with_a_hidden_one_in_it_is_logged_whole_and_as_the_others_see_it() -> None:
    known = OrderMade(("Ada",), ((9,),), "", (ADA.id,))
    assert veil(Draft(LISTED)) == [(Audience.REFEREES, LISTED), (Audience.OTHERS, known)]


def test_a_list_of_hidden_ones_alone_is_for_the_referees() -> None:
    alone = OrderMade(("Lurker",), ((7,),), "", (99,))
    assert veil(Draft(alone)) == [(Audience.REFEREES, alone)]


def test_what_is_private_stays_so_when_a_hidden_one_is_left_out() -> None:
    known = OrderMade(("Ada",), ((9,),), "", (ADA.id,))
    assert veil(Draft(LISTED, Audience.PRIVATE)) == [(Audience.PRIVATE, known)]


LURKED = scene_of(ADA, BRAM, RHEA, referees=[BRAM], hidden=HIDDEN)


@pytest.mark.parametrize("actor", [BRAM, RHEA])
def test_referees_of_a_scene_and_staff_in_it_know_who_is_hidden(actor: Actor) -> None:
    assert viewer_of(actor, LURKED) == Viewer(actor.id, referee=True)


def test_for_players_and_staff_outside_a_scene_its_hidden_are_unknown() -> None:
    assert viewer_of(ADA, LURKED) == Viewer(ADA.id, unknown=HIDDEN)
    elsewhere = scene_of(ADA, hidden=HIDDEN)
    assert viewer_of(RHEA, elsewhere) == Viewer(RHEA.id, unknown=HIDDEN)


LINE = ChannelSpoken(3, "Trade", "hi")


@pytest.mark.parametrize(
    ("viewer", "sees"),
    [
        (Viewer(BRAM.id, channels=frozenset({3})), True),
        (Viewer(ADA.id, channels=frozenset({3})), True),
        (Viewer(BRAM.id, channels=frozenset({4})), False),
        (Viewer(ADA.id), False),
        (Viewer(RHEA.id, referee=True), False),
        (PUBLIC, False),
        (ARCHIVIST, True),
    ],
)
def test_a_line_on_a_channel_is_for_those_who_hear_it(viewer: Viewer, sees: bool) -> None:
    said = fact(Audience.CHANNEL, event=LINE)
    assert redact(said, viewer) is (said if sees else None)


@pytest.mark.parametrize(
    ("viewer", "sees"),
    [(Viewer(BRAM.id), True), (Viewer(ADA.id), False), (Viewer(OTHER), False), (PUBLIC, False)],
)
def test_what_is_for_the_subject_alone_its_actor_is_not_shown(viewer: Viewer, sees: bool) -> None:
    told = fact(Audience.SUBJECT)
    assert redact(told, viewer) is (told if sees else None)


@pytest.mark.parametrize(
    ("event", "audience", "sees"),
    [
        (LINE, Audience.CHANNEL, False),
        (PAGE, Audience.PRIVATE, False),
        (Whispered(BRAM.id, BRAM.name, "psst"), Audience.PRIVATE, False),
        (Spoken("pose", "waves."), Audience.ROOM, True),
        (Connected(True), Audience.ROOM, True),
    ],
)
def test_who_is_ignored_is_not_read_but_their_play_is(
    event: Event, audience: Audience, sees: bool
) -> None:
    bram = Viewer(BRAM.id, channels=frozenset({3}), ignored=frozenset({ADA.id}))
    told = fact(audience, event=event)
    assert redact(told, bram) is (told if sees else None)
    others = Viewer(BRAM.id, channels=frozenset({3}), ignored=frozenset({OTHER}))
    assert redact(told, others) is told
