"""The ids of jobs: no two are alike, in whichever process they were made."""

from __future__ import annotations

import os
import time

RANDOM_BYTES = 8


def job_id() -> str:
    """Make an id of 32 hexadecimal digits: the time in nanoseconds, then what nobody else draws.

    Later ones sort behind earlier ones (as with UUID version 7, RFC 9562), so that an index of
    them grows at its end. Ids without an order fall on a page each, of as many as there are.
    """
    return f"{time.time_ns():016x}{os.urandom(RANDOM_BYTES).hex()}"
