"""Who plays meanwhile, and has to be answered as if nobody else were there."""

from __future__ import annotations

import http.client
import time
from contextlib import ExitStack

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from tests.e2e.fuzz.requests import GMCP
from tests.e2e.harness import PASSWORD, PATIENCE, Client, Server

HOME = ("127.0.0.9", 0)
"""Another address than that of those who send junk: what limits one does not limit the other."""


class People:
    """Bram in telnet, Cass in a WebSocket, and somebody with a browser.

    `slowest` is the most that any of them had to wait for an answer, in seconds.
    """

    def __init__(self, server: Server) -> None:
        self._server = server
        self.slowest = 0.0
        self._links = ExitStack()
        self._bram = self._log_in()
        self._cass = self._dial()
        self._cass.send(f"connect Cass {PASSWORD}".encode())
        self._hear("Connected as Cass.")

    def _log_in(self) -> Client:
        bram = Client(self._server.port, name="Bram", source=HOME)
        bram.send(f"connect Bram {PASSWORD}")
        bram.expect(r"^Connected as Bram\.$")
        return bram

    def come_back(self) -> None:
        """Let Bram leave and log in again."""
        self._bram.close()
        self._bram = self._log_in()

    def _dial(self) -> ClientConnection:
        url = f"ws://127.0.0.1:{self._server.ports['web'][0]}/"
        gmcp = [Subprotocol(GMCP)]
        dialled = connect(url, subprotocols=gmcp, open_timeout=PATIENCE, source_address=HOME)
        return self._links.enter_context(dialled)

    def play(self) -> None:
        """Let each of them ask something, one after the other."""
        for ask in (self._look, self._look_elsewhere, self._browse):
            began = time.monotonic()
            ask()
            self.slowest = max(self.slowest, time.monotonic() - began)
        self._bram.raw, self._bram.seen, self._bram._done = b"", "", 0

    def leave(self) -> None:
        """Go."""
        self._bram.close()
        self._links.close()

    def _look(self) -> None:
        assert "The Landing (#1)" in self._bram.ask("look")

    def _look_elsewhere(self) -> None:
        self._cass.send(b"look")
        self._hear("The Landing (#1)")

    def _hear(self, text: str) -> None:
        seen = b""
        while text.encode() not in seen:
            part = self._cass.recv(timeout=PATIENCE)
            seen += part if isinstance(part, bytes) else b""

    def _browse(self) -> None:
        port = self._server.ports["web"][0]
        for path, wanted in (("/", b"This is a game of text"), ("/healthz", b"ok\n")):
            link = http.client.HTTPConnection("127.0.0.1", port, PATIENCE, source_address=HOME)
            link.request("GET", path)
            answer = link.getresponse()
            assert (answer.status, wanted in answer.read()) == (200, True), path
            link.close()
