"""Reading trackers, pending actions and single actions of a log."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from sqlalchemy import BindParameter, Executable, bindparam, literal_column, select, union_all
from sqlalchemy import Row as SqlRow
from sqlalchemy.orm import Session

from mushcombat.domain.character import Condition, Item
from mushcombat.domain.events import Audience, Fact, Spoken, Who
from mushcombat.domain.fight import Combatant, Fight, Pending
from mushcombat.domain.state import Row, read_field
from mushcombat.storage.codec import Codec
from mushcombat.storage.rows import Key, Rows, Values
from mushcombat.storage.schema import CharacterRow, LogRow, Participant, SceneRow, Wound
from mushcombat.storage.schema_fights import ConditionRow, PendingRow
from mushcombat.storage.state import row_of
from mushcombat.storage.things import THINGS

T = TypeVar("T")

_WELL = Condition()
"""How somebody is of whom nothing was ever noted."""

_PAUSED = select(SceneRow.id).where(SceneRow.status == "open", SceneRow.paused)
_RESTING_PLAYERS = select(Participant.character_id).where(
    Participant.scene_id.in_(_PAUSED),
    Participant.joined_at.is_not(None),
    Participant.left_at.is_(None),
)
_RESTING_NPCS = select(CharacterRow.id).where(CharacterRow.scene_id.in_(_PAUSED))
_STUNNED = ConditionRow.character_id

_DUE = (
    select(PendingRow.scene_id, PendingRow.action)
    .join(SceneRow, SceneRow.id == PendingRow.scene_id)
    .where(
        PendingRow.due <= bindparam("b_now"), SceneRow.status == "open", SceneRow.paused.is_(False)
    )
    .order_by(PendingRow.scene_id, PendingRow.action)
)
_STUNS_OVER = (
    select(_STUNNED, ConditionRow.system)
    .where(
        ConditionRow.stunned_until <= bindparam("b_now"),
        _STUNNED.not_in(_RESTING_PLAYERS),
        _STUNNED.not_in(_RESTING_NPCS),
    )
    .order_by(_STUNNED, ConditionRow.system)
)
"""Both are asked for each second: built once."""

LOGGED = select(
    *(LogRow.scene_id, LogRow.seq, LogRow.at, LogRow.actor_id, LogRow.actor_name),
    *(LogRow.kind, LogRow.version, LogRow.payload, LogRow.plain),
    *(LogRow.audience, LogRow.action, LogRow.head),
)
"""What of a row `fact_of` reads."""

BEHIND_ROW = LogRow.scene_id == bindparam("b_scene"), LogRow.seq > bindparam("b_since")
OF_KINDS = LogRow.kind.in_(bindparam("b_kinds", expanding=True))
_WHOLE = LogRow.audience != Audience.OTHERS.value
UNSPOKEN = LogRow.kind != literal_column(f"'{Spoken.kind}'")
"""What the index of rare kinds is of, in its words: only so SQLite knows that it serves."""
_FIRST, _LATER = LogRow.action == LogRow.seq, LogRow.action != LogRow.seq
_ACTIONS: BindParameter[int] = bindparam("b_actions", expanding=True)
_OF_ACTIONS = union_all(
    LOGGED.where(LogRow.scene_id == bindparam("b_scene"), LogRow.seq.in_(_ACTIONS), _FIRST),
    LOGGED.where(LogRow.scene_id == bindparam("b_scene"), LogRow.action.in_(_ACTIONS), _LATER),
)
"""An action is numbered by its first row; an index has the others, on either database."""

_KINDS = LOGGED.where(*BEHIND_ROW, OF_KINDS, _WHOLE)
_RARE = _KINDS.where(UNSPOKEN)


class FightReads:
    """The part of a store that reads fights."""

    def __init__(self, session: Session, codec: Codec) -> None:
        self._session = session
        self._codec = codec
        self._rows = Rows()  # as this transaction sees them
        self._rows.begin(session)

    def made(
        self, _kind: str, _key: Hashable, _parts: tuple[object, ...], make: Callable[[], T]
    ) -> T:
        """Give what is made of parts that were read here."""
        return make()

    def fight(self, scene: int) -> Fight | None:
        """Give the fight of a scene, the last one if it is over."""
        row = self._rows.get("fight", (scene,))
        return Fight(scene, **row) if row else None

    def combatants(self, scene: int) -> list[Combatant]:
        """Give who is in the fight of a scene, by their places."""
        return list(self._rows.made("combatant", scene, self._seats))

    def _seats(self, rows: Mapping[Key, Values]) -> list[Combatant]:
        who = self._fighters(tuple(character for _, character in rows))
        seats = [_seat(key, row, who[key[1]]) for key, row in rows.items()]
        return sorted(seats, key=lambda seat: (seat.place, seat.character))

    def _fighters(self, characters: Sequence[int]) -> dict[int, tuple[str, bool]]:
        """Give the names of characters, and whether each is a player's."""
        them = CharacterRow.id, CharacterRow.name, CharacterRow.account_id
        rows = self._session.execute(select(*them).where(CharacterRow.id.in_(characters)))
        return {row.id: (row.name, row.account_id is not None) for row in rows}

    def pending(self, scene: int) -> list[Pending]:
        """Give the actions under way in a scene, in order."""
        return list(self._rows.made("pending", scene, _actions))

    def condition(self, character: int, system: str) -> Condition:
        """Give how a character is in one system."""
        return self._rows.made("condition", character, _conditions).get(system, _WELL)

    def items(self, character: int, system: str) -> Sequence[Item]:
        """Give what a character carries, by name; what is used up is not listed."""
        return self._rows.made("item", character, _belongings).get(system, ())

    def harmed(
        self, scene: int, system: str, kind: str, characters: Sequence[int]
    ) -> list[tuple[int, int]]:
        """Give who of them took harm of a kind in a scene, and by which of its actions."""
        rows = self._session.execute(
            select(Wound.character_id, Wound.action).where(
                Wound.character_id.in_(characters),
                Wound.scene_id == scene,
                Wound.system == system,
                Wound.kind == kind,
            )
        )
        return [(row.character_id, row.action or 0) for row in rows]

    def due(self, now: int) -> list[tuple[int, int]]:
        """Give scene and action of what has waited long enough at `now`, in seconds."""
        rows = self._session.execute(_DUE, {"b_now": now})
        return [(row.scene_id, row.action) for row in rows]

    def stuns_over(self, now: int) -> list[tuple[int, str]]:
        """Give character and system of each stun that the clock has ended at `now`.

        Those of people in a paused scene wait.
        """
        rows = self._session.execute(_STUNS_OVER, {"b_now": now})
        return [(row.character_id, row.system) for row in rows]

    def action(self, scene: int, action: int) -> list[Fact]:
        """Give all rows of one action."""
        return self.actions(scene, [action])

    def actions(self, scene: int, actions: Sequence[int]) -> list[Fact]:
        """Give all rows of some actions, in the log's order."""
        return _in_order(self._run(_OF_ACTIONS, {"b_scene": scene, "b_actions": tuple(actions)}))

    def held(self, thing: str, key: str) -> Row | None:
        """Give what there is of a thing that can be undone, its key as a change has it."""
        row = self._held(thing, tuple(json.loads(key)))
        return {field: read_field(value) for field, value in row.items()} if row else None

    def _held(self, thing: str, key: Key) -> Values | None:
        if THINGS[thing].at_hand:
            return self._rows.get(thing, key)
        row = row_of(self._session, thing, key)
        return None if row is None else THINGS[thing].values(row)

    def kinds(self, scene: int, kinds: Sequence[str], since: int = 0) -> list[Fact]:
        """Give the rows of a log that are of certain kinds, behind row `since`, in order."""
        wanted = {"b_scene": scene, "b_since": since, "b_kinds": tuple(kinds)}
        return _in_order(self._run(_KINDS if Spoken.kind in kinds else _RARE, wanted))

    def _facts(self, *conditions: Any) -> list[Fact]:
        return _in_order(self._run(LOGGED.where(*conditions), {}))

    def _run(self, rows: Executable, parameters: Mapping[str, Any]) -> list[Fact]:
        found = self._session.connection().execute(rows, parameters)
        return [fact_of(row, self._codec) for row in found]


