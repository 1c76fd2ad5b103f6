"""Reading, as `domain.ports.Reads` asks for it."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Engine, func, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from mushcombat.domain.character import Character, Role, Sheet
from mushcombat.domain.events import Fact
from mushcombat.domain.names import match, name_key
from mushcombat.domain.ports import Login, Place, Way
from mushcombat.domain.scene import Scene
from mushcombat.domain.transcripts import LoggedRow
from mushcombat.errors import MushError
from mushcombat.storage.bans import BanReads
from mushcombat.storage.channels import ChannelStore
from mushcombat.storage.codec import Codec
from mushcombat.storage.export import exported_rows
from mushcombat.storage.poses import PoseReads
from mushcombat.storage.preferences import PreferenceReads
from mushcombat.storage.schema import (
    BIGGEST,
    Account,
    CharacterRow,
    Exit,
    LogRow,
    Participant,
    Quirk,
    Room,
    SceneRow,
    Trait,
)
from mushcombat.storage.schema_fights import TreatmentRow
from mushcombat.storage.trouble import is_trouble, reason, unusable

log = logging.getLogger(__name__)

_IS_IN = (Participant.joined_at.is_not(None), Participant.left_at.is_(None))


class ReadStore(PoseReads, BanReads, ChannelStore, PreferenceReads):
    """Reads within one transaction."""

    def character(self, character: int) -> Character | None:
        """Give a character by id."""
        row = self._session.execute(_characters().where(CharacterRow.id == _id(character))).first()
        return _character(*row) if row else None

    def find_players(self, name: str) -> list[Character]:
        """Find players by name: exactly, else by an unambiguous beginning."""
        beginning = name_key(name.strip())
        rows = self._session.execute(
            _characters().where(
                CharacterRow.account_id.is_not(None),
                CharacterRow.name_key.startswith(beginning, autoescape=True),
            )
        )
        found = [_character(*row) for row in rows]
        return match(name, ((each.name, each) for each in found))

    def sheet(self, character: int, system: str) -> Sheet:
        """Give a character's sheet in one system."""
        traits: dict[str, dict[str, int]] = defaultdict(dict)
        for trait in self._session.scalars(
            select(Trait).where(Trait.character_id == character, Trait.system == system)
        ):
            traits[trait.grouping][trait.name] = trait.level
        quirks = self._session.scalars(
            select(Quirk.name)
            .where(Quirk.character_id == character, Quirk.system == system)
            .order_by(Quirk.name)
        )
        return Sheet(character, self.names([character])[character], system, traits, tuple(quirks))

    def names(self, characters: Sequence[int]) -> dict[int, str]:
        """Give the names of characters, by id."""
        ids = [_id(character) for character in characters]
        rows = self._session.execute(
            select(CharacterRow.id, CharacterRow.name)
            .where(CharacterRow.id.in_(ids))
            .order_by(CharacterRow.id)
        )
        return {row.id: row.name for row in rows}

    def scene(self, number: int) -> Scene | None:
        """Give a scene by number."""
        if not 0 < number <= BIGGEST:
            return None
        found = self._scenes(SceneRow.id == number)
        return found[0] if found else None

    def open_scenes(self) -> list[Scene]:
        """Give all scenes that are open."""
        return self._scenes(SceneRow.status == "open")

    def scenes_with(self, character: int) -> list[Scene]:
        """Give the open scenes that a player, or an NPC, is in."""
        theirs = select(Participant.scene_id).where(Participant.character_id == character, *_IS_IN)
        npcs = select(CharacterRow.scene_id).where(CharacterRow.id == character)
        return self._scenes(
            (SceneRow.status == "open") & (SceneRow.id.in_(theirs) | SceneRow.id.in_(npcs))
        )

    def all_scenes(self) -> list[Scene]:
        """Give every scene there was, by number."""
        return self._scenes(SceneRow.status != "ledger")

    def scenes_known_to(self, character: int, count: int, skip: int = 0) -> tuple[list[Scene], int]:
        """Give scenes that a character may know of, newest first, and how many there are."""
        ids, total = self._known_to(_id(character), count, skip)
        return self._scenes(SceneRow.id.in_(ids))[::-1], total

    def _scenes(self, condition: Any) -> list[Scene]:
        rows = self._session.scalars(select(SceneRow).where(condition).order_by(SceneRow.id)).all()
        npcs: dict[int, dict[int, str]] = defaultdict(dict)
        hidden: dict[int, set[int]] = defaultdict(set)
        for npc in self._session.scalars(
            select(CharacterRow).where(CharacterRow.scene_id.in_([row.id for row in rows]))
        ):
            npcs[npc.scene_id or 0][npc.id] = npc.name
            if npc.hidden:
                hidden[npc.scene_id or 0].add(npc.id)
        people: dict[int, list[Participant]] = defaultdict(list)
        for participant in self._session.scalars(
            select(Participant).where(Participant.scene_id.in_([row.id for row in rows]))
        ):
            people[participant.scene_id].append(participant)
        return [
            replace(_scene(row, people[row.id], npcs[row.id]), hidden=frozenset(hidden[row.id]))
            for row in rows
        ]

    def last_closed(self, character: int) -> Scene | None:
        """Give the scene that closed last of those that somebody took part in."""
        took_part = select(Participant.scene_id).where(
            Participant.character_id == _id(character), Participant.joined_at.is_not(None)
        )
        number = self._session.scalars(
            select(SceneRow.id)
            .where(SceneRow.status == "closed", SceneRow.id.in_(took_part))
            .order_by(SceneRow.closed_at.desc(), SceneRow.id.desc())
            .limit(1)
        ).first()
        return self.scene(number) if number else None

    def exported(self, scene: int, last: int) -> Iterator[LoggedRow]:
        """Give the rows of a log up to number `last`, as they were hashed, one by one."""
        return exported_rows(self._session, self._codec, _id(scene), last)

    def places(self) -> list[Place]:
        """Give all rooms with their exits."""
        return self._places(Room.kind != "gone")

    def place(self, room: int) -> Place | None:
        """Give one room."""
        found = self._places(Room.id == _id(room))
        return found[0] if found else None

    def _places(self, condition: Any) -> list[Place]:
        rooms = self._session.scalars(select(Room).where(condition).order_by(Room.id)).all()
        ways: dict[int, list[Way]] = defaultdict(list)
        for row in self._session.scalars(
            select(Exit).where(Exit.room_id.in_([room.id for room in rooms])).order_by(Exit.id)
        ):
            ways[row.room_id].append(Way(row.id, tuple(row.names.split(";")), row.destination_id))
        return [
            Place(r.id, r.name, r.kind, r.description, r.origin_id, tuple(ways[r.id]))
            for r in rooms
        ]

    def in_scene(
        self, scene: int, name: str, unknown: frozenset[int] = frozenset()
    ) -> list[Character]:
        """Find participants and NPCs of a scene by name: exactly, else by a beginning.

        Those who are `unknown` to who asks are not there.
        """
        known = (each for each in self._people(scene) if each.id not in unknown)
        return match(name, ((each.name, each) for each in known))

    def _people(self, scene: int) -> list[Character]:
        """Give the participants and NPCs of a scene."""
        here = select(Participant.character_id).where(Participant.scene_id == scene, *_IS_IN)
        rows = self._session.execute(
            _characters().where((CharacterRow.scene_id == scene) | CharacterRow.id.in_(here))
        )
        return [_character(*row) for row in rows]

    def hidden(self, scene: int) -> frozenset[int]:
        """Give the NPCs of a scene that only its referees know of."""
        hidden = select(CharacterRow.id).where(
            CharacterRow.scene_id == _id(scene), CharacterRow.hidden
        )
        return frozenset(self._session.scalars(hidden))

    def seen(self, scene: int, character: int) -> int:
        """Give the last row of a scene's log that somebody was shown, 0 for none."""
        seen = select(Participant.seen).where(
            Participant.scene_id == _id(scene), Participant.character_id == _id(character)
        )
        return self._session.scalar(seen) or 0

    def failed_treatment(self, character: int, system: str, healer: int) -> int | None:
        """Give the day of a healer's last treatment of a character that failed, or None."""
        row = self._session.get(TreatmentRow, (character, system, healer))
        return row.day if row else None

    def with_trait(self, system: str, group: str, trait: str, level: int) -> list[Character]:
        """Give the characters that have a trait at a level, by name."""
        rows = self._session.execute(
            _characters()
            .join(Trait, Trait.character_id == CharacterRow.id)
            .where(
                Trait.system == system,
                Trait.grouping == group,
                Trait.name == trait,
                Trait.level == level,
            )
            .order_by(CharacterRow.name_key)
        )
        return [_character(*row) for row in rows]

    def last_seq(self, ledger: int) -> int:
        """Give the number of the last row of a log, 0 when it is empty."""
        last = select(func.max(LogRow.seq)).where(LogRow.scene_id == _id(ledger))
        return self._session.scalar(last) or 0

    def log(self, ledger: int, first: int, last: int) -> list[Fact]:
        """Give the rows of a log from `first` to `last`, in order."""
        if first > BIGGEST or last < 1:
            return []
        wanted = LogRow.seq.between(max(first, 1), min(last, BIGGEST))
        return self._facts(LogRow.scene_id == _id(ledger), wanted)

    def login(self, name: str) -> Login | None:
        """Find an account by its name, in any case."""
        found = self._logins(Account.name_key == name_key(name.strip()))
        return found[0] if found else None

    def logins(self) -> list[Login]:
        """Give all accounts, by name."""
        return self._logins(Account.id.is_not(None))

    def _logins(self, condition: Any) -> list[Login]:
        rows = self._session.execute(
            select(Account, CharacterRow.id)
            .join(CharacterRow, CharacterRow.account_id == Account.id)
            .where(condition)
            .order_by(Account.name_key)
        )
        return [_login(account, character) for account, character in rows]


