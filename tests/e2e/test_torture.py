"""Ten people play, and the server is killed ten times, at bytes that a seed decides on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.conftest import sqlite_url
from tests.e2e.torture.places import server_on
from tests.e2e.torture.story import Story

KILLS = 10
SEED = 20261130


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Give an empty database of each kind."""
    if request.param == "sqlite":
        return sqlite_url(tmp_path)
    found: str = request.getfixturevalue("postgresql")
    return found


def test_nothing_shown_is_lost_or_doubled_in_a_scene_killed_ten_times(
    url: str, tmp_path: Path
) -> None:
    told: list[str] = []
    with server_on(url, tmp_path) as server:
        story = Story(server, SEED, told.append)
        try:
            story.begin()
            story.play(KILLS)
            story.end()
        finally:
            story.close()
    assert len(told) == KILLS
    assert story.rows > 0, "the kills came before anything was played"
