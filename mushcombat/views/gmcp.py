"""Facts as GMCP messages: what a client's scripts are given beside the lines that its player reads.

Each is made of a fact that has passed the gate, from the side from which the viewer sees it, and
says nothing that the line for the same viewer does not say. docs/gmcp.md has the schemas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from mushcombat.domain.channels import ChannelSpoken
from mushcombat.domain.events import (
    Connected,
    Event,
    Fact,
    Moved,
    Paged,
    PoseEdited,
    PoseWithdrawn,
    Spoken,
    Whispered,
)
from mushcombat.domain.scene_events import Muttered, MutteredTo
from mushcombat.records import record
from mushcombat.service.scene_log import UNSIGNED
from mushcombat.systems.system import DescribeData, System
from mushcombat.views.plain import PlainView
from mushcombat.views.side import Side

Data = dict[str, Any]
Message = tuple[str, Any]
"""A package's name, and what goes into its JSON."""

ROOM, PAGE, WHISPER, MUTTER = "room", "page", "whisper", "mutter"
"""What Comm.Channel.Text calls talk that is on no channel."""


@record(frozen=True, slots=True)
class Sight:
    """How somebody sees a fact; `authors`: they are told who wrote an @emit."""

    side: Side = Side.OTHER
    authors: bool = False


class GmcpView:
    """Makes messages of facts; one that is of no use to scripts gives none."""

    def __init__(self, systems: Iterable[System], plain: PlainView) -> None:
        self._plain = plain
        self._combat: dict[type[Event], DescribeData] = {}
        for system in systems:
            self._combat.update(system.data)

    def messages(self, fact: Fact, sight: Sight) -> list[Message]:
        """Give the messages of a fact that a viewer may see, as they see it."""
        combat = self._combat.get(type(fact.event))
        if combat and fact.in_scene:
            package, data = combat(fact.event, fact.actor.name)
            place = {"scene": fact.ledger, "action": fact.action}
            return [(f"Combat.{package}", {**place, **data, "text": self._text(fact, sight)})]
        make = _MESSAGES.get(type(fact.event))
        return make(self, fact, sight) if make else []

    def _text(self, fact: Fact, sight: Sight) -> str:
        return self._plain.shown(fact, sight.side)

    def _spoken(self, fact: Fact, sight: Sight) -> list[Message]:
        event: Any = fact.event
        if fact.in_scene:
            return self._pose(fact, sight, event.style, None)
        return self._talk(ROOM, _author(fact, event.style, sight), fact, sight)

    def _edited(self, fact: Fact, sight: Sight) -> list[Message]:
        event: Any = fact.event
        return self._pose(fact, sight, event.style, event.row) if fact.in_scene else []

    def _withdrawn(self, fact: Fact, sight: Sight) -> list[Message]:
        event: Any = fact.event
        return self._pose(fact, sight, "withdrawn", event.row) if fact.in_scene else []

    def _muttered(self, fact: Fact, sight: Sight) -> list[Message]:
        # To whom it was said reads here what the others hear of it, unsigned; the whole has a name.
        told = sight.side is Side.SUBJECT
        if fact.in_scene:
            ((package, data),) = self._pose(fact, sight, MUTTER, None)
            return [(package, {**data, "name": "" if told else data["name"]})]
        return self._talk(MUTTER, "" if told else fact.actor.name, fact, sight)

    def _muttered_to(self, fact: Fact, sight: Sight) -> list[Message]:
        event: Any = fact.event
        by = event.by if sight.side is not Side.ACTOR else ""
        return self._talk(MUTTER, by or fact.actor.name, fact, sight)

    def _said(self, fact: Fact, sight: Sight) -> list[Message]:
        event: Any = fact.event
        return self._talk(event.name, fact.actor.name, fact, sight)

    def _paged(self, fact: Fact, sight: Sight) -> list[Message]:
        return self._talk(PAGE, fact.actor.name, fact, sight)

    def _whispered(self, fact: Fact, sight: Sight) -> list[Message]:
        return self._talk(WHISPER, fact.actor.name, fact, sight)

    def _pose(self, fact: Fact, sight: Sight, style: str, row: int | None) -> list[Message]:
        data = {
            "scene": fact.ledger,
            "row": fact.seq,
            "style": style,
            "name": _author(fact, style, sight),
            "text": self._text(fact, sight),
            "replaces": row,
        }
        return [("Scene.Pose", data)]

    def _talk(self, channel: str, talker: str, fact: Fact, sight: Sight) -> list[Message]:
        return [text_on(channel, talker, self._text(fact, sight))]

    def _connected(self, fact: Fact, sight: Sight) -> list[Message]:
        event: Any = fact.event
        if sight.side is Side.ACTOR:
            return []
        return [_comes(fact.actor.name) if event.here else _goes(fact.actor.name)]

    def _moved(self, fact: Fact, sight: Sight) -> list[Message]:
        event: Any = fact.event
        return [_goes(event.name) if sight.side is Side.ORIGIN else _comes(event.name)]


def text_on(channel: str, talker: str, text: str) -> Message:
    """Tell what somebody said on a channel, with the line as it is read."""
    return "Comm.Channel.Text", {"channel": channel, "talker": talker, "text": text}


def player(name: str) -> Data:
    """Name somebody as Room.Players does."""
    return {"name": name, "fullname": name}


def _comes(name: str) -> Message:
    return "Room.AddPlayer", player(name)


def _goes(name: str) -> Message:
    return "Room.RemovePlayer", name


def _author(fact: Fact, style: str, sight: Sight) -> str:
    """Name who spoke, but of an @emit only to whom the line would be signed, and to themselves."""
    named = style not in UNSIGNED or sight.authors or sight.side is Side.ACTOR
    return fact.actor.name if named else ""


_MESSAGES: Mapping[type[Event], Callable[[GmcpView, Fact, Sight], list[Message]]] = {
    Spoken: GmcpView._spoken,
    PoseEdited: GmcpView._edited,
    PoseWithdrawn: GmcpView._withdrawn,
    Muttered: GmcpView._muttered,
    MutteredTo: GmcpView._muttered_to,
    ChannelSpoken: GmcpView._said,
    Paged: GmcpView._paged,
    Whispered: GmcpView._whispered,
    Connected: GmcpView._connected,
    Moved: GmcpView._moved,
}
