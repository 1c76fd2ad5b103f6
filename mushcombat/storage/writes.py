"""Writing, as `domain.ports.Writes` asks for it: inside the writer's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TypeVar

from sqlalchemy import bindparam, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from mushcombat.domain.character import Character, Role
from mushcombat.domain.dice import Dice, commitment
from mushcombat.domain.events import Fact
from mushcombat.domain.ledger import GENESIS
from mushcombat.domain.names import name_key
from mushcombat.domain.ports import Login, Opening
from mushcombat.domain.scene import Scene
from mushcombat.domain.state import Change, Value
from mushcombat.errors import MushError
from mushcombat.storage.codec import Codec
from mushcombat.storage.ledgers import Ledgers
from mushcombat.storage.reads import BIGGEST, ReadStore, _character, _characters
from mushcombat.storage.schema import (
    Account,
    CharacterRow,
    Exit,
    Participant,
    Room,
    SceneRow,
    SceneSeed,
    Wound,
)
from mushcombat.storage.state import State

T = TypeVar("T")

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


class WriteStore(ReadStore):
    """Reads and writes within the writer's transaction."""

    def __init__(self, session: Session, codec: Codec, ledgers: Ledgers) -> None:
        super().__init__(session, codec)
        self.ledgers = ledgers
        self.state = State(session)
        self._hidden: dict[int, frozenset[int]] = {}
        self._npcs_changed = False

    def log(self, ledger: int, first: int, last: int) -> list[Fact]:
        """Give rows of a log, those of this very transaction included."""
        self.ledgers.flush()
        return super().log(ledger, first, last)

    def last_seq(self, ledger: int) -> int:
        """Give the number of the last row of a log, this transaction's included."""
        return self.ledgers.head(ledger).seq - 1

    def begin_job(self) -> None:
        """Begin to note what a job changes; that of one that was refused is forgotten."""
        if self._npcs_changed:
            self._hidden, self._npcs_changed = {}, False
        self.state.changes = []

    def hidden(self, scene: int) -> frozenset[int]:
        """Give the hidden NPCs of a scene; every line that a log takes asks, so it is kept."""
        if self._npcs_changed:  # by this job, whatever becomes of it
            return super().hidden(scene)
        if scene not in self._hidden:
            self._hidden[scene] = super().hidden(scene)
        return self._hidden[scene]

    def dice(self, scene: int) -> Dice:
        """Give the dice of an open scene's present era."""
        return self.ledgers.dice(scene)

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

    def now(self, change: Change) -> Value:
        """Give what the field of a change holds now."""
        return self.state.now(change)

    def apply(self, change: Change, value: Value) -> None:
        """Put a value in the place of a change."""
        self._npcs_changed |= change.thing == "npc"
        self.state.apply(change, value)

    def next_seq(self, scene: int) -> int:
        """Give the number that the next row of a log will have: that of an action begun now."""
        return self.ledgers.head(scene).seq

    def action(self, scene: int, action: int) -> list[Fact]:
        """Give all rows of one action, this transaction's included."""
        self.ledgers.flush()
        return super().action(scene, action)

    def kinds(self, scene: int, kinds: Sequence[str], since: int = 0) -> list[Fact]:
        """Give rows of certain kinds, this transaction's included."""
        self.ledgers.flush()
        return super().kinds(scene, kinds, since)

    def add_npc(
        self, scene: int, name: str, room: int, now: datetime, *, hidden: bool = False
    ) -> Character:
        """Bring an NPC into a scene; MushError when the name is taken there or a player's."""
        self._npcs_changed |= hidden
        taken = select(func.count()).where(
            CharacterRow.name_key == name_key(name),
            CharacterRow.scene_id.is_(None) | (CharacterRow.scene_id == scene),
        )
        if self._session.scalar(taken):
            raise _taken(name)
        row = self._add(
            CharacterRow(
                scene_id=scene,
                name=name,
                name_key=name_key(name),
                room_id=room,
                hidden=hidden,
                created_at=now,
            )
        )
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
        number = (self._session.scalar(select(func.max(Wound.id))) or 0) + 1
        self.write(
            "wound",
            (number,),
            f"{self._name(character)}'s wound",
            character_id=character,
            system=system,
            scene_id=scene,
            action=action,
            kind=kind,
            amount=amount,
            at_seconds=at,
        )

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
        row.left_at = None
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
        row = self._row(SceneRow, scene)
        row.private, row.room_id = private, room
        self._session.flush()

    def _participant(self, scene: int, character: int) -> Participant:
        row = self._session.get(Participant, (scene, character))
        if row is None:
            row = self._add(Participant(scene_id=scene, character_id=character))
        return row

    def create_account(
        self,
        name: str,
        password_hash: str,
        role: Role,
        now: datetime,
        *,
        one_time: bool = False,
    ) -> Login:
        """Make a login and its character; MushError when the name is taken."""
        self._free(name)
        account = Account(
            name=name,
            name_key=name_key(name),
            password_hash=password_hash,
            role=int(role),
            one_time=one_time,
            created_at=now,
        )
        try:
            account_id = self._add(account).id
        except IntegrityError as problem:
            raise _taken(name) from problem
        start = self._session.scalars(select(Room.id).where(Room.kind == "start")).one()
        self._add(
            CharacterRow(
                account_id=account_id,
                name=name,
                name_key=name_key(name),
                room_id=start,
                created_at=now,
            )
        )
        return self._found(self.login(name))

    def next_guest(self) -> int:
        """Give the next guest a number that no guest had: logins are never deleted."""
        return (self._session.scalar(select(func.max(Account.id))) or 0) + 1

    def set_password(self, account: int, password_hash: str) -> None:
        """Set a password; it is an ordinary one from then on."""
        row = self._row(Account, account)
        row.password_hash, row.one_time, row.spent = password_hash, False, False

    def set_role(self, account: int, role: Role) -> None:
        """Set what a login may do."""
        self._row(Account, account).role = int(role)

    def set_disabled(self, account: int, *, disabled: bool) -> None:
        """Lock a login out, or let it in again."""
        self._row(Account, account).disabled = disabled

    def rename(self, account: int, name: str) -> None:
        """Give a login and its character another name; MushError when it is taken."""
        row = self._row(Account, account)
        if row.name_key != name_key(name):
            self._free(name)
        character = self._session.scalars(
            select(CharacterRow).where(CharacterRow.account_id == account)
        ).one()
        row.name = character.name = name
        row.name_key = character.name_key = name_key(name)
        self._session.flush()

    def logged_in(self, account: int, now: datetime) -> None:
        """Note a login; a one-time password is spent by it."""
        row = self._row(Account, account)
        row.last_login_at, row.spent = now, row.one_time

    def _free(self, name: str) -> None:
        taken = select(func.count()).where(CharacterRow.name_key == name_key(name))
        if self._session.scalar(taken):
            raise _taken(name)

    def _add(self, row: T) -> T:
        self._session.add(row)
        self._session.flush()
        return row

    def _row(self, table: type[T], key: int) -> T:
        return self._found(self._session.get(table, key) if 0 <= key <= BIGGEST else None)

    @staticmethod
    def _found(thing: T | None) -> T:
        if thing is None:
            raise MushError("gone", "That is no longer there.", "Look again, then retry.")
        return thing


def _taken(name: str) -> MushError:
    return MushError("name", f'The name "{name}" is taken.', "Pick another.")
