from __future__ import annotations

import pytest

from mushcombat.domain.character import Actor, Role, Sheet
from tests.unit.support import ADA, BRAM, GUEST, RHEA, scene_of


def test_each_role_may_do_what_those_before_it_may() -> None:
    assert Role.GUEST < Role.PLAYER < Role.STAFF < Role.ADMIN


@pytest.mark.parametrize("role", Role)
def test_a_role_is_found_by_its_name_in_any_case(role: Role) -> None:
    assert Role.named(str(role)) is Role.named(str(role).upper()) is role
    assert str(role) == role.name.lower()


def test_a_role_that_there_is_not_is_not_found() -> None:
    with pytest.raises(KeyError):
        Role.named("king")


@pytest.mark.parametrize(
    ("role", "guest", "staff"),
    [
        (Role.GUEST, True, False),
        (Role.PLAYER, False, False),
        (Role.STAFF, False, True),
        (Role.ADMIN, False, True),
    ],
)
def test_guests_and_staff_are_told_by_their_role(role: Role, guest: bool, staff: bool) -> None:
    actor = Actor(1, "X", role, 1)
    assert (actor.is_guest, actor.is_staff) == (guest, staff)


def test_a_level_that_was_never_set_is_none_and_zero_is_a_level() -> None:
    sheet = Sheet(1, "Ada", "otherspace", {"skill": {"Pistol": 0}})
    assert sheet.level("skill", "Pistol") == 0
    assert sheet.level("skill", "Rifle") is None
    assert sheet.level("attribute", "Pistol") is None


@pytest.mark.parametrize("viewer", [ADA, BRAM, RHEA, GUEST])
def test_a_public_scene_is_there_for_everyone(viewer: Actor) -> None:
    assert scene_of(ADA).visible_to(viewer.id)


def test_a_private_scene_is_there_for_its_own_people_alone() -> None:
    scene = scene_of(ADA, private=True, invited=frozenset({BRAM.id}))
    assert scene.visible_to(ADA.id)
    assert scene.visible_to(BRAM.id)
    assert not scene.visible_to(RHEA.id)
    assert not scene.visible_to(GUEST.id)


def test_who_left_a_private_scene_may_still_know_of_it() -> None:
    left = scene_of(ADA, private=True, participants=frozenset())
    assert left.visible_to(ADA.id)
