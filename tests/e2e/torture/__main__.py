"""Kill a server at random bytes, or after every step of a fight: see --help."""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.e2e.torture.places import database, servers_on
from tests.e2e.torture.steps import by_steps, say
from tests.e2e.torture.story import Story
from tests.e2e.torture.tally import Tally

CHAPTER = 20
"""Kills on one database, before a new scene is begun on a new one."""

KINDS = {"sqlite": ("sqlite", 1), "postgresql": ("postgresql", 1), "three": ("postgresql", 3)}
"""What is tortured: the kind of database, and how many servers play on one."""


def chapter(kind: str, seed: int, kills: int, folder: Path) -> Tally:
    """Play one scene; raises AssertionError where it does not hold."""
    kind_of_database, count = KINDS[kind]
    with (
        database(kind_of_database, folder) as url,
        servers_on(url, folder, count) as servers,
    ):
        story = Story(servers, seed, say)
        try:
            story.begin()
            story.play(kills)
            story.end()
        except AssertionError:
            story.keep(folder)
            raise
        finally:
            story.close()
        return story.tally


def at_random(kind: str, kills: int, seed: int) -> int:
    """Kill so many times on one kind of database; gives the number of failures."""
    failed, tally = 0, Tally()
    for number in range(-(-kills // CHAPTER)):
        count = min(CHAPTER, kills - number * CHAPTER)
        again = f"--on {kind} --kills {count} --seed {seed + number}"
        say(f"{kind}: {again}")
        folder = Path(tempfile.mkdtemp(prefix="torture-"))
        try:
            tally.add(chapter(kind, seed + number, count, folder))
            shutil.rmtree(folder)
            for line in tally.lines():
                say(f"{kind}, until now: {line}")
        except (AssertionError, OSError) as problem:
            failed += 1
            say(f"FAILED, try again with {again}: {problem}")
            say(f"What everybody received, and what the servers said, is in {folder}")
    return failed


def main(arguments: Sequence[str]) -> int:
    """Run it; gives the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.torture", description=__doc__)
    parser.add_argument("--kills", type=int, default=200, help="of each kind (200)")
    parser.add_argument(
        "--on", choices=KINDS, help="SQLite, PostgreSQL, or three servers on it (all)"
    )
    parser.add_argument("--seed", type=int, help="what decides on all that is typed (a new one)")
    parser.add_argument("--steps", action="store_true", help="kill after every step of one fight")
    given = parser.parse_args(arguments)
    kinds = [given.on] if given.on else [*KINDS]
    if given.steps:
        failed = by_steps([kind for kind in kinds if kind != "three"])
    else:
        seed = given.seed if given.seed is not None else random.SystemRandom().randrange(10**6)
        failed = sum(at_random(kind, given.kills, seed) for kind in kinds)
    say("all of it held" if not failed else f"{failed} failed")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
