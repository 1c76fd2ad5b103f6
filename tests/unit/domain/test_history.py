"""What stands in the way of an undo or a redo, and what rows hold after it."""

from __future__ import annotations

import pytest

from mushcombat.domain.fight import FightStarted
from mushcombat.domain.state import Change, Row, Value, read_field, read_row, write_field, write_row
from tests.unit.domain.logs import PLACE, Log, came, change, went

# who built on whom


def test_what_came_and_went_again_in_value_is_built_on_all_the_same() -> None:
    log = Log()
    first = log.acted(change("turn", 1, 2))
    second = log.acted(change("turn", 2, 1))
    third = log.acted(change("turn", 1, 2))
    assert log.history.built_on(first).came == (second, third)
    assert log.history.built_on(second).came == (third,)
    assert log.history.built_on(third).came == ()


def test_what_is_taken_back_is_not_in_the_way() -> None:
    log = Log()
    first = log.acted(change("turn", 1, 2))
    second = log.acted(change("turn", 2, 1))
    log.undone(second, change("turn", 1, 2))
    assert log.history.built_on(first).came == ()
    log.redone(second, change("turn", 2, 1))
    assert log.history.built_on(first).came == (second,)


def test_other_fields_and_other_rows_are_not_in_the_way() -> None:
    log = Log()
    first = log.acted(change("harm", 0, 5))
    log.acted(change("stun", 0, 5), change("harm", 0, 5, key="[2]"))
    assert log.history.built_on(first).came == ()


def test_of_an_object_each_key_counts_for_itself() -> None:
    log = Log()
    first = log.acted(change("state", '{"a":1,"b":1}', '{"a":2,"b":1}'))
    log.acted(change("state", '{"a":2,"b":1}', '{"a":2,"b":7}'))
    assert log.history.built_on(first).came == ()
    assert log.without(first) == {"state": {"a": 1, "b": 7}}
    third = log.acted(change("state", '{"a":2,"b":7}', "gone"))
    assert log.history.built_on(first).came == (third,)


def test_an_object_loses_the_keys_that_came_with_what_is_taken_back() -> None:
    log = Log()
    first = log.acted(change("state", "{}", '{"a":1}'))
    second = log.acted(change("state", '{"a":1}', '{"a":1,"b":1}'))
    assert log.without(first) == {"state": {"b": 1}}
    third = log.acted(change("state", '{"a":1,"b":1}', '{"b":1}'))
    assert log.without(second) == {"state": {}}
    assert log.without(third) == {"state": {"a": 1, "b": 1}}


def test_a_row_that_came_is_built_on_by_whatever_is_written_in_it() -> None:
    log = Log()
    first = log.acted(came('{"harm":5,"name":"x"}'))
    second = log.acted(change("name", "x", "y"))
    assert log.history.built_on(first).came == (second,)


def test_of_two_that_changed_a_field_by_turns_the_later_one_goes_first() -> None:
    log = Log()
    attack = log.acted(change("harm", 0, 10))
    ruling = log.acted(change("harm", 10, 15))
    log.acted(change("harm", 15, 35), action=attack)
    assert log.history.standing() == [ruling, attack]
    assert log.history.built_on(attack).came == ()
    assert log.history.built_on(ruling).came == (attack,)
    assert log.without(attack) == {"harm": 5}
    log.undone(attack, change("harm", 35, 5))
    assert log.history.built_on(ruling).came == ()
    assert log.without(ruling) == {"harm": 0}


def test_what_another_set_meanwhile_stays_when_one_goes_that_set_it_before() -> None:
    log = Log()
    first = log.acted(change("name", "a", "b"))
    between = log.acted(change("name", "b", "c"))
    log.acted(change("harm", 0, 1), action=first)
    assert log.without(first) == {"name": "c", "harm": 0}
    log.undone(first, change("harm", 1, 0))
    assert log.without(between) == {"name": "a", "harm": 0}


# by force


def test_amounts_are_taken_out_from_under_what_was_added_later() -> None:
    log = Log()
    first = log.acted(change("harm", 0, 10))
    log.acted(change("harm", 10, 30))
    assert log.without(first) == {"harm": 20}


def test_an_amount_stays_between_nothing_and_all() -> None:
    log = Log()
    hurt = log.acted(change("harm", 0, 40))
    healed = log.acted(change("harm", 40, 5))
    assert log.without(hurt) == {"harm": 0}
    log.acted(change("harm", 5, 90))
    assert log.without(healed) == {"harm": 100}


