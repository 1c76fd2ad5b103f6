"""Times in the database: UTC with microseconds, the same text or value whoever writes it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone, tzinfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Table, insert, select
from sqlalchemy.dialects.sqlite import dialect
from sqlalchemy.exc import StatementError
from sqlalchemy.types import DateTime

from mushcombat.storage.schema import UtcDateTime
from mushcombat.storage.schema_jobs import RecentJob
from tests.contract.bench import Bench

JOBS = RecentJob.__table__
HOME = timezone(timedelta(hours=9))


def kept(bench: Bench, at: datetime) -> datetime:
    assert isinstance(JOBS, Table)
    with bench.engine.begin() as connection:
        connection.execute(insert(JOBS), {"id": "one", "at": at})
        found: datetime = connection.execute(select(JOBS.c.at)).scalar_one()
    return found


def test_a_time_of_another_zone_comes_back_as_the_same_moment_in_utc(bench: Bench) -> None:
    at = datetime(2026, 3, 1, 8, 30, 0, 120, tzinfo=HOME)
    found = kept(bench, at)
    assert (found, found.tzinfo) == (at, UTC)


def test_a_time_without_a_zone_is_a_mistake_of_ours(bench: Bench) -> None:
    with pytest.raises(StatementError, match="without a zone"):
        kept(bench, datetime(2026, 3, 1, 8, 30))  # noqa: DTZ001 -- that is what is tested


TIMES = st.datetimes(datetime(1970, 1, 2), datetime(9999, 12, 30))  # noqa: DTZ001 -- zones come next


@given(TIMES, st.sampled_from([UTC, HOME]))
def test_on_sqlite_a_time_is_the_text_that_the_library_writes(at: datetime, zone: tzinfo) -> None:
    """Rows of before are compared with it."""
    theirs = DateTime().dialect_impl(dialect()).bind_processor(dialect())
    ours = UtcDateTime().bind_processor(dialect())
    assert theirs
    assert ours
    there = at.replace(tzinfo=UTC).astimezone(zone)
    assert ours(there) == theirs(at)


def test_no_time_is_none() -> None:
    process = UtcDateTime().bind_processor(dialect())
    assert process
    assert process(None) is None
