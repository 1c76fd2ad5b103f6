"""Runs it for as long as one likes; the seed is printed, so that it can be done again."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

from tests.e2e import fuzz as package
from tests.e2e.fuzz.run import PLAYERS, every_port, fuzz
from tests.e2e.harness import Server


def main() -> int:
    """Run by itself, on an empty database."""
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.fuzz", description=package.__doc__)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    options = parser.parse_args()
    print(f"fuzz: seed {options.seed}, {options.seconds:g} s", flush=True)  # noqa: T201 -- its product
    end = time.monotonic() + options.seconds
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        folder, url = Path(name), f"sqlite:///{name}/fuzz.db"
        for player in PLAYERS:
            Server(folder, url).account(player)
        with every_port(folder, url) as server:
            run = fuzz(server, options.seed, lambda _: time.monotonic() < end)
    print(f"fuzz: {run.rounds} rounds, {run.sent:,} bytes, grown by {run.grown >> 10:,} KiB")  # noqa: T201
    slowest = run.people.slowest * 1000
    print(f"fuzz: {run.slow.ended} slow ones ended; players waited {slowest:.0f} ms at most")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
