"""What can be undone, in memory: the part of a store that fights, sheets and items need."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Sequence
from datetime import datetime
from typing import Any, TypeVar

from mushcombat.domain.character import Character, Condition, Item, Sheet
from mushcombat.domain.events import Audience, Fact
from mushcombat.domain.fight import Combatant, Fight, Pending
from mushcombat.domain.names import match
from mushcombat.domain.scene import Scene
from mushcombat.domain.state import Change, Row, Value, read_field

T = TypeVar("T")

Key = tuple[int | str, ...]

DEFAULTS: dict[str, dict[str, Value]] = {
    "condition": {
        "harm": 0,
        "stun": 0,
        "dead": False,
        "stunned_until": None,
        "healed_day": None,
        "rested_day": None,
        "luck_used": 0,
    },
    "item": {"count": 0, "in_use": False},
    "combatant": {"rank": "[]", "place": 0, "late": False, "state": "{}"},
}
"""What a row has that comes into being without them."""


class MemoryThings:
    """Rows by thing and key, and the logs that a fight looks back into."""

    characters: dict[int, Character]
    scenes: dict[int, Scene]
    logs: dict[int, list[Fact]]

    def __init__(self) -> None:
        self.rows: dict[tuple[str, Key], dict[str, Value]] = {}

    # the door

    def write(self, thing: str, key: Key, about: str, **fields: Value) -> None:
        assert about
        row = self.rows.setdefault((thing, key), dict(DEFAULTS.get(thing, {})))
        row.update(fields)

    def remove(self, thing: str, key: Key, about: str) -> None:
        assert about
        self.rows.pop((thing, key), None)

    def noted(self) -> tuple[Change, ...]:
        """Give nothing: what is changed here is not noted."""
        return ()

    def held(self, thing: str, key: str) -> Row | None:
        row = self.rows.get((thing, tuple(json.loads(key))))
        return None if row is None else {field: read_field(value) for field, value in row.items()}

    def _of(self, thing: str, *begins: int | str) -> list[tuple[Key, dict[str, Any]]]:
        """Give the rows of a thing whose key begins so."""
        return [
            (key, row)
            for (kind, key), row in self.rows.items()
            if kind == thing and key[: len(begins)] == begins
        ]

    # sheets

    def set_trait(
        self, character: int, system: str, group: str, trait: str, level: int | None
    ) -> None:
        key = (character, system, group, trait)
        if level is None:
            self.remove("trait", key, trait)
        else:
            self.write("trait", key, trait, level=level)

    def sheet(self, character: int, system: str) -> Sheet:
        traits: dict[str, dict[str, int]] = {}
        for key, row in self._of("trait", character, system):
            traits.setdefault(str(key[2]), {})[str(key[3])] = row["level"]
        quirks = sorted(str(key[2]) for key, _ in self._of("quirk", character, system))
        return Sheet(character, self.characters[character].name, system, traits, tuple(quirks))

    def condition(self, character: int, system: str) -> Condition:
        return Condition(**self.rows.get(("condition", (character, system)), {}))  # type: ignore[arg-type]

    def failed_treatment(self, character: int, system: str, healer: int) -> int | None:
        day = self.rows.get(("treatment", (character, system, healer)), {}).get("day")
        return int(day) if day is not None else None

    def made(
        self, _kind: str, _key: Hashable, _parts: tuple[object, ...], make: Callable[[], T]
    ) -> T:
        return make()

    def items(self, character: int, system: str) -> list[Item]:
        rows = self._of("item", character, system)
        items = [Item(str(key[2]), row["count"], row["in_use"]) for key, row in rows]
        return sorted((i for i in items if i.count > 0), key=lambda item: item.name)

    def with_trait(self, system: str, group: str, trait: str, level: int) -> list[Character]:
        wanted = (system, group, trait)
        found = [k[0] for k, r in self._of("trait") if k[1:] == wanted and r["level"] == level]
        return [self.characters[int(one)] for one in found]

    # fights

    def in_scene(
        self, scene: int, name: str, unknown: frozenset[int] = frozenset()
    ) -> list[Character]:
        here = self.scenes[scene].participants
        known = [c for c in self.characters.values() if c.id in here or c.scene == scene]
        return match(name, ((them.name, them) for them in known if them.id not in unknown))

    def hidden(self, scene: int) -> frozenset[int]:
        written = {int(key[0]): bool(row["hidden"]) for key, row in self._of("npc")}
        hidden = {npc for npc in self.scenes[scene].hidden if written.get(npc, True)}
        return frozenset(hidden | {npc for npc, is_so in written.items() if is_so})

    def fight(self, scene: int) -> Fight | None:
        row: Any = self.rows.get(("fight", (scene,)))
        return Fight(scene, row["phase"], row["round"], row["turn"]) if row else None

    def combatants(self, scene: int) -> list[Combatant]:
        seats = [self._seat(scene, int(key[1]), row) for key, row in self._of("combatant", scene)]
        return sorted(seats, key=lambda seat: (seat.place, seat.character))

    def _seat(self, scene: int, character: int, row: dict[str, Any]) -> Combatant:
        them = self.characters[character]
        rank = tuple(json.loads(row["rank"]))
        place, late, state = row["place"], row["late"], row["state"]
        player = them.account is not None
        return Combatant(scene, character, them.name, rank, place, late, state, player)

    def pending(self, scene: int) -> list[Pending]:
        rows = sorted(self._of("pending", scene), key=lambda each: each[0])
        return [
            Pending(
                scene,
                int(key[1]),
                row["kind"],
                row["actor_id"],
                row["stage"],
                row["owner_id"],
                row["due"],
                row["state"],
            )
            for key, row in rows
        ]

    def harmed(
        self, scene: int, system: str, kind: str, characters: Sequence[int]
    ) -> list[tuple[int, int]]:
        wounds = [row for _, row in self._of("wound") if row["character_id"] in characters]
        here = (scene, system, kind)
        theirs = [w for w in wounds if (w["scene"], w["system"], w["kind"]) == here]
        return [(w["character_id"], w["action"]) for w in theirs]

    def due(self, now: int) -> list[tuple[int, int]]:
        rows = [(key, row["due"]) for key, row in self._of("pending")]
        return [(int(k[0]), int(k[1])) for k, due in rows if due is not None and due <= now]

    def stuns_over(self, now: int) -> list[tuple[int, str]]:
        rows = [(key, row["stunned_until"]) for key, row in self._of("condition")]
        return [(int(k[0]), str(k[1])) for k, until in rows if until is not None and until <= now]

    def action(self, scene: int, action: int) -> list[Fact]:
        return [fact for fact in self.logs.get(scene, []) if fact.action == action]

    def kinds(self, scene: int, kinds: Sequence[str], since: int = 0) -> list[Fact]:
        facts = self.logs.get(scene, [])[since:]
        whole = (fact for fact in facts if fact.audience is not Audience.OTHERS)
        return [fact for fact in whole if fact.event.kind in kinds]

    def actions(self, scene: int, actions: Sequence[int]) -> list[Fact]:
        return [fact for fact in self.logs.get(scene, []) if fact.action in actions]

    def tail(
        self,
        scene: int,
        kinds: Sequence[str],
        count: int,
        *,
        actors: Sequence[int] | None = None,
        before: int | None = None,
        since: int = 0,
    ) -> list[Fact]:
        facts = [fact for fact in self.logs.get(scene, []) if fact.event.kind in kinds]
        found = [
            fact
            for fact in facts
            if since < (fact.seq or 0) < (before or 10**9)
            and (actors is None or fact.actor.id in actors)
        ]
        return found[-count:]

    def next_seq(self, scene: int) -> int:
        return len(self.logs.get(scene, [])) + 1

    def add_npc(
        self, scene: int, name: str, room: int, now: datetime, *, hidden: bool = False
    ) -> Character:
        number = max(self.characters) + 1
        self.write("npc", (number,), name, scene_id=scene, hidden=hidden)
        self.characters[number] = Character(number, name, room, scene=scene)
        return self.characters[number]

    def add_wound(self, character: int, system: str, **fields: Value) -> None:
        number = len(self._of("wound")) + 1
        self.write("wound", (number,), "a wound", character_id=character, system=system, **fields)
