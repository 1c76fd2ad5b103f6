"""What changes mean, in words: never a raw key, a number of a row, or JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import pytest

from mushcombat.domain.breakdown import Term
from mushcombat.domain.events import Event
from mushcombat.domain.state import Field, Row, Shift
from mushcombat.service.change_words import known_ids, phrases, worth_telling
from mushcombat.systems.otherspace.change_text import detail
from mushcombat.systems.otherspace.combat_events import Declared, Ruled
from mushcombat.systems.otherspace.combat_state import Seat
from mushcombat.systems.system import System
from tests.unit.service.table import BOOK

SYSTEM: System = BOOK.systems["otherspace"]
NAMES = {1: "Ada", 2: "Bram", 3: "Cass"}
WELL: Row = {
    "harm": 0,
    "stun": 0,
    "dead": False,
    "stunned_until": None,
    "healed_day": None,
    "rested_day": None,
    "luck_used": 0,
}


def shift(thing: str, key: str, about: str, before: Row | None, after: Row | None) -> Shift:
    return Shift(thing, key, about, before, after)


def told(*shifts: Shift, numbers: bool = True, again: bool = False) -> list[str]:
    found = phrases(SYSTEM, shifts, NAMES, numbers=numbers, again=again)
    return [phrase.text for phrase in found]


def body(before: Mapping[str, Field] | None, after: Mapping[str, Field] | None) -> Shift:
    rows = (None if each is None else {**WELL, **each} for each in (before, after))
    return shift("condition", '[1,"otherspace"]', "Ada's health", *rows)


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ({"harm": 36}, {}, ["Ada's health 64 -> 100"]),
        (None, {"harm": 36, "rested_day": 7}, ["Ada's health 100 -> 64"]),
        ({"harm": 36}, None, ["Ada's health 64 -> 100"]),
        ({}, {"stun": 40}, ["Ada's health 100 -> 60 (stun 0 -> 40)"]),
        (
            {"harm": 20},
            {"stun": 20},
            ["Ada's health is 80 as before (stun 0 -> 20)"],
        ),
        ({}, {"dead": True}, ["Ada is dead"]),
        ({"dead": True}, {}, ["Ada is alive again"]),
        ({}, {"stunned_until": 600}, ["Ada is stunned until 00:10:00 UTC"]),
        ({"stunned_until": 600}, {}, ["Ada is no longer stunned"]),
        ({}, {"luck_used": 1}, ["Ada's luck cards used 0 -> 1"]),
        ({}, {"healed_day": 9}, ["Ada was healed today"]),
        ({"healed_day": 9}, {}, ["Ada can be healed again today"]),
        ({"rested_day": 4}, {"rested_day": 5}, []),
    ],
)
def test_a_body_is_told_by_its_health_and_what_ails_it(
    before: Mapping[str, Field] | None, after: Mapping[str, Field] | None, words: list[str]
) -> None:
    assert told(body(before, after)) == words


def test_where_numbers_are_hidden_health_is_told_in_bands() -> None:
    assert told(body({"harm": 45}, {}), numbers=False) == ["Ada's health hurt -> unhurt"]
    still = ["Ada's health, still scratched"]
    assert told(body({"harm": 20}, {"stun": 20}), numbers=False) == still
    assert told(body({}, {"rested_day": 5}), numbers=False) == []


def test_of_a_body_that_is_known_in_part_the_part_is_told() -> None:
    part = shift("condition", "[1]", "Ada's health", {"harm": 1}, {"harm": 5})
    assert told(part) == ["Ada's health: harm 1 -> 5"]


@pytest.mark.parametrize(
    ("thing", "key", "about", "before", "after", "words"),
    [
        ("quirk", [1, "o", "Lame"], "Ada: Lame", None, {"reason": "x"}, "Ada gains the quirk Lame"),
        ("quirk", [9, "o", "Lame"], "Eve: Lame", {"reason": ""}, None, "Eve loses the quirk Lame"),
        (
            "quirk",
            [1, "o", "Lame"],
            "Ada: Lame",
            {"reason": '{"a":1}'},
            {"reason": "x"},
            "Ada's Lame is noted anew",
        ),
        ("trait", [1, "o", "skill", "Pistol"], "", {"level": 4}, {"level": 5}, None),
        ("trait", [1, "o", "skill", "Pistol"], "", {"level": 4}, None, None),
        (
            "item",
            [1, "o", "grenade"],
            "Ada's grenade",
            {"count": 0},
            {"count": 1},
            "Ada's grenade 0 -> 1",
        ),
        ("item", [1, "o", "Feint"], "Ada's Feint", None, {"count": 1}, "Ada's Feint 0 -> 1"),
        ("wound", [7], "Ada's wound", None, {"amount": 5}, "Ada's wound is noted"),
        ("wound", [7], "Ada's wound", {"amount": 5}, None, "Ada's wound is struck off"),
    ],
)
def test_sheets_and_things_are_told_by_name(
    thing: str, key: list[Any], about: str, before: Row | None, after: Row | None, words: str | None
) -> None:
    expected = {5: "Ada's Pistol Fair (4) -> Good (5)", None: "Ada's Pistol Fair (4) -> unset"}
    level: Any = (after or {}).get("level")
    assert told(shift(thing, json.dumps(key), about, before, after)) == [words or expected[level]]


@pytest.mark.parametrize(
    ("item", "on", "off"),
    [("pistol", "is in hand", "is put away"), ("kevlar", "is worn", "is taken off")],
)
def test_what_is_wielded_or_worn_is_told(item: str, on: str, off: str) -> None:
    def used(before: bool, after: bool) -> list[str]:
        rows: list[Row] = [{"count": 1, "in_use": each} for each in (before, after)]
        return told(shift("item", json.dumps([1, "o", item]), f"Ada's {item}", *rows))

    assert used(False, True) == [f"Ada's {item} {on}"]
    assert used(True, False) == [f"Ada's {item} {off}"]


def test_many_levels_of_one_sheet_are_counted() -> None:
    levels = [
        shift("trait", json.dumps([1, "o", "skill", name]), "", None, {"level": 5})
        for name in ("Pistol", "Sword", "Knife", "Medicine")
    ]
    assert told(*levels) == ["4 levels on Ada's sheet"]
    assert len(told(*levels[:3])) == 3


# seats


def seat(before: Mapping[str, Any], after: Mapping[str, Any]) -> Shift:
    row: Row = {"rank": "[9]", "place": 1, "late": False}
    rows: list[Row] = [{**row, "state": dict(state)} for state in (before, after)]
    return shift("combatant", "[1,1]", "Ada", *rows)


USUAL: dict[str, Any] = {
    "version": 1,
    "defences": 0,
    "full": False,
    "no_attack": False,
    "warm_from": 0,
    "closed": [],
    "next_attack": [],
    "counter": None,
    "stun_skip": False,
    "always": "",
    "sniped": 0,
    "closed_in": 0,
}
FEINT = {"value": -1, "text": "1 (Feint)", "op": "-", "rule": "OS-54", "by": "", "kind": "term"}


@pytest.mark.parametrize(
    ("field", "value", "words", "back"),
    [
        ("defences", 2, "Ada's defences this round 0 -> 2", "Ada's defences this round 2 -> 0"),
        ("full", True, "Ada is in full defence", "Ada is no longer in full defence"),
        (
            "no_attack",
            True,
            "Ada's next attack is given up",
            "Ada's next attack is no longer given up",
        ),
        ("warm_from", 3, "Ada's railgun fires from round 3 on", "Ada's railgun is cold"),
        (
            "closed",
            [2],
            "Bram is inside the reach of Ada's polearm",
            "Bram is outside the reach of Ada's polearm",
        ),
        (
            "next_attack",
            [FEINT],
            "Ada's next attack has - 1 (Feint)",
            "Ada's next attack has nothing against it",
        ),
        ("counter", 2, "Ada may strike back at Bram", "Ada has no counterattack"),
        (
            "stun_skip",
            True,
            "Ada has a turn to lose to the stun",
            "Ada has no turn to lose to the stun",
        ),
        (
            "always",
            "Sword",
            "Ada always defends with Sword",
            "Ada no longer always defends with Sword",
        ),
        ("sniped", 2, "Ada has shot with the sniper rifle in round 2", "Ada has not sniped yet"),
        ("closed_in", 2, "Ada has closed in in round 2", "Ada has not closed in"),
        ("something_new", 5, "Ada's stance", "Ada's stance"),
    ],
)
def test_each_part_of_a_seat_is_told_in_words(
    field: str, value: Any, words: str, back: str
) -> None:
    changed = {**USUAL, field: value}
    assert told(seat(USUAL, changed)) == [words]
    assert told(seat(changed, USUAL)) == [back]
    # A seat that nothing was written to yet is an empty object.
    assert told(seat({}, changed)) == [words]


def test_every_part_of_a_seat_has_words() -> None:
    known = {field.name for field in fields(Seat)} - {"version"}
    tested = set(USUAL) - {"version"}
    assert known == tested, "a new part of a seat wants words, and a row in the test above"


def test_two_who_close_in_are_told_one_by_one() -> None:
    both = {**USUAL, "closed": [2, 9]}
    assert told(seat({**USUAL, "closed": [3, 2]}, both)) == [
        "somebody is inside the reach of Ada's polearm",
        "Cass is outside the reach of Ada's polearm",
    ]


# the tracker


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (None, {"state": {}}, ["Ada is in the fight"]),
        ({"state": {}}, None, ["Ada is out of the fight"]),
        (
            {"rank": "[]", "place": 0},
            {"rank": "[9, 6]", "place": 2},
            ["Ada's reaction is 9, rerolled 6", "Ada's place in the order none -> 2"],
        ),
        ({"rank": "[9]"}, {"rank": "[]"}, ["Ada's reaction is not rolled"]),
        ({"rank": "[9]", "place": 3}, {"rank": "[9]", "place": 0}, None),
        ({"late": True}, {"late": False}, []),
    ],
)
def test_a_place_in_the_fight_is_told(
    before: Row | None, after: Row | None, words: list[str] | None
) -> None:
    found = told(shift("combatant", "[1,1]", "Ada", before, after))
    assert found == (["Ada's place in the order 3 -> none"] if words is None else words)


@pytest.mark.parametrize(
    ("before", "after", "again", "words"),
    [
        ({"turn": 1, "round": 1}, {"turn": 2, "round": 1}, False, ["Bram's turn"]),
        (
            {"turn": 1, "round": 2},
            {"turn": 2, "round": 1},
            True,
            ["round 2 -> 1", "Bram's turn again"],
        ),
        (
            {"turn": 1, "round": 1},
            {"turn": None, "round": 2},
            False,
            ["round 1 -> 2", "nobody's turn"],
        ),
        ({"turn": 1, "round": 1}, {"turn": 9, "round": 1}, False, ["somebody's turn"]),
        ({"turn": 1, "round": 1}, {"turn": 1, "round": 1}, False, []),
    ],
)
def test_the_turn_is_told_last(before: Row, after: Row, again: bool, words: list[str]) -> None:
    fight = shift("fight", "[1]", "the fight", {"phase": "on", **before}, {"phase": "on", **after})
    assert told(fight, body({"harm": 1}, {}), again=again) == ["Ada's health 99 -> 100", *words]


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (None, "rolling", ["the order is being rolled"]),
        ("rolling", "on", ["the fight is on", "Ada's turn"]),
        ("on", "over", ["the fight is over"]),
        ("rolling", None, ["there is no fight"]),
    ],
)
def test_the_beginning_and_the_end_of_a_fight_are_told(
    before: str | None, after: str | None, words: list[str]
) -> None:
    rows: list[Row | None] = [
        {"phase": phase, "turn": 1 if phase == "on" else None, "round": int(phase == "on")}
        if phase
        else None
        for phase in (before, after)
    ]
    assert told(shift("fight", "[1]", "the fight", *rows)) == words


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (None, "ruling", "#5 waits for the referee's ruling"),
        ("ruling", "defence", "#5 waits for the defence"),
        ("ruling", None, "#5 waits no longer"),
        ("roll", "counter", "#5 waits for somebody"),
        (None, "proposed", "Ada's wound is proposed"),
        ("proposed", None, "Ada's wound is proposed no longer"),
    ],
)
def test_what_is_pending_is_told(before: str | None, after: str | None, words: str) -> None:
    rows: list[Row | None] = [{"stage": each} if each else None for each in (before, after)]
    assert told(shift("pending", "[1,5]", "Ada's wound", *rows)) == [words]


def test_a_setting_of_the_scene_is_told() -> None:
    before: Row = {"mode": "open", "gravity": True, "ic_date": "", "title": "x"}
    after: Row = {"mode": "strict", "gravity": False, "ic_date": "2650", "title": "x"}
    assert told(shift("scene", "[1]", "the scene's mode", before, after)) == [
        "the scene's mode open -> strict",
        "the scene's gravity yes -> no",
        "the scene's ic date none -> 2650",
    ]


def test_a_thing_that_has_no_words_yet_is_named_all_the_same() -> None:
    assert told(shift("ship", "[1]", "the Comet", None, {"hull": 5})) == ["the Comet changes"]


def test_what_is_small_is_told_only_where_there_is_nothing_else() -> None:
    small, hurt = seat(USUAL, {**USUAL, "defences": 1}), body({}, {"harm": 5})
    both = phrases(SYSTEM, [small, hurt], NAMES, numbers=True)
    assert worth_telling(both) == ("Ada's health 100 -> 95",)
    alone = phrases(SYSTEM, [small], NAMES, numbers=True)
    assert worth_telling(alone) == ("Ada's defences this round 0 -> 1",)


def test_the_names_that_words_need_are_those_of_sheets_seats_and_turns() -> None:
    turn = shift("fight", "[1]", "", {"turn": 7}, {"turn": None})
    seat_ = shift("combatant", "[1,4]", "Dora", None, {})
    assert known_ids([body({}, {}), turn, seat_, shift("scene", "[8]", "", {}, {})]) == [1, 4, 7]


# details of terms


def declared(weapon: str, how: str) -> list[Event]:
    ruled = Ruled(allowed=True, terms=(), reason="")
    return [ruled, Declared("attack", ("Bram",), weapon, how)]


@pytest.mark.parametrize(
    ("rule", "events", "found"),
    [
        ("OS-12", declared("pistol", "at 30 feet (medium), walking"), "30 feet"),
        ("OS-12", declared("pistol", "at medium range"), ""),
        ("OS-17", declared("pistol", ""), "pistol"),
        ("OS-17", declared("sword and knife", ""), ""),
        ("OS-31", declared("pistol", "at 30 feet (medium)"), ""),
        ("OS-12", [], ""),
    ],
)
def test_a_rule_is_told_with_what_it_was_applied_to(
    rule: str, events: list[Event], found: str
) -> None:
    assert detail(Term(-1, "1 (x)", "-", rule), events) == found
