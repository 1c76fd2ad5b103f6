"""Writing logins: making, renaming and locking them."""

from __future__ import annotations

from datetime import datetime
from typing import TypeVar

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError

from mushcombat.domain.character import Role
from mushcombat.domain.names import name_key, taken
from mushcombat.domain.ports import Login
from mushcombat.errors import MushError
from mushcombat.storage.reads import ReadStore
from mushcombat.storage.schema import BIGGEST, Account, CharacterRow, Room

T = TypeVar("T")


class AccountWrites(ReadStore):
    """The part of a store that writes logins, and what all writing needs."""

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
            raise taken(name) from problem
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

    def set_password(self, account: int, password_hash: str, *, one_time: bool = False) -> None:
        """Set a password: an ordinary one, or one that lets in one time."""
        row = self._row(Account, account)
        row.password_hash, row.one_time, row.spent = password_hash, one_time, False

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
        others = select(func.count()).where(CharacterRow.name_key == name_key(name))
        if self._session.scalar(others):
            raise taken(name)

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
