"""A character's health and gear in fields; what its events say is tried in tests/unit/views."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from mushcombat.domain.character import Condition
from mushcombat.domain.command import ReadContext
from mushcombat.domain.events import Event
from mushcombat.domain.scene import Scene
from mushcombat.systems.otherspace.combat_events import (
    Declared,
    Disarmed,
    Healed,
    Struck,
    Suffered,
)
from mushcombat.systems.system import nothing_to_tell
from tests.unit.schemas import check
from tests.unit.service.table import BOOK
from tests.unit.support import ADA, BRAM, NOW, RHEA, MemoryStore, scene_of, write_context

SYSTEM = BOOK.systems["otherspace"]


def context_of(
    condition: Condition | None = None, scene: Scene | None = None
) -> tuple[ReadContext, MemoryStore]:
    store = MemoryStore(*([scene] if scene else []))
    if condition:
        fields: dict[str, Any] = {
            name: getattr(condition, name) for name in ("harm", "stun", "dead", "stunned_until")
        }
        store.write("condition", (ADA.id, "otherspace"), "Ada's health", **fields)
    return write_context(store, ADA, scene), store


def vitals(condition: Condition | None = None, scene: Scene | None = None) -> dict[str, Any]:
    context, store = context_of(condition, scene)
    data = dict(SYSTEM.vitals(context, store.characters[ADA.id]))
    check("Char.Vitals", data)
    return data


def test_os_41_health_is_told_in_points_of_a_hundred() -> None:
    told = vitals(Condition(harm=30, stun=12))
    assert (told["hp"], told["maxhp"], told["stun"], told["state"]) == (58, 100, 12, "")


def test_os_42_the_penalty_on_every_roll_is_told() -> None:
    assert [vitals(Condition(harm=harm))["penalty"] for harm in (0, 60, 75)] == [0, -1, -2]


LATER = int(NOW.timestamp()) + 60


@pytest.mark.parametrize(
    ("condition", "state"),
    [
        (Condition(harm=100, dead=True), "dead"),
        (Condition(harm=95), "unconscious"),
        (Condition(stunned_until=LATER), "stunned"),
        (Condition(stunned_until=LATER - 120), ""),
        (None, ""),
    ],
)
def test_what_keeps_somebody_from_acting_is_told(condition: Condition | None, state: str) -> None:
    assert vitals(condition)["state"] == state


def test_where_a_scene_hides_health_only_the_band_is_told() -> None:
    bands = replace(scene_of(ADA, BRAM, referees=[RHEA]), health="bands")
    told = vitals(Condition(harm=30), bands)
    assert [told[key] for key in ("hp", "maxhp", "stun", "penalty")] == [None] * 4
    assert told["band"] == vitals(Condition(harm=30))["band"]


def test_gear_in_use_and_quirks_are_told() -> None:
    context, store = context_of()
    data = {"role": "player", "system": "otherspace", "doing": ""}
    told = {**data, **SYSTEM.status(context, store.characters[ADA.id])}
    check("Char.Status", told)
    assert (told["weapon"], told["armour"], told["quirks"]) == ("", "", [])


HARM: dict[str, Any] = {
    "harm": "harm",
    "amount": 36,
    "health": 64,
    "word": "Hurt",
    "outcome": "unconscious",
    "numbers": True,
}
BLOW: dict[str, Any] = {**HARM, "breakdown": None}
BAND: dict[str, Any] = {**BLOW, "numbers": False}


@pytest.mark.parametrize(
    ("event", "package", "said"),
    [
        (Declared("attack", ("Bram",), "pistol", "at 30 feet"), "Action", {"targets": ["Bram"]}),
        (Struck(12, "Bram", 6, 4, True, **BLOW), "Result", {"amount": 36, "state": ""}),
        (Struck(12, "Bram", 3, 4, False, **BLOW), "Result", {"amount": None}),
        (Struck(12, "Bram", 6, 4, True, **BAND), "Result", {"state": "Hurt"}),
        (Suffered(12, "Bram", **HARM, reason="a fall"), "Result", {"health": 64, "stun": False}),
        (Disarmed(12, "Bram", "sword", True), "Result", {"success": False}),
        (Healed(12, "Bram", False, 0, 64, ""), "Result", {"success": False, "amount": None}),
        (Healed(12, "Bram", True, 9, 64, ""), "Result", {"amount": 9, "health": 64}),
        (Healed(12, "Bram", True, 9, 64, "", "Hurt", False), "Result", {"state": "Hurt"}),
    ],
)
def test_what_happens_in_a_fight_is_told_in_fields(
    event: Event, package: str, said: dict[str, Any]
) -> None:
    name, data = SYSTEM.data[type(event)](event, "Ada")
    check(f"Combat.{name}", {**data, "scene": 7, "action": 5, "text": "x"})
    assert name == package
    assert {key: data[key] for key in said} == said


def test_a_system_need_not_tell_anything() -> None:
    context, store = context_of()
    assert nothing_to_tell(context, store.characters[ADA.id]) == {}
