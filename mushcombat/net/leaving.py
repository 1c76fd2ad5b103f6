"""The last way out of a process: whose threads hang in calls to a database that says nothing."""

from __future__ import annotations

import logging
import os
from threading import Timer

log = logging.getLogger(__name__)


def leave_after(seconds: float) -> None:
    """End the process after so many seconds, with exit code 1, if it has not ended by then.

    A thread in a call of the driver can't be ended by itself. What it has begun is saved or not, as
    the database has it: whoever waited for that was told that nobody knows.
    """
    timer = Timer(seconds, _leave)
    timer.daemon = True
    timer.start()


def _leave() -> None:
    log.error("the database does not answer: ended without it")
    logging.shutdown()
    os._exit(1)
