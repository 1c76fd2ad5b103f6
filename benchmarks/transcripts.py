"""How long an export takes and how much memory: `python -m benchmarks.transcripts [ROWS]`.

A scene of so many rows is written through the server's own writer, and a short one beside it. Each
export is a process of its own, so its peak is its own; a long one may hold no more than a short.
"""

from __future__ import annotations

import secrets
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from mushcombat import app, rulebook
from mushcombat.config import Config
from mushcombat.domain.character import Role
from mushcombat.domain.command import Outcome
from mushcombat.domain.dice import commitment
from mushcombat.domain.eras import EraClosed
from mushcombat.domain.events import Draft, Event, SceneOpened, Spoken
from mushcombat.domain.ports import Opening, Writes
from mushcombat.domain.transcripts import FORMATS, PROFILES
from mushcombat.storage.database import Database
from mushcombat.systems.otherspace.combat_events import Declared, Struck

ROWS, SHORT, CHUNK = 100_000, 1_000, 2_000

POSE = "ducks behind the crates, counts to three, and looks round the corner once more. " * 3


@dataclass(frozen=True, slots=True)
class Measured:
    """One export: seconds of processor, megabytes of memory at its peak, megabytes written."""

    seconds: float
    peak: float
    written: float


def row(number: int, owner: int) -> Event:
    """Give the event of a row: poses, now and then with results and talk out of character."""
    match number % 5:
        case 0:
            return Declared("attack", ("Ada",), "pistol", "30 feet")
        case 1:
            hit = (7, 2, True, "harm", 44, 56, "hurt", "", True, None)
            return Struck(owner, "Ada", *hit)  # type: ignore[arg-type]  # fields in order
        case 2:
            return Spoken("ooc", "brb")
        case _:
            return Spoken("pose", POSE)


def played(database: Database, rows: int) -> int:
    """Play a scene of so many rows; gives its number."""
    seed = secrets.token_bytes(32)
    made: list[int] = []

    def begin(store: Writes) -> Outcome:
        owner = store.find_players("Ada")[0].id
        room = store.dig("Deck")
        opening = Opening(
            *("A long night", "otherspace", room, owner), referee=False, private=False, seed=seed
        )
        made.append(store.open_scene(opening, app.utc_now()).id)
        title, shown = "A long night", commitment(seed)
        event = SceneOpened(
            *(title, "otherspace", room, "Deck"),
            private=False,
            referee=False,
            era=1,
            commitment=shown,
        )
        return Outcome.of(Draft(event, ledger=made[0]))

    def goes_on(first: int) -> Outcome:
        last = min(first + CHUNK, rows)
        return Outcome.of(*(Draft(row(n, 1), ledger=made[0]) for n in range(first, last)))

    def end(store: Writes) -> Outcome:
        shown = store.close_scene(made[0], app.utc_now()).hex()
        return Outcome.of(Draft(EraClosed(1, shown, 0), ledger=made[0]))

    database.perform(begin)
    for first in range(1, rows - 1, CHUNK):
        database.perform(lambda _, first=first: goes_on(first))  # type: ignore[misc]
    database.perform(end)
    return made[0]


_CHILD = """
import atexit, resource, sys
def tell():
    used = resource.getrusage(resource.RUSAGE_SELF)
    peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
    print(used.ru_utime + used.ru_stime, peak.split()[1])
atexit.register(tell)
from mushcombat.cli import main
main()
"""
"""Runs a command; prints seconds of processor, and kilobytes at the peak (of this program alone:
what `getrusage` calls the peak begins with that of the parent)."""


def measured(folder: Path, scene: int, format_: str, profile: str) -> Measured:
    """Export in a process of its own."""
    out = folder / "out"
    words = ["transcript", "export", str(scene), "--format", format_, "--profile", profile]
    command = [sys.executable, "-c", _CHILD, *words, "--output", str(out)]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    seconds, kilobytes = done.stdout.split()
    return Measured(float(seconds), int(kilobytes) / 1024, out.stat().st_size / 1e6)


def main() -> None:
    """Make the scenes, and print a line for each format and profile."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        config = Config()
        url = f"sqlite:///{folder / 'var' / 'mushcombat.db'}"
        database = app.open_database(config, url, rulebook.load_rulebook(config))
        database.prepare(upgrade=True)

        def ada(store: Writes) -> Outcome:
            store.create_account("Ada", "", Role.PLAYER, app.utc_now())
            return Outcome()

        database.perform(ada)
        short, long = played(database, min(SHORT, rows)), played(database, rows)
        print(
            f"{'format':9} {'profile':8} {'seconds':>8} {'MB peak':>8} {'(short)':>8} {'MB out':>7}"
        )
        for format_ in FORMATS:
            for profile in PROFILES:
                less = measured(folder, short, format_, profile)
                it = measured(folder, long, format_, profile)
                print(
                    f"{format_:9} {profile:8} {it.seconds:8.1f} {it.peak:8.1f} {less.peak:8.1f}"
                    f" {it.written:7.1f}"
                )


if __name__ == "__main__":
    main()
