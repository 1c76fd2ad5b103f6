"""Appending to logs within one transaction: numbers, dice counters and the hash chain.

The heads of the logs that a batch writes to are read once, kept here, and written back at
`flush` together with all rows: one statement each, however many poses there were.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.orm import Session

from mushcombat.domain.channels import ChannelSpoken
from mushcombat.domain.command import Job
from mushcombat.domain.dice import SceneDice, Throw, scene_key
from mushcombat.domain.events import GAME_LEDGER, Audience, Draft, Fact, SceneClosed
from mushcombat.domain.ledger import Row, canonical, digest, link, timestamp
from mushcombat.domain.proof import throws_in
from mushcombat.domain.scene_events import ScenePaused, SceneResumed
from mushcombat.errors import MushError
from mushcombat.storage.channels import keep_lines
from mushcombat.storage.codec import Codec
from mushcombat.storage.schema import LogRow, SceneRow, SceneSeed

SALT_BYTES = 16

Describe = Callable[[Fact], str | None]
"""Gives a fact's public plain text, None for what has none."""

_READ_HEADS = (
    select(
        SceneRow.id,
        SceneRow.next_seq,
        SceneRow.head,
        SceneRow.status,
        SceneRow.era,
        SceneRow.dice_counter,
        SceneRow.paused,
    )
    .where(SceneRow.id.in_(bindparam("b_ids", expanding=True)))
    .order_by(SceneRow.id)
    .with_for_update()
)
"""Built once, and run on the connection: a batch reads the head of every scene it writes to.

Locks are taken in the order of ids, so that two writers can't wait for each other.
"""

_WRITE_HEADS = (
    update(SceneRow)
    .where(SceneRow.id == bindparam("b_id"))
    .values(
        next_seq=bindparam("b_seq"), head=bindparam("b_head"), dice_counter=bindparam("b_counter")
    )
)


@dataclass(frozen=True, slots=True)
class Head:
    """Where a log stands: next number, chain head, dice thrown and dice already on a row."""

    seq: int
    head: str
    open: bool
    era: int
    counter: int
    logged: int
    paused: bool


@dataclass(frozen=True, slots=True)
class Mark:
    """A point of a batch to go back to when a job is refused."""

    rows: int
    heads: dict[int, Head]
    said: int


