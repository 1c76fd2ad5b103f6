"""A short run of what `make fuzz` does for ten minutes."""

from __future__ import annotations

from tests.e2e.fuzz import WARM, fuzz
from tests.e2e.harness import Server


def test_no_bytes_bring_the_server_down_or_make_it_grow(server: Server) -> None:
    run = fuzz(server, seed=1, goes_on=lambda run: run.rounds < WARM + 15)
    assert run.sent > 1_000_000
