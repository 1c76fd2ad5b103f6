from __future__ import annotations

import pytest

from mushcombat.domain.character import Role
from mushcombat.domain.command import Outcome
from mushcombat.domain.events import SceneLeft
from mushcombat.errors import MushError
from mushcombat.service.accounts import (
    LONGEST_PASSWORD,
    NO_PASSWORD,
    REMEMBERED,
    Entry,
    Throttle,
    check_password,
    enter,
    guest_leaves,
    guests_left,
    make_account,
    make_guest,
)
from tests.unit.support import ADA, DOCK, GUEST, NOW, START, MemoryStore, scene_of


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def throttle(clock: Clock) -> Throttle:
    return Throttle(3, 30.0, clock)


def is_held(throttle: Throttle, name: str = "Ada", address: str = "a") -> bool:
    try:
        throttle.check(name, address)
    except MushError:
        return True
    return False


def fail(throttle: Throttle, times: int, name: str = "Ada", address: str = "a") -> None:
    for _ in range(times):
        throttle.wrong(name, address)


@pytest.mark.parametrize("password", ["123456", "x" * LONGEST_PASSWORD, " spaced out "])
def test_a_password_of_a_good_length_is_taken_whole(password: str) -> None:
    assert check_password(password, 6) == password


@pytest.mark.parametrize("password", ["", "12345", "x" * (LONGEST_PASSWORD + 1), "é" * 65])
def test_a_password_of_another_length_is_refused_and_not_repeated(password: str) -> None:
    with pytest.raises(MushError) as caught:
        check_password(password, 6)
    assert str(caught.value) == "A password has 6 to 128 characters. Pick another."


def test_so_many_wrong_passwords_make_one_wait(throttle: Throttle, clock: Clock) -> None:
    fail(throttle, 2)
    assert not is_held(throttle)
    fail(throttle, 1)
    with pytest.raises(MushError) as caught:
        throttle.check("Ada", "a")
    assert str(caught.value) == "Too many wrong passwords. Wait 31 seconds."
    clock.now += 29
    assert is_held(throttle)
    clock.now += 1
    assert not is_held(throttle)


def test_after_the_wait_as_many_tries_are_left_as_before(throttle: Throttle, clock: Clock) -> None:
    fail(throttle, 3)
    clock.now += 30
    fail(throttle, 2)
    assert not is_held(throttle)
    fail(throttle, 1)
    assert is_held(throttle)


def test_only_that_name_from_that_address_waits(throttle: Throttle) -> None:
    fail(throttle, 3)
    assert is_held(throttle, "ADA", "a")
    assert not is_held(throttle, "Ada", "b")
    assert not is_held(throttle, "Bram", "a")


def test_a_right_password_forgets_the_wrong_ones(throttle: Throttle) -> None:
    fail(throttle, 2)
    throttle.right("ADA", "a")
    fail(throttle, 2)
    assert not is_held(throttle)
    throttle.right("never seen", "a")


def test_what_is_being_checked_counts_as_wrong_until_it_is_known(throttle: Throttle) -> None:
    for _ in range(3):
        throttle.begin("Ada", "a")
    with pytest.raises(MushError, match="are being checked"):
        throttle.begin("ADA", "a")
    throttle.end("Ada", "a")
    throttle.begin("Ada", "a")
    throttle.begin("Ada", "b")


def test_a_check_that_was_forgotten_meanwhile_ends_without_harm(throttle: Throttle) -> None:
    throttle.end("Ada", "a")
    assert not is_held(throttle)


def test_no_more_than_so_many_pairs_are_remembered_and_the_oldest_go(throttle: Throttle) -> None:
    fail(throttle, 3, "first")
    for number in range(REMEMBERED - 1):
        throttle.wrong(f"n{number}", "a")
    assert is_held(throttle, "first")
    throttle.wrong("one more", "a")
    assert not is_held(throttle, "first")


def test_who_logs_in_is_noted_and_let_in() -> None:
    store, entry = MemoryStore(), Entry()
    login = store.accounts["Ada"]
    assert enter(login, NOW, entry)(store) == Outcome()
    assert entry.character == store.characters[ADA.id]
    assert store.accounts["Ada"].last_login_at == NOW


def test_a_new_login_is_made_and_let_in_at_the_start() -> None:
    store, entry = MemoryStore(), Entry()
    make_account("T'Pring", "hash", Role.PLAYER, NOW, entry)(store)
    assert entry.character is not None
    assert (entry.character.name, entry.character.room) == ("T'Pring", START)
    assert store.accounts["T'Pring"].password_hash == "hash"


def test_a_name_that_is_taken_is_refused_in_any_case() -> None:
    entry = Entry()
    with pytest.raises(MushError, match="taken"):
        make_account("ADA", "hash", Role.PLAYER, NOW, entry)(MemoryStore())
    assert entry.character is None


def test_each_guest_has_a_new_name_and_no_password() -> None:
    store, names = MemoryStore(), []
    for _ in range(2):
        entry = Entry()
        make_guest(NOW, entry)(store)
        assert entry.character is not None
        names.append(entry.character.name)
    assert names == ["Guest 2", "Guest 3"]
    assert {store.accounts[name].password_hash for name in names} == {NO_PASSWORD}
    assert {store.accounts[name].role for name in names} == {Role.GUEST}


def test_a_guest_who_leaves_is_out_of_every_scene_and_never_back() -> None:
    here = scene_of(ADA, GUEST)
    there = scene_of(GUEST, id=8, room=DOCK)
    without = scene_of(ADA, id=9, room=DOCK)
    store = MemoryStore(here, there, without)
    drafts = guest_leaves(GUEST, NOW)(store).drafts
    assert [(draft.event, draft.ledger, draft.room) for draft in drafts] == [
        (SceneLeft(), 7, START),
        (SceneLeft(), 8, DOCK),
    ]
    assert store.scenes[7].participants == {ADA.id}
    assert store.accounts[GUEST.name].disabled


def test_a_guest_in_no_scene_leaves_without_a_word() -> None:
    store = MemoryStore()
    assert guest_leaves(GUEST, NOW)(store) == Outcome()
    assert store.accounts[GUEST.name].disabled


def test_guests_that_were_never_seen_off_are_known_until_they_are() -> None:
    store, entry = MemoryStore(), Entry()
    make_guest(NOW, entry)(store)
    others = [guest for guest in guests_left(store) if guest.name != "Guest 1"]
    (left,) = [guest for guest in guests_left(store) if guest not in others]
    guest_leaves(left, NOW)(store)
    assert guests_left(store) == others
