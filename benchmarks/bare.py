"""The yardstick: the least that Twisted can do. `python -m benchmarks.bare echo|broadcast`.

An echo gives each line back to whom it came from, a broadcaster to everyone.
"""

from __future__ import annotations

import sys
from typing import Any

from twisted.internet.interfaces import IAddress
from twisted.internet.protocol import Factory, connectionDone
from twisted.protocols.basic import LineReceiver
from twisted.python.failure import Failure


class Echo(LineReceiver):
    """Sends each line back."""

    factory: Any
    transport: Any

    def connectionMade(self) -> None:
        """Send small packets at once, as the server that is measured does."""
        self.transport.setTcpNoDelay(1)
        self.factory.everyone.append(self)

    def connectionLost(self, reason: Failure = connectionDone) -> None:  # noqa: ARG002 -- Twisted's
        """Forget the connection."""
        self.factory.everyone.remove(self)

    def lineReceived(self, line: bytes) -> None:  # noqa: N802 -- Twisted's name
        """Answer a line with itself."""
        self.transport.write(line + b"\r\n")


class Broadcast(Echo):
    """Sends each line to all."""

    def lineReceived(self, line: bytes) -> None:  # noqa: N802 -- Twisted's name
        """Write a line to every connection."""
        data = line + b"\r\n"
        for each in self.factory.everyone:
            each.transport.write(data)


PROTOCOLS: dict[str, type[Echo]] = {"echo": Echo, "broadcast": Broadcast}


class Bare(Factory):
    """Makes the connections, and knows them all."""

    noisy = False

    def __init__(self, protocol: type[Echo]) -> None:
        self._protocol = protocol
        self.everyone: list[Echo] = []

    def buildProtocol(self, addr: IAddress | None) -> Echo:  # noqa: ARG002 -- Twisted's signature
        """Make one connection."""
        made = self._protocol()
        made.factory = self
        return made


def main() -> None:
    """Listen on a free port of the loopback interface, say which, and run until SIGTERM."""
    from twisted.internet import reactor  # noqa: PLC0415 -- importing it installs it

    run: Any = reactor
    port = run.listenTCP(0, Bare(PROTOCOLS[sys.argv[1]]), interface="127.0.0.1")
    print(f"bare ready telnet=127.0.0.1:{port.getHost().port}", flush=True)
    run.run()


if __name__ == "__main__":
    main()
