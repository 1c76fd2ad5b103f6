"""What the writer has read already: one attack asks for the same sheet dozens of times.

Whatever is written makes what was read from that table forgotten, so a job never sees less than
the database would tell it. On SQLite answers are kept from one transaction to the next, as long
as nobody else has written: the database itself tells that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from operator import is_not
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, event
from sqlalchemy.orm import Session

from mushcombat.domain.character import Character, Sheet
from mushcombat.domain.scene import Scene
from mushcombat.storage.ends import Ends
from mushcombat.storage.engine import driver_of
from mushcombat.storage.ledgers import Head
from mushcombat.storage.reads import ReadStore
from mushcombat.storage.rows import Rows
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

Version = tuple[Any, int]
"""The driver's connection, and the number that it gives to what the database holds."""

_MADE_OF: Final[Mapping[type[Base], Sequence[str]]] = {
    Trait: ("sheet",),
    Quirk: ("sheet",),
    SceneRow: ("scene", "scenes_with"),
    SceneSeed: ("dice",),
    Participant: ("scene", "scenes_with", "people"),
    Account: ("people",),
    **dict.fromkeys((Exit, RecentJob, Room, TreatmentRow, Wound), ()),
    **dict.fromkeys((CombatantRow, ConditionRow, FightRow, ItemRow, PendingRow), ()),  # at hand
    **dict.fromkeys((ChannelRow, ChannelMember, ChannelLine, ContactRow), ()),
    **dict.fromkeys((PlayerSetting, PreferenceRow), ()),
    **dict.fromkeys((BanRow, ProcessRow, PresenceRow, Bulletin), ()),
}
"""What has to be read anew when a row of a table was written; of any other table, everything."""


MOST: Final = 20_000
"""Answers that are kept from one transaction to the next; with more, all are forgotten."""

COUNTED_EVERY: Final = 50
"""Transactions between two counts of them."""


class Recorded(Session):
    """A session within the transaction of a connection; it tells its memo of what it writes.

    It takes no part in that transaction before something is asked of the session itself: to begin
    and to end one takes it a third of the time of a pose.
    """

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, join_transaction_mode="rollback_only", expire_on_commit=False)
        self._own = connection

    def connection(
        self,
        bind_arguments: Mapping[str, Any] | None = None,  # noqa: ARG002 -- SQLAlchemy's call
        execution_options: Mapping[str, Any] | None = None,  # noqa: ARG002 -- as above
    ) -> Connection:
        """Give the connection, as it is; what the session has not flushed it does not see."""
        return self._own


