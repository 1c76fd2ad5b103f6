"""Telnet over Twisted: bytes between a transport and the codec of `wire`."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from twisted.internet.error import ConnectionDone
from twisted.internet.interfaces import IAddress
from twisted.internet.protocol import Factory, Protocol, connectionDone
from twisted.internet.task import LoopingCall
from twisted.python.failure import Failure

from mushcombat.net.game import Game
from mushcombat.net.limits import Enter
from mushcombat.net.outbox import Outbox
from mushcombat.net.session import Session
from mushcombat.net.sockets import notice_dead_peers, say_no_more
from mushcombat.net.status import status
from mushcombat.wire.codes import AYT, ECHO, GMCP, NOP
from mushcombat.wire.negotiation import Negotiation, codec
from mushcombat.wire.telnet import Command, Line, LineTooLong, Subnegotiation, Token

QUIET = 1.5
"""Seconds after which a client that answers nothing is asked for CHARSET the other way round."""

LINGER = 10.0
"""Seconds that a client may take to read the last lines."""

LOOK_ROUND = 10.0
"""Seconds between two looks for links that have been quiet."""

log = logging.getLogger(__name__)


class TelnetLink(Protocol):
    """One telnet connection."""

    transport: Any  # Twisted's interfaces are zope's, which mypy does not read
    factory: Any

    def __init__(self, game: Game, enter: Enter | None = None) -> None:
        """`enter` is asked for a place; the gate, where there is none."""
        self._game = game
        self._enter = enter or game.gate.enter
        self._codec = codec()
        self._negotiation = Negotiation(self._codec, lambda: status(game))
        self._out: list[bytes] = []
        self._later: list[Any] = []  # Twisted's delayed calls
        self._active = game.reactor.seconds()

    def connectionMade(self) -> None:
        """Greet at once; what is asked of the client goes first, and no answer is waited for."""
        notice_dead_peers(self.transport)
        self._outbox = Outbox(self.transport, self._game.waiting)
        host = getattr(self.transport.getPeer(), "host", "local")
        self._session = Session(self._game, self, host, self._negotiation.terminal)
        self.factory.links.add(self)
        if self._game.closing:
            self.close()
            return
        self._negotiation.begin()
        self._negotiate()
        self._session.begin(self._enter)
        self._call_later(QUIET, self._quiet)

    def dataReceived(self, data: bytes) -> None:
        """Hand lines to the session, and answers of the codec to the peer."""
        self._active = self._game.reactor.seconds()
        for token in self._codec.each(data):
            if isinstance(token, Line):
                self._session.line(token.raw)
            else:
                self._take(token)
        self._session.received(len(data))
        if self._codec.spoke:  # who never did has nothing to negotiate
            if self._negotiation.note_telnet():
                self._session.terminal_changed()
            self._negotiate()

    def _take(self, token: Token) -> None:
        """Take what is no line: most of it is about the client itself."""
        if self._negotiation.take(token):
            self._session.terminal_changed()
        match token:
            case LineTooLong():
                self._session.too_long()
            case Command(code) if code == AYT:
                self._session.tell(f"[{self._game.config.server.name}: yes]")
            case Subnegotiation(option, payload) if option == GMCP:
                self._session.gmcp(payload)
            case _:
                pass

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        """Tell the session; jobs of what was typed before still run."""
        self.factory.links.discard(self)
        self._outbox.lost(clean=isinstance(reason.value, ConnectionDone))
        for call in self._later:
            if call.active():
                call.cancel()
        self._session.lost()

    # to the client

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
        self._active = self._game.reactor.seconds()
        self._outbox.write(data)

    def send_gmcp(self, payload: bytes) -> None:
        """Send a message of GMCP, if the client takes them."""
        if self._negotiation.terminal.gmcp:
            self._codec.subnegotiate(GMCP, payload)
            self._negotiate()

    def keep_alive(self, since: float) -> None:
        """Send a NOP if nothing was said since then; to netcat it would be two odd bytes."""
        if self._active <= since and self._codec.spoke and self._session.keepalive_wanted:
            self._codec.mark(NOP)
            self._negotiate()

    def close(self) -> None:
        """Close when all is written, or when the client has had its time to read it."""
        self.flush()
        self._outbox.close()
        self._call_later(LINGER, self.abort)

    def finish(self) -> None:
        """Say that no more will come, and read on until the client closes; nothing waits for it.

        Closed at once, with bytes that nobody has read, the kernel would throw away what the
        client has not taken yet: the goodbye itself.
        """
        self.flush()
        if self._outbox.let_go():
            say_no_more(self.transport)

    def abort(self) -> None:
        """Close at once."""
        self.transport.abortConnection()

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

    def mark_prompt(self) -> None:
        """Mark the end of a prompt, for a client that wants to be told."""
        self._negotiation.prompt()
        self._negotiate()

    def _quiet(self) -> None:
        self._negotiation.quiet()
        self._negotiate()

    def _call_later(self, seconds: float, work: Callable[[], None]) -> None:
        self._later.append(self._game.reactor.callLater(seconds, work))

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
        self._round = LoopingCall(self._look_round)
        self._round.clock = game.reactor

    def startFactory(self) -> None:
        """Begin to look for quiet links, with the first port that listens."""
        if self._game.config.server.keepalive:
            self._round.start(LOOK_ROUND, now=False)

    def stopFactory(self) -> None:
        """Look no more."""
        if self._round.running:
            self._round.stop()

    def buildProtocol(self, addr: IAddress | None) -> TelnetLink:  # noqa: ARG002 -- Twisted's signature
        """Make the protocol for one connection."""
        link = TelnetLink(self._game)
        link.factory = self
        return link

    def has_output(self, link: TelnetLink) -> None:
        """Flush a link at the end of this turn of the reactor."""
        if not self._with_output:
            self._game.at_turns_end(self._flush)
        self._with_output.append(link)

    def _look_round(self) -> None:
        since = self._game.reactor.seconds() - self._game.config.server.keepalive
        for link in self.links:
            link.keep_alive(since)

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

    def drop_waiting(self) -> None:
        """Do no more of what waits; what is under way goes on."""
        for link in self.links:
            link._session.drop()

    def undone(self) -> int:
        """Give the number of lines that were typed and are not done any more."""
        return sum(link._session.undone for link in self.links)

    def abort(self) -> None:
        """Cut off who does not read their goodbye."""
        for link in list(self.links):
            link.abort()

    def say_goodbye(self, text: str) -> None:
        """Tell every connection, and close it."""
        for link in list(self.links):
            link._session.goodbye(text)
