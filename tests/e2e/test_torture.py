"""Ten people play, and a server is killed at bytes that a seed decides on: alone, or one of three.

The whole of it is `make torture`; this is a short one.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.e2e.conftest import sqlite_url
from tests.e2e.harness import Server
from tests.e2e.torture.places import servers_on
from tests.e2e.torture.story import Story
from tests.e2e.torture.tally import Tally

KILLS, KILLS_OF_THREE = 10, 4
SEED = 20261130


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Give an empty database of each kind."""
    if request.param == "sqlite":
        return sqlite_url(tmp_path)
    found: str = request.getfixturevalue("postgresql")
    return found


def play(servers: Sequence[Server], kills: int) -> Tally:
    story = Story(servers, SEED, lambda _: None)
    try:
        story.begin()
        story.play(kills)
        story.end()
    finally:
        story.close()
    return story.tally


def test_nothing_shown_is_lost_or_doubled_in_a_scene_killed_ten_times(
    url: str, tmp_path: Path
) -> None:
    with servers_on(url, tmp_path, 1) as servers:
        tally = play(servers, KILLS)
    assert tally.kills.total() == KILLS
    assert tally.acts["poses"] > 0, "the kills came before anything was played"


def test_nothing_shown_is_lost_or_doubled_when_three_servers_are_killed_one_at_a_time(
    postgresql: str, tmp_path: Path
) -> None:
    with servers_on(postgresql, tmp_path, 3) as servers:
        tally = play(servers, KILLS_OF_THREE)
    assert tally.kills.total() == KILLS_OF_THREE
    assert tally.acts["poses"] > 0, "the kills came before anything was played"
