"""Every benchmark runs, small and short, and loses nothing. How fast it is, is no test's matter."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import psycopg
import pytest

from benchmarks.million import TYPED, made
from mushcombat import app, rulebook
from mushcombat.config import Config
from mushcombat.domain.proof import verify
from tests.e2e.conftest import missing, postgresql_url

KEYS = {
    "rooms": ["room-40", "room-8", "latency-8"],
    "scenes": ["writer-1", "writer-4", "latency-logged"],
    "commands": ["command-4", "attack-1"],
    "idle": ["idle"],
    "storm": ["storm"],
    "processes": ["processes-1", "processes-2", "processes-3"],
}
REPOSITORY = Path(__file__).resolve().parents[2]


def ran(*words: str) -> dict[str, Any]:
    """Run a module of the benchmarks; gives its JSON."""
    done = subprocess.run(
        [sys.executable, "-m", *words, "--quick", "--json"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, Any] = json.loads(done.stdout)
    assert found["lost"] is None
    return found


@pytest.mark.parametrize("part", KEYS)
def test_each_part_of_the_benchmarks_measures_its_rows(part: str) -> None:
    if part == "processes":
        try:
            psycopg.connect(postgresql_url(), connect_timeout=3).close()
        except psycopg.OperationalError as problem:
            missing(f"no PostgreSQL: {problem}")
    rows = ran("benchmarks", part, "--postgresql", postgresql_url())["rows"]
    assert [row["key"] for row in rows] == KEYS[part]
    for row in rows:
        assert [span["value"] > 0 for span in row["ours"]] == [True]
        assert all(span["value"] > 0 for span in row["against"])


def test_a_long_scene_is_measured_against_a_short_one() -> None:
    rows = ran("benchmarks.million", "300")["rows"]
    assert [row["key"] for row in rows] == [*TYPED, "export-text", "export-jsonl"]
    assert all(row["ratio"] > 0 for row in rows)


def test_a_log_that_was_lengthened_holds(tmp_path: Path) -> None:
    game = made(tmp_path, 1234)
    database = app.open_database(Config(), game.url, rulebook.load_rulebook(Config()))
    ends = database.readers(1).run(lambda store: [store.last_seq(one) for one in game.scenes])
    assert ends == [1234, 100]
    for scene, rows in zip(game.scenes, ends, strict=True):
        words = ["transcript", "export", str(scene), "--format", "jsonl", "--profile", "audit"]
        done = subprocess.run(
            [sys.executable, "-m", "mushcombat", *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        lines = done.stdout.splitlines()
        assert verify(lines, lines).rows == rows
