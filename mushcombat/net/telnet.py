"""Telnet over Twisted: bytes between a transport and the codec of `wire`."""

from __future__ import annotations

from typing import Any

from twisted.internet.error import ConnectionDone
from twisted.internet.interfaces import IAddress
from twisted.internet.protocol import Factory, Protocol, connectionDone
from twisted.python.failure import Failure

from mushcombat.net.game import Game
from mushcombat.net.outbox import Outbox
from mushcombat.net.session import Session
from mushcombat.wire.codes import AYT, ECHO
from mushcombat.wire.telnet import Command, Line, LineTooLong, Telnet

AGREED = frozenset({ECHO})
"""Options that we perform when asked; more come with their own modules."""


class TelnetLink(Protocol):
    """One telnet connection."""

    transport: Any  # Twisted's interfaces are zope's, which mypy does not read
    factory: Any

    def __init__(self, game: Game) -> None:
        self._game = game
        self._codec = Telnet(local=AGREED)
        self._out: list[bytes] = []

    def connectionMade(self) -> None:
        """Greet, with small packets sent at once and dead peers noticed by the kernel."""
        for name in ("setTcpNoDelay", "setTcpKeepAlive"):
            if hasattr(self.transport, name):  # a UNIX socket has neither
                getattr(self.transport, name)(1)
        self._outbox = Outbox(self.transport, self._game.waiting, self._game.reactor.callLater)
        host = getattr(self.transport.getPeer(), "host", "local")
        self._session = Session(self._game, self, host)
        self.factory.links.add(self)
        if self._game.closing:
            self.close()
            return
        self._session.begin()

    def dataReceived(self, data: bytes) -> None:
        """Hand lines to the session, and answers of the codec to the peer."""
        self._session.received(len(data))
        tokens = self._codec.receive(data)
        self._negotiate()
        for token in tokens:
            match token:
                case Line(raw):
                    self._session.line(raw)
                case LineTooLong():
                    self._session.too_long()
                case Command(code) if code == AYT:
                    self._session.tell(f"[{self._game.config.server.name}: yes]")
                case _:
                    pass

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        """Tell the session; jobs of what was typed before still run."""
        self.factory.links.discard(self)
        self._outbox.lost(clean=isinstance(reason.value, ConnectionDone))
        self._session.lost()

    def send(self, data: bytes) -> None:
        """Write bytes that are already encoded and escaped, with all else of this turn at once.

        A busy room gives each of its people many lines a turn of the reactor, which itself
        sends at the turn's end only: gathering them costs no time and saves much.
        """
        if not self._out:
            self.factory.has_output(self)
        self._out.append(data)

    def flush(self) -> None:
        """Hand over what has gathered."""
        data, self._out = b"".join(self._out), []
        self._outbox.write(data)

    def close(self) -> None:
        """Close when all is written."""
        self.flush()
        self._outbox.close()

    @property
    def behind(self) -> bool:
        """Whether the other side has not taken all that it was sent."""
        return self._outbox.behind

    def pause(self) -> None:
        """Read no more for now."""
        self.transport.pauseProducing()

    def resume(self) -> None:
        """Read on."""
        self.transport.resumeProducing()

    def hide_typing(self) -> None:
        """Say that we echo, so that the client shows nothing; no answer is waited for."""
        self._codec.enable_local(ECHO)
        self._negotiate()

    def show_typing(self) -> None:
        """Let the client echo again."""
        self._codec.disable_local(ECHO)
        self._negotiate()

    def _negotiate(self) -> None:
        answers = self._codec.output()
        if answers:
            self.send(answers)


class TelnetFactory(Factory):
    """Makes links, and knows those there are."""

    noisy = False

    def __init__(self, game: Game) -> None:
        self._game = game
        self.links: set[TelnetLink] = set()
        self._with_output: list[TelnetLink] = []

    def buildProtocol(self, addr: IAddress | None) -> TelnetLink:  # noqa: ARG002 -- Twisted's signature
        """Make the protocol for one connection."""
        link = TelnetLink(self._game)
        link.factory = self
        return link

    def has_output(self, link: TelnetLink) -> None:
        """Flush a link at the end of this turn of the reactor."""
        if not self._with_output:
            self._game.reactor.callLater(0, self._flush)
        self._with_output.append(link)

    def _flush(self) -> None:
        links, self._with_output = self._with_output, []
        for link in links:
            link.flush()

    def idle(self) -> bool:
        """Tell whether every line that was received is done."""
        return all(link._session.idle for link in self.links)

    def stop_reading(self) -> None:
        """Read nothing more from anyone."""
        for link in self.links:
            link.pause()

    def abort(self) -> None:
        """Cut off who does not read their goodbye."""
        for link in list(self.links):
            link.transport.abortConnection()

    def say_goodbye(self, text: str) -> None:
        """Tell every connection, and close it."""
        for link in list(self.links):
            link._session.tell(text)
            link.close()
