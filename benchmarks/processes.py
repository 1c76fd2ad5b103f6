"""Several server processes on one PostgreSQL, which are one game."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psycopg
from psycopg import sql

from benchmarks import server
from benchmarks.clients import log_in, open_scenes, settle
from benchmarks.errors import RunFailedError
from benchmarks.load import POSE
from benchmarks.measure import Span, measure
from benchmarks.plan import Plan, Side, trips
from benchmarks.report import RATE, Row

SPEAKERS = 48
"""Those who pose, in a scene each: spread over one, two or three processes."""

MOST = 3


async def measure_processes(plan: Plan, folder: Path, rows: list[Row]) -> None:
    """Measure poses committed with one process, then with a second and a third beside it.

    One after the other in one run: a process that only stands by would hear of every pose, and
    slow down the one that is measured.
    """
    people = plan.size(SPEAKERS) // 6 * 6 or 6
    names = [f"Bench{n:04d}" for n in range(2 * people)]
    with ExitStack() as stack:
        url = stack.enter_context(_database(plan.postgresql))
        server.make_logins(url, names, apart=1)
        sides: list[Side] = []
        one: list[Span] = []
        for count in range(1, MOST + 1):
            each = people // count
            new, names = names[:each], names[each:]
            sides.append(await _started(stack, folder, url, count, new))
            everyone = [client for side in sides for client in side.clients[:each]]
            for index, client in enumerate(everyone):
                client.index = index
            spans = await _measured(plan, Side([pid for s in sides for pid in s.pids], everyone))
            one = one or spans
            rows.append(_row(count, people, one, spans))


async def _started(stack: ExitStack, folder: Path, url: str, number: int, names: list[str]) -> Side:
    """Start one more process, with people who each open a scene."""
    home = folder / f"process-{number}"
    home.mkdir()
    program = stack.enter_context(server.process(home, url))
    clients = await log_in(program.port, names)
    await open_scenes(clients)
    return Side([program.pid], clients)


async def _measured(plan: Plan, side: Side) -> list[Span]:
    spans = []
    for _ in range(plan.rounds):
        await settle(side.clients)
        load = trips(POSE)(side.clients)
        spans.append(await measure(load, side.clients, side.pids, plan.seconds))
    return spans


def _row(count: int, people: int, one: list[Span], spans: list[Span]) -> Row:
    if count == 1:
        what = f"poses committed on PostgreSQL, {people} speakers, 1 process"
        return Row("processes-1", what, RATE, None, [], spans)
    return Row(
        f"processes-{count}", f"the same, {count} processes against 1", RATE, None, one, spans
    )


@contextmanager
def _database(admin: str) -> Iterator[str]:
    """Make a database for this run; RunFailedError when there is no PostgreSQL."""
    name = f"mushcombat_bench_{uuid.uuid4().hex}"
    try:
        connection = psycopg.connect(admin, autocommit=True, connect_timeout=3)
    except psycopg.OperationalError as problem:
        raise RunFailedError(f"no PostgreSQL at {admin}: {problem}") from problem
    with connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield admin.rpartition("/")[0] + f"/{name}"
        finally:
            drop = sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name))
            connection.execute(drop)
