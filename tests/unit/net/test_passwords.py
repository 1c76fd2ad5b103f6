"""Hashing passwords: what is kept tells nothing, and who is not there is checked as long."""

from __future__ import annotations

from mushcombat.net import passwords
from mushcombat.net.passwords import hash_password, verify_password


def test_a_password_fits_its_own_hash_alone() -> None:
    hashed = hash_password("a long one")
    assert verify_password(hashed, "a long one")
    assert not verify_password(hashed, "a longer one")
    assert not verify_password("no hash at all", "a long one")


def test_nobody_gets_in_where_there_is_no_login() -> None:
    assert not verify_password(None, "a long one")


def test_checking_for_nobody_costs_what_checking_for_somebody_does() -> None:
    assert not passwords._HASHER.check_needs_rehash(passwords._NOBODY)
    assert passwords._NOBODY.count("$") == hash_password("a long one").count("$")
