"""What staff do to keep order, as lines of plain text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from mushcombat.domain.events import Event, Fact
from mushcombat.domain.staff_events import (
    BanLifted,
    BanSet,
    Booted,
    LoginChanged,
    PasswordReset,
    ShutdownCancelled,
    ShutdownSet,
    Teleported,
)
from mushcombat.views.side import Side


def until(end: datetime | None) -> str:
    """Write how long a ban lasts."""
    return f" until {end:%Y-%m-%d %H:%M} UTC" if end else " without an end"


def _why(reason: str) -> str:
    return f": {reason}" if reason else "."


def _booted(fact: Fact, event: Booted, side: Side) -> str:
    whom = "you" if side is Side.SUBJECT else event.name
    return f"[Server] {fact.actor.name} boots {whom}{_why(event.reason)}"


def _banned(fact: Fact, event: BanSet, side: Side) -> str:
    whom = "you" if side is Side.SUBJECT else event.target
    return f"[Server] {fact.actor.name} bans {whom}{until(event.until)}{_why(event.reason)}"


def _lifted(fact: Fact, event: BanLifted, _side: Side) -> str:
    return f"[Server] {fact.actor.name} lets {event.target} in again."


def _reset(fact: Fact, event: PasswordReset, side: Side) -> str:
    whose = "your password" if side is Side.SUBJECT else f"{event.name}'s password"
    return f"[Server] {fact.actor.name} replaces {whose} by one that works one time."


def _shutdown(fact: Fact, event: ShutdownSet, _side: Side) -> str:
    when = f"in {event.minutes} minute{'s' if event.minutes != 1 else ''}"
    if not event.minutes:
        when = "now"
    return f"[Server] {fact.actor.name} ends the server {when}{_why(event.reason)}"


def _cancelled(fact: Fact, _event: ShutdownCancelled, _side: Side) -> str:
    return f"[Server] {fact.actor.name} lets the server run on."


def _teleported(fact: Fact, event: Teleported, side: Side) -> str:
    whom = "you" if side is Side.SUBJECT else event.name
    return f"[Server] {fact.actor.name} moves {whom} to {event.place}."


def _login(fact: Fact, event: LoginChanged, _side: Side) -> str:
    return f"[Server] {fact.actor.name}: {event.name} {event.what}."


STAFF_LINES: Mapping[type[Event], Callable[[Fact, Any, Side], str]] = {
    Booted: _booted,
    BanSet: _banned,
    BanLifted: _lifted,
    PasswordReset: _reset,
    ShutdownSet: _shutdown,
    ShutdownCancelled: _cancelled,
    Teleported: _teleported,
    LoginChanged: _login,
}
