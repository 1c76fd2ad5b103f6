"""Verbs about the connection itself; `net` runs them, this file is their row in the table."""

from __future__ import annotations

from mushcombat.domain.command import Access, Call, Lane, Verb, session_only
from mushcombat.service.parsing import nothing


def _passwords(call: Call) -> tuple[str, str]:
    """Parse `<old>=<new>`, or nothing: then both are asked for. Nothing is ever repeated."""
    old, new = call.sides()
    if (old or new is not None) and not (old and new):
        raise call.wrong()
    return old, new or ""


CONNECTION_VERBS = (
    Verb(
        "@password",
        "@password [<old>=<new>]",
        Access.PLAYER,
        Lane.SESSION,
        _passwords,
        session_only,
    ),
    Verb("quit", "QUIT", Access.GUEST, Lane.SESSION, nothing, session_only),
)