def _id(number: int) -> int:
    """Give a number that a column takes: for any other one -1, which nothing has."""
    return number if 0 <= number <= BIGGEST else -1


def _characters() -> Any:
    """Select characters with the role of their account, which NPCs have not."""
    return select(CharacterRow, Account.role).join(
        Account, CharacterRow.account_id == Account.id, isouter=True
    )


def _character(row: CharacterRow, role: int | None) -> Character:
    return Character(
        row.id,
        row.name,
        row.room_id,
        row.description,
        row.doing,
        Role(role if role is not None else Role.PLAYER),
        row.account_id,
        row.scene_id,
    )


def _login(row: Account, character: int) -> Login:
    return Login(
        row.id,
        row.name,
        Role(row.role),
        row.password_hash,
        row.disabled,
        row.one_time,
        row.spent,
        character,
        row.last_login_at,
    )


_SETTINGS = (
    *("mode", "rolls", "atmosphere", "gravity", "health", "luck"),
    *("summary", "ic_date", "location", "warning", "kind", "zone"),
    *("pose_order", "pacing", "paused", "sharing"),
)
"""Columns of a scene that it has under the same names."""


def _scene(row: SceneRow, people: Iterable[Participant], npcs: Mapping[int, str]) -> Scene:
    people = list(people)

    def those(chosen: Callable[[Participant], bool]) -> frozenset[int]:
        return frozenset(p.character_id for p in people if chosen(p))

    def present(p: Participant) -> bool:
        return p.joined_at is not None and p.left_at is None

    return Scene(
        row.id,
        row.title,
        row.system,
        row.room_id or 0,
        row.owner_id or 0,
        row.private,
        row.status == "open",
        row.opened_at,
        row.closed_at,
        participants=those(present),
        referees=those(lambda p: p.referee and present(p)),
        invited=those(lambda p: p.invited),
        took_part=those(lambda p: p.joined_at is not None),
        shut_out=those(lambda p: p.shut_out),
        away=those(lambda p: p.referee and not present(p)),
        npcs=npcs,
        **{name: getattr(row, name) for name in _SETTINGS},
        consents={p.character_id: p.consent for p in people if p.consent},
    )


class Readers:
    """Read-only transactions, for as many threads at once as the engine has connections."""

    def __init__(self, engine: Engine, codec: Codec) -> None:
        self._engine = engine
        self._codec = codec

    def run(self, work: Callable[[ReadStore], Any]) -> Any:
        """Run `work` in a transaction of its own; MushError while the database can't be read.

        That one is for players: what the database said, the log tells.
        """
        try:
            return self._run(work)
        except SQLAlchemyError as problem:
            if not is_trouble(problem):
                raise
            log.error("the database can't be read: %s", reason(problem))  # noqa: TRY400 -- a line tells it all
            text = "The database can't be read just now."
            raise MushError("unread", text, "Try again in a moment.") from problem

    def need(self, work: Callable[[ReadStore], Any]) -> Any:
        """Do the same for the host, who can't go on without: MushError tells what is wrong."""
        try:
            return self._run(work)
        except SQLAlchemyError as problem:
            raise unusable(problem) from problem

    def _run(self, work: Callable[[ReadStore], Any]) -> Any:
        with Session(self._engine) as session:
            return work(ReadStore(session, self._codec))

    def close(self) -> None:
        """Close the connections."""
        self._engine.dispose()
