"""What a start loads: nothing that it does without."""

from __future__ import annotations

import subprocess
import sys

LATER = {"alembic", "psycopg"}
"""Needed where a schema changes, and on PostgreSQL: a fifth of a second of each start."""


def test_a_start_loads_neither_alembic_nor_the_driver_of_a_database_it_does_not_use() -> None:
    told = "import sys, mushcombat.cli, mushcombat.app; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", told], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "mushcombat.app" in loaded
    assert LATER.isdisjoint(loaded)
