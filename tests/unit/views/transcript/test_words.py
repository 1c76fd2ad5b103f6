from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.views.transcript.words import printable, zone_label, zone_of
from mushcombat.wire.text import clean
from tests.unit.support import NOW


def test_controls_are_shown_as_pictures_and_tabs_as_blanks() -> None:
    assert printable("a\x1b[1m\x00\x7f\tb\nc") == "a␛[1m␀␡    b\nc"
    assert printable("a\u202eb\x9b\ud800") == "a\ufffdb\ufffd\ufffd"


@given(st.text(max_size=60))
def test_what_a_player_can_type_is_printable_as_it_is(text: str) -> None:
    typed = clean(text).replace("\t", "    ")
    assert printable(typed) == typed
    assert printable(printable(text)) == printable(text)


@pytest.mark.parametrize(
    "name", ["", "Nowhere/None", "../../etc/passwd", "Europe", "a\0b", "X" * 40]
)
def test_a_zone_that_is_none_is_utc(name: str) -> None:
    assert zone_of(name) is UTC


def test_a_zone_is_named_with_its_distance_from_utc() -> None:
    assert zone_label(NOW, zone_of("Asia/Kolkata")) == "Asia/Kolkata, UTC+05:30"
    summer = datetime(2026, 7, 1, tzinfo=UTC)
    assert zone_label(summer, zone_of("Europe/Berlin")) == "Europe/Berlin, UTC+02:00"
    assert zone_label(NOW, zone_of("UTC")) == "UTC"
    assert NOW.astimezone(zone_of("America/New_York")).utcoffset() == timedelta(hours=-5)
