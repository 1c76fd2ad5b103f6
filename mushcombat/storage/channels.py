"""Channels and players' choices in the database."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import Any, cast

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from mushcombat.domain.channels import KEPT, Channel, ChannelSpoken, State
from mushcombat.domain.character import Role
from mushcombat.domain.events import Audience, Fact, Who
from mushcombat.domain.names import name_key
from mushcombat.domain.settings import MOST_CONTACTS, Contact, Settings
from mushcombat.errors import MushError
from mushcombat.storage.fights import FightReads
from mushcombat.storage.schema import Account, CharacterRow
from mushcombat.storage.schema_channels import (
    ChannelLine,
    ChannelMember,
    ChannelRow,
    ContactRow,
    PlayerSetting,
)

CLEARED_EVERY = 100
"""Lines of a channel after which the oldest are cleared away."""

_GROW = (
    update(ChannelRow).where(ChannelRow.id == bindparam("b_id")).values(last_seq=bindparam("b_seq"))
)


class ChannelStore(FightReads):
    """The part of a store that reads channels and choices."""

    def channels(self) -> list[Channel]:
        """Give all channels, in the order of their making."""
        return [_channel(row) for row in self._session.scalars(select(ChannelRow).order_by("id"))]

    def channel_lines(self, channel: int, count: int) -> list[Fact]:
        """Give the last lines of a channel, at most `count`, in order."""
        name = self._session.scalar(select(ChannelRow.name).where(ChannelRow.id == channel)) or ""
        rows = self._session.scalars(
            select(ChannelLine)
            .where(ChannelLine.channel_id == channel)
            .order_by(ChannelLine.seq.desc())
            .limit(count)
        )
        return [_said(row, name) for row in rows][::-1]

    def settings(self, character: int) -> Settings:
        """Give a player's choices; staff are in nobody's ignored."""
        own = self._session.get(PlayerSetting, character)
        states = self._session.execute(
            select(ChannelMember.channel_id, ChannelMember.state).where(
                ChannelMember.character_id == character
            )
        )
        return Settings(
            {channel: cast("State", state) for channel, state in states},
            self._contacts(character, "ignore", CharacterRow.account_id.in_(_NOT_STAFF)),
            self._contacts(character, "watch"),
            watches_all=bool(own and own.watches_all),
            pages_locked=bool(own and own.pages_locked),
        )

    def _contacts(self, character: int, kind: Contact, *only: Any) -> frozenset[int]:
        rows = self._session.scalars(
            select(ContactRow.other_id)
            .join(CharacterRow, CharacterRow.id == ContactRow.other_id)
            .where(ContactRow.character_id == character, ContactRow.kind == kind, *only)
        )
        return frozenset(rows) or _NOBODY

    def left_from(self, character: int) -> int | None:
        """Give the room that a player left to go out of character, None when they did not."""
        own = self._session.get(PlayerSetting, character)
        return own.left_room_id if own else None


_NOBODY: frozenset[int] = frozenset()
"""One for all who ignore and watch nobody; they are kept for as long as a player is here."""
_NOT_STAFF = select(Account.id).where(Account.role < int(Role.STAFF))


class ChannelChanges(ChannelStore):
    """The part of a store that writes channels and choices."""

    def make_channel(
        self, name: str, alias: str, role: Role, now: datetime, *, everyone: bool
    ) -> Channel:
        """Make a channel; MushError when its name or alias is another's."""
        words = {name_key(name), alias}
        if any(channel.is_called(word) for channel in self.channels() for word in words):
            text = f"There is a channel called {name} or {alias}."
            raise MushError("channel", text, "+channel lists them.")
        row = ChannelRow(
            name=name,
            name_key=name_key(name),
            alias=alias,
            role=int(role),
            everyone=everyone,
            created_at=now,
        )
        self._session.add(row)
        self._session.flush()
        return _channel(row)

    def delete_channel(self, channel: int) -> None:
        """Take a channel away, with its lines."""
        for table in (ChannelLine, ChannelMember):
            self._session.execute(delete(table).where(table.channel_id == channel))
        self._session.execute(delete(ChannelRow).where(ChannelRow.id == channel))

    def set_channel(self, channel: int, character: int, state: State) -> None:
        """Note whether a player hears a channel."""
        row = ChannelMember(channel_id=channel, character_id=character, state=state)
        self._session.merge(row)
        self._session.flush()

    def set_contact(self, character: int, kind: Contact, other: int, *, on: bool) -> None:
        """Mark another player, or no longer. MushError when there are too many."""
        mine = (ContactRow.character_id == character, ContactRow.kind == kind)
        if not on:
            self._session.execute(delete(ContactRow).where(*mine, ContactRow.other_id == other))
            return
        count = self._session.scalar(select(func.count()).select_from(ContactRow).where(*mine))
        if (count or 0) >= MOST_CONTACTS:
            text = f"That would be more than {MOST_CONTACTS}."
            raise MushError("contacts", text, f"+{kind} lists them, +{kind}/remove takes one off.")
        self._session.merge(ContactRow(character_id=character, kind=kind, other_id=other))
        self._session.flush()

    def watch_all(self, character: int, *, on: bool) -> None:
        """Set whether a player is told of everyone who comes and goes."""
        self._own(character).watches_all = on

    def lock_pages(self, character: int, *, on: bool) -> None:
        """Set whether a player takes pages of staff alone."""
        self._own(character).pages_locked = on

    def leave_from(self, character: int, room: int | None) -> None:
        """Note the room that a player goes back to with +ic."""
        self._own(character).left_room_id = room

    def _own(self, character: int) -> PlayerSetting:
        row = self._session.get(PlayerSetting, character)
        if row is None:
            row = PlayerSetting(character_id=character)
            self._session.add(row)
        return row


