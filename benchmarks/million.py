"""A scene of a million lines against one of a hundred: `python -m benchmarks.million [LINES]`.

Both are of the same game and open at the same time; the same is typed in each in turn, and a
page to oneself behind it tells when it is done. Then both are exported, each by a process of its
own. In the long one too nothing may take longer, nor more memory. Exit status: 2 when it could
not be measured. What is missed of the goals is told, and is no failure.
"""

from __future__ import annotations

import argparse
import asyncio
import secrets
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks import server
from benchmarks.clients import Client, log_in
from benchmarks.errors import RunFailedError
from benchmarks.long_logs import lengthen
from benchmarks.measure import Meter, Span
from benchmarks.report import Goal, Row, as_json, table
from benchmarks.transcripts import measured, row
from mushcombat import app
from mushcombat.domain.command import Outcome
from mushcombat.domain.dice import commitment
from mushcombat.domain.events import Audience, Draft, Event, SceneOpened, Spoken, Who
from mushcombat.domain.ports import Opening, Writes
from mushcombat.domain.state import Change, StateChanged

LINES, SHORT = 1_000_000, 100
ROUNDS, TIMES = 3, 20
"""How often each thing is typed in each of the scenes, in rounds."""

REPEATED = 3
"""The row from which on the long log repeats itself: the first two open it, and are the guest's."""

OWNERS, GUEST = ("Long", "Short"), "Silent"

TYPED: dict[str, Sequence[bytes]] = {
    "a pose": [b":looks round the corner, and waits."],
    "+recap": [b"+recap"],
    "+recall": [b"+recall"],
    "+recall of somebody who posed once, first of all": [b"+recall " + GUEST.encode()],
    "+typo of the last pose": [b"+typo waits=waits"],
    "+scene/log, the last page": [b"+scene/log"],
    "+scene/log, the first page": [b"+scene/log =1"],
    "a scene is closed and opened again": [b"+scene/close", b"+scene/reopen"],
}
"""What is measured, and what is typed for it."""

_FAST = Goal("ratio", "most", 1.2)


@dataclass(frozen=True, slots=True)
class Game:
    """A folder with a game in it, and its two scenes, the long one first."""

    folder: Path
    url: str
    scenes: tuple[int, int]


def made(folder: Path, lines: int) -> Game:
    """Make a game with a scene of `lines` lines and one of SHORT, each in a room of its own."""
    url = f"sqlite:///{folder / 'var' / 'mushcombat.db'}"
    server.make_logins(url, [*OWNERS, GUEST], apart=1)
    long, short = (_opened(url, owner) for owner in OWNERS)
    lengthen(url, long, REPEATED, lines)
    return Game(folder, url, (long, short))


def _opened(url: str, owner: str) -> int:
    """Open a scene of SHORT lines: its opening, a pose of the guest's, and then the owner's."""
    scenes: list[int] = []

    def run(store: Writes) -> Outcome:
        me, guest = (store.find_players(name)[0] for name in (owner, GUEST))
        seed, title = secrets.token_bytes(32), f"A night of {owner}"
        begun = Opening(title, "otherspace", me.room, me.id, referee=True, private=False, seed=seed)
        scene = store.open_scene(begun, app.utc_now()).id
        store.join_scene(scene, guest.id, app.utc_now())
        scenes.append(scene)
        first = _opening(begun, commitment(seed))
        them = Who(guest.id, guest.name)
        once = Draft(Spoken("pose", "waves."), ledger=scene, action=2, actor=them)
        mine = Who(me.id, me.name)
        rest = (_line(n, scene, mine) for n in range(REPEATED, SHORT + 1))
        return Outcome.of(Draft(first, ledger=scene, actor=mine), once, *rest)

    server.opened(url).perform(run)
    return scenes[0]


def _opening(begun: Opening, shown: str) -> Event:
    return SceneOpened(
        *(begun.title, begun.system, begun.room, "Deck"),
        private=False,
        referee=True,
        era=1,
        commitment=shown,
    )


