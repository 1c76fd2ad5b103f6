from __future__ import annotations

from dataclasses import replace

import pytest

from mushcombat.domain.scene_events import PoseSkipped
from mushcombat.service.pot import ROWS, next_in_order
from tests.unit.service.play import SCENE, Play
from tests.unit.support import ADA, BRAM, NOW, RHEA, scene_of

THUG = 40
PRESENT = (ADA.id, BRAM.id, RHEA.id)


def ordered(order: str, **changes: object) -> Play:
    scene = scene_of(ADA, BRAM, RHEA, referees=[RHEA], pose_order=order)
    return Play(replace(scene, **changes))  # type: ignore[arg-type]


def test_the_order_tells_who_posed_when_and_who_has_not() -> None:
    play = ordered("free")
    play.type(ADA, "pose waves.")
    assert play.type(BRAM, "+pot") == (
        "Pose order of scene 7 (free: pose when you like).",
        "Bram: not yet",
        "Ada: 0s ago",
    )
    assert play.type(BRAM, "+poseorder") == play.type(BRAM, "poseorder")


def test_a_referee_is_listed_once_they_have_posed() -> None:
    play = ordered("free")
    assert [line[:4] for line in play.type(ADA, "+pot")[1:]] == ["Ada:", "Bram"]
    play.type(RHEA, "+emit/set Rain.")
    assert len(play.type(ADA, "+pot")) == 3
    play.type(RHEA, "say Go.")
    assert play.type(ADA, "+pot")[-1] == "Rhea: 0s ago, referee"


def test_in_order_it_is_the_turn_of_who_has_waited_longest() -> None:
    play = ordered("order")
    play.type(BRAM, "pose waves.")
    play.type(ADA, "pose nods.")
    assert play.type(ADA, "+pot")[:2] == (
        "Pose order of scene 7 (order: who has waited longest is next). Next: Bram.",
        "Bram: 0s ago",
    )


def test_who_is_not_connected_is_marked_and_never_waited_for() -> None:
    play = ordered("order")
    play.type(BRAM, "pose waves.")
    play.type(ADA, "pose nods.")
    play.world.depart(play.world.online[BRAM.id])
    head, bram, ada = play.type(ADA, "+pot")
    assert head.endswith("Next: Ada.")
    assert (bram, ada) == ("Bram: 0s ago, not connected", "Ada: 0s ago")


def test_in_3_per_it_tells_after_how_many_others_one_may_pose() -> None:
    play = ordered("3-per")
    play.type(ADA, "pose waves.")
    assert play.type(ADA, "+pot") == (
        "Pose order of scene 7 (3-per: pose again once three others have).",
        "Bram: not yet, may pose",
        "Ada: 0s ago, after 1 more",
    )
    play.type(BRAM, "pose nods.")
    assert "Ada: 0s ago, may pose" in play.type(ADA, "+pot")


def test_an_npc_is_listed_once_it_has_posed_and_a_hidden_one_to_its_referees_alone() -> None:
    play = ordered("order", npcs={THUG: "Thug"}, hidden=frozenset({THUG}))
    assert "Thug" not in "".join(play.type(RHEA, "+pot"))
    play.type(RHEA, "Thug: pose growls.")
    assert "Thug: 0s ago, NPC" in play.type(RHEA, "+pot")
    assert "Thug" not in "".join(play.type(ADA, "+pot"))


def test_one_passes_for_oneself_and_the_referee_passes_over_others() -> None:
    play = ordered("order")
    play.type(ADA, "pose waves.")
    assert play.do(BRAM, "+pot/skip") == PoseSkipped(BRAM.id, "Bram")
    assert play.type(ADA, "+pot")[0].endswith("Next: Ada.")
    assert play.do(RHEA, "+pot/skip ada") == PoseSkipped(ADA.id, "Ada")
    assert play.type(ADA, "+pot")[0].endswith("Next: Bram.")
    assert play.no(ADA, "+pot/skip bram").startswith("The referee passes over others.")
    assert play.no(RHEA, "+pot/skip dirk").startswith('Nobody called "dirk" is in the scene.')
    play.type(RHEA, "+scene/pause")
    assert play.no(ADA, "+pot/skip") == "The scene is paused: +scene/resume goes on."


@pytest.mark.parametrize(
    "changes", [{"pose_order": "free"}, {"paused": True}, {"open": False}, {"closed_at": NOW}]
)
def test_only_a_scene_that_keeps_an_order_and_goes_on_has_a_next_one(
    changes: dict[str, object],
) -> None:
    play = ordered("order")
    play.type(ADA, "pose waves.")
    turn = next_in_order(play.store, SCENE, PRESENT)
    assert turn is not None
    assert turn.id == BRAM.id
    play.become(**changes)
    assert (next_in_order(play.store, SCENE, PRESENT) is None) == ("closed_at" not in changes)
    assert next_in_order(play.store, SCENE + 1, PRESENT) is None


def test_a_referee_who_posed_is_not_waited_for() -> None:
    play = ordered("order")
    play.type(RHEA, "say Go.")
    play.type(BRAM, "pose waves.")
    play.type(ADA, "pose nods.")
    assert play.type(ADA, "+pot")[0].endswith("Next: Bram.")


def test_of_a_long_log_only_the_end_is_looked_at() -> None:
    play = ordered("free")
    for _ in range(ROWS + 1):
        play.type(ADA, "pose waves.")
    assert play.type(ADA, "+pot")[1] == "Bram: not lately"
