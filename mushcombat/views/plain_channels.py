"""Channels and players' choices as plain text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mushcombat.domain.channels import ChannelDeleted, ChannelMade, ChannelSet, ChannelSpoken
from mushcombat.domain.events import Event, Fact, Paged
from mushcombat.domain.settings import Ignored, Noticed, PagesLocked, Watched, WatchedAll
from mushcombat.domain.text import spoken
from mushcombat.views.side import Side
from mushcombat.views.speech import posed_or_said


def _spoken(fact: Fact, event: ChannelSpoken, _side: Side) -> str:
    return f"[{event.name}] {posed_or_said(fact.actor.name, event.text)}"


def _made(fact: Fact, event: ChannelMade, _side: Side) -> str:
    return f"{fact.actor.name} makes the channel {event.name} (+{event.alias}), for {event.role}."


def _deleted(fact: Fact, event: ChannelDeleted, _side: Side) -> str:
    return f"{fact.actor.name} deletes the channel {event.name}."


def _set(_fact: Fact, event: ChannelSet, _side: Side) -> str:
    name = event.name
    return {
        "on": f"You hear {name}.",
        "off": f"You don't hear {name} until +channel/on {name}.",
        "left": f"You are not on {name} any more. (+channel/join {name})",
    }[event.state]


def _ignored(_fact: Fact, event: Ignored, _side: Side) -> str:
    if event.on:
        return f"You ignore {event.name}: no pages, whispers or channel lines of theirs."
    return f"You ignore {event.name} no longer."


def _watched(_fact: Fact, event: Watched, _side: Side) -> str:
    if event.on:
        return f"You are told when {event.name} comes and goes."
    return f"You watch {event.name} no longer."


def _watched_all(_fact: Fact, event: WatchedAll, _side: Side) -> str:
    if event.on:
        return "You are told when anybody comes and goes."
    return "You are told of those alone whom you watch."


def _locked(_fact: Fact, event: PagesLocked, _side: Side) -> str:
    if event.on:
        return "You take no pages now but those of staff. (@unlock page)"
    return "You take pages again."


def _noticed(fact: Fact, event: Noticed, _side: Side) -> str:
    return f"<Watch> {fact.actor.name} has {'connected' if event.here else 'disconnected'}."


def paged(fact: Fact, event: Paged, side: Side) -> str:
    """Write a page; one to several tells each to whom it went."""
    several = f"({', '.join(event.people)})" if event.people else ""
    to, sender = several or event.to, fact.actor.name
    if event.text[:1] in {":", ";"}:
        posed = posed_or_said(sender, event.text)
        if side is Side.ACTOR:
            return f"Long distance to {to}: {posed}"
        return f"From afar, to {several}: {posed}" if several else f"From afar, {posed}"
    if side is Side.ACTOR:
        return f"You paged {to} with '{spoken(event.text)}'"
    start = f"To {several} {sender}" if several else sender
    return f"{start} pages: {spoken(event.text)}"


CHANNEL_LINES: Mapping[type[Event], Callable[[Fact, Any, Side], str]] = {
    ChannelSpoken: _spoken,
    ChannelMade: _made,
    ChannelDeleted: _deleted,
    ChannelSet: _set,
    Ignored: _ignored,
    Watched: _watched,
    WatchedAll: _watched_all,
    PagesLocked: _locked,
    Noticed: _noticed,
    Paged: paged,
}
