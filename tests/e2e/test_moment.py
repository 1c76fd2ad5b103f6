"""The name of the moment a server was killed at, by what PostgreSQL tells of its connections."""

from __future__ import annotations

import pytest

from tests.e2e.torture.moment import COMMIT, IDLE, LOCK, OPEN, Activity, named

STOPPED = 1000.0
READS = Activity("SELECT 1", "idle", None, writes=False, changed=990.0)


@pytest.mark.parametrize(
    ("writer", "name"),
    [
        (Activity("ROLLBACK", "idle", None, writes=False, changed=999.0), IDLE),
        (Activity("COMMIT", "idle", None, writes=False, changed=999.9), IDLE),
        (Activity("COMMIT", "active", None, writes=True, changed=999.9), COMMIT),
        (Activity("COMMIT", "idle", None, writes=False, changed=1000.1), COMMIT),
        (Activity("INSERT", "idle in transaction", None, writes=True, changed=999.9), OPEN),
        (Activity("SELECT", "active", "Lock", writes=False, changed=999.9), LOCK),
    ],
)
def test_a_moment_is_named_by_what_the_writer_was_in_the_middle_of(
    writer: Activity, name: str
) -> None:
    assert named([READS, writer], STOPPED) == name
