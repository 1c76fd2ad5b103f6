"""KildClient, a client with windows, typed into on a display that nobody sees.

Its screen can't be read, so what it says is: by others in the room, and on its way to the server.
"""

from __future__ import annotations

import os
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.e2e.harness import PASSWORD, PATIENCE, WRONG_PASSWORD, Server
from tests.e2e.terminal import program

TRIES = 10
DO_ECHO, DONT_ECHO = b"\xff\xfd\x01", b"\xff\xfe\x01"


class Relay:
    """Passes one connection on, and keeps what the client says."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._door.getsockname()[1]
        self.said = b""
        self._heard = threading.Condition()
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        client, _ = self._door.accept()
        server = socket.create_connection(("127.0.0.1", self._port))
        threading.Thread(target=self._pass_on, args=(server, client), daemon=True).start()
        self._pass_on(client, server, keep=True)

    def _pass_on(self, source: socket.socket, target: socket.socket, *, keep: bool = False) -> None:
        with suppress(OSError):  # a client that is killed resets its connection
            while data := source.recv(65536):
                if keep:
                    with self._heard:
                        self.said += data
                        self._heard.notify_all()
                target.sendall(data)
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    def heard(self, said: bytes, times: int = 1, seconds: float = PATIENCE) -> bool:
        """Wait until the client has said something so many times; tells whether it has."""
        with self._heard:
            return self._heard.wait_for(lambda: self.said.count(said) >= times, seconds)

    def expect(self, said: bytes, times: int = 1) -> None:
        """Wait until the client has said something so many times."""
        assert self.heard(said, times), f"{said!r} is not {times} times in {self.said!r}"


@contextmanager
def display() -> Iterator[str]:
    """Start an X server without a screen; gives its name."""
    reader, writer = os.pipe()
    words = [program("Xvfb", "xvfb"), "-displayfd", str(writer), "-screen", "0", "800x600x24"]
    server = subprocess.Popen(words, pass_fds=[writer], stderr=subprocess.DEVNULL)
    os.close(writer)
    try:
        with os.fdopen(reader) as told:
            yield f":{told.readline().strip()}"
    finally:
        server.kill()
        server.wait()


class Keyboard:
    """Types into KildClient's window."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._environment = environment
        found = self._do("search", "--sync", "--onlyvisible", "--name", "KildClient")
        self._do("windowfocus", "--sync", found.split()[0])

    def _do(self, *words: str) -> str:
        done = subprocess.run(
            [program("xdotool", "xdotool"), *words],
            env=self._environment,
            check=True,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        return done.stdout

    def type(self, line: str) -> None:
        """Type a line."""
        self._do("type", "--delay", "15", line)
        self._do("key", "Return")


@contextmanager
def kildclient(folder: Path, port: int) -> Iterator[Keyboard]:
    """Start KildClient with a connection."""
    words = [program("kildclient", "kildclient"), f"telnet://127.0.0.1:{port}/"]
    with display() as name:
        environment = {**os.environ, "DISPLAY": name, "HOME": str(folder), "LANG": "C.UTF-8"}
        client = subprocess.Popen(
            words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            yield Keyboard(environment)
        finally:
            client.kill()
            client.wait()


def test_a_kildclient_user_logs_in_speaks_and_is_masked_twice(
    server: Server, tmp_path: Path
) -> None:
    bram = server.login("Bram")
    relay = Relay(server.port)
    with kildclient(tmp_path, relay.port) as keyboard:
        relay.expect(b"\xff\xfa\x18\0KildClient\xff\xf0", times=2)
        for _ in range(TRIES):  # a window takes no keys at once that it is there
            keyboard.type("WHO")
            if relay.heard(b"WHO\r\n", seconds=PATIENCE / TRIES):
                break
        for turn, password in enumerate((WRONG_PASSWORD, PASSWORD), 1):
            keyboard.type("connect ada")
            relay.expect(DO_ECHO, times=turn)
            keyboard.type(password)
            relay.expect(DONT_ECHO, times=turn)
        bram.expect(r"^Ada has connected\.$")
        keyboard.type("say hello from a window")
        bram.expect(r'^Ada says, "hello from a window"$')
    bram.expect(r"^Ada has disconnected\.$")
