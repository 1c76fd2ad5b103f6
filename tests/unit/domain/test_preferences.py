from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.domain.preferences import NAMES, Preferences, preference, read_preference
from mushcombat.domain.screen import PLAIN, Kind
from mushcombat.errors import MushError


@pytest.mark.parametrize(
    ("name", "typed", "stored"),
    [
        ("colour", "256", "256"),
        ("colour", " ON ", "on"),
        ("colour", "TrueColor", "true"),
        ("colour", "none", "off"),
        ("width", "0", "0"),
        ("width", "off", "0"),
        ("width", "20", "20"),
        ("width", "500", "500"),
        ("encoding", "ISO-8859-1", "latin-1"),
        ("encoding", "utf8", "utf-8"),
        ("screenreader", "yes", "on"),
        ("brief", "off", "off"),
        ("nospoof", "auto", None),
    ],
)
def test_a_preference_is_read_in_all_the_usual_ways(
    name: str, typed: str, stored: str | None
) -> None:
    assert read_preference(name, typed) == stored


@pytest.mark.parametrize(
    ("name", "typed", "says"),
    [
        ("colour", "pink", "@set colour=on, off, 16, 256, true or auto"),
        ("width", "19", "too few"),
        ("width", "501", "from 0 to 500"),
        ("width", "wide", "from 0 to 500"),
        ("encoding", "ebcdic", "utf-8, latin-1, ascii or auto"),
        ("screenreader", "", "on, off or auto"),
    ],
)
def test_what_is_no_value_is_refused_with_those_there_are(name: str, typed: str, says: str) -> None:
    with pytest.raises(MushError) as refusal:
        read_preference(name, typed)
    assert says in str(refusal.value)


def test_a_preference_goes_by_its_other_usual_names() -> None:
    assert preference("Color") == preference("ANSI") == "colour"
    assert preference("screen_reader") == "screenreader"
    assert preference("terse") == "brief"
    assert preference("Pistol") is None


def test_what_is_stored_means_what_was_set() -> None:
    stored = {"colour": "256", "width": "0", "encoding": "ascii", "screenreader": "on"}
    found = Preferences.of(stored | {"brief": "off"})
    assert found == Preferences("256", 0, "ascii", screenreader=True, brief=False)


def test_what_another_version_stored_is_left_out() -> None:
    assert Preferences.of({"colour": "octarine", "smell": "on", "width": "auto"}) == Preferences()


@given(st.sampled_from(NAMES), st.text(max_size=20))
def test_whatever_is_typed_is_read_or_refused_and_what_is_read_is_stored_as_it_is(
    name: str, typed: str
) -> None:
    try:
        stored = read_preference(name, typed)
    except MushError:
        return
    if stored is None:
        return
    assert read_preference(name, stored) == stored
    assert getattr(Preferences.of({name: stored}), name) is not None


def test_kinds_of_screen_that_are_alike_are_one() -> None:
    assert {PLAIN, Kind(), Kind("utf-8", 0, 0)} == {PLAIN}
    assert Kind(width=79) != PLAIN
