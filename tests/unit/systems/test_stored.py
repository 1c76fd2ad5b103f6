from __future__ import annotations

from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from mushcombat.records import record
from mushcombat.systems import stored
from mushcombat.systems.stored import STRICT, Stored


@record(frozen=True, slots=True)
class Cover:
    __pydantic_config__: ClassVar = STRICT

    version: int = 1
    percent: int = 0
    behind: tuple[str, ...] = ()


COVERS = st.builds(Cover, percent=st.integers(0, 100), behind=st.tuples(st.text(), st.text()))


@given(COVERS)
def test_a_state_is_read_as_it_was_written_also_by_who_did_not_write_it(state: Cover) -> None:
    one, other = Stored(Cover), Stored(Cover)
    text = one.dump(state)
    assert one.load(text) == state
    assert other.load(text) == state
    assert other.dump(state) == text


@pytest.mark.parametrize(
    "text",
    ["{}x", '{"percent":"20"}', '{"percent":20,"colour":"red"}', '{"percent":true}', "[]", ""],
)
def test_a_state_of_another_shape_is_refused_each_time(text: str) -> None:
    covers = Stored(Cover)
    for _ in range(2):
        with pytest.raises(ValidationError):
            covers.load(text)


def test_no_more_states_are_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "KEPT", 3)
    covers = Stored(Cover)
    texts = [covers.dump(Cover(percent=percent)) for percent in range(10)]
    assert len(covers._kept) <= 3
    assert [covers.load(text).percent for text in texts] == list(range(10))
