"""Open files: each connection is one, and the system sets a limit for each process."""

from __future__ import annotations

import logging
import resource

from mushcombat.config import Limits

log = logging.getLogger(__name__)

OURS = 100
"""Files that the server itself has open at most: the database's, its ports, its logs."""


def fitted(limits: Limits) -> Limits:
    """Ask for as many open files as all connections need; gives the limits that can be held."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = limits.connections + OURS if limits.connections else hard
    unlimited = resource.RLIM_INFINITY
    most = wanted if hard == unlimited else min(wanted, hard)
    if soft != unlimited and (most == unlimited or soft < most):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    if hard == unlimited or (limits.connections and most >= wanted):
        return limits
    fit = max(1, most - OURS)
    log.warning("the system lets this process open %d files: %d connections fit", most, fit)
    return limits.model_copy(update={"connections": fit})
