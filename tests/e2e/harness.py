"""A server process and a telnet client, small enough to be believed.

Nothing here sleeps to let things settle. The server answers one connection's lines in order and
shows facts in order of their commit, so an answer to a later line tells that all before it came.
"""

from __future__ import annotations

import codecs
import itertools
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

PASSWORD = "correct-horse-9"
OTHER_PASSWORD = "battery-staple-7"
WRONG_PASSWORD = "wrong-donkey-5"
SECRETS = [PASSWORD, OTHER_PASSWORD, WRONG_PASSWORD]
"""What no log may ever hold."""

COMMAND = [sys.executable, "-m", "mushcombat"]
TELNET = "tcp:0:interface=127.0.0.1"
PATIENCE = float(os.environ.get("MUSHCOMBAT_TEST_PATIENCE", "30"))
"""Seconds to wait for what comes at once, unless the machine has other things to do."""

STOP_SECONDS = max(20.0, PATIENCE)
"""At least twice what a server promises to end in, for the same reason."""

_TELNET = re.compile(
    rb"(\xff\xff)|((?:\xff(?:[\xfb-\xfe]|\xfa(?:(?!\xff\xf0).)*)?|\x1b(?:\[[0-9;]*)?)\Z)"
    rb"|\xff(?:\xfa.*?\xff\xf0|[\xfb-\xfe].|[\xec-\xf9])|\x1b\[[0-9;]*m",
    re.DOTALL,
)
"""A doubled FF, or the beginning of a sequence whose end is still to come, or a sequence.

Colours are sequences too: who speaks telnet gets them.
"""

_MARKS = itertools.count(1)


class Client:
    """One telnet connection; `raw` is every byte that ever came, `seen` the same as text."""

    def __init__(
        self,
        port: int,
        *,
        encoding: str = "utf-8",
        name: str = "",
        source: tuple[str, int] | None = None,
        wrap: Callable[[socket.socket], socket.socket] = lambda sock: sock,
    ) -> None:
        self.name = name
        self.encoding = encoding
        self.sock = wrap(socket.create_connection(("127.0.0.1", port), PATIENCE, source))
        self.raw = b""
        self.seen = ""
        self._decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
        self._undecoded = b""
        self._done = 0  # characters of `seen` that were expected already
        self.closed = False

    # sending

    def send(self, *lines: str) -> None:
        """Type lines."""
        self.send_raw("".join(f"{line}\r\n" for line in lines).encode(self.encoding))

    def send_raw(self, data: bytes) -> None:
        """Send bytes as they are."""
        self.sock.settimeout(PATIENCE)
        self.sock.sendall(data)

    # receiving

    @property
    def rest(self) -> str:
        """What came and was not expected yet."""
        return self.seen[self._done :]

    def pump(self, wait: float, most: int = 1 << 18) -> bool:
        """Take what comes within `wait` seconds; tells whether the connection is open."""
        self.sock.settimeout(max(wait, 0.001))
        try:
            data = self.sock.recv(most)
        except TimeoutError:
            return True
        except OSError:
            data = b""
        if not data:
            self.closed = True
            return False
        self.raw += data
        self.seen += self._text(data)
        return True

    def _text(self, data: bytes) -> str:
        """Take telnet's own bytes out; what is incomplete waits for the rest."""
        self._undecoded += data
        rest = b""

        def take(found: re.Match[bytes]) -> bytes:
            nonlocal rest
            rest = found[2] or b""
            return b"\xff" if found[1] else b""

        clean = _TELNET.sub(take, self._undecoded)
        self._undecoded = rest
        return self._decoder.decode(clean).replace("\r", "")

    def expect(self, pattern: str, seconds: float = PATIENCE) -> re.Match[str]:
        """Wait for a line that matches; it and all before it are used up."""
        end = time.monotonic() + seconds
        while True:
            found = re.compile(pattern, re.MULTILINE).search(self.seen, self._done)
            line_end = self.seen.find("\n", found.end()) if found else -1
            if found and line_end >= 0:
                self._done = line_end + 1
                return found
            left = end - time.monotonic()
            if left <= 0 or not self.pump(left):
                if found:
                    self._done = len(self.seen)
                    return found
                raise AssertionError(f"{self.name} did not receive /{pattern}/, but {self.rest!r}")

    def expect_prompt(self, text: str, seconds: float = PATIENCE) -> None:
        """Wait for text that no line end follows."""
        end = time.monotonic() + seconds
        while text not in self.rest:
            left = end - time.monotonic()
            if left <= 0 or not self.pump(left):
                raise AssertionError(f"{self.name} was not asked {text!r}, but told {self.rest!r}")
        self._done = self.seen.index(text, self._done) + len(text)

    def sync(self) -> str:
        """Wait until all that was typed is answered; gives, and uses up, what came until then."""
        mark = f"zz{next(_MARKS)}zz"
        self.send(f"help {mark}")
        start = self._done
        self.expect(rf'^There is no help on\s+"{mark}"')
        return re.sub(
            r"^There is no help on\s+\"zz.*\n", "", self.seen[start : self._done], flags=re.M
        )

    def ask(self, *lines: str) -> str:
        """Type lines and give all that came until they were answered."""
        self.sync()
        self.send(*lines)
        return self.sync()

    def reject(self, pattern: str) -> None:
        """Fail if what came, up to an answer to a line sent now, holds a match."""
        heard = self.sync()
        found = re.search(pattern, heard, re.MULTILINE)
        assert found is None, f"{self.name} received {found[0]!r} in {heard!r}" if found else ""

    def expect_end(self, seconds: float = PATIENCE) -> None:
        """Wait until the server has closed the connection."""
        end = time.monotonic() + seconds
        while self.pump(max(end - time.monotonic(), 0)):
            assert time.monotonic() < end, f"{self.name} is still connected"

    # ending

    def close(self) -> None:
        """Close as a client does that quits."""
        self.sock.close()

    def reset(self) -> None:
        """Break the connection off with a reset."""
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.sock.close()


