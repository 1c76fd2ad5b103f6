"""Memory in large blocks goes back to the system; what stays is not searched for garbage."""

from __future__ import annotations

import ctypes
import gc

_MMAP_THRESHOLD = -3
"""glibc's M_MMAP_THRESHOLD, of malloc.h."""

LARGE = 1 << 20
"""Bytes from which a block is one of its own; hashing a password takes nineteen times as many."""

MANY = 10_000
"""Things made, beyond those done with, from which garbage is looked for; Python's own is 700."""


def give_back_large_blocks() -> bool:
    """Have glibc take and give back large blocks by themselves; tells whether it does.

    By its own rule it would learn from the first hash to keep such blocks on its heaps, one for
    each thread, and connections that log in then hold them in place. Other libraries (musl,
    macOS) have no such call, and no such rule.
    """
    try:
        tune = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):
        return False
    return bool(tune(_MMAP_THRESHOLD, LARGE))


def stop_searching_what_stays() -> None:
    """Take all that there is for what stays: the program itself, and the world as it was loaded.

    To search it for garbage takes a tenth of a second, in which nobody hears anything.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(MANY)
