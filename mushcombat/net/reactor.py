"""The reactor that the server runs on: on Linux Twisted's for epoll, with less at each event.

Twisted tells its log at each event whom it works for; that was a tenth of a line's time, and our
log says by itself whom a line of it is about.
"""

from __future__ import annotations

import sys
from typing import Any

from twisted.internet.main import installReactor

if sys.platform == "linux":
    from twisted.internet.epollreactor import EPollReactor

    class Reactor(EPollReactor):
        """Lets descriptors read and write as they can."""

        _poller: Any
        _selectables: dict[int, Any]
        _doReadOrWrite: Any  # noqa: N815 -- Twisted's; it ends a descriptor that fails

        def doPoll(self, timeout: float | None) -> None:  # noqa: N802 -- Twisted's name
            """Wait for events, at most so many seconds, and handle those that come."""
            wait = -1 if timeout is None else timeout
            try:
                events = self._poller.poll(wait, len(self._selectables))
            except InterruptedError:
                return
            for number, event in events:
                selectable = self._selectables.get(number)
                if selectable is not None:  # none: what came before ended it
                    self._doReadOrWrite(selectable, number, event)

        doIteration = doPoll  # noqa: N815 -- Twisted's name


def the_reactor() -> Any:
    """Install the reactor of this process and give it; nothing may have installed one before."""
    if sys.platform == "linux":
        installReactor(Reactor())  # type: ignore[no-untyped-call]  # Twisted's
    from twisted.internet import reactor  # noqa: PLC0415 -- importing it installs it, if none is

    return reactor
