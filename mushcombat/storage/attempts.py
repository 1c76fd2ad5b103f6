"""Running one job of a batch: what it wants logged, and what of it is undone when it is refused."""

from __future__ import annotations

import logging
from collections.abc import Iterator

from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.orm import Session, SessionTransaction

from mushcombat.domain.command import Committed, Job, Outcome, Refused, Result
from mushcombat.domain.events import Audience, Draft, Fact, SceneClosed
from mushcombat.domain.scene_events import SCENE_LIFE
from mushcombat.domain.state import StateChanged
from mushcombat.domain.visibility import veiled
from mushcombat.errors import MushError
from mushcombat.storage.ledgers import Mark
from mushcombat.storage.memo import Recorded
from mushcombat.storage.touches import Touches
from mushcombat.storage.writes import WriteStore

log = logging.getLogger(__name__)

QUICKER = "Somebody else was quicker, and it no longer fits. Look, and type it again."
BROKEN = "Something went wrong on our side; nothing was changed. It has been noted for staff."


class SpoiledError(Exception):
    """A job was refused after it had written: what it wrote stands among what others did."""


def attempt(
    session: Recorded, store: WriteStore, job: Job, touches: Touches, *, alone: bool, careful: bool
) -> Result:
    """Run one job; what it did before it was refused is undone.

    Alone, nothing but it is in the transaction, which the writer then rolls back. Else a
    `careful` one has a savepoint to go back to; without, only what is not written yet can be
    taken back, and SpoiledError is raised where that is not all.
    """
    savepoint = _savepoint(session, store) if careful and not alone else None
    mark, written = store.ledgers.mark(), touches.count
    store.begin_job()
    result = _result(session, store, job)
    if isinstance(result, Refused):
        _take_back(store, mark, savepoint)
        pending = session.new or session.dirty or session.deleted
        if not (savepoint or alone) and (touches.count != written or pending):
            raise SpoiledError
    elif savepoint:
        savepoint.commit()
    return result


def _result(session: Session, store: WriteStore, job: Job) -> Result:
    try:
        result = _perform(store, job)
        session.flush()
    except MushError as refusal:
        return Refused(str(refusal))
    except IntegrityError:
        return Refused(QUICKER)
    except SQLAlchemyError:
        raise  # the connection or the disk: no job's own fault, the batch as a whole has failed
    except Exception:
        log.exception("a job failed")
        return Refused(BROKEN)
    return result


def _take_back(store: WriteStore, mark: Mark, savepoint: SessionTransaction | None) -> None:
    store.ledgers.rewind(mark)
    store.take_back()
    if savepoint:
        savepoint.rollback()
        store.memo.forget()


def _savepoint(session: Session, store: WriteStore) -> SessionTransaction:
    """Begin a savepoint; rows of earlier jobs are written first, or it could take them along."""
    store.flush()
    return session.begin_nested()


def _perform(store: WriteStore, job: Job) -> Result:
    outcome: Outcome = job.run(store)
    facts: list[Fact] = []
    opened: dict[int | None, int | None] = {}
    drafts = _with_changes(store, outcome.drafts)
    _check_paused(store, drafts)
    for part, draft in enumerate(_veiled(store, job, drafts)):
        action = facts[-1].action if draft.follows else draft.action or opened.get(draft.ledger)
        facts.append(store.ledgers.append(draft, job, part, action))
        opened.setdefault(draft.ledger, facts[-1].action)
    return Committed(tuple(facts), outcome.reply)


def _veiled(store: WriteStore, job: Job, drafts: tuple[Draft, ...]) -> Iterator[Draft]:
    """Give what is logged and shown of drafts: nothing public of hidden NPCs."""
    for draft in drafts:
        hidden = store.hidden(draft.ledger) if draft.ledger else frozenset()
        yield from veiled(draft, draft.actor or job.actor, hidden)


def _check_paused(store: WriteStore, drafts: tuple[Draft, ...]) -> None:
    """Refuse a job that would write in the log of a paused scene, but for the scene's own life."""
    for ledger in {draft.ledger for draft in drafts if draft.ledger}:
        if store.ledgers.head(ledger).paused:
            events = [draft.event for draft in drafts if draft.ledger == ledger]
            if not any(isinstance(event, SCENE_LIFE) for event in events):
                raise MushError("paused", "The scene is paused: +scene/resume goes on.")


def _with_changes(store: WriteStore, drafts: tuple[Draft, ...]) -> tuple[Draft, ...]:
    """Add the row that notes what the job changed, in the action of its last logged row.

    A closing row is the last that a log takes, so the changes stand before it.
    """
    changes = store.noted()
    if not changes:
        return drafts
    closes = (at for at, draft in enumerate(drafts) if isinstance(draft.event, SceneClosed))
    end = next(closes, len(drafts))
    logged = [at for at in range(end) if drafts[at].ledger is not None]
    if not logged:
        raise RuntimeError("a job changed what can be undone, and logged nothing")
    last, event = drafts[logged[-1]], StateChanged(changes)
    row = Draft(event, Audience.REFEREES, last.ledger, last.action, follows=last.action is None)
    at = logged[-1] + 1
    return (*drafts[:at], row, *drafts[at:])
