"""Twisted's endpoint descriptions, looked at without listening on any."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from twisted.internet.defer import Deferred
from twisted.internet.endpoints import StandardIOEndpoint, serverFromString
from twisted.internet.protocol import Factory
from twisted.python.failure import Failure

from mushcombat.errors import MushError
from mushcombat.net.listening import PROXY, named

WANTED: Final = "an endpoint like tcp:4201"

_SYSTEMD = "systemd:"
_HIGHEST = 65_535

Place = tuple[object, ...]
"""Where an endpoint would listen; no two can be in one place."""


class _Nowhere:
    """A reactor that notes where it is to listen, and refuses what no system lets it do."""

    place: Place = ()

    def listenTCP(  # noqa: N802 -- Twisted's
        self, port: int, _factory: Any, interface: str = "", **_more: Any
    ) -> None:
        """Take a port's number."""
        if not 0 <= port <= _HIGHEST:
            raise ValueError(f"a port is a number from 0 to {_HIGHEST}")
        self.place = ("port", port, interface) if port else ()

    def listenSSL(self, port: int, factory: Any, *context: Any, **more: Any) -> None:  # noqa: N802 -- Twisted's
        """Take the same, with a certificate; whether its key fits is found out here."""
        (options,) = context or (more.pop("contextFactory"),)
        options.getContext()
        self.listenTCP(port, factory, **more)

    def listenUNIX(self, address: str, _factory: Any, **_more: Any) -> None:  # noqa: N802 -- Twisted's
        """Take the name of a socket."""
        if not Path(address).parent.is_dir():
            raise ValueError(f"there is no folder {Path(address).parent}")
        self.place = ("socket", address)


def place_of(description: str) -> Place:
    """Tell where an endpoint would listen; () where any number of them can, or nobody knows.

    Raises MushError for one that can't be listened on, whatever else listens. What systemd hands
    over (`systemd:`), only a server that it starts can tell.
    """
    plain = description.removeprefix(PROXY)
    nowhere = _Nowhere()
    if not plain.startswith(_SYSTEMD):
        with named("--telnet tcp:PORT"):
            _listen(nowhere, plain)
    return nowhere.place


def _listen(nowhere: _Nowhere, description: str) -> None:
    server: Any = serverFromString(nowhere, description)  # type: ignore[no-untyped-call]  # Twisted's
    if isinstance(server, StandardIOEndpoint):
        raise ValueError("that is no port")  # noqa: TRY004 -- nobody's type is wrong
    failures: list[Failure] = []
    listening: Deferred[object] = server.listen(Factory())
    listening.addErrback(failures.append)
    for failure in failures:
        failure.raiseException()


def wrong_with(descriptions: Sequence[str], taken: dict[Place, str], where: str) -> list[str]:
    """Tell for each what is wrong with it, "" where nothing is.

    `taken` holds places with the name of who has them; it gets those of these, named by `where`.
    """
    told = []
    for at, description in enumerate(descriptions):
        try:
            place = place_of(description)
        except MushError as problem:
            told.append(problem.text.removeprefix("Can't listen: ").rstrip("."))
            continue
        owner = taken.setdefault(place, f"{where}[{at}]") if place else ""
        told.append(f"{owner} has that already" if owner not in {"", f"{where}[{at}]"} else "")
    return told
