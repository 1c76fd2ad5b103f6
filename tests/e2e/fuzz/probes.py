"""Connections that send bytes to a port, and don't care what comes of it."""

from __future__ import annotations

import socket
import ssl
import struct
import time
from contextlib import suppress

from tests.e2e.certificates import client_context
from tests.e2e.harness import PATIENCE

TOO_LONG = 60.0
"""Seconds after which no connection is open any more that never comes to an end with its asking."""


class Probe:
    """One connection with the packets that it has yet to send."""

    def __init__(self, port: int, packets: list[bytes], *, tls: bool = False, reads: bool = True):
        self._packets = packets
        self._reads = reads
        self.sent = 0
        self.began = time.monotonic()
        self.open = True
        self._sock = socket.create_connection(("127.0.0.1", port), PATIENCE)
        if tls:
            self._sock = client_context().wrap_socket(self._sock)
        self._sock.settimeout(PATIENCE)

    def step(self) -> None:
        """Send the next packet, if there is one and somebody to take it; read what there is."""
        if not self.open:
            return
        try:
            if self._packets:
                data = self._packets.pop(0)
                self._sock.sendall(data)
                self.sent += len(data)
            if self._reads:
                self._read()
        except OSError:  # the server has ended it, as it may
            self.open = False

    def _read(self) -> None:
        self._sock.settimeout(0)
        with suppress(BlockingIOError, ssl.SSLWantReadError):
            while self.open:
                self.open = bool(self._sock.recv(1 << 18))
        self._sock.settimeout(PATIENCE)

    def raw(self, data: bytes) -> None:
        """Send bytes below TLS, which the other end takes for records of it."""
        with suppress(OSError):
            beneath = socket.socket(fileno=self._sock.detach())
            self._sock = beneath
            beneath.sendall(data)
            self.sent += len(data)

    def close(self, *, hard: bool = False) -> None:
        """Close, or break off with a reset."""
        self.open = False
        with suppress(OSError):
            if hard:
                self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._sock.close()


class Slow:
    """Connections that send one byte a round, and are never done with what they ask."""

    def __init__(self, asking: list[tuple[int, bytes]]) -> None:
        """Take ports, and what is sent to each, again and again."""
        self._asking = asking
        self._probes: dict[int, Probe] = {}
        self.ended = 0

    def step(self) -> None:
        """Send a byte on each; one that was ended begins anew."""
        for number, (port, data) in enumerate(self._asking):
            probe = self._probes.get(number)
            if probe is None or not probe.open:
                self.ended += probe is not None
                self._close(number)
                probe = self._probes[number] = Probe(port, [bytes((byte,)) for byte in data])
            probe.step()
            assert time.monotonic() - probe.began < TOO_LONG, f"port {port} waits for ever"

    def _close(self, number: int) -> None:
        if number in self._probes:
            self._probes.pop(number).close()

    def close(self) -> None:
        """End all of them."""
        for number in list(self._probes):
            self._close(number)
