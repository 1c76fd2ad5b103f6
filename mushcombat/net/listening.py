"""Endpoints: Twisted's descriptions, with who is really there known before anything is said.

Twisted's own `haproxy:` hands a connection up before it has read whose it is, and closes one whose
header comes in two packets; its `ssl:` hands one up before the handshake. Here the game's
protocols begin when that is done, within `PATIENCE` seconds; and a certificate can be read anew.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import Any

from OpenSSL import SSL, crypto
from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.endpoints import serverFromString
from twisted.internet.error import CannotListenError, VerifyError
from twisted.internet.interfaces import IHandshakeListener, IOpenSSLServerConnectionCreator
from twisted.internet.protocol import Protocol, connectionDone
from twisted.protocols.policies import ProtocolWrapper, WrappingFactory
from twisted.python.failure import Failure
from zope.interface import directlyProvides, implementer, providedBy

from mushcombat.errors import MushError
from mushcombat.net.limits import LOCAL, Doorstep
from mushcombat.wire.proxy import BadHeaderError, Proxied, read

log = logging.getLogger(__name__)

PATIENCE = 10.0
"""Seconds that a TLS handshake, or a PROXY header, may take."""

PROXY, TLS = "haproxy:", "ssl:"

QUEUE = 1024
"""How many may knock at once: the system holds them until they are let in.

Of Twisted's 50 the rest try again a second later, and then after three: after a restart everybody
comes back at once. A description's own `backlog=` stands. The system may hold fewer (somaxconn).
"""

Networks = Collection[IPv4Network | IPv6Network]

_FAULTS = (OSError, ValueError, VerifyError, SSL.Error, crypto.Error)
"""What is raised for a description's files, and most else that is wrong with it."""

_MISFITS = (AttributeError, CannotListenError, LookupError, OverflowError, TypeError)
"""What is raised for one whose words or numbers don't fit, or that is no port (`stdio:`)."""


_NO_INT = "invalid literal for int() with base 10:"
"""How Python says it, which is for programmers."""


class Waiting(ProtocolWrapper):
    """Holds the protocol above back until `begin`; nothing of a connection that never does."""

    factory: Any  # zope's interfaces, which mypy does not read: so are the two below
    transport: Any
    wrappedProtocol: Any  # noqa: N815 -- Twisted's name
    _begun = False
    _counted = False

    def makeConnection(self, transport: Any) -> None:
        """Wait, but not for ever."""
        directlyProvides(self, providedBy(transport))
        Protocol.makeConnection(self, transport)  # type: ignore[no-untyped-call]
        self._patience = self.factory.reactor.callLater(PATIENCE, self._tired)
        self._counted = self.factory.enter(_host(transport.getPeer()))
        if self._counted:
            self.opened()
        else:
            self.refuse("too many are waiting")

    def opened(self) -> None:
        """Do what can be done before a byte has come."""

    def begin(self) -> None:
        """Let the protocol above begin."""
        self._begun = True
        self._patience.cancel()
        self._count_out()
        self.factory.registerProtocol(self)
        self.wrappedProtocol.makeConnection(self)

    def refuse(self, why: str) -> None:
        """Close a connection that comes to nothing."""
        if self._patience.active():
            self._patience.cancel()
        log.info("closed a connection of %s: %s", _host(self.transport.getPeer()), why)
        self.transport.abortConnection()

    def _tired(self) -> None:
        self.refuse("nothing came in time")

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        """Tell the protocol above, if it has begun."""
        if self._patience.active():
            self._patience.cancel()
        self._count_out()
        if self._begun:
            super().connectionLost(reason)  # type: ignore[no-untyped-call]

    def _count_out(self) -> None:
        """Make room for another: this one is over, or counts among those within."""
        if self._counted:
            self._counted = False
            self.factory.doorstep.leave(_host(self.transport.getPeer()) or LOCAL)


@implementer(IHandshakeListener)
class Handshaken(Waiting):
    """A TLS connection, which begins when both ends know each other."""

    def handshakeCompleted(self) -> None:  # noqa: N802 -- Twisted's
        """Begin; Twisted calls this."""
        self.begin()


class Forwarded(Waiting):
    """A connection behind a proxy, which begins when the proxy has said whose it is."""

    _data = b""
    _proxied: Proxied | None = None

    def opened(self) -> None:
        """Close what comes from a proxy that nobody trusts."""
        if not self.factory.trusts(_host(self.transport.getPeer())):
            self.refuse("no proxy that is trusted")

    def dataReceived(self, data: bytes) -> None:
        """Take the header, then hand on what follows."""
        if self._begun:
            self.wrappedProtocol.dataReceived(data)
            return
        if not self._patience.active():  # it was refused
            return
        self._data += data
        try:
            self._proxied = read(self._data)
        except BadHeaderError as problem:
            self.refuse(f"a bad PROXY header, {problem}")
            return
        if self._proxied is not None:
            self._data = b""
            self.begin()
            if self._proxied.rest:
                self.wrappedProtocol.dataReceived(self._proxied.rest)

    def getPeer(self) -> Any:  # noqa: N802 -- Twisted's
        """Give who is behind the proxy; the proxy itself where it speaks for itself."""
        if self._proxied is None or self._proxied.host is None:
            return self.transport.getPeer()
        kind = IPv6Address if ":" in self._proxied.host else IPv4Address
        return kind("TCP", self._proxied.host, self._proxied.port)


def _host(address: Any) -> str:
    """Write who is at the other end; '' for a UNIX socket, which has no number."""
    return getattr(address, "host", "")