def _line(number: int, scene: int, actor: Who) -> Draft:
    """Draft a line: talk, attacks and their results, and now and then what these changed."""
    if number % 50 == 0:
        change = Change("condition", f'[{actor.id},"otherspace"]', "harm", 0, 7, actor.name)
        return Draft(StateChanged((change,)), Audience.REFEREES, scene, number, actor)
    return Draft(row(number, actor.id), ledger=scene, action=number, actor=actor)


async def type_all(game: Game, rounds: int, times: int) -> list[Row]:
    """Serve the game, and type everything in both scenes; gives milliseconds."""
    rows = []
    with server.process(game.folder, game.url) as program:
        long, short = [(await log_in(program.port, [owner]))[0] for owner in OWNERS]
        for client in (long, short):
            await _typed(client, [b"+combat/start", b"+combat/join"])
        for what, lines in TYPED.items():
            spans: tuple[list[Span], list[Span]] = ([], [])
            for _ in range(rounds):
                meter = Meter([program.pid])
                waits = await _in_turn(short, long, lines, times)
                for some, into in zip(waits, spans, strict=True):
                    into.append(meter.span_of(median(some)))
            rows.append(Row(what, what, "ms", _FAST, *spans))
        for client in (long, short):
            await _typed(client, [b"+scene/close"])
    return rows


async def _in_turn(
    short: Client, long: Client, lines: Sequence[bytes], times: int
) -> tuple[list[float], list[float]]:
    waits: tuple[list[float], list[float]] = ([], [])
    for _ in range(times):
        for client, into in zip((short, long), waits, strict=True):
            into.append(await _typed(client, lines))
    return waits


async def _typed(client: Client, lines: Sequence[bytes]) -> float:
    """Type lines; gives the milliseconds until all of them are done."""
    client.listen()
    begun = time.perf_counter()
    client.send(b"".join(line + b"\r\n" for line in (*lines, b"page me=done")))
    await client.expect(b"You paged %b with 'done'\r\n" % client.name)
    return (time.perf_counter() - begun) * 1000


def exported(game: Game, format_: str, profile: str) -> Row:
    """Export both scenes, the long one last; gives the memory at the peak, in MiB."""
    spans = []
    for scene in reversed(game.scenes):
        meter = Meter([])
        spans.append(meter.span_of(measured(game.folder, scene, format_, profile).peak))
    what = f"memory of an export as {format_}, {profile}"
    return Row(f"export-{format_}", what, "MiB", _FAST, spans[:1], spans[1:])


def measure(folder: Path, options: argparse.Namespace, notes: list[str]) -> list[Row]:
    """Measure everything, and note how long it took."""
    rounds, times = (1, 2) if options.quick else (ROUNDS, TIMES)
    begun = time.monotonic()
    game = made(folder, options.lines)
    notes.append(f"Writing {options.lines:,} lines took {time.monotonic() - begun:.0f} s.")
    rows = asyncio.run(type_all(game, rounds, times))
    for format_, profile in (("text", "story"), ("jsonl", "audit")):
        begun = time.monotonic()
        rows.append(exported(game, format_, profile))
        notes.append(f"Exporting both as {format_} took {time.monotonic() - begun:.0f} s.")
    return rows


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.million", description=__doc__)
    parser.add_argument("lines", nargs="?", type=int, default=LINES, help="of the long scene")
    parser.add_argument("--quick", action="store_true", help="type all but twice: does it run?")
    parser.add_argument("--json", action="store_true", help="print JSON instead of the table")
    return parser.parse_args()


def main() -> int:
    """Run everything; gives the exit status."""
    options = _options()
    notes: list[str] = []
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        try:
            rows = measure(Path(folder), options, notes)
        except RunFailedError as problem:
            print(f"benchmarks: not measured: {problem}", file=sys.stderr)
            return 2
    lines = f"{options.lines:,} lines, against {SHORT}"
    print(as_json(rows, "") if options.json else table(rows, [f"Scenes of {lines}.", *notes]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
