"""Appending to logs within one transaction: numbers, dice counters and the hash chain.

The heads of the logs that a batch writes to are read once, kept here, and written back at
`flush` together with all rows: one statement each, however many poses there were.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.orm import Session

from mushcombat.domain.channels import ChannelSpoken
from mushcombat.domain.command import Job
from mushcombat.domain.dice import SceneDice, Throw, scene_key
from mushcombat.domain.events import Audience, Draft, Event, Fact, SceneClosed, Who
from mushcombat.domain.ledger import Row, canonical, digest_of, link, timestamp
from mushcombat.domain.proof import throws_in
from mushcombat.domain.scene_events import ScenePaused, SceneResumed
from mushcombat.errors import MushError
from mushcombat.records import record
from mushcombat.storage.channels import keep_lines
from mushcombat.storage.codec import Codec
from mushcombat.storage.ends import Ends
from mushcombat.storage.prepared import Prepared
from mushcombat.storage.schema import LogRow, SceneRow, SceneSeed

SALT_BYTES = 16

_RESTS = (ScenePaused, SceneResumed)
"""What lets a log rest, or go on."""

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

_WRITE_ROWS = Prepared(insert(LogRow), LogRow.__table__.columns.keys())
_WRITE_HEADS = Prepared(
    update(SceneRow)
    .where(SceneRow.id == bindparam("b_id"))
    .values(
        next_seq=bindparam("b_seq"), head=bindparam("b_head"), dice_counter=bindparam("b_counter")
    )
)


class Head(NamedTuple):
    """Where a log stands: next number, chain head, dice thrown and dice already on a row."""

    seq: int
    head: str
    open: bool
    era: int
    counter: int
    logged: int
    paused: bool


@record(frozen=True, slots=True)
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
        *,
        stored: dict[int, Head] | None = None,
        ends: Ends | None = None,
    ) -> None:
        """Take what is known of logs as the database has them, and keep it so."""
        self._session = session
        self._codec = codec
        self._describe = describe
        self._clock = clock
        self._heads: dict[int, Head] = {}
        self._stored = {} if stored is None else stored
        self._ends = Ends() if ends is None else ends
        self._rows: list[dict[str, Any]] = []
        self._written = 0
        self._unwritten: set[int] = set()  # logs with rows that are not
        self._said: list[Fact] = []  # on channels
        self.begin_job()

    def begin_job(self) -> None:
        """Begin a job: all that it does is done at one moment."""
        self._at = self._clock()
        self._written_at = timestamp(self._at)

    def mark(self) -> Mark:
        """Remember where every log stands."""
        return Mark(self._written + len(self._rows), dict(self._heads), len(self._said))

    def rewind(self, mark: Mark) -> None:
        """Forget what was appended since, none of which is written yet."""
        for row in self._rows[mark.rows - self._written :]:
            self._ends.take_back(row["scene_id"], row["seq"])
        del self._rows[mark.rows - self._written :]
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
        """Learn where logs stand; those that are not there are left out."""
        unknown = [ledger for ledger in ledgers if ledger not in self._stored]
        if unknown:
            self._read_heads(unknown)
        for ledger in ledgers:
            head = self._stored.get(ledger)
            if head is not None:
                if head.logged != head.counter:  # dice that no row has shown are behind it
                    head = head._replace(logged=head.counter)
                self._heads[ledger] = head

    def _read_heads(self, ledgers: Collection[int]) -> None:
        rows = self._session.connection().execute(_READ_HEADS, {"b_ids": sorted(ledgers)})
        for row in rows:
            open_ = row.status in {"open", "ledger"}
            dice = row.dice_counter
            head = Head(row.next_seq, row.head, open_, row.era, dice, dice, row.paused)
            self._stored[row.id] = head

    def dice_key(self, ledger: int, era: int) -> bytes:
        """Read the key of an era's dice."""
        row = self._session.execute(
            select(SceneSeed.seed, SceneSeed.words).where(
                SceneSeed.scene_id == ledger, SceneSeed.era == era
            )
        ).one()
        return scene_key(row.seed, json.loads(row.words))

    def begin_era(self, ledger: int, era: int) -> None:
        """Take rows again, of another era; numbers, dice and the chain go on."""
        self._heads[ledger] = self.head(ledger)._replace(era=era, open=True, paused=False)

    def throw(self, ledger: int, dice: SceneDice, count: int, sides: int, label: str) -> Throw:
        """Throw and keep the counter."""
        throw = dice.throw(count, sides, label)
        self._heads[ledger] = self.head(ledger)._replace(counter=dice.counter)
        return throw

    def append(self, draft: Draft, job: Job, part: int, action: int | None) -> Fact:
        """Make a draft a fact: with a ledger, its next row; without, only the time.

        `action` is what it belongs to, None for one of its own. What is said on a channel is
        kept there.
        """
        if draft.ledger is not None:
            return self._chain(draft, draft.ledger, job, part, action)
        who, room = draft.actor or job.actor, draft.room or job.room
        fact = Fact(draft.event, who, self._at, draft.audience, room, action=action)
        if isinstance(fact.event, ChannelSpoken):
            self._said.append(fact)
        return fact

    def _chain(self, draft: Draft, ledger: int, job: Job, part: int, action: int | None) -> Fact:
        """Give a draft its number, hash it into its log's chain, and keep its row for `flush`."""
        head = self.head(ledger)
        if not head.open:
            raise MushError("closed", "That scene is closed.", "Type it again to speak outside it.")
        who, at, action = draft.actor or job.actor, self._at, action or head.seq
        payload = self._codec.dump(draft.event)
        text = canonical(payload)
        shown = throws_in(payload) if '"faces"' in text else []
        when = self._written_at
        row = _row(draft, head, payload, shown, who=who, at=when, action=action, ledger=ledger)
        salt = os.urandom(SALT_BYTES).hex()
        row_digest = digest_of(salt, row.text(text))
        new_head = link(head.head, row_digest)
        room = draft.room or job.room
        fact = Fact(
            draft.event, who, at, draft.audience, room, ledger, head.seq, action, head=new_head
        )
        self._rows.append(
            self._columns(row, text, fact)
            | {"salt": salt, "digest": row_digest, "job": job.id, "part": part}
        )
        self._unwritten.add(ledger)
        self._ends.add(fact)
        self._heads[ledger] = head._replace(
            seq=head.seq + 1,
            head=new_head,
            logged=row.dice_to,
            open=not isinstance(draft.event, SceneClosed),
            paused=_pauses(draft.event, was=head.paused),
        )
        return fact

    def _columns(self, row: Row, payload: str, fact: Fact) -> dict[str, Any]:
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
            "payload": payload,
            "audience": row.audience,
            "action": row.action,
            "era": row.era,
            "dice_from": row.dice_from,
            "dice_to": row.dice_to,
            "head": fact.head,
            "plain": self._describe(fact) if public else None,
        }

    def settle(self, ledger: int) -> None:
        """Write what there is, if any of it is a row of this log: it is to be read."""
        if ledger in self._unwritten:
            self.flush()

    def flush(self) -> None:
        """Write the rows and the heads that moved, one statement each; and what channels said."""
        if self._said:
            keep_lines(self._session.connection(), self._said)
            self._said = []
        moved = {id_: head for id_, head in self._heads.items() if self._stored.get(id_) != head}
        connection = self._session.connection() if moved or self._rows else None
        if connection is not None and self._rows:
            _WRITE_ROWS.run(connection, self._rows)
            self._written += len(self._rows)
            self._rows = []
            self._unwritten.clear()
        if connection is not None and moved:
            _WRITE_HEADS.run(
                connection,
                [
                    {"b_id": ledger, "b_seq": h.seq, "b_head": h.head, "b_counter": h.counter}
                    for ledger, h in sorted(moved.items())
                ],
            )
            self._note(moved)

    def _note(self, moved: Mapping[int, Head]) -> None:
        """Note what is stored now. Of a log that opened, closed or rests the database is asked."""
        for ledger, head in moved.items():
            known = self._stored.pop(ledger, None)
            if known is not None and _life(known) == _life(head):
                self._stored[ledger] = head


def _row(
    draft: Draft,
    head: Head,
    payload: Mapping[str, Any],
    shown: Sequence[Throw],
    *,
    who: Who,
    at: str,
    action: int,
    ledger: int,
) -> Row:
    """Write a draft as the row that is hashed and exported; it owns the dice that it shows."""
    return Row(
        scene=ledger,
        seq=head.seq,
        at=at,
        actor=who.id,
        name=who.name,
        kind=draft.event.kind,
        version=draft.event.version,
        payload=payload,
        audience=draft.audience.value,
        action=action,
        era=head.era,
        dice_from=head.logged,
        dice_to=shown[-1].start + len(shown[-1].faces) if shown else head.logged,
    )


def _life(head: Head) -> tuple[bool, int, bool]:
    return head.open, head.era, head.paused


def _pauses(event: Event, *, was: bool) -> bool:
    """Tell whether a log rests once it holds an event."""
    if isinstance(event, _RESTS):
        return isinstance(event, ScenePaused)
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
