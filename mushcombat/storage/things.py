"""What can be undone: the tables behind the door, their keys, and the fields that may change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from sqlalchemy import inspect

from mushcombat.domain.state import Value
from mushcombat.storage.schema import Base, CharacterRow, Quirk, SceneRow, Trait, Wound
from mushcombat.storage.schema_fights import (
    CombatantRow,
    ConditionRow,
    FightRow,
    ItemRow,
    PendingRow,
    TreatmentRow,
)


@dataclass(frozen=True)
class Thing:
    """A table of the door: its key and the fields that may change. `whole` rows come and go.

    `at_hand`: the writer keeps its rows in memory, as `Rows` tells; nobody else writes them.
    """

    table: type[Base]
    key: tuple[str, ...]
    fields: tuple[str, ...]
    whole: bool = True
    at_hand: bool = False

    @cached_property
    def is_primary(self) -> bool:
        """Whether the key is the table's own."""
        return {column.key for column in inspect(self.table).primary_key} == set(self.key)

    @cached_property
    def defaults(self) -> dict[str, Value]:
        """Give what the fields hold that nobody set."""
        columns = inspect(self.table).columns
        return {f: getattr(columns[f].default, "arg", None) for f in self.fields}

    def values(self, row: Base) -> dict[str, Value]:
        """Give all fields of a row."""
        return {field: getattr(row, field) for field in self.fields}


THINGS: Mapping[str, Thing] = {
    "condition": Thing(
        ConditionRow,
        ("character_id", "system"),
        (
            "harm",
            "stun",
            "dead",
            "stunned_until",
            "healed_day",
            "rested_day",
            "luck_used",
        ),
        at_hand=True,
    ),
    "treatment": Thing(TreatmentRow, ("character_id", "system", "healer_id"), ("day",)),
    "item": Thing(ItemRow, ("character_id", "system", "name"), ("count", "in_use"), at_hand=True),
    "trait": Thing(Trait, ("character_id", "system", "grouping", "name"), ("level",)),
    "quirk": Thing(
        Quirk, ("character_id", "system", "name"), ("reason", "imposed_by", "at_seconds")
    ),
    "wound": Thing(
        Wound,
        ("id",),
        ("character_id", "system", "scene_id", "action", "kind", "amount", "at_seconds"),
    ),
    "fight": Thing(FightRow, ("scene_id",), ("phase", "round", "turn"), at_hand=True),
    "combatant": Thing(
        CombatantRow,
        ("scene_id", "character_id"),
        ("rank", "place", "late", "state"),
        at_hand=True,
    ),
    "pending": Thing(
        PendingRow,
        ("scene_id", "action"),
        ("kind", "actor_id", "stage", "owner_id", "due", "state"),
        at_hand=True,
    ),
    "scene": Thing(
        SceneRow,
        ("id",),
        (
            "mode",
            "rolls",
            "atmosphere",
            "gravity",
            "health",
            "luck",
            "title",
            "summary",
            "ic_date",
            "location",
            "warning",
            "kind",
            "zone",
            "pose_order",
            "pacing",
        ),
        whole=False,
    ),
    # An NPC that is in no scene has left it: its row stays, since the log goes on naming it.
    "npc": Thing(CharacterRow, ("id",), ("hidden", "scene_id"), whole=False),
}