class Memo:
    """Answers, until something is written that they were made of; and the rows at hand."""

    def __init__(self) -> None:
        self.rows = Rows()
        self.ends = Ends()
        self.heads: dict[int, Head] = {}
        """Where logs stand in the database; `Ledgers` reads and writes it."""
        self._scenes_written = False
        self._session: Recorded
        self._kept: dict[str, dict[Hashable, Any]] = defaultdict(dict)
        self._made: dict[tuple[str, Hashable], tuple[tuple[object, ...], Any]] = {}
        self._kept_at: Version | None = None  # when the last transaction was committed
        self._version: Version | None = None
        self._changes = 0
        self._begun = 0

    def begin(self, session: Recorded) -> None:
        """Serve a session, inside its transaction; forget what may be wrong by now."""
        self._session = session
        self._version = _version_of(session)
        self._begun += 1
        full = self._begun % COUNTED_EVERY == 0 and self._count() > MOST
        if self._version is None or self._version != self._kept_at or full:
            self.forget()
        self._kept_at, self._scenes_written = None, False
        self._changes = _changes(self._version)
        self.rows.begin(session)
        session.info["memo"] = self

    def _count(self) -> int:
        answers = sum(map(len, self._kept.values()))
        return answers + len(self.rows) + len(self.heads) + len(self.ends) + len(self._made)

    def keep(self) -> None:
        """Keep what is known: the transaction that it was read in is the truth now."""
        self._kept_at = self._version
        if self._scenes_written:  # they have the heads in them
            self.heads.clear()

    def keep_unwritten(self) -> None:
        """Keep what is known after a transaction that is rolled back, if it has written nothing."""
        if self._changes == _changes(self._version):
            self.keep()

    def forget(self) -> None:
        """Forget everything, also of the rows at hand what is not written."""
        self._kept.clear()
        self._made.clear()
        self.ends.forget()
        self.heads.clear()
        self.rows.forget()

    def kept(self, kind: str, key: Hashable, read: Callable[[], T]) -> T:
        """Give an answer that is kept, or read it; changes not yet flushed are flushed first."""
        session = self._session
        if not session._is_clean():  # `new` and `deleted` make sets of all there is, each time
            session.flush()
        found: T | None = self._kept[kind].get(key)
        if found is None:
            found = self._kept[kind][key] = read()
        return found

    def made(self, kind: str, key: Hashable, parts: tuple[object, ...], make: Callable[[], T]) -> T:
        """Give what is made of parts: anew when one of them is not the very thing it was."""
        known = self._made.get((kind, key))
        if known is None or any(map(is_not, known[0], parts)):
            known = self._made[kind, key] = parts, make()
        found: T = known[1]
        return found

    def answers(self, kind: str) -> dict[Hashable, Any]:
        """Give all answers of a kind, for who reads many at once to add to."""
        return self._kept[kind]

    def written(self, session: Recorded) -> None:
        """Forget what was made of rows that the session has just written."""
        for row in (*session.new, *session.dirty, *session.deleted):
            self._scenes_written |= isinstance(row, SceneRow)
            kinds = _MADE_OF.get(type(row))
            if kinds is None:
                self.forget_made()
                return
            for kind in kinds:
                self._kept.pop(kind, None)

    def forget_made(self) -> None:
        """Forget what was made of rows; those at hand stay."""
        self._scenes_written = True  # or may have been, among the rest
        self._kept.clear()
        self.rows.forget_made()


@event.listens_for(Recorded, "after_flush")
def _flushed(session: Recorded, _flush: object) -> None:
    memo = session.info.get("memo")
    if memo is not None:
        memo.written(session)


@event.listens_for(Recorded, "after_bulk_update")
@event.listens_for(Recorded, "after_bulk_delete")
def _done_in_bulk(done: Any) -> None:
    memo = done.session.info.get("memo")
    if memo is not None:
        memo.forget_made()


def _version_of(session: Session) -> Version | None:
    """Tell which version a SQLite file is at, by the connection that asks: None on other databases.

    The number changes when another connection has committed, and not with what this one writes.
    """
    connection = session.connection()
    if connection.dialect.name != "sqlite":
        return None
    driver = driver_of(connection)
    (number,) = driver.execute("PRAGMA data_version").fetchone()  # ten times as quick as ours
    return driver, number


def _changes(version: Version | None) -> int:
    """Count the rows that a connection has written, whatever became of them."""
    return version[0].total_changes if version else 0


class RememberedReads(ReadStore):
    """Reads that are asked for again and again within a job."""

    memo: Memo

    def made(self, kind: str, key: Hashable, parts: tuple[object, ...], make: Callable[[], T]) -> T:
        """Give what is made of parts that were read here."""
        return self.memo.made(kind, key, parts, make)

    def names(self, characters: Sequence[int]) -> dict[int, str]:
        """Give the names of characters, by id."""
        read, wanted = super().names, tuple(characters)
        return dict(self.memo.kept("names", wanted, lambda: read(wanted)))

    def sheet(self, character: int, system: str) -> Sheet:
        """Give a character's sheet in one system."""
        read = super().sheet
        return self.memo.kept("sheet", (character, system), lambda: read(character, system))

    def scene(self, number: int) -> Scene | None:
        """Give a scene by number."""
        read = super().scene
        return self.memo.kept("scene", number, lambda: read(number))

    def scenes_with(self, character: int) -> list[Scene]:
        """Give the open scenes that a player, or an NPC, is in."""
        read = super().scenes_with
        return list(self.memo.kept("scenes_with", character, lambda: read(character)))

    def _people(self, scene: int) -> list[Character]:
        read = super()._people
        return self.memo.kept("people", scene, lambda: read(scene))

    def _fighters(self, characters: Sequence[int]) -> dict[int, tuple[str, bool]]:
        read = super()._fighters
        return self.memo.kept("fighters", characters, lambda: read(characters))
