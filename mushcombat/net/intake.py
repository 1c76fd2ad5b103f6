"""When a link is read from: not while there is a reason to wait.

What is not read stays with the network, and at last with who sends it: it is slowed, never lost.
What came in one piece is read, however many lines it brings: those over the limit wait until they
would have been let in.
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


PACE = 0.05
"""Seconds that lines over the limit are put off at least, to be done some at a time."""

ROUNDING = 0.001
"""Seconds that are too few to wait for."""

_NONE: frozenset[str] = frozenset()
"""One for all links that wait for nothing."""


class Intake:
    """One link's reading; `stays` tells whether it may be read from at all any more.

    The first of the meters is its own. `slowed`: more has come than may, of whatever.
    """

    __slots__ = (
        *("_ended", "_lines", "_link", "_meters", "_reactor", "_reasons", "_rest", "_stays"),
        "slowed",
    )

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
        self.slowed = False

    def line(self) -> None:
        """Count a line; it is charged with the bytes that brought it."""
        self._lines += 1

    def received(self, size: int) -> None:
        """Count bytes whose lines are counted, and wait if they came faster than they may."""
        lines, self._lines = self._lines, 0
        wait = self._charge(lines, size)
        if wait > 0 and self._rest is None and not self._ended:
            self.slowed = True
            self.hold("rate")
            self._rest = self._reactor.callLater(wait, self._rested)

    def _charge(self, lines: int, size: int) -> float:
        now = self._reactor.seconds()
        wait = 0.0
        for meter in self._meters:
            wait = max(wait, meter.take(lines, size, now))
        return wait

    def due(self, waiting: int) -> float:
        """Give the seconds until the first of so many lines that wait may be done, 0 if it may.

        The last of them are those that are owed.
        """
        wait = self._meters[0].lines.until(waiting - 1, self._reactor.seconds())
        return max(wait, PACE) if wait > ROUNDING else 0.0

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
        wait = self._charge(0, 0)
        if wait > ROUNDING:  # more had been on its way when reading was paused
            self._rest = self._reactor.callLater(wait, self._rested)
            return
        self.slowed = False
        self.go("rate")
