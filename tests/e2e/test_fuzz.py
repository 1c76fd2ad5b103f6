"""A short run of what `make fuzz` does for ten minutes."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.conftest import sqlite_url
from tests.e2e.fuzz.run import WARM, every_port, fuzz


def test_no_bytes_on_any_port_bring_the_server_down_or_make_it_grow(
    tmp_path: Path, template: Path
) -> None:
    (tmp_path / "test.db").write_bytes(template.read_bytes())
    with every_port(tmp_path, sqlite_url(tmp_path)) as server:
        run = fuzz(server, seed=1, goes_on=lambda run: run.rounds < WARM + 10)
    assert run.sent > 1_000_000