def _in_order(facts: list[Fact]) -> list[Fact]:
    """Sort rows as the log has them.

    Asked for that order, SQLite would rather read the whole log in it than sort the few rows that
    an index finds.
    """
    return sorted(facts, key=lambda fact: fact.seq or 0)


def _seat(key: Key, row: Values, who: tuple[str, bool]) -> Combatant:
    scene, character = key
    name, player = who
    fields = {**row, "rank": _rank(row["rank"])}
    return Combatant(scene, character, name, player=player, **fields)


@lru_cache
def _rank(text: str) -> tuple[int, ...]:
    return tuple(json.loads(text))


def _actions(rows: Mapping[Key, Values]) -> list[Pending]:
    pending = [_pending(key, row) for key, row in rows.items()]
    return sorted(pending, key=lambda action: action.action)


def _pending(key: Key, row: Values) -> Pending:
    scene, action = key
    kind, actor, stage, owner, due, state = (row[field] for field in THINGS["pending"].fields)
    return Pending(scene, action, kind, actor, stage, owner, due, state)


def _conditions(rows: Mapping[Key, Values]) -> dict[str, Condition]:
    """Give how somebody is, by system."""
    return {system: Condition(**row) for (_, system), row in rows.items()}


def _belongings(rows: Mapping[Key, Values]) -> dict[str, list[Item]]:
    """Give what somebody carries, by system."""
    found: dict[str, list[Item]] = defaultdict(list)
    for (_, system, name), row in sorted(rows.items()):
        if row["count"] > 0:
            found[system].append(Item(name, **row))
    return found


def fact_of(row: LogRow | SqlRow[Any], codec: Codec) -> Fact:
    """Read a logged row as the fact it was."""
    return Fact(
        codec.load(row.kind, row.version, row.payload, row.plain),
        Who(row.actor_id, row.actor_name),
        row.at,
        Audience(row.audience),
        None,
        row.scene_id,
        row.seq,
        row.action,
        row.head,
    )