class Ledgers:
    """The logs, as one batch sees and changes them."""

    def __init__(
        self,
        session: Session,
        codec: Codec,
        describe: Describe,
        clock: Callable[[], datetime],
    ) -> None:
        self._session = session
        self._codec = codec
        self._describe = describe
        self._clock = clock
        self._heads: dict[int, Head] = {}
        self._stored: dict[int, Head] = {}  # as the database has them
        self._rows: list[dict[str, Any]] = []
        self._said: list[Fact] = []  # on channels

    def mark(self) -> Mark:
        """Remember where every log stands."""
        return Mark(len(self._rows), dict(self._heads), len(self._said))

    def rewind(self, mark: Mark) -> None:
        """Forget what was appended since."""
        del self._rows[mark.rows :]
        del self._said[mark.said :]
        self._heads = mark.heads

    def head(self, ledger: int) -> Head:
        """Give where a log stands; its row is locked from now to the end of the transaction."""
        found = self._heads.get(ledger)
        if found is None:
            self.read_heads([ledger])
            found = self._heads[ledger]
        return found

    def read_heads(self, ledgers: Collection[int]) -> None:
        """Read where logs stand, in one statement; those that are not there are left out."""
        rows = self._session.connection().execute(_READ_HEADS, {"b_ids": sorted(ledgers)})
        for row in rows:
            open_ = row.status in {"open", "ledger"}
            dice = row.dice_counter
            head = Head(row.next_seq, row.head, open_, row.era, dice, dice, row.paused)
            self._heads[row.id] = self._stored[row.id] = head

    def dice(self, ledger: int) -> LedgerDice:
        """Give the dice of a scene; what they throw counts as soon as it is thrown."""
        era = self.head(ledger).era
        row = self._session.execute(
            select(SceneSeed.seed, SceneSeed.words).where(
                SceneSeed.scene_id == ledger, SceneSeed.era == era
            )
        ).one()
        return LedgerDice(self, ledger, scene_key(row.seed, json.loads(row.words)))

    def begin_era(self, ledger: int, era: int) -> None:
        """Take rows again, of another era; numbers, dice and the chain go on."""
        self._heads[ledger] = replace(self.head(ledger), era=era, open=True, paused=False)

    def throw(self, ledger: int, dice: SceneDice, count: int, sides: int, label: str) -> Throw:
        """Throw and keep the counter."""
        throw = dice.throw(count, sides, label)
        self._heads[ledger] = replace(self.head(ledger), counter=dice.counter)
        return throw

    def append(self, draft: Draft, job: Job, part: int) -> Fact:
        """Make a draft a fact: with a ledger, its next row; without, only the time.

        What is said on a channel is kept there.
        """
        fact = Fact(
            draft.event,
            draft.actor or job.actor,
            self._clock(),
            draft.audience,
            draft.room or job.room,
            draft.ledger,
            action=draft.action,
        )
        if isinstance(fact.event, ChannelSpoken):
            self._said.append(fact)
        return self._chain(fact, draft.ledger, job, part) if draft.ledger is not None else fact

    def _chain(self, fact: Fact, ledger: int, job: Job, part: int) -> Fact:
        """Give a fact its number, hash it into its log's chain, and keep its row for `flush`."""
        head = self.head(ledger)
        if not head.open:
            raise MushError("closed", "That scene is closed.", "Type it again to speak outside it.")
        fact = replace(fact, seq=head.seq, action=fact.action or head.seq)
        row = self._row(fact, head)
        salt = os.urandom(SALT_BYTES).hex()
        row_digest = digest(salt, row.as_json())
        fact = replace(fact, head=link(head.head, row_digest))
        self._rows.append(
            self._columns(row, fact)
            | {"salt": salt, "digest": row_digest, "job": job.id, "part": part}
        )
        self._heads[ledger] = replace(
            head,
            seq=head.seq + 1,
            head=fact.head,
            logged=row.dice_to,
            open=not isinstance(fact.event, SceneClosed),
            paused=_pauses(fact, was=head.paused),
        )
        return fact

    def _row(self, fact: Fact, head: Head) -> Row:
        """Write a fact as the row that is hashed and exported; it owns the dice that it shows."""
        payload = self._codec.dump(fact.event)
        shown = throws_in(payload)
        return Row(
            scene=fact.ledger or GAME_LEDGER,
            seq=head.seq,
            at=timestamp(fact.at),
            actor=fact.actor.id,
            name=fact.actor.name,
            kind=fact.event.kind,
            version=fact.event.version,
            payload=payload,
            audience=fact.audience.value,
            action=fact.action or head.seq,
            era=head.era,
            dice_from=head.logged,
            dice_to=shown[-1].start + len(shown[-1].faces) if shown else head.logged,
        )

    def _columns(self, row: Row, fact: Fact) -> dict[str, Any]:
        """Give the columns of a row; text of its own only where everyone may read it."""
        public = fact.audience in {Audience.ROOM, Audience.OTHERS} and fact.in_scene
        return {
            "scene_id": row.scene,
            "seq": row.seq,
            "at": fact.at,
            "actor_id": row.actor,
            "actor_name": row.name,
            "kind": row.kind,
            "version": row.version,
            "payload": canonical(row.payload),
            "audience": row.audience,
            "action": row.action,
            "era": row.era,
            "dice_from": row.dice_from,
            "dice_to": row.dice_to,
            "head": fact.head,
            "plain": self._describe(fact) if public else None,
        }

    def flush(self) -> None:
        """Write the rows and the heads that moved, one statement each; and what channels said."""
        if self._said:
            keep_lines(self._session.connection(), self._said)
            self._said = []
        moved = {id_: head for id_, head in self._heads.items() if self._stored.get(id_) != head}
        connection = self._session.connection() if moved or self._rows else None
        if connection is not None and self._rows:
            connection.execute(insert(LogRow), self._rows)
            self._rows = []
        if connection is not None and moved:
            connection.execute(
                _WRITE_HEADS,
                [
                    {"b_id": ledger, "b_seq": h.seq, "b_head": h.head, "b_counter": h.counter}
                    for ledger, h in sorted(moved.items())
                ],
            )
            self._stored.update(moved)


def _pauses(fact: Fact, *, was: bool) -> bool:
    """Tell whether a log rests once it holds a fact."""
    if isinstance(fact.event, ScenePaused | SceneResumed):
        return isinstance(fact.event, ScenePaused)
    return was


class LedgerDice:
    """A scene's dice, whose counter the log keeps."""

    def __init__(self, ledgers: Ledgers, ledger: int, key: bytes) -> None:
        self._ledgers = ledgers
        self._ledger = ledger
        self._key = key

    def throw(self, count: int, sides: int, label: str) -> Throw:
        """Throw `count` dice of `sides` sides."""
        dice = SceneDice(self._key, self._ledgers.head(self._ledger).counter)
        return self._ledgers.throw(self._ledger, dice, count, sides, label)