def test_harm_and_stun_are_never_more_than_there_is() -> None:
    log = Log()
    log.acted(came('{"harm":50,"stun":0}'))
    healed = log.acted(change("harm", 50, 20))
    log.acted(change("stun", 0, 80))
    assert log.without(healed) == {"harm": 50, "stun": 50}


def test_stun_that_harm_leaves_no_room_for_goes_once() -> None:
    log = Log()
    log.acted(came('{"harm":56,"name":"x","stun":15}'))
    blow = log.acted(change("harm", 56, 92), change("stun", 15, 8))
    later = log.acted(change("name", "x", "y"))
    assert log.without(later) == {"harm": 92, "stun": 8, "name": "x"}
    assert log.without(blow) == {"harm": 56, "stun": 15, "name": "y"}


def test_whatever_is_no_amount_stays_as_it_was_set_last() -> None:
    log = Log()
    first = log.acted(change("turn", 1, 2))
    log.acted(change("turn", 2, 3))
    assert log.without(first) == {"turn": 3}


def test_a_row_whose_coming_is_taken_back_stays_for_those_who_wrote_in_it() -> None:
    log = Log()
    first = log.acted(came('{"harm":10,"name":"x"}'))
    second = log.acted(change("harm", 10, 25))
    assert log.without(first) == {"harm": 15, "name": "x"}
    log.undone(first, change("harm", 25, 15))
    assert log.without(second) is None


def test_a_row_that_went_comes_back_as_it_was() -> None:
    log = Log()
    log.acted(change("harm", 0, 3))
    gone = log.acted(went('{"harm":3,"name":"x"}'))
    assert log.without(gone) == {"harm": 3, "name": "x"}
    assert log.with_(gone) is None
    again = log.acted(came('{"harm":0,"name":"y"}'))
    assert log.without(again) is None
    assert log.without(gone) == {"harm": 0, "name": "y"}


def test_it_is_told_when_less_was_taken_back_than_had_been_added() -> None:
    log = Log()
    hurt = log.acted(came('{"harm":40,"name":"x"}'))
    log.acted(change("harm", 40, 5))
    log.undone(hurt, change("harm", 5, 0))
    history = log.history
    assert history.cut_off(hurt, history.shifts(len(log.facts)))
    log = Log()
    gift = log.acted(change("count", 1, 2), change("name", "x", "y"))
    log.undone(gift, change("count", 2, 1), change("name", "y", "x"))
    history = log.history
    assert not history.cut_off(gift, history.shifts(len(log.facts)))


# outside


def test_what_changed_outside_the_log_is_in_the_way_and_stays() -> None:
    log = Log()
    first = log.acted(change("harm", 0, 10))
    last = log.acted(change("harm", 25, 30))
    assert log.history.built_on(first).outside
    assert not log.history.built_on(last).outside
    assert log.without(last) == {"harm": 25}
    history = log.history
    history.meet(PLACE, {"harm": 31, "stun": 0}, change("harm", 0, 0))
    assert history.built_on(last).outside
    assert history.rows([PLACE], last, stands=False) == {PLACE: {"harm": 26, "stun": 0}}


@pytest.mark.parametrize(
    ("found", "without"),
    [(change("harm", 7, 9), {"harm": 7}), (went('{"harm":7}'), {"harm": 7})],
)
def test_a_row_that_came_from_outside_is_there_without_what_was_done_to_it(
    found: Change, without: Row
) -> None:
    log = Log()
    log.acted(came('{"harm":1}'))
    log.acted(went('{"harm":1}'))
    last = log.acted(found)
    assert log.without(last) == without


def test_a_row_that_went_outside_is_gone_without_what_was_done_after() -> None:
    log = Log()
    log.acted(change("harm", 0, 1))
    last = log.acted(came('{"harm":5}'))
    assert log.without(last) is None
    assert log.with_(last) == {"harm": 5}


def test_a_field_that_a_newer_program_added_is_known_from_its_first_change_on() -> None:
    log = Log()
    log.acted(came('{"harm":1}'))
    new = log.acted(change("luck_used", 0, 2))
    assert log.with_(new) == {"harm": 1, "luck_used": 2}


# redo


