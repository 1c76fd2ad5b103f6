from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.domain.events import (
    Audience,
    Event,
    Fact,
    PoseWithdrawn,
    SceneJoined,
    SceneOpened,
    Spoken,
    Who,
)
from mushcombat.domain.pot import Waiting, pose_order, still_to_pose, whose_turn
from mushcombat.domain.scene_events import Muttered, PoseSkipped
from tests.unit.support import NOW

ADA, BRAM, CASS, DIRK, THUG = 1, 2, 3, 4, 5
NAMES = {ADA: "Ada", BRAM: "Bram", CASS: "Cass", DIRK: "Dirk", THUG: "Thug"}
POSE = Spoken("pose", "waves.")


def log(*events: tuple[int, Event]) -> list[Fact]:
    """Give a log of what people did, a minute apart."""
    return [
        Fact(event, Who(one, NAMES[one]), NOW + timedelta(minutes=at), Audience.ROOM, seq=at)
        for at, (one, event) in enumerate(events, 1)
    ]


def people(*ids: int, away: tuple[int, ...] = (), npcs: tuple[int, ...] = ()) -> dict[int, Waiting]:
    return {i: Waiting(i, NAMES[i], here=i not in away, player=i not in npcs) for i in ids}


def names(order: tuple[Waiting, ...]) -> list[str]:
    return [one.name for one in order]


def posing(*ids: int) -> list[Fact]:
    return log(*((one, POSE) for one in ids))


def test_who_has_waited_longest_comes_first() -> None:
    order = pose_order(posing(ADA, BRAM, CASS, ADA), people(ADA, BRAM, CASS, DIRK))
    assert names(order) == ["Dirk", "Bram", "Cass", "Ada"]
    assert whose_turn(order) == order[0]
    assert [one.posed_at for one in order[:2]] == [None, NOW + timedelta(minutes=2)]


def test_who_joins_waits_from_then_on() -> None:
    joined = log((ADA, POSE), (BRAM, POSE), (CASS, SceneJoined()), (ADA, POSE))
    assert names(pose_order(joined, people(ADA, BRAM, CASS))) == ["Bram", "Cass", "Ada"]
    opened = SceneOpened("T", "s", 1, "", private=False, referee=False, era=1, commitment="")
    opens = log((BRAM, opened), (ADA, SceneJoined()))
    assert names(pose_order(opens, people(ADA, BRAM))) == ["Bram", "Ada"]


def test_a_withdrawn_pose_was_none() -> None:
    facts = log((ADA, POSE), (BRAM, POSE), (ADA, POSE), (ADA, PoseWithdrawn(3)))
    order = pose_order(facts, people(ADA, BRAM))
    assert names(order) == ["Ada", "Bram"]


def test_who_is_passed_over_waits_anew_and_has_not_posed() -> None:
    facts = log((ADA, POSE), (ADA, PoseSkipped(BRAM, "Bram")))
    order = pose_order(facts, people(ADA, BRAM))
    assert names(order) == ["Ada", "Bram"]
    assert order[1].posed_at is None


def test_a_mutter_is_a_pose_and_what_is_said_out_of_character_is_none() -> None:
    facts = log((ADA, POSE), (BRAM, Muttered(None, "", "...")), (ADA, Spoken("ooc", "brb")))
    assert names(pose_order(facts, people(ADA, BRAM))) == ["Ada", "Bram"]


def test_those_who_have_left_are_not_in_it_but_were_heard() -> None:
    facts = log((ADA, POSE), (DIRK, POSE), (CASS, SceneJoined()))
    (ada,) = pose_order(facts, people(ADA))
    assert ada.others == {DIRK}


def test_it_is_never_the_turn_of_somebody_absent_or_of_an_npc() -> None:
    crowd = people(ADA, BRAM, THUG, away=(BRAM,), npcs=(THUG,))
    order = pose_order(posing(BRAM, THUG, ADA), crowd)
    assert names(order) == ["Bram", "Thug", "Ada"]
    turn = whose_turn(order)
    assert turn is not None
    assert turn.name == "Ada"
    assert whose_turn(()) is None


@pytest.mark.parametrize(
    ("posed", "left"),
    [
        ((ADA,), 3),
        ((ADA, BRAM), 2),
        ((ADA, BRAM, BRAM), 2),
        ((ADA, BRAM, CASS), 1),
        ((ADA, BRAM, CASS, THUG), 0),
        ((BRAM, CASS, THUG, ADA), 3),
        ((BRAM,), 0),
    ],
)
def test_in_3_per_three_others_pose_before_one_does_again(
    posed: tuple[int, ...], left: int
) -> None:
    order = pose_order(posing(*posed), people(ADA, BRAM, CASS, DIRK, THUG, npcs=(THUG,)))
    (ada,) = (one for one in order if one.id == ADA)
    assert still_to_pose(order, ada) == left


def test_in_3_per_a_small_company_is_waited_for_once_round_and_the_absent_not_at_all() -> None:
    order = pose_order(posing(ADA, BRAM), people(ADA, BRAM, CASS, away=(CASS,)))
    (ada,) = (one for one in order if one.id == ADA)
    assert still_to_pose(order, ada) == 0
    alone = pose_order(posing(ADA), people(ADA))
    assert still_to_pose(alone, alone[0]) == 0


@given(st.lists(st.sampled_from([ADA, BRAM, CASS]), max_size=30))
def test_the_order_is_that_of_the_last_poses(posed: list[int]) -> None:
    order = pose_order(posing(*posed), people(ADA, BRAM, CASS))
    last = [next((i for i in range(len(posed), 0, -1) if posed[i - 1] == o.id), 0) for o in order]
    assert last == sorted(last)
    assert [one.since for one in order] == last
