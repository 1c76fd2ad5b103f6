from __future__ import annotations

from dataclasses import replace

import pytest

from mushcombat.domain.character import Actor, Role, Sheet
from tests.unit.support import ADA, BRAM, DOCK, GUEST, RHEA, START, scene_of


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


def test_who_left_before_a_scene_became_private_is_outside_it_until_invited_or_back() -> None:
    public = scene_of(ADA, BRAM, RHEA).left_by(BRAM.id)
    private = public.moved(DOCK, private=True)
    assert private.room == DOCK
    assert private.shut_out == {BRAM.id}
    assert not private.visible_to(BRAM.id)
    assert private.left_by(RHEA.id).visible_to(RHEA.id)
    assert private.moved(DOCK, private=True).shut_out == {BRAM.id}
    assert private.moved(START, private=False).visible_to(BRAM.id)
    assert replace(private, invited=frozenset({BRAM.id})).visible_to(BRAM.id)
    assert private.joined_by(BRAM.id).left_by(BRAM.id).visible_to(BRAM.id)


def test_a_referee_who_comes_back_referees_again() -> None:
    scene = scene_of(ADA, BRAM, referees=[BRAM])
    left = scene.left_by(BRAM.id)
    assert left.referees == frozenset()
    assert left.participants == {ADA.id}
    assert left.joined_by(ADA.id).referees == frozenset()
    again = left.joined_by(BRAM.id)
    assert again.referees == {BRAM.id}
    assert again.participants == {ADA.id, BRAM.id}
    assert scene.left_by(ADA.id).joined_by(ADA.id).referees == {BRAM.id}
