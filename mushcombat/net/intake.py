"""When a link is read from: not while there is a reason to wait.

What is not read stays with the network, and at last with who sends it: it is slowed, never lost.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from mushcombat.net.limits import Meter


class Reading(Protocol):
    """A link, as far as reading from it goes."""

    def pause(self) -> None:
        """Read no more for now."""
        ...

    def resume(self) -> None:
        """Read on."""
        ...


_NONE: frozenset[str] = frozenset()
"""One for all links that wait for nothing."""


class Intake:
    """One link's reading; `stays` tells whether it may be read from at all any more."""

    __slots__ = ("_ended", "_lines", "_link", "_meters", "_reactor", "_reasons", "_rest", "_stays")

    def __init__(
        self, link: Reading, reactor: Any, stays: Callable[[], bool], *meters: Meter
    ) -> None:
        self._link = link
        self._reactor = reactor
        self._stays = stays
        self._meters = meters
        self._reasons = _NONE
        self._lines = 0
        self._rest: Any = None  # Twisted's delayed call
        self._ended = False

    def line(self) -> None:
        """Count a line; it is charged with the next bytes."""
        self._lines += 1

    def received(self, size: int) -> None:
        """Count bytes, and wait if they came, or lines before them did, faster than they may."""
        lines, self._lines = self._lines, 0
        now = self._reactor.seconds()
        wait = 0.0
        for meter in self._meters:
            wait = max(wait, meter.take(lines, size, now))
        if wait > 0 and self._rest is None and not self._ended:
            self.hold("rate")
            self._rest = self._reactor.callLater(wait, self._rested)

    def hold(self, reason: str) -> None:
        """Read no more, until `go` has been called for every reason there is."""
        if not self._reasons:
            self._link.pause()
        self._reasons |= {reason}

    def go(self, reason: str) -> None:
        """Take a reason away; reading goes on when it was the last one."""
        if reason in self._reasons:
            self._reasons -= {reason}
            if not self._reasons and not self._ended and self._stays():
                self._link.resume()

    def holds(self, reason: str) -> bool:
        """Tell whether it waits for that reason."""
        return reason in self._reasons

    def end(self) -> None:
        """Read on never again."""
        self._ended = True
        if self._rest is not None and self._rest.active():
            self._rest.cancel()

    def _rested(self) -> None:
        self._rest = None
        self.go("rate")
