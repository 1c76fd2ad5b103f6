"""Kill a server at random bytes, or after every step of a fight: see --help."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.e2e.torture.places import server
from tests.e2e.torture.steps import by_steps, say
from tests.e2e.torture.story import Story

CHAPTER = 20
"""Kills on one database, before a new scene is begun on a new one."""

KINDS = ("sqlite", "postgresql")


def chapter(kind: str, seed: int, kills: int, folder: Path) -> None:
    """Play one scene; raises AssertionError where it does not hold."""
    with server(kind, folder) as running:
        story = Story(running, seed, say)
        try:
            story.begin()
            story.play(kills)
            story.end()
        finally:
            story.close()


def at_random(kinds: Sequence[str], kills: int, seed: int) -> int:
    """Kill so many times on each kind of database; gives the number of failures."""
    failed = 0
    for kind in kinds:
        for number in range(-(-kills // CHAPTER)):
            count = min(CHAPTER, kills - number * CHAPTER)
            again = f"--on {kind} --kills {count} --seed {seed + number}"
            say(f"{kind}: {again}")
            with tempfile.TemporaryDirectory() as folder:
                try:
                    chapter(kind, seed + number, count, Path(folder))
                except (AssertionError, OSError) as problem:
                    failed += 1
                    say(f"FAILED, try again with {again}: {problem}")
    return failed


def main(arguments: Sequence[str]) -> int:
    """Run it; gives the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.torture", description=__doc__)
    parser.add_argument("--kills", type=int, default=200, help="on each database (200)")
    parser.add_argument("--on", choices=KINDS, help="one kind of database (both)")
    parser.add_argument("--seed", type=int, help="what decides on all that is typed (a new one)")
    parser.add_argument("--steps", action="store_true", help="kill after every step of one fight")
    given = parser.parse_args(arguments)
    kinds = [given.on] if given.on else KINDS
    if given.steps:
        failed = by_steps(kinds)
    else:
        seed = given.seed if given.seed is not None else random.SystemRandom().randrange(10**6)
        failed = at_random(kinds, given.kills, seed)
    say("all of it held" if not failed else f"{failed} failed")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
