"""Logins and who is found by a name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mushcombat.domain.character import Role
from mushcombat.domain.command import Committed, Outcome, Refused
from mushcombat.domain.ports import Login
from mushcombat.errors import MushError
from mushcombat.storage.writes import WriteStore
from tests.contract.bench import Bench, Run


def stored(bench: Bench, name: str) -> Login:
    login = bench.read(lambda store: store.login(name))
    assert login is not None
    return login


def found(bench: Bench, typed: str) -> list[str]:
    return sorted(each.name for each in bench.read(lambda store: store.find_players(typed)))


def test_a_new_login_has_a_character_in_the_start_room(bench: Bench) -> None:
    ada = bench.login("Ada Lovelace", Role.STAFF)
    assert ada == Login(1, "Ada Lovelace", Role.STAFF, "hash", False, False, False, 1, None)
    assert stored(bench, " ADA lovelace ") == ada
    character = bench.read(lambda store: store.character(ada.character))
    assert character is not None
    assert (character.name, character.room, character.role) == ("Ada Lovelace", 1, Role.STAFF)
    assert (character.account, character.description, character.doing) == (ada.account, "", "")


def test_who_does_not_exist_is_not_found(bench: Bench) -> None:
    assert bench.read(lambda store: store.login("Ada")) is None
    assert bench.read(lambda store: store.character(1)) is None
    assert bench.read(lambda store: store.names([1, 2])) == {}
    assert bench.read(lambda store: store.logins()) == []


def test_a_name_is_taken_in_any_case(bench: Bench) -> None:
    bench.login("Ada")
    with pytest.raises(MushError, match='The name "ADA" is taken'):
        bench.login("ADA")
    assert [login.name for login in bench.read(lambda store: store.logins())] == ["Ada"]


def test_of_two_who_take_a_name_in_one_batch_the_second_is_refused(bench: Bench) -> None:
    def takes(name: str) -> Run:
        def create(store: WriteStore) -> Outcome:
            store.create_account(name, "hash", Role.PLAYER, bench.clock())
            return Outcome()

        return create

    first, second, third = bench.run(takes("Ada"), takes("aDA"), takes("Bram"))
    assert isinstance(first, Committed)
    assert second == Refused('The name "aDA" is taken. Pick another.')
    assert isinstance(third, Committed)


def test_logins_are_listed_by_name_whatever_their_case(bench: Bench) -> None:
    for name in ("bram", "Cass", "Ada"):
        bench.login(name)
    logins = bench.read(lambda store: store.logins())
    assert [login.name for login in logins] == ["Ada", "bram", "Cass"]


def test_a_renamed_login_keeps_everything_but_its_name(bench: Bench) -> None:
    ada = bench.login("Ada", Role.ADMIN)
    bench.do(lambda store: store.rename(ada.account, "Grace"))
    assert stored(bench, "grace") == replace(ada, name="Grace")
    assert bench.read(lambda store: store.login("Ada")) is None
    assert found(bench, "Grace") == ["Grace"]
    assert bench.login("Ada").account != ada.account


def test_a_login_can_change_the_case_of_its_name(bench: Bench) -> None:
    ada = bench.login("ada")
    bench.do(lambda store: store.rename(ada.account, "ADA"))
    assert stored(bench, "ada").name == "ADA"


def test_a_name_that_is_taken_is_no_new_name(bench: Bench) -> None:
    bench.login("Ada")
    bram = bench.login("Bram")
    with pytest.raises(MushError, match='The name "ada" is taken'):
        bench.do(lambda store: store.rename(bram.account, "ada"))
    assert stored(bench, "Bram") == bram


def test_a_login_is_disabled_and_let_in_again(bench: Bench) -> None:
    ada = bench.login("Ada")
    bench.do(lambda store: store.set_disabled(ada.account, disabled=True))
    assert stored(bench, "Ada") == replace(ada, disabled=True)
    bench.do(lambda store: store.set_disabled(ada.account, disabled=False))
    assert stored(bench, "Ada") == ada


@pytest.mark.parametrize("role", list(Role))
def test_every_role_is_kept(bench: Bench, role: Role) -> None:
    ada = bench.login("Ada")
    bench.do(lambda store: store.set_role(ada.account, role))
    assert stored(bench, "Ada").role is role
    character = bench.read(lambda store: store.character(ada.character))
    assert character is not None
    assert character.role is role


def test_a_one_time_password_is_spent_by_the_first_login(bench: Bench) -> None:
    admin = bench.do(
        lambda s: s.create_account("Admin", "h", Role.ADMIN, bench.clock(), one_time=True)
    )
    assert (admin.one_time, admin.spent) == (True, False)
    now = bench.clock()
    bench.do(lambda store: store.logged_in(admin.account, now))
    assert stored(bench, "Admin") == replace(admin, spent=True, last_login_at=now)
    bench.do(lambda store: store.set_password(admin.account, "other"))
    bench.do(lambda store: store.logged_in(admin.account, now))
    again = stored(bench, "Admin")
    assert (again.password_hash, again.one_time, again.spent) == ("other", False, False)


def test_an_ordinary_password_is_not_spent_by_a_login(bench: Bench) -> None:
    ada = bench.login("Ada")
    now = bench.clock()
    bench.do(lambda store: store.logged_in(ada.account, now))
    assert stored(bench, "Ada") == replace(ada, last_login_at=now)


def _promote_all(store: WriteStore) -> None:
    for login in store.logins():
        store.set_role(login.account, Role.PLAYER)


def test_a_guest_gets_a_number_that_none_had_even_when_one_was_promoted(bench: Bench) -> None:
    names = []
    for _ in range(3):
        names.append(f"Guest {bench.do(lambda store: store.next_guest())}")
        bench.login(names[-1], Role.GUEST)
        bench.do(_promote_all)
    assert len(set(names)) == 3


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("ann", ["Ann"]),
        (" ANN ", ["Ann"]),
        ("anna", ["Anna"]),
        ("an", ["Ann", "Anna", "Annabel Lee"]),
        ("annab", ["Annabel Lee"]),
        ("annabel l", ["Annabel Lee"]),
        ("nna", []),
        ("%", []),
        ("_nn", []),
        ("an_", []),
        ("ann%", []),
        ("\\", []),
        ("/", []),
        ("", []),
        ("  ", []),
        ("ß", []),
        ("a" * 5000, []),
    ],
)
def test_players_are_found_exactly_or_by_a_beginning(
    bench: Bench, typed: str, names: list[str]
) -> None:
    for name in ("Ann", "Anna", "Annabel Lee"):
        bench.do(lambda s, name=name: s.create_account(name, "h", Role.PLAYER, bench.clock()))  # type: ignore[misc]
    assert found(bench, typed) == names


def test_wildcards_in_a_name_stand_for_themselves(bench: Bench) -> None:
    for name in ("a_b%c", "a/b", "axbyc"):
        bench.login(name)
    assert found(bench, "a_b%") == ["a_b%c"]
    assert found(bench, "a/") == ["a/b"]


def test_names_are_given_by_id(bench: Bench) -> None:
    ada, bram = bench.login("Ada"), bench.login("Bram")
    names = bench.read(lambda store: store.names([bram.character, ada.character, 99]))
    assert names == {ada.character: "Ada", bram.character: "Bram"}


def test_a_character_is_described_and_says_what_it_does(bench: Bench) -> None:
    ada = bench.login("Ada")
    bench.do(lambda store: store.describe_character(ada.character, "Tall.%rGrey coat."))
    bench.do(lambda store: store.set_doing(ada.character, "counting stars"))
    character = bench.read(lambda store: store.character(ada.character))
    assert character is not None
    assert (character.description, character.doing) == ("Tall.%rGrey coat.", "counting stars")


def test_traits_are_set_changed_and_taken_off(bench: Bench) -> None:
    ada = bench.login("Ada")
    for group, trait, level in (
        ("attribute", "Dexterity", 4),
        ("skill", "Pistol", -2),
        ("skill", "Pistol", 5),
        ("skill", "Medicine", 1),
        ("skill", "Medicine", None),
        ("skill", "Never had", None),
    ):
        bench.do(lambda s, row=(group, trait, level): s.set_trait(ada.character, "os", *row))  # type: ignore[misc]
    sheet = bench.read(lambda store: store.sheet(ada.character, "os"))
    assert sheet.traits == {"attribute": {"Dexterity": 4}, "skill": {"Pistol": 5}}
    assert (sheet.name, sheet.system, sheet.quirks) == ("Ada", "os", ())
    assert sheet.level("skill", "Pistol") == 5
    assert sheet.level("skill", "Medicine") is None


def test_sheets_of_two_systems_and_two_people_are_apart(bench: Bench) -> None:
    ada, bram = bench.login("Ada"), bench.login("Bram")
    bench.do(lambda store: store.set_trait(ada.character, "os", "skill", "Pistol", 5))
    assert bench.read(lambda store: store.sheet(ada.character, "melee")).traits == {}
    assert bench.read(lambda store: store.sheet(bram.character, "os")).traits == {}
