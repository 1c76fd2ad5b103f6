"""A TCP proxy before PostgreSQL that can cut connections, also in a COMMIT, or let nothing pass."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from types import TracebackType
from typing import Literal, Self

from sqlalchemy import make_url

_COMMIT = b"COMMIT\0"

Cut = Literal["before", "after"]
"""Where a COMMIT is cut off: before the server has it, or after it is done and answered."""


class Proxy:
    """Stands between a program and a PostgreSQL; `url` is the database through it."""

    def __init__(self, url: str) -> None:
        real = make_url(url)
        self._there = real.host or "127.0.0.1", real.port or 5432
        self._socket = socket.create_server(("127.0.0.1", 0))
        port = self._socket.getsockname()[1]
        plain = {"sslmode": "disable", "gssencmode": "disable"}  # or nobody could see the COMMIT
        through = real.set(host="127.0.0.1", port=port).update_query_dict(plain)
        self.url = through.render_as_string(hide_password=False)
        self._lock = threading.Lock()
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._open = True
        self._cut: Cut | None = None
        self._stays_shut = False
        self.was_cut = threading.Event()
        self._passes = threading.Event()
        self._passes.set()

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.shut()
        self._passes.set()
        self._socket.close()

    # what tests do with it

    def shut(self) -> None:
        """Cut all connections, and let nobody in until `reopen`."""
        with self._lock:
            self._open = False
            for pair in self._pairs:
                _close(*pair)
            self._pairs.clear()

    def fall_silent(self) -> None:
        """Take what comes, and connections too, but hand nothing on until `reopen`."""
        self._passes.clear()

    def reopen(self) -> None:
        """Let connections through again, and what was kept back."""
        self._passes.set()
        with self._lock:
            self._open = True

    def cut_next_commit(self, where: Cut, *, shut: bool = False) -> None:
        """Cut the connection of the next COMMIT off; then `shut`, or let new ones in."""
        self.was_cut.clear()
        with self._lock:
            self._cut, self._stays_shut = where, shut

    # the connections

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._socket.accept()
            except OSError:
                return
            with self._lock:
                if not self._open:
                    _close(near)
                    continue
                far = socket.create_connection(self._there)
                self._pairs.append((near, far))
            threading.Thread(target=self._there_to_here, args=(near, far), daemon=True).start()
            threading.Thread(target=self._here_to_there, args=(near, far), daemon=True).start()

    def _here_to_there(self, near: socket.socket, far: socket.socket) -> None:
        while data := self._read(near):
            cut = self._take_cut(near) if _COMMIT in data else None
            if cut == "after":
                _close(near)  # so that the answer reaches nobody
                _write(far, data)
                self._ends(far)
                return
            if cut == "before" or not _write(far, data):
                _close(near, far)
                self._ends(far)
                return
        _close(near, far)

    def _take_cut(self, near: socket.socket) -> Cut | None:
        with self._lock:
            cut, self._cut = self._cut, None
            if cut and self._stays_shut:
                self._open = False
                for pair in self._pairs:
                    if pair[0] is not near:
                        _close(*pair)
            return cut

    def _ends(self, far: socket.socket) -> None:
        """Wait until the server has answered what it still got, then tell that it is over.

        The other thread may take the answer, and ends the connection then.
        """
        _read(far)
        _close(far)
        self.was_cut.set()

    def _read(self, one: socket.socket) -> bytes:
        data = _read(one)
        self._passes.wait()
        return data

    def _there_to_here(self, near: socket.socket, far: socket.socket) -> None:
        while data := self._read(far):
            if not _write(near, data):
                break
        _close(near, far)


def _read(one: socket.socket) -> bytes:
    try:
        return one.recv(1 << 16)
    except OSError:
        return b""


def _write(one: socket.socket, data: bytes) -> bool:
    try:
        one.sendall(data)
    except OSError:
        return False
    return True


def _close(*sockets: socket.socket) -> None:
    for one in sockets:
        with suppress(OSError):  # it may be gone already
            one.shutdown(socket.SHUT_RDWR)
        one.close()
