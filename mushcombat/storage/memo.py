"""What the writer has read already: one attack asks for the same sheet and seat dozens of times.

Whatever is written makes what was read from that table forgotten, so a job never sees less than
the database would tell it. On SQLite answers are kept from one transaction to the next, as long
as nobody else has written: the database itself tells that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Final, TypeVar

from sqlalchemy import event
from sqlalchemy.orm import Session

from mushcombat.domain.character import Condition, Item, Sheet
from mushcombat.domain.fight import Combatant, Fight, Pending
from mushcombat.domain.scene import Scene
from mushcombat.storage.reads import ReadStore
from mushcombat.storage.schema import (
    Account,
    Base,
    Exit,
    Participant,
    Quirk,
    Room,
    SceneRow,
    SceneSeed,
    Trait,
    Wound,
)
from mushcombat.storage.schema_bans import BanRow
from mushcombat.storage.schema_channels import (
    ChannelLine,
    ChannelMember,
    ChannelRow,
    ContactRow,
    PlayerSetting,
)
from mushcombat.storage.schema_fights import (
    CombatantRow,
    ConditionRow,
    FightRow,
    ItemRow,
    PendingRow,
    TreatmentRow,
)
from mushcombat.storage.schema_jobs import RecentJob
from mushcombat.storage.schema_preferences import PreferenceRow
from mushcombat.storage.schema_processes import Bulletin, PresenceRow, ProcessRow

T = TypeVar("T")

_MADE_OF: Final[Mapping[type[Base], Sequence[str]]] = {
    Trait: ("sheet",),
    Quirk: ("sheet",),
    ConditionRow: ("condition",),
    ItemRow: ("items",),
    SceneRow: ("scene", "scenes_with"),
    Participant: ("scene", "scenes_with"),
    FightRow: ("fight",),
    CombatantRow: ("combatants",),
    PendingRow: ("pending",),
    **dict.fromkeys((Account, Exit, RecentJob, Room, SceneSeed, TreatmentRow, Wound), ()),
    **dict.fromkeys((ChannelRow, ChannelMember, ChannelLine, ContactRow), ()),
    **dict.fromkeys((PlayerSetting, PreferenceRow), ()),
    **dict.fromkeys((BanRow, ProcessRow, PresenceRow, Bulletin), ()),
}
"""What has to be read anew when a row of a table was written; of any other table, everything."""


MOST: Final = 20_000
"""Answers that are kept from one transaction to the next; with more, all are forgotten."""


class Memo:
    """Answers, until something is written that they were made of."""

    def __init__(self) -> None:
        self._session: Session
        self._kept: dict[str, dict[Hashable, Any]] = defaultdict(dict)
        self._state: object = None  # of the database, when the last transaction was committed
        self._seen: object = None

    def begin(self, session: Session) -> None:
        """Serve a session, inside its transaction; forget what may be wrong by now."""
        self._session = session
        self._seen = _state_of(session)
        many = sum(len(answers) for answers in self._kept.values()) > MOST
        if self._seen is None or self._seen != self._state or many:
            self._kept.clear()
        self._state = None
        event.listen(session, "after_flush", self._flushed)
        for name in ("after_soft_rollback", "after_bulk_update", "after_bulk_delete"):
            event.listen(session, name, self._forget_all)

    def committed(self) -> None:
        """Keep what is known: the transaction that it was read in has become the truth."""
        self._state = self._seen

    def kept(self, kind: str, key: Hashable, read: Callable[[], T]) -> T:
        """Give an answer that is kept, or read it; changes not yet flushed are flushed first."""
        if self._session.new or self._session.dirty or self._session.deleted:
            self._session.flush()
        found: T | None = self._kept[kind].get(key)
        if found is None:
            found = self._kept[kind][key] = read()
        return found

    def _flushed(self, session: Session, _flush: object) -> None:
        for row in (*session.new, *session.dirty, *session.deleted):
            kinds = _MADE_OF.get(type(row))
            if kinds is None:
                self._kept.clear()
                return
            for kind in kinds:
                self._kept.pop(kind, None)

    def _forget_all(self, *_what: object) -> None:
        self._kept.clear()


def _state_of(session: Session) -> object:
    """Tell which state a SQLite file is in, by the connection that asks: None on other databases.

    The number changes when another connection has committed, and not with what this one writes.
    """
    connection = session.connection()
    if connection.dialect.name != "sqlite":
        return None
    version = connection.exec_driver_sql("PRAGMA data_version").scalar_one()
    return connection.info.setdefault("memo", object()), version


class RememberedReads(ReadStore):
    """Reads that are asked for again and again within a job."""

    memo: Memo

    def names(self, characters: Sequence[int]) -> dict[int, str]:
        """Give the names of characters, by id."""
        read, wanted = super().names, tuple(characters)
        return dict(self.memo.kept("names", wanted, lambda: read(wanted)))

    def sheet(self, character: int, system: str) -> Sheet:
        """Give a character's sheet in one system."""
        read = super().sheet
        return self.memo.kept("sheet", (character, system), lambda: read(character, system))

    def condition(self, character: int, system: str) -> Condition:
        """Give how a character is in one system."""
        read = super().condition
        return self.memo.kept("condition", (character, system), lambda: read(character, system))

    def items(self, character: int, system: str) -> list[Item]:
        """Give what a character carries."""
        read = super().items
        return list(self.memo.kept("items", (character, system), lambda: read(character, system)))

    def scene(self, number: int) -> Scene | None:
        """Give a scene by number."""
        read = super().scene
        return self.memo.kept("scene", number, lambda: read(number))

    def scenes_with(self, character: int) -> list[Scene]:
        """Give the open scenes that a player, or an NPC, is in."""
        read = super().scenes_with
        return list(self.memo.kept("scenes_with", character, lambda: read(character)))

    def fight(self, scene: int) -> Fight | None:
        """Give the fight of a scene, the last one if it is over."""
        read = super().fight
        return self.memo.kept("fight", scene, lambda: read(scene))

    def combatants(self, scene: int) -> list[Combatant]:
        """Give who is in the fight of a scene, by their places."""
        read = super().combatants
        return list(self.memo.kept("combatants", scene, lambda: read(scene)))

    def pending(self, scene: int) -> list[Pending]:
        """Give the actions under way in a scene, in order."""
        read = super().pending
        return list(self.memo.kept("pending", scene, lambda: read(scene)))
