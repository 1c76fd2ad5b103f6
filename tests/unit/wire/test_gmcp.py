from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.wire.gmcp import (
    MOST_BYTES,
    MOST_DEPTH,
    MOST_MODULES,
    Message,
    Supports,
    client_in,
    encode,
    parse,
)

names = st.from_regex(r"[A-Za-z]{1,9}(\.[A-Za-z]{1,9}){0,3}", fullmatch=True)
leaves = st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(max_size=20)
values: st.SearchStrategy[Any] = st.recursive(
    leaves, lambda one: st.lists(one, max_size=3) | st.dictionaries(st.text(), one, max_size=3)
)


@given(name=names, value=values.filter(lambda value: value is not None))
def test_what_is_written_reads_back_without_ff_or_nul(name: str, value: Any) -> None:
    raw = encode(name, value)
    assert b"\xff" not in raw
    assert b"\0" not in raw
    message = parse(raw)
    # Brackets in texts count as depth, too: those of odd texts may be too many.
    assert message is None or message == Message(name, value)
    assert message is not None or json.dumps(value).count("[") + json.dumps(value).count("{") > 16


@given(raw=st.binary(max_size=300) | st.text(max_size=100).map(lambda text: text.encode()))
def test_no_bytes_raise_anything(raw: bytes) -> None:
    message = parse(raw)
    assert message is None or message.package


@given(head=names, body=st.text(alphabet='[]{}",:0123456789.eE+-truefalsn \\', max_size=60))
def test_nothing_like_json_raises_anything(head: str, body: str) -> None:
    parse(f"{head} {body}".encode())


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b" ",
        b" {}",
        b"Core.Hello {",
        b"Core.Hello {} {}",
        b"Core.Hello NaN",
        b'Core.Hello {"a": -Infinity}',
        b"Core.Hello 1\0",
        b"Core.Hello \xff\xff",
        b"Core..Hello {}",
        b".Core {}",
        b"Core. {}",
        b"1Core {}",
        b"Core.Hello\t{}",
        b"A " + b"[" * 5000,
        b"A " + b"[" * 5000 + b"]" * 5000,
        b"A " + b'{"a":' * 3000 + b"1" + b"}" * 3000,
        b"A " + b"[" * (MOST_DEPTH + 1) + b"]" * (MOST_DEPTH + 1),
        b"A " + b"9" * 5000,
        b'A "' + b"x" * MOST_BYTES + b'"',
        b"x" * 65,
        "Cöre {}".encode(),
    ],
    ids=lambda raw: repr(raw[:20]),
)
def test_bad_input_is_no_message(raw: bytes) -> None:
    assert parse(raw) is None


def test_a_message_needs_no_data() -> None:
    assert parse(b"Core.Ping") == parse(b"Core.Ping  ") == Message("Core.Ping", bare=True)
    assert parse(b"Core.Ping null") == Message("Core.Ping")
    assert encode("Core.Ping") == b"Core.Ping"


def test_case_does_not_count_in_names() -> None:
    message = parse(b"cOrE.heLLo {}")
    assert message is not None
    assert message.name == "core.hello"


def test_what_is_no_json_is_not_written() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        encode("A", float("nan"))


def test_half_a_character_does_not_get_on_the_wire() -> None:
    assert encode("A", "x\ud800") == b'A "x?"'


@pytest.mark.parametrize(
    ("said", "name"),
    [
        (b'Core.Hello {"client": "Mudlet", "version": "4.19"}', "Mudlet"),
        (b'core.hello {"Version":"3.5.1","Client":"Blightmud"}', "Blightmud"),
        (b'Core.Hello {"client": "\\u202eZ\\u00fc\\u001b[2J"}', "Z[2J"),
        (b'Core.Hello {"client": "' + b"x" * 41 + b'"}', ""),
        (b'Core.Hello {"client": 7}', ""),
        (b'Core.Hello {"client": "\\ud800"}', "?"),
        (b'Core.Hello ["client"]', ""),
        (b"Core.Hello", ""),
        (b'Core.Hello {"client"', ""),
        (b'Core.Hellos {"client": "Mudlet"}', ""),
        (b'Core.Supports {"client": "Mudlet"}', ""),
    ],
)
def test_a_hello_names_the_client_and_nothing_else_does(said: bytes, name: str) -> None:
    assert client_in(said) == name


def test_a_module_stands_for_all_below_it() -> None:
    supports = Supports()
    assert not supports
    assert supports.change("core.supports.set", ["Char 1", "room.info 1", "Comm.Channel"])
    wanted = ["Char", "Char.Vitals", "char.name", "Room.Info", "Comm.Channel.Text"]
    assert all(supports.has(package) for package in wanted)
    unwanted = ["Room", "Room.Players", "Character", "Comm", "Scene.Info", ""]
    assert not any(supports.has(package) for package in unwanted)


def test_modules_are_added_and_removed() -> None:
    supports = Supports()
    supports.change("core.supports.set", ["Char 1"])
    supports.change("core.supports.add", ["Room 1", "Scene"])
    supports.change("core.supports.remove", ["CHAR", "Never 1"])
    assert [supports.has(one) for one in ("Char.Name", "Room.Info", "Scene.Pose")] == [0, 1, 1]
    supports.change("core.supports.set", [])
    assert not supports


@pytest.mark.parametrize("entries", [None, 7, "Char 1", {"Char": 1}, True])
def test_what_is_no_list_of_modules_changes_nothing(entries: Any) -> None:
    supports = Supports()
    supports.change("core.supports.set", ["Char 1"])
    assert not supports.change("core.supports.set", entries)
    assert not supports.change("core.supports.swap", ["Room"])
    assert supports.has("Char.Name")


def test_odd_entries_are_passed_over_and_there_is_an_end_to_them() -> None:
    supports = Supports()
    odd: list[Any] = [None, 7, [], "", " 1", "..", "x" * 65, "\x1b[31m 1", "Char 1"]
    supports.change("core.supports.set", odd)
    assert supports.has("Char")
    for start in range(0, 1000, 100):
        supports.change("core.supports.add", [f"M{n}" for n in range(start, start + 100)])
    assert sum(supports.has(f"M{n}") for n in range(1000)) == MOST_MODULES - 1
