"""The program as it is run by people: as a process, in a folder of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

from mushcombat import app, rulebook
from mushcombat.config import Config
from mushcombat.storage.database import Database

PROGRAM = [sys.executable, "-m", "mushcombat"]
PATIENCE = 30.0
"""How long anything may take that is waited for, in seconds."""
LOCAL = "tcp:0:interface=127.0.0.1"
ENVIRONMENT = {
    k: v for k, v in os.environ.items() if not k.startswith(("MUSHCOMBAT_", "COVERAGE_"))
}
"""Ours, without settings of the program; nor is it measured when the tests are."""

Done = subprocess.CompletedProcess[str]
Environment = Mapping[str, str]


def run(
    folder: Path,
    *words: str,
    typed: bytes = b"",
    code: int = 0,
    environment: Environment = MappingProxyType({}),
) -> Done:
    """Run a command without a terminal; it may end with a traceback never."""
    raw = subprocess.run(
        [*PROGRAM, *words],
        cwd=folder,
        env={**ENVIRONMENT, **environment},
        input=typed,
        capture_output=True,
        timeout=PATIENCE,
        start_new_session=True,
        check=False,
    )
    done = Done(raw.args, raw.returncode, raw.stdout.decode(), raw.stderr.decode())
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == code, done
    return done


def refused(folder: Path, *words: str, typed: bytes = b"") -> str:
    """Run a command that is to be refused; gives the one line that says why."""
    done = run(folder, *words, typed=typed, code=2)
    (line,) = done.stderr.splitlines()
    assert done.stdout == ""
    return line


def database_in(folder: Path) -> Database:
    config = Config()
    url = f"sqlite:///{folder / 'var' / 'mushcombat.db'}"
    return app.open_database(config, url, rulebook.load_rulebook(config))


@contextmanager
def serving(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """Start a server; gives it with the lines that it printed until it was ready."""
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            [*PROGRAM, "serve", "--telnet", LOCAL, *words],
            cwd=folder,
            env=ENVIRONMENT,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    watchdog = threading.Timer(PATIENCE, process.kill)
    watchdog.start()
    try:
        assert process.stdout is not None
        lines: list[str] = []
        while not (lines and lines[-1].startswith("mushcombat ready")):
            lines.append(process.stdout.readline())
            assert lines[-1], (folder / "log").read_text()
        yield process, lines
    finally:
        watchdog.cancel()
        process.kill()
        process.wait(PATIENCE)


def ended(process: subprocess.Popen[str], number: signal.Signals) -> int:
    process.send_signal(number)
    return process.wait(PATIENCE)
