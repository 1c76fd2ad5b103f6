"""Programs in a terminal of tmux: what a user types into it, and what stands on the screen."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
import uuid
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.e2e.conftest import missing
from tests.e2e.harness import PATIENCE

PLACES = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"])
"""Debian puts games where not every PATH looks."""

LOOK_AGAIN = 0.05


def program(name: str, package: str) -> str:
    """Find a program, or skip the test."""
    found = shutil.which(name, path=PLACES)
    if found is None:
        missing(f"{name} is not installed (Debian: apt install {package})")
    return found or ""


class Terminal:
    """A program in a terminal of its own, 100 columns wide; it ends with the test."""

    def __init__(self, folder: Path, *command: str, columns: int = 100, rows: int = 40) -> None:
        self._tmux = [program("tmux", "tmux"), "-L", f"mushcombat-{uuid.uuid4().hex}"]
        self._size = ["-x", str(columns), "-y", str(rows)]
        self._command = command
        self._folder = folder
        self._environment = {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        self._environment["HOME"] = str(folder)
        self._environment.pop("TMUX", None)

    def __enter__(self) -> Self:
        words = ["-f", "/dev/null", "new-session", "-d", *self._size, "-c", str(self._folder)]
        self._do(*words, *self._command)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        subprocess.run([*self._tmux, "kill-server"], check=False, capture_output=True)

    def _do(self, *words: str) -> str:
        done = subprocess.run(
            [*self._tmux, *words],
            check=True,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            env=self._environment,
        )
        return done.stdout

    def type(self, line: str) -> None:
        """Type a line."""
        self._do("send-keys", "-l", line)
        self.press("Enter")

    def press(self, *keys: str) -> None:
        """Press keys by the names that tmux has for them."""
        self._do("send-keys", *keys)

    def resize(self, columns: int, rows: int) -> None:
        """Make the window another size."""
        self._do("resize-window", "-x", str(columns), "-y", str(rows))

    def screen(self) -> str:
        """Give what stands on the screen, and what has left it by its top."""
        return self._do("capture-pane", "-p", "-S", "-200")

    def expect(self, pattern: str, times: int = 1) -> str:
        """Wait until something stands there so many times; gives the screen."""
        end = time.monotonic() + PATIENCE
        while True:
            seen = self.screen()
            if len(re.findall(pattern, seen, re.MULTILINE)) >= times:
                return seen
            assert time.monotonic() < end, f"/{pattern}/ is not {times} times in:\n{seen}"
            time.sleep(LOOK_AGAIN)
