"""Whose a change is."""

from __future__ import annotations

import pytest

from mushcombat.domain.state import WHOLE, Change, Value
from mushcombat.domain.whose import is_coming, whose
from tests.unit.domain.logs import Log


def change(
    thing: str, key: str, field: str = "x", before: Value = None, after: Value = 1
) -> Change:
    return Change(thing, key, field, before, after, "a thing")


@pytest.mark.parametrize(
    ("thing", "key", "who"),
    [
        ("npc", "[40]", 40),
        ("condition", '[40,"otherspace"]', 40),
        ("item", '[40,"otherspace","knife"]', 40),
        ("combatant", "[7,40]", 40),
        ("fight", "[7]", None),
        ("scene", "[7]", None),
        ("pending", "[7,12]", None),
        ("wound", "[3]", None),
    ],
)
def test_the_key_of_a_thing_tells_whose_it_is(thing: str, key: str, who: int | None) -> None:
    assert whose(change(thing, key)) == who


@pytest.mark.parametrize(
    ("thing", "row", "who"),
    [
        ("pending", '{"actor_id":40}', 40),
        ("wound", '{"character_id":40}', 40),
        ("wound", "{}", None),
        ("fight", '{"turn":40}', None),
    ],
)
def test_what_names_somebody_tells_it_as_it_comes_and_goes(
    thing: str, row: str, who: int | None
) -> None:
    assert whose(change(thing, "[1,2]", WHOLE, None, row)) == who
    assert whose(change(thing, "[1,2]", WHOLE, row, None)) == who


def test_of_a_thing_that_neither_comes_nor_goes_nobody_is_told() -> None:
    assert whose(change("pending", "[1,2]", WHOLE, None, None)) is None


def test_the_scene_that_an_npc_is_in_tells_that_it_came() -> None:
    assert is_coming(change("npc", "[40]", "scene_id", None, 7))
    assert not is_coming(change("npc", "[40]", "hidden", False, True))
    assert not is_coming(change("wound", "[40]", "scene_id", None, 7))


CAME = change("npc", "[40]", "scene_id", None, 7)
HARMED = change("condition", '[40,"otherspace"]', "harm", 0, 5)
OTHER = change("condition", '[41,"otherspace"]', "harm", 0, 5)


def test_what_was_done_with_an_npc_later_is_built_on_its_coming() -> None:
    log = Log()
    came = log.acted(CAME)
    harmed, _ = log.acted(HARMED), log.acted(OTHER)
    assert log.history.comings(came) == [CAME]
    assert log.history.built_on(came).came == (harmed,)
    assert log.history.built_on(harmed).came == ()
    log.undone(harmed)
    assert log.history.built_on(came).came == ()


def test_what_an_action_that_went_on_did_before_it_ended_is_not_built_on_it() -> None:
    log = Log()
    came = log.acted(CAME)
    log.acted(HARMED)
    log.acted(OTHER, action=came)
    assert log.history.built_on(came).came == ()


def test_what_was_done_with_an_npc_stands_on_its_coming() -> None:
    log = Log()
    came = log.acted(CAME)
    harmed = log.acted(HARMED)
    log.undone(harmed)
    assert log.history.stood_on(harmed).gone == ()
    log.undone(came, change("npc", "[40]", "scene_id", 7, None))
    assert log.history.stood_on(harmed).gone == (came,)
    log.redone(came, CAME)
    assert log.history.stood_on(harmed).gone == ()