class WaitingFactory(WrappingFactory):
    """Wraps each protocol of a factory in one that waits."""

    noisy = False

    def __init__(self, factory: Any, reactor: Any, trusted: Networks, doorstep: Doorstep) -> None:
        super().__init__(factory)  # type: ignore[no-untyped-call]
        self.reactor = reactor
        self.doorstep = doorstep
        self._trusted = trusted

    def enter(self, host: str) -> bool:
        """Tell whether there is room for one more that waits, and count it then."""
        return self.doorstep.enter(host or LOCAL, trusted=self.trusts(host))

    def trusts(self, host: str) -> bool:
        """Tell whether a proxy's word is taken; one on a UNIX socket needs the file's rights."""
        if not host:
            return True
        address = ip_address(host.partition("%")[0])
        mapped = getattr(address, "ipv4_mapped", None)
        return any((mapped or address) in network for network in self._trusted)


@implementer(IOpenSSLServerConnectionCreator)
class Certificate:
    """What TLS connections are made with; connections that are open keep what they had."""

    def __init__(self, options: Any) -> None:
        self.replace(options)

    def serverConnectionForTLS(self, protocol: Any) -> Any:  # noqa: N802 -- Twisted's
        """Make a connection with the certificate of now."""
        return self._options.serverConnectionForTLS(protocol)

    def replace(self, options: Any) -> None:
        """Take another certificate; whatever is wrong with it is raised, and the old one stays."""
        options.getContext()
        self._options = options


@dataclass(eq=False)
class Listener:
    """A port that listens; `reload` reads its certificate anew, None where it has none."""

    description: str
    port: Any
    reload: Callable[[], None] | None = None

    @property
    def port_number(self) -> int:
        """Give the number of the port; 0 where there is none."""
        return getattr(self.port.getHost(), "port", 0)

    @property
    def is_proxied(self) -> bool:
        """Whether only a proxy may connect."""
        return self.description.startswith(PROXY)

    @property
    def is_secure(self) -> bool:
        """Whether TLS is spoken."""
        return self.reload is not None

    @property
    def address(self) -> str:
        """Tell where it listens: "127.0.0.1:4201", or a UNIX socket's path."""
        host = self.port.getHost()
        if hasattr(host, "port"):
            return f"{host.host}:{host.port}"
        name = host.name
        return name.decode() if isinstance(name, bytes) else str(name)


@contextmanager
def named(how: str) -> Iterator[None]:
    """Say of an endpoint that can't be listened on how another is named."""
    try:
        yield
    except (*_FAULTS, *_MISFITS) as problem:
        text = f"Can't listen: {_why(problem).rstrip('.')}."
        if isinstance(problem, CannotListenError):
            text = f"Can't listen on port {problem.port}: {problem.socketError}."
        raise MushError("listen", text, f"Name another with {how}.") from problem


def _why(problem: Exception) -> str:
    if isinstance(problem, OSError) and problem.filename:
        return f"{problem.filename}: {problem.strerror}"
    return str(problem).replace(_NO_INT, "no whole number:")


async def listen(
    reactor: Any, description: str, factory: Any, trusted: Networks, doorstep: Doorstep
) -> Listener:
    """Listen on a description of Twisted's; what is wrong with it is raised as Twisted does."""
    if description.startswith(PROXY):
        behind = WaitingFactory(factory, reactor, trusted, doorstep)
        behind.protocol = Forwarded
        plain = description.removeprefix(PROXY)
        found = await listen(reactor, plain, behind, trusted, doorstep)
        return Listener(description, found.port, found.reload)
    if description.startswith(TLS):
        handshaken = WaitingFactory(factory, reactor, trusted, doorstep)
        handshaken.protocol = Handshaken
        return await _listen_tls(reactor, description, handshaken)
    server: Any = serverFromString(reactor, description)  # type: ignore[no-untyped-call]
    return Listener(description, _widened(description, await server.listen(factory)))


def _widened(description: str, port: Any) -> Any:
    """Let more wait at a port."""
    if "backlog=" not in description:
        port.socket.listen(QUEUE)
    return port


class _Tls:
    """A reactor for `ssl:` descriptions alone: Twisted reads the files, we keep the context."""

    def __init__(self, reactor: Any) -> None:
        self._reactor = reactor
        self.certificate: Certificate | None = None

    def listenSSL(self, port: int, factory: Any, **options: Any) -> Any:  # noqa: N802 -- Twisted's
        """Listen with a context that can be replaced."""
        self.certificate = Certificate(options.pop("contextFactory"))
        return self._reactor.listenSSL(port, factory, self.certificate, **options)


class _Read:
    """A reactor that listens nowhere, and only has a description's files read."""

    options: Any = None

    def listenSSL(self, _port: int, _factory: Any, **options: Any) -> None:  # noqa: N802 -- Twisted's
        """Take what was read."""
        self.options = options["contextFactory"]


async def _listen_tls(reactor: Any, description: str, handshaken: WaitingFactory) -> Listener:
    tls = _Tls(reactor)
    server: Any = serverFromString(tls, description)  # type: ignore[no-untyped-call]
    port = _widened(description, await server.listen(handshaken))

    def reload() -> None:
        again = _Read()
        server: Any = serverFromString(again, description)  # type: ignore[no-untyped-call]
        server.listen(handshaken)
        if tls.certificate is not None:
            tls.certificate.replace(again.options)

    return Listener(description, port, reload)


def reload(listeners: Iterable[Listener]) -> None:
    """Read all certificates anew; one that is broken is told of in the log, the old one stays."""
    for listener in listeners:
        if listener.reload is None:
            continue
        try:
            listener.reload()
        except _FAULTS as problem:
            log.error("the certificate of %s stays as it was: %s", listener.description, problem)  # noqa: TRY400 -- what is wrong is in the file, not here
        else:
            log.info("read the certificate of %s anew", listener.description)
