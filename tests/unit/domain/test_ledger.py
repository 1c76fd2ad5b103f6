from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat.domain.ledger import GENESIS, Row, canonical, digest, link, timestamp

ROW = Row(
    scene=7,
    seq=1,
    at="2026-03-01T12:00:00.000000Z",
    actor=11,
    name="Ada",
    kind="spoken",
    version=1,
    payload={"text": "é", "style": "say"},
    audience="room",
    action=1,
    era=1,
    dice_from=0,
    dice_to=0,
)

whole = st.integers(-(2**53), 2**53)
text = st.text(st.characters(codec="utf-8"), max_size=5)
values = st.recursive(
    st.none() | st.booleans() | whole | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=4),
    max_leaves=8,
)


def turned(value: Any) -> Any:
    """Give the same JSON with the keys of every object the other way round."""
    if isinstance(value, dict):
        return {key: turned(value[key]) for key in reversed(value)}
    return [turned(one) for one in value] if isinstance(value, list) else value


def test_canonical_json_has_sorted_keys_no_spaces_and_utf_8() -> None:
    assert canonical({"b": [1, None], "a": "é"}) == '{"a":"é","b":[1,null]}'


@given(values)
def test_the_order_of_keys_never_matters(value: Any) -> None:
    assert canonical(turned(value)) == canonical(value)
    assert digest("00", {"x": turned(value)}) == digest("00", {"x": value})


@given(values)
def test_canonical_json_is_read_back_as_it_was(value: Any) -> None:
    assert json.loads(canonical(value)) == value


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_what_is_no_number_of_json_is_refused(number: float) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        canonical({"n": number})


def test_a_time_is_written_in_utc_with_microseconds() -> None:
    winter = timezone(timedelta(hours=1))
    assert timestamp(datetime(2026, 10, 25, 2, 30, tzinfo=winter)) == "2026-10-25T01:30:00.000000Z"
    assert timestamp(datetime(2026, 1, 1, 0, 0, 0, 7, tzinfo=UTC)) == "2026-01-01T00:00:00.000007Z"


def test_the_two_half_past_twos_of_a_dst_night_are_two_times() -> None:
    summer, winter = timezone(timedelta(hours=2)), timezone(timedelta(hours=1))
    times = [timestamp(datetime(2026, 10, 25, 2, 30, tzinfo=zone)) for zone in (summer, winter)]
    assert times == ["2026-10-25T00:30:00.000000Z", "2026-10-25T01:30:00.000000Z"]


def test_a_row_is_hashed_by_the_documented_recipe() -> None:
    text = json.dumps(
        ROW.as_json(), sort_keys=True, ensure_ascii=False, separators=(",", ":")
    ).encode()
    assert digest("00ff", ROW.as_json()) == hashlib.sha256(b"\x00\xff" + text).hexdigest()


def test_a_row_as_json_has_every_field() -> None:
    assert list(ROW.as_json()) == list(Row.__slots__)
    assert ROW.as_json()["payload"] == {"text": "é", "style": "say"}


def test_another_salt_gives_another_digest() -> None:
    assert digest("00", ROW.as_json()) != digest("01", ROW.as_json())


@given(st.sampled_from(Row.__slots__))
def test_a_change_of_any_field_gives_another_digest(field: str) -> None:
    changed = ROW.as_json() | {field: "another"}
    assert digest("00", changed) != digest("00", ROW.as_json())


def test_a_salt_that_is_no_hex_is_refused() -> None:
    with pytest.raises(ValueError, match="hexadecimal"):
        digest("xy", ROW.as_json())


def test_a_link_hashes_the_head_before_it_and_the_digest() -> None:
    first = hashlib.sha256(b"row").hexdigest()
    expected = hashlib.sha256(bytes(32) + hashlib.sha256(b"row").digest()).hexdigest()
    assert link(GENESIS, first) == expected


def test_rows_in_another_order_end_in_another_head() -> None:
    one, two = (hashlib.sha256(text).hexdigest() for text in (b"1", b"2"))
    assert link(link(GENESIS, one), two) != link(link(GENESIS, two), one)


@given(
    st.builds(
        Row,
        scene=whole,
        seq=whole,
        at=text,
        actor=whole,
        name=text,
        kind=text,
        version=whole,
        payload=st.dictionaries(text, values, max_size=3),
        audience=text,
        action=whole,
        era=whole,
        dice_from=whole,
        dice_to=whole,
    )
)
def test_a_row_written_round_its_payload_is_canonical(row: Row) -> None:
    assert row.text(canonical(row.payload)) == canonical(row.as_json())