def _channel(row: ChannelRow) -> Channel:
    return Channel(row.id, row.name, row.alias, Role(row.role), row.everyone)


def _said(row: ChannelLine, name: str) -> Fact:
    event = ChannelSpoken(row.channel_id, name, row.text)
    return Fact(event, Who(row.actor_id, row.actor_name), row.at, Audience.CHANNEL)


def keep_lines(connection: Connection, said: Iterable[Fact]) -> None:
    """Keep what was said on channels: three statements, however many lines there are.

    Lines of a channel that is gone meanwhile are dropped. Once in a while the oldest are cleared.
    """
    lines: dict[int, list[Fact]] = defaultdict(list)
    for fact in said:
        lines[fact.channel or 0].append(fact)
    ends = connection.execute(
        select(ChannelRow.id, ChannelRow.last_seq).where(ChannelRow.id.in_(lines)).with_for_update()
    ).all()
    if not ends:
        return
    rows = [
        _columns(fact, seq)
        for number, last in ends
        for seq, fact in enumerate(lines[number], last + 1)
    ]
    connection.execute(insert(ChannelLine), rows)
    grown = [(number, last, last + len(lines[number])) for number, last in ends]
    connection.execute(_GROW, [{"b_id": number, "b_seq": seq} for number, _, seq in grown])
    for number, last, seq in grown:
        if last // CLEARED_EVERY != seq // CLEARED_EVERY:
            _clear(connection, number, seq - KEPT)


def _columns(fact: Fact, seq: int) -> dict[str, Any]:
    return {
        "channel_id": fact.channel,
        "seq": seq,
        "at": fact.at,
        "actor_id": fact.actor.id,
        "actor_name": fact.actor.name,
        "text": fact.event.text,  # type: ignore[attr-defined]  # what is kept here is ChannelSpoken
    }


def _clear(connection: Connection, channel: int, seq: int) -> None:
    connection.execute(
        delete(ChannelLine).where(ChannelLine.channel_id == channel, ChannelLine.seq <= seq)
    )
