"""Memory in large blocks goes back to the system, and does not stay between small ones."""

from __future__ import annotations

import ctypes

_MMAP_THRESHOLD = -3
"""glibc's M_MMAP_THRESHOLD, of malloc.h."""

LARGE = 1 << 20
"""Bytes from which a block is one of its own; hashing a password takes nineteen times as many."""


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
