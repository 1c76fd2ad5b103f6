"""SIGKILL leaves the kernel's cache alive, a power cut does not: what is shown is on the disk."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.conftest import missing
from tests.e2e.harness import PATIENCE, Server, open_scene

POSES = 20
CALLS = "fsync,fdatasync,sendto,sendmsg,write,writev"


@contextmanager
def traced(server: Server, calls: str, file: Path) -> Iterator[None]:
    """Note in a file which system calls a server makes, in their order."""
    if shutil.which("strace") is None:
        missing("no strace: apt-get install strace")
    assert server.process is not None
    words = ["strace", "-f", "-y", "-s", "300", "-e", f"trace={calls}", "-o", str(file)]
    with subprocess.Popen(
        [*words, "-p", str(server.process.pid)], stderr=subprocess.PIPE, text=True
    ) as tracer:
        try:
            _wait_until_attached(tracer)
            yield
        finally:
            tracer.send_signal(signal.SIGINT)
            tracer.wait(PATIENCE)


def _wait_until_attached(tracer: subprocess.Popen[str]) -> None:
    """See that it is let in; where ptrace is forbidden nothing here can be shown."""
    assert tracer.stderr is not None
    line = tracer.stderr.readline()
    if "attached" not in line:
        pytest.fail(f"strace may not look at a process here, so fsync can't be shown: {line}")


def synced(line: str) -> bool:
    """Tell whether a call is over that has brought the database to the disk."""
    return bool(re.search(r"\b(?:fsync|fdatasync)\(\d+<[^>]*test\.db[^>]*>\)\s+= 0$", line))


def calls_in(file: Path) -> Iterator[str]:
    """Give the calls in their order; one that another thread's came into is written in two parts.

    Its beginning stands where it began, and the whole of it where it was over.
    """
    begun: dict[str, str] = {}
    for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
        thread = line.partition(" ")[0]
        resumed = re.search(r"<\.\.\. \w+ resumed>(.*)", line)
        if resumed:
            whole = begun.pop(thread, "") + resumed[1]
            yield whole if synced(whole) else ""
        else:
            begun[thread] = line.removesuffix(" <unfinished ...>")
            yield line


def test_every_commit_is_on_the_disk_before_anybody_is_shown_what_it_holds(
    server: Server, tmp_path: Path
) -> None:
    ada, bram = server.logins("Ada", "Bram")
    open_scene(ada, "Storm", bram)
    file = tmp_path / "calls"
    with traced(server, CALLS, file):
        for n in range(POSES):
            ada.send(f"pose counts zq{n}q.")
            for client in (ada, bram):
                client.expect(rf"^Ada counts zq{n}q\.$")
    calls = list(calls_in(file))
    released, since = 0, 0
    for call in calls:
        if synced(call):
            since += 1
        elif re.search(rf"\b(?:send|write)\w*\(.*counts zq{released}q", call):
            assert since >= 1, f"shown before it was on the disk: {call}"
            released, since = released + 1, 0
    assert released == POSES, f"only {released} poses are in {len(calls)} calls"


def test_every_job_is_on_the_disk_before_its_actor_is_told_that_it_is_done(
    server: Server, tmp_path: Path
) -> None:
    """What logs nothing, as well: where somebody walked, and what they wrote about themselves."""
    ada = server.login("Ada")
    file = tmp_path / "calls"
    with traced(server, "fsync,fdatasync", file):
        for n in range(POSES):
            ada.send(f"@doing number {n}")
            ada.sync()
        end = time.monotonic() + PATIENCE
        while len(_syncs(file)) < POSES:
            assert time.monotonic() < end, f"{len(_syncs(file))} syncs for {POSES} jobs"
            ada.sync()


def _syncs(file: Path) -> list[str]:
    return [line for line in calls_in(file) if synced(line)]


def test_a_sync_that_another_call_came_into_is_one_when_it_is_over(tmp_path: Path) -> None:
    file = tmp_path / "calls"
    lines = (
        "12 fdatasync(5</x/test.db-wal> <unfinished ...>",
        '11 sendto(15<socket:[1]>, "Ada waves.", 10, 0, NULL, 0 <unfinished ...>',
        "12 <... fdatasync resumed>)  = 0",
        "11 <... sendto resumed>) = 10",
        "12 fdatasync(5</x/test.db-wal> <unfinished ...>",
        "12 <... fdatasync resumed>)  = -1 EIO (Input/output error)",
    )
    file.write_text("\n".join(lines), encoding="utf-8")
    found = [
        ("sync" if synced(call) else "sent")
        for call in calls_in(file)
        if "waves" in call or synced(call)
    ]
    assert found == ["sent", "sync"]