class Server:
    """The real program on a database of its own, in a folder of its own."""

    def __init__(self, folder: Path, url: str, config: str = "") -> None:
        self.folder = folder
        self.url = url
        self.config = folder / "server.toml"
        self.config.write_text(config, encoding="utf-8")
        self.stderr = folder / "stderr.log"
        self.process: subprocess.Popen[str] | None = None
        self.port = 0
        self.endpoints: tuple[str, ...] = ("--telnet", TELNET)
        self.ports: dict[str, list[int]] = {}
        self.said: list[str] = []
        self.clients: list[Client] = []

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.end()

    # the process

    def _words(self, *words: str) -> list[str]:
        return [*COMMAND, *words, "--config", str(self.config), "--database", self.url]

    def _environment(self) -> dict[str, str]:
        ours = {k: v for k, v in os.environ.items() if not k.startswith("MUSHCOMBAT_")}
        return {**ours, "PYTHONUNBUFFERED": "1"}

    def start(self) -> None:
        """Start, and wait for the line that tells the port."""
        with self.stderr.open("a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                self._words("serve", *self.endpoints),
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                cwd=self.folder,
                env=self._environment(),
            )
        watchdog = threading.Timer(PATIENCE, self.process.kill)
        watchdog.start()
        try:
            self.port = self._read_port(self.process)
        finally:
            watchdog.cancel()

    def _read_port(self, process: subprocess.Popen[str]) -> int:
        assert process.stdout is not None
        for line in process.stdout:
            self.said.append(line)
            if line.startswith("mushcombat ready "):
                for name, where in re.findall(r"(\w+)=(\S+)", line):
                    self.ports[name] = [int(one) for one in re.findall(r":(\d+)(?:,|$)", where)]
                return self.ports["telnet"][0]
        raise AssertionError(f"no ready line, but {self.said} and {self.log()}")

    def signal(self, number: signal.Signals) -> None:
        """Send the process a signal."""
        assert self.process is not None
        self.process.send_signal(number)

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Let it do nothing meanwhile: all that is sent to it is there when it goes on."""
        assert self.process is not None
        self.signal(signal.SIGSTOP)
        os.waitpid(self.process.pid, os.WUNTRACED)
        try:
            yield
        finally:
            self.signal(signal.SIGCONT)

    def wait(self, seconds: float = STOP_SECONDS) -> int:
        """Wait until the process has ended; gives its exit code."""
        assert self.process is not None
        code = self.process.wait(seconds)
        if self.process.stdout:
            self.process.stdout.close()
        return code

    def kill(self) -> None:
        """End it as a power cut does."""
        self.signal(signal.SIGKILL)
        self.wait()

    def restart(self) -> None:
        """Kill it and start it again on the same database."""
        self.kill()
        self.start()

    def end(self) -> None:
        """End it, and look through its log."""
        for client in self.clients:
            client.close()
        if self.process and self.process.poll() is None:
            self.signal(signal.SIGTERM)
            try:
                code = self.wait()
            except subprocess.TimeoutExpired:
                self.kill()
                raise AssertionError("the server did not end on SIGTERM") from None
            assert code == 0, f"the server ended with {code}: {self.log()}"
        self.check_log()

    def log(self) -> str:
        """Give what the server wrote to stderr."""
        return self.stderr.read_text(encoding="utf-8", errors="replace")

    def check_log(self) -> None:
        """Fail on a traceback or a password in the log."""
        log = self.log()
        assert "Traceback (most recent call last)" not in log, log[-4000:]
        assert "Unhandled" not in log, log[-4000:]
        leaked = [secret for secret in SECRETS if secret in log]
        assert not leaked, f"the log holds passwords: {leaked}"

    # the command line

    def cli(self, *words: str, typed: str = "", code: int = 0) -> str:
        """Run a command of the program; gives what it printed."""
        done = subprocess.run(
            self._words(*words) if words[0] != "verify" else [*COMMAND, *words],
            input=typed,
            text=True,
            capture_output=True,
            timeout=PATIENCE,
            cwd=self.folder,
            env=self._environment(),
            check=False,
        )
        printed = done.stdout + done.stderr
        assert done.returncode == code, f"{words}: {done.returncode}, {printed}"
        assert "Traceback" not in printed, printed
        return printed

    def account(self, name: str, role: str = "player", password: str = PASSWORD) -> None:
        """Make a login with the command line."""
        words = ("account", "create", name, "--role", role, "--password-stdin")
        self.cli(*words, typed=password + "\n")

    # connections

    def connect(self, *, encoding: str = "utf-8", name: str = "") -> Client:
        """Open a connection and read the banner."""
        client = Client(self.port, encoding=encoding, name=name)
        self.clients.append(client)
        client.expect(r"QUIT +to leave")
        return client

    def login(self, name: str, *, encoding: str = "utf-8", password: str = PASSWORD) -> Client:
        """Open a connection and log in."""
        client = self.connect(encoding=encoding, name=name)
        quoted = f'"{name}"' if " " in name else name
        client.send(f"connect {quoted} {password}")
        client.expect(rf"^Connected as {name}\.$")
        client.sync()
        return client

    def guest(self) -> Client:
        """Open a connection as a guest."""
        client = self.connect(name="guest")
        client.send("connect guest")
        client.name = client.expect(r"^Connected as (Guest \d+)\.$")[1]
        client.sync()
        return client

    def empty(self) -> None:
        """Close all connections, and wait until nobody is there any more."""
        for client in self.clients:
            client.close()
        self.clients.clear()
        watcher = self.connect(name="watcher")
        end = time.monotonic() + PATIENCE
        while True:
            watcher.send("WHO")
            if watcher.expect(r"^(\d+) players? (?:is|are) connected\.$")[1] == "0":
                return
            assert time.monotonic() < end, f"still there: {watcher.seen[-500:]}"

    def logins(self, *names: str) -> Iterator[Client]:
        """Log several in."""
        clients = [self.login(name) for name in names]
        sync(*clients)
        return iter(clients)


def sync(*clients: Client) -> None:
    """Wait until nothing is under way to any of these."""
    for _ in range(2):
        for client in clients:
            client.sync()


def open_scene(owner: Client, title: str, *others: Client) -> int:
    """Open a scene with others in it; gives its number."""
    owner.sync()
    owner.send(f"+scene/open {title}")
    number = int(owner.expect(r"^Scene (\d+) \".*\" is open\. Dice commitment: [0-9a-f]{64}\.$")[1])
    for other in others:
        other.send(f"+scene/join {number}")
        other.expect(rf"^You join scene {number}\.")
    sync(owner, *others)
    return number