def test_a_redo_waits_for_what_came_since_and_for_what_it_stood_on() -> None:
    log = Log()
    ground = log.acted(change("harm", 0, 10))
    last = log.acted(change("harm", 10, 15))
    log.undone(last, change("harm", 15, 10))
    assert log.history.stood_on(last).came == ()
    other = log.acted(change("harm", 10, 11))
    assert log.history.stood_on(last).came == (other,)
    log.undone(other, change("harm", 11, 10))
    log.undone(ground, change("harm", 10, 0))
    assert log.history.stood_on(last).gone == (ground,)
    log.redone(ground, change("harm", 0, 10))
    found = log.history.stood_on(last)
    assert (found.came, found.gone, found.outside) == ((), (), False)
    assert log.with_(last) == {"harm": 15}


def test_a_redo_waits_for_an_older_action_that_went_on_since() -> None:
    log = Log()
    older = log.acted(change("harm", 0, 10))
    last = log.acted(change("harm", 10, 15))
    log.undone(last, change("harm", 15, 10))
    log.acted(change("harm", 10, 30), action=older)
    assert log.history.stood_on(last).came == (older,)


def test_a_redo_waits_for_nothing_that_stood_above_it() -> None:
    log = Log()
    first = log.acted(change("harm", 0, 10))
    above = log.acted(change("harm", 10, 15))
    log.undone(first, change("harm", 15, 5))
    log.undone(above, change("harm", 5, 0))
    assert log.history.stood_on(first).gone == ()
    assert log.history.taken_back() == [first, above]


def test_a_redo_meets_what_changed_outside_since() -> None:
    log = Log()
    first = log.acted(change("harm", 0, 10))
    log.undone(first, change("harm", 10, 0))
    history = log.history
    history.meet(PLACE, {"harm": 4}, change("harm", 0, 0))
    assert history.stood_on(first).outside


def test_an_action_that_goes_on_after_it_was_taken_back_counts_from_then_on() -> None:
    log = Log()
    wound = log.acted(change("name", "", "light"))
    log.undone(wound, change("name", "light", ""))
    assert log.history.stands(wound) is False
    log.acted(change("name", "", "grave"), action=wound)
    assert log.history.stands(wound) is True
    assert log.without(wound) == {"name": ""}
    log.undone(wound, change("name", "grave", ""))
    assert log.with_(wound) == {"name": "grave"}


# what is told


def test_an_action_that_came_to_nothing_does_not_matter() -> None:
    log = Log()
    pending = log.acted(came('{"stage":"ruling"}'))
    assert log.history.matters(pending)
    log.acted(went('{"stage":"ruling"}'), action=pending)
    assert not log.history.matters(pending)


def test_a_row_of_changes_tells_whole_rows_as_far_as_they_are_known() -> None:
    log = Log()
    log.acted(change("harm", 0, 5), change("name", "x", "y"))
    log.acted(change("stun", 2, 4))
    (shift,) = log.history.shifts(1)
    assert shift.before == {"harm": 0, "stun": 2, "name": "x"}
    assert shift.after == {"harm": 5, "stun": 2, "name": "y"}
    log.acted(went('{"harm":5,"stun":4,"name":"y"}'))
    (shift,) = log.history.shifts(3)
    assert shift.after is None
    assert log.history.shifts(99) == []


def test_what_was_done_by_hand_is_known() -> None:
    log = Log()
    first = log.acted(change("harm", 0, 5))
    undo = log.undone(first, change("harm", 5, 0))
    assert log.history.by_hand(undo)
    assert not log.history.by_hand(first)
    assert log.history.stands(undo) is None


@pytest.mark.parametrize(
    "text", ["{", "{}}", '{ "a": 1}', '{"a":NaN}', '{"a":' * 40_000, "[1]", "x", None, 3, True]
)
def test_text_that_is_no_object_of_ours_is_text(text: Value) -> None:
    assert read_field(text) is text
    assert write_field(read_field(text)) is text


def test_an_object_is_read_and_written() -> None:
    assert read_field('{"a":[1]}') == {"a": [1]}
    assert write_field({"b": 1, "a": [1]}) == '{"a":[1],"b":1}'
    assert read_row(None) is None
    assert write_row(None) is None
    assert read_row(write_row({"x": {"a": 1}, "y": 2})) == {"x": {"a": 1}, "y": 2}


def test_rows_of_other_kinds_say_nothing() -> None:
    log = Log()
    log.add(FightStarted())
    assert log.history.standing() == []
