from __future__ import annotations

from dataclasses import fields, replace

import pytest

from mushcombat.records import record


@record(frozen=True, slots=True)
class Shot:
    weapon: str
    odf: int = 60


@record(frozen=True, slots=True)
class Burst(Shot):
    rounds: int = 3


@record(frozen=True, slots=True)
class Quiet:
    weapon: str
    heard_by: int = 0

    def __hash__(self) -> int:
        return hash(self.weapon)


def test_a_record_is_a_dataclass_whose_fields_have_names_and_defaults() -> None:
    shot = Shot("blaster")
    assert (shot.weapon, shot.odf) == ("blaster", 60)
    assert [field.name for field in fields(Burst)] == ["weapon", "odf", "rounds"]
    assert replace(shot, odf=80) == Shot("blaster", 80)


def test_records_of_the_same_fields_are_the_same_thing_in_a_set() -> None:
    assert len({Shot("blaster"), Shot("blaster"), Burst("blaster")}) == 2


def test_a_record_keeps_the_hash_that_it_gives_itself() -> None:
    assert hash(Quiet("knife", 1)) == hash(Quiet("knife", 2))


def test_a_record_has_no_place_for_what_is_not_a_field_of_it() -> None:
    shot = Shot("blaster")
    with pytest.raises(AttributeError):
        shot.colour = "red"  # type: ignore[attr-defined]


def test_the_type_checker_refuses_that_a_record_is_changed() -> None:
    """At run time nobody does; the comment below is an error where it is not needed."""
    shot = Shot("blaster")
    shot.odf = 80  # type: ignore[misc]
    assert shot == Shot("blaster", 80)
