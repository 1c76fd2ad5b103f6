"""Showing facts: who stands where one can be noticed, what each may see, rendered once a kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from mushcombat.domain.eras import SceneLoaded
from mushcombat.domain.events import Audience, Connected, Described, DoingSet, Fact, Moved, Spoken
from mushcombat.domain.processes import PictureEvent
from mushcombat.domain.screen import Kind
from mushcombat.domain.state import StateChanged
from mushcombat.domain.visibility import Viewer, redact
from mushcombat.service.people import room_lines
from mushcombat.service.presence import Presence
from mushcombat.service.scene_log import UNSIGNED
from mushcombat.service.world import World
from mushcombat.views.few_words import FewWords
from mushcombat.views.paint import pieces_of
from mushcombat.views.plain import PlainView, Side, side_of
from mushcombat.views.screen import present, reply, unpainted
from mushcombat.views.spoken import SpokenView

_UNSHOWN = (StateChanged, SceneLoaded, PictureEvent, Described, DoingSet)
"""What +undo and audits read, what the world alone is told, and what its doer is answered."""

_APART = (Moved, Connected)
"""What those in one room do not all see from the same side."""


@lru_cache(maxsize=1024)
def _listener(channel: int | None, ignored: frozenset[int]) -> Viewer:
    """Give all those who hear a channel and ignore the same people: a channel may have hundreds."""
    channels = frozenset() if channel is None else frozenset({channel})
    return Viewer(None, channels=channels, ignored=ignored)


@lru_cache(maxsize=1024)
def _oneself(character: int) -> Viewer:
    """Give somebody who sees what they did themselves."""
    return Viewer(character)


class Publisher:
    """The only way from a fact to a screen."""

    def __init__(self, world: World, view: PlainView, spoken: SpokenView) -> None:
        self._world = world
        self._view = view
        self._spoken = spoken
        self._few = FewWords(view.systems.values())
        self.also: Callable[[Fact], None] = lambda _: None
        """Handed each fact right after it was shown as text."""

    def line(self, fact: Fact) -> str:
        """Write a fact as somebody reads it later."""
        return self._view.shown(fact)

    def publish(self, facts: Iterable[Fact]) -> None:
        """Show facts in order, each to all who may see it, and keep the world's picture."""
        for fact in facts:
            self._world.apply(fact)
            if not isinstance(fact.event, _UNSHOWN):
                self._show(fact)
            if isinstance(fact.event, Moved):
                self._show_room(fact.event.subject)
            self.also(fact)

    def _show(self, fact: Fact) -> None:
        """Render a fact once for each kind of viewer, and write it to every screen."""
        if fact.audience is Audience.ACTOR:
            self._show_actor(fact)
            return
        everyone = self._same_for_all(fact)
        if everyone and fact.room is not None and not isinstance(fact.event, _APART):
            self._show_all(fact, fact.room)
            return
        rendered: dict[tuple[Side, bool], dict[Kind, bytes]] = {}
        for presence in self._world.audience(fact):
            viewer = self.viewer(fact, presence)
            seen = fact if everyone else redact(fact, viewer)
            side = side_of(fact, presence.id, presence.room)
            if seen is None or (side is Side.ACTOR and isinstance(fact.event, Connected)):
                continue
            self._send(presence, seen, side, rendered.setdefault((side, viewer.referee), {}))

    def _show_actor(self, fact: Fact) -> None:
        """Show what a `/self` answers."""
        presence = self._world.online.get(fact.actor.id)
        if presence is not None and redact(fact, _oneself(presence.id)):
            self._send(presence, fact, Side.ACTOR, {})

    def _show_all(self, fact: Fact, room: int) -> None:
        """Show a fact to a whole room: only actor and subject see it from a side of their own."""
        alike = self._view.reads_alike(fact) and not self._few.opens(fact)
        apart = () if alike else (fact.actor.id, fact.subject)
        rendered: dict[Kind, bytes] = {}
        emitted = isinstance(fact.event, Spoken) and fact.event.style in UNSIGNED
        for character, presence in self._world.standing_in(room).items():
            signed = emitted and presence.nospoof
            if signed or character in apart:
                side = side_of(fact, character, room)
                self._send(presence, fact, side, {}, signed=signed)
            else:
                self._send(presence, fact, Side.OTHER, rendered)

    def _send(
        self,
        presence: Presence,
        fact: Fact,
        side: Side,
        rendered: dict[Kind, bytes],
        *,
        signed: bool = False,
    ) -> None:
        """Write a fact to somebody's screens; `rendered` are the kinds of screen it is made for."""
        for screen in presence.screens:
            kind = screen.kind
            data = rendered.get(kind)
            if data is None:
                data = rendered[kind] = self._rendered(fact, side, kind, signed=signed)
            if data:
                screen.write(data)

    def _rendered(self, fact: Fact, side: Side, kind: Kind, *, signed: bool = False) -> bytes:
        """Give the bytes of a fact for one kind of screen, none where it is to be brief."""
        if kind.brief and self._few.leaves_out(fact, side):
            return b""
        view = self._spoken if kind.reader else self._view
        text = view.shown(fact, side)
        if signed:
            text = f"({fact.actor.name}) {text}"
        return present(pieces_of(fact, text), kind) if kind.colours else unpainted(text, kind)

    def _same_for_all(self, fact: Fact) -> bool:
        """Tell whether anybody at all may see a fact, and the same of it."""
        if fact.audience is not Audience.ROOM:
            return False
        scene = self._world.scenes.get(fact.ledger or 0)
        if scene is None or not scene.hidden:
            return True
        return redact(fact, Viewer(None, unknown=scene.hidden)) == fact

    def viewer(self, fact: Fact, presence: Presence) -> Viewer:
        """Tell as whom somebody sees a fact: for the gate, whatever it is shown as."""
        scene = self._world.scenes.get(fact.ledger or 0)
        if fact.audience is Audience.CHANNEL:
            heard = self._world.channels.hears(presence, fact.channel)
            return _listener(fact.channel if heard else None, presence.settings.ignored)
        if scene is None:
            return Viewer(presence.id, ignored=presence.settings.ignored)
        if self._world.hears(presence, scene, fact):
            return Viewer(presence.id, referee=True)
        return Viewer(presence.id, unknown=scene.hidden)

    def _show_room(self, character: int) -> None:
        presence = self._world.online.get(character)
        for screen in presence.screens if presence else ():
            lines = room_lines(self._world, presence, brief=screen.kind.brief) if presence else ()
            screen.write(reply("\n".join(lines), screen.kind))
