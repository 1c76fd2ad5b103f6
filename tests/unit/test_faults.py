from __future__ import annotations

import re

import pytest
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, field_validator

from mushcombat.faults import Fault, FaultyError, WrongError, read


class Port(BaseModel):
    model_config = ConfigDict(extra="forbid")
    number: StrictInt = Field(ge=1, le=65535)
    open: StrictBool = True

    @field_validator("number")
    @classmethod
    def is_even(cls, number: int) -> int:
        if number % 2:
            raise ValueError("an even number")
        return number


class Settings(BaseModel):
    model_config = ConfigDict(extra="forbid")
    ports: list[Port] = []
    limits: dict[str, StrictInt] = {}

    @field_validator("limits")
    @classmethod
    def are_small(cls, limits: dict[str, int]) -> dict[str, int]:
        wrongs = [(key, value, "9 or less") for key, value in limits.items() if value > 9]
        if wrongs:
            raise WrongError(*wrongs)
        return limits


def faults(text: str) -> list[str]:
    with pytest.raises(FaultyError) as caught:
        read(Settings, text, "server.toml")
    assert str(caught.value).splitlines() == [str(fault) for fault in caught.value.faults]
    return [str(fault) for fault in caught.value.faults]


def test_a_good_file_is_read() -> None:
    assert read(Settings, "ports = [{ number = 4202 }]", "x").ports[0].number == 4202


def test_an_empty_file_has_every_default() -> None:
    assert read(Settings, "", "x") == Settings()


def test_a_fault_has_file_key_found_and_expected() -> None:
    with pytest.raises(FaultyError) as caught:
        read(Settings, "[[ports]]\nnumber = 70000", "server.toml")
    assert caught.value.faults == (
        Fault("server.toml", "ports[0].number", "70000", "65535 or less"),
    )


def test_all_faults_are_told_at_once() -> None:
    assert faults("bogus = 1\nports = [{ number = 0 }, { open = 1, number = true }, {}, 5]") == [
        "server.toml: ports[0].number: found 0, expected 1 or more",
        "server.toml: ports[1].number: found true, expected a whole number",
        "server.toml: ports[1].open: found 1, expected true or false",
        "server.toml: ports[2].number: found nothing, expected a value",
        "server.toml: ports[3]: found 5, expected a table",
        "server.toml: bogus: found 1, expected no key of this name; there are ports, limits",
    ]


def test_in_a_list_of_tables_it_is_told_which_keys_there_are_too() -> None:
    assert faults("ports = [{ number = 2, opened = true, why = 1 }]") == [
        "server.toml: ports[0].opened: found true, expected no key of this name;"
        " the nearest is open",
        "server.toml: ports[0].why: found 1, expected no key of this name; there are number, open",
    ]


def test_a_validator_may_tell_several_faults() -> None:
    assert faults("limits = { a = 10, b = 1, c = 11 }") == [
        "server.toml: limits.a: found 10, expected 9 or less",
        "server.toml: limits.c: found 11, expected 9 or less",
    ]


def test_a_validators_plain_error_is_told_in_its_own_words() -> None:
    assert faults("ports = [{ number = 3 }]") == [
        "server.toml: ports[0].number: found 3, expected an even number"
    ]


def test_a_long_value_is_clipped() -> None:
    (told,) = faults(f'limits = "{"x" * 5000}"')
    assert re.fullmatch(r'server.toml: limits: found "x{58}…, expected a table', told)


def test_what_is_no_toml_is_told_with_its_place() -> None:
    (told,) = faults("ports = []\nlimits == 1")
    assert told.startswith("server.toml: line 2, column 9: found what is no TOML (")
    assert told.endswith("), expected TOML")


def test_a_number_too_long_to_read_is_a_fault_too() -> None:
    (told,) = faults("limits = { a = " + "9" * 5000 + " }")
    assert told.startswith("server.toml: (the whole file): found what is no TOML (")
