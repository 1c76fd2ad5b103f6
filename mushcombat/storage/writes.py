"""Writing, as `domain.ports.Writes` asks for it: inside the writer's transaction."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import bindparam, func, select, update

from mushcombat.domain.character import Character
from mushcombat.domain.dice import Dice, commitment
from mushcombat.domain.events import GAME_LEDGER, Fact
from mushcombat.domain.ledger import GENESIS
from mushcombat.domain.names import name_key, taken
from mushcombat.domain.ports import Opening
from mushcombat.domain.scene import Scene
from mushcombat.domain.state import Change, Value, squash
from mushcombat.storage.account_writes import AccountWrites
from mushcombat.storage.bans import BanWrites
from mushcombat.storage.channels import ChannelChanges
from mushcombat.storage.codec import Codec
from mushcombat.storage.eras import EraWrites
from mushcombat.storage.ledgers import LedgerDice, Ledgers
from mushcombat.storage.memo import Memo, Recorded, RememberedReads
from mushcombat.storage.preferences import PreferenceWrites
from mushcombat.storage.presences import PresenceWrites
from mushcombat.storage.reads import _character, _characters
from mushcombat.storage.schema import (
    BIGGEST,
    CharacterRow,
    Exit,
    Participant,
    Room,
    SceneRow,
    SceneSeed,
    Wound,
)
from mushcombat.storage.state import State

_SAW = (
    update(Participant)
    .where(
        Participant.scene_id == bindparam("b_scene"),
        Participant.character_id == bindparam("b_character"),
        Participant.seen < bindparam("b_seen"),
    )
    .values(seen=bindparam("b_seen"))
)
"""What somebody was shown stays shown: a cursor never goes back."""


_HIDDEN = select(CharacterRow.scene_id, CharacterRow.id).where(
    CharacterRow.scene_id.in_(bindparam("b_ids", expanding=True)), CharacterRow.hidden
)


class WriteStore(
    RememberedReads,
    EraWrites,
    PresenceWrites,
    PreferenceWrites,
    AccountWrites,
    BanWrites,
    ChannelChanges,
):
    """Reads and writes within the writer's transaction."""

    def __init__(
        self, session: Recorded, codec: Codec, ledgers: Ledgers, memo: Memo | None = None
    ) -> None:
        super().__init__(session, codec)
        if memo is None:
            memo = Memo()
            memo.begin(session)
        self.memo = memo
        self.ledgers = ledgers
        self._rows = self.memo.rows
        self.state = State(session, self._rows)
        self._hidden: dict[int, frozenset[int]] = {}
        self._npcs_changed = False

    def log(self, ledger: int, first: int, last: int) -> list[Fact]:
        """Give rows of a log, those of this very transaction included."""
        self.ledgers.settle(ledger)
        return super().log(ledger, first, last)

    def last_seq(self, ledger: int) -> int:
        """Give the number of the last row of a log, this transaction's included."""
        return self.ledgers.head(ledger).seq - 1

    def look_up(self, ledgers: Collection[int]) -> None:
        """Read at once what every line of these logs will be asked about: heads, hidden NPCs."""
        self.ledgers.read_heads(ledgers)
        hidden = self.memo.answers("hidden")
        unknown = [ledger for ledger in ledgers if ledger not in hidden]
        if unknown:
            hidden.update(self._read_hidden(sorted(unknown)))
        self._hidden = {ledger: hidden[ledger] for ledger in ledgers}

    def _read_hidden(self, scenes: Sequence[int]) -> dict[Hashable, frozenset[int]]:
        found: dict[int, set[int]] = {scene: set() for scene in scenes}
        for row in self._session.connection().execute(_HIDDEN, {"b_ids": scenes}):
            found[row.scene_id].add(row.id)
        return {scene: frozenset(npcs) for scene, npcs in found.items()}

    def begin_job(self) -> None:
        """Begin to note what a job changes; that of one that was refused is forgotten."""
        if self._npcs_changed:
            self._hidden, self._npcs_changed = {}, False
        self.state.changes = []
        self.ledgers.begin_job()
        self._rows.begin_job()

    def take_back(self) -> None:
        """Make the rows at hand as they were before the job."""
        self._rows.take_back()

    def flush(self) -> None:
        """Write what the logs and the rows at hand have become."""
        self.ledgers.flush()
        self._rows.flush()

    def hidden(self, scene: int) -> frozenset[int]:
        """Give the hidden NPCs of a scene; every line that a log takes asks, so it is kept."""
        if self._npcs_changed:  # by this job, whatever becomes of it
            return super().hidden(scene)
        if scene not in self._hidden:
            read = super().hidden
            self._hidden[scene] = self.memo.kept("hidden", scene, lambda: read(scene))
        return self._hidden[scene]

    def dice(self, scene: int) -> Dice:
        """Give the dice of an open scene's present era."""
        era = self.ledgers.head(scene).era
        key = self.memo.kept("dice", (scene, era), lambda: self.ledgers.dice_key(scene, era))
        return LedgerDice(self.ledgers, scene, key)

    def due(self, now: int) -> list[tuple[int, int]]:
        """Give scene and action of what has waited long enough, this transaction's included."""
        self._rows.flush()
        return super().due(now)

    def stuns_over(self, now: int) -> list[tuple[int, str]]:
        """Give each stun that the clock has ended, this transaction's included."""
        self._rows.flush()
        return super().stuns_over(now)

    def set_trait(
        self, character: int, system: str, group: str, trait: str, level: int | None
    ) -> None:
        """Set a level on a sheet; None takes it off."""
        key, about = (character, system, group, trait), f"{self._name(character)}'s {trait}"
        if level is None:
            self.remove("trait", key, about)
        else:
            self.write("trait", key, about, level=level)

    def _name(self, character: int) -> str:
        return self.names([character]).get(character, "somebody")

    def write(self, thing: str, key: tuple[int | str, ...], about: str, **fields: Value) -> None:
        """Set fields of a thing that can be undone; the action's row of changes notes it."""
        self._npcs_changed |= thing == "npc"
        self.state.write(thing, key, about, **fields)

    def remove(self, thing: str, key: tuple[int | str, ...], about: str) -> None:
        """Take a thing away that can be undone."""
        self.state.remove(thing, key, about)

    def noted(self) -> tuple[Change, ...]:
        """Give what the job has changed so far, and forget it: it is for a row of its own."""
        changes, self.state.changes = squash(tuple(self.state.changes)), []
        return changes

    def next_seq(self, scene: int) -> int:
        """Give the number that the next row of a log will have: that of an action begun now."""
        return self.ledgers.head(scene).seq

    def kinds(self, scene: int, kinds: Sequence[str], since: int = 0) -> list[Fact]:
        """Give rows of certain kinds, this transaction's included."""
        self.ledgers.settle(scene)
        return super().kinds(scene, kinds, since)

    def actions(self, scene: int, actions: Sequence[int]) -> list[Fact]:
        """Give all rows of some actions, this transaction's included."""
        self.ledgers.settle(scene)
        return super().actions(scene, actions)

    def tail(self, scene: int, kinds: Sequence[str], count: int, **only: Any) -> list[Fact]:
        """Give the last rows of certain kinds, this transaction's included."""
        whole = all(bound is None for bound in only.values())
        found = self.memo.ends.last(scene, kinds, count) if whole else None
        if found is None:
            self.ledgers.settle(scene)
            found = super().tail(scene, kinds, count, **only)
            if whole:
                self.memo.ends.learn(scene, kinds, found)
        return found

    def add_npc(
        self, scene: int, name: str, room: int, now: datetime, *, hidden: bool = False
    ) -> Character:
        """Bring an NPC into a scene; MushError when the name is taken there or a player's."""
        others = select(func.count()).where(
            CharacterRow.name_key == name_key(name),
            CharacterRow.account_id.is_not(None) | (CharacterRow.scene_id == scene),
        )
        if self._session.scalar(others):
            raise taken(name)
        row = self._add(
            CharacterRow(name=name, name_key=name_key(name), room_id=room, created_at=now)
        )
        self.write("npc", (row.id,), name, scene_id=scene, hidden=hidden)
        return self._found(self.character(row.id))

    def add_wound(
        self,
        character: int,
        system: str,
        *,
        scene: int | None,
        action: int,
        kind: str,
        amount: int,
        at: int,
    ) -> None:
        """Note a harm that was done, for the record; it can be undone."""
        self.write(
            "wound",
            (self._wound_number(scene or GAME_LEDGER),),
            f"{self._name(character)}'s wound",
            character_id=character,
            system=system,
            scene_id=scene,
            action=action,
            kind=kind,
            amount=amount,
            at_seconds=at,
        )

    def _wound_number(self, ledger: int) -> int:
        """Make a number for a wound that no wound had, also none that was taken back.

        It is made of the log's next number, which never comes again: with the number of a wound
        that is gone, a later one would stand in the way of its return.
        """
        made = sum(change.thing == "wound" for change in self.state.changes)
        name = f"{ledger}:{self.next_seq(ledger)}:{made}"
        number = int.from_bytes(sha256(name.encode()).digest()[:4], "big") % BIGGEST
        while self._session.get(Wound, number) is not None:
            number = (number + 1) % BIGGEST
        return number

    def move(self, character: int, room: int) -> None:
        """Put a character in a room."""
        self._row(CharacterRow, character).room_id = room

    def occupants(self, room: int) -> list[Character]:
        """Give everyone in a room, connected or not."""
        rows = self._session.execute(_characters().where(CharacterRow.room_id == room))
        return [_character(*row) for row in rows]

    def dig(self, name: str, *, kind: str = "room", origin: int | None = None) -> int:
        """Make a room; gives its id."""
        return self._add(Room(name=name, kind=kind, origin_id=origin)).id

    def retire_room(self, room: int) -> None:
        """Mark a temporary room as gone."""
        self._row(Room, room).kind = "gone"

    def open_exit(self, room: int, names: Sequence[str], destination: int) -> int:
        """Make an exit; gives its id."""
        way = Exit(room_id=room, names=";".join(names), destination_id=destination)
        return self._add(way).id

    def describe_room(self, room: int, text: str) -> None:
        """Set a room's description."""
        self._row(Room, room).description = text

    def describe_character(self, character: int, text: str) -> None:
        """Set a character's description."""
        self._row(CharacterRow, character).description = text

    def set_doing(self, character: int, text: str) -> None:
        """Set what a player says they are doing."""
        self._row(CharacterRow, character).doing = text

    def open_scene(self, opening: Opening, now: datetime) -> Scene:
        """Begin a scene, with its owner in it."""
        row = self._add(
            SceneRow(
                title=opening.title,
                system=opening.system,
                status="open",
                private=opening.private,
                room_id=opening.room,
                owner_id=opening.owner,
                opened_at=now,
                era=1,
                head=GENESIS,
            )
        )
        seed = opening.seed
        self._add(SceneSeed(scene_id=row.id, era=1, seed=seed, commitment=commitment(seed)))
        self.join_scene(row.id, opening.owner, now)
        if opening.referee:
            self.name_referee(row.id, opening.owner)
        return self._found(self.scene(row.id))

    def close_scene(self, scene: int, now: datetime) -> bytes:
        """End a scene; gives the seed of its present era.

        The log takes rows until the end of the transaction: the closing row is one of them.
        """
        self.ledgers.head(scene)
        row = self._row(SceneRow, scene)
        row.status, row.closed_at = "closed", now
        self._session.flush()
        return self._session.scalars(
            select(SceneSeed.seed).where(SceneSeed.scene_id == scene, SceneSeed.era == row.era)
        ).one()

    def join_scene(self, scene: int, character: int, now: datetime) -> None:
        """Make a character a participant."""
        row = self._participant(scene, character)
        if row.joined_at is None:  # what went on before, nobody misses who was not in it
            row.joined_at, row.seen = now, self.last_seq(scene)
        row.left_at, row.shut_out = None, False
        self._session.flush()

    def leave_scene(self, scene: int, character: int, now: datetime) -> None:
        """End a character's part in a scene; what it has seen of the log ends with its leaving."""
        row = self._participant(scene, character)
        row.left_at, row.seen = now, max(row.seen, self.next_seq(scene))
        self._session.flush()

    def invite(self, scene: int, character: int) -> None:
        """Let a character join, and know of, a scene."""
        self._participant(scene, character).invited = True
        self._session.flush()

    def name_referee(self, scene: int, character: int) -> None:
        """Make a participant referee of the scene."""
        self._participant(scene, character).referee = True
        self._session.flush()

    def drop_referee(self, scene: int, character: int) -> None:
        """Let somebody be referee of the scene no longer."""
        self._participant(scene, character).referee = False
        self._session.flush()

    def saw(self, rows: Sequence[tuple[int, int, int]]) -> None:
        """Note scene, character and the last row of the log that they were shown."""
        if rows:
            names = ("b_scene", "b_character", "b_seen")
            self._session.flush()
            self._session.connection().execute(
                _SAW, [dict(zip(names, row, strict=True)) for row in rows]
            )
            self._session.expire_all()

    def set_privacy(self, scene: int, *, private: bool, room: int) -> None:
        """Make a scene private or public, and say where it sits."""
        after = self._found(self.scene(scene)).moved(room, private=private)
        row = self._row(SceneRow, scene)
        row.private, row.room_id = private, room
        for character in after.took_part:
            self._participant(scene, character).shut_out = character in after.shut_out
        self._session.flush()

    def set_paused(self, scene: int, *, paused: bool) -> None:
        """Let a scene rest, or go on."""
        self._row(SceneRow, scene).paused = paused
        self._session.flush()

    def _participant(self, scene: int, character: int) -> Participant:
        row = self._session.get(Participant, (scene, character))
        if row is None:
            row = self._add(Participant(scene_id=scene, character_id=character))
        return row
