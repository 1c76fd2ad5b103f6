"""Data for clients that take GMCP: what happens, and how things stand, of what they asked for."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from twisted.python.failure import Failure

from mushcombat.domain.channels import ChannelDeleted, ChannelMade
from mushcombat.domain.command import ReadContext
from mushcombat.domain.events import Fact, Spoken
from mushcombat.domain.scene import Scene
from mushcombat.domain.state import StateChanged
from mushcombat.domain.visibility import Viewer, redact
from mushcombat.net.flood import Allowance
from mushcombat.records import record
from mushcombat.service.presence import Presence
from mushcombat.service.standing import Standing
from mushcombat.views import gmcp_state
from mushcombat.views.gmcp import GmcpView, Sight
from mushcombat.views.side import side_of
from mushcombat.wire.gmcp import Supports, encode, parse

if TYPE_CHECKING:
    from mushcombat.net.game import Game
    from mushcombat.net.session import Session

log = logging.getLogger(__name__)

MESSAGES_A_SECOND, MESSAGES_AT_ONCE = 20, 100
"""GMCP messages of one client that are looked at; those over it are dropped unread."""


_LOST: Any = object()
"""What a client holds that asks again: nothing that it could be told is the same."""


@record(frozen=True, slots=True)
class DataView:
    """What makes data: of facts, and of what the database holds of a player."""

    events: GmcpView
    standing: Callable[[Scene | None, ReadContext], Standing | None]


@dataclass(eq=False, slots=True)
class Taker:
    """A connection whose client speaks GMCP; `sent` is what it holds of how things stand."""

    session: Session
    allowance: Allowance
    supports: Supports = field(default_factory=Supports)
    sent: dict[str, Any] = field(default_factory=dict)
    room: int | None = None
    reading: bool = False
    again: bool = False

    @property
    def presence(self) -> Presence | None:
        """Whose it is; None before the login."""
        return self.session.presence

    def send(self, package: str, data: Any = None) -> None:
        """Send a message if the client wants its package; those of Core it has to take."""
        if package.startswith("Core."):
            self.session.link.send_gmcp(encode(package, data))
        else:
            self.give(package, encode(package, data))

    def give(self, package: str, payload: bytes) -> None:
        """Send a message that is written already, if the client wants its package."""
        if self.supports.has(package):
            self.session.link.send_gmcp(payload)

    def tell(self, package: str, data: Any) -> None:
        """Send how something stands, if that is new to the client."""
        known = self.sent.get(package, gmcp_state.KNOWN_UNTOLD.get(package))
        if known != data and self.supports.has(package):
            self.sent[package] = data
            self.send(package, data)

    def unlearn(self, asked: Supports) -> None:
        """Let what is asked for be new to the client, and what it does not want any more.

        It may have been told all of it: a script that was loaded anew knows nothing of that.
        """
        self.sent = {
            package: _LOST if asked.has(package) else data
            for package, data in self.sent.items()
            if self.supports.has(package)
        }
        if asked.has("Room.Players") or not self.supports.has("Room.Players"):
            self.room = None

    def forget(self) -> None:
        """Let all be new to the client."""
        self.sent.clear()
        self.room = None


class DataFeed:
    """Knows who takes data, and gives it to them.

    What happens is made into messages once for each kind of viewer. How things stand is worked out
    anew for whom a fact may concern, once a turn of the reactor, and sent where it has changed.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._takers: dict[Session, Taker] = {}
        self._stale: set[Taker] = set()  # to be told how things stand, at this turn's end
        self._turn: Any = None  # Twisted's delayed call

    # from clients

    def received(self, session: Session, payload: bytes) -> None:
        """Take a message; what is no message, or an unknown one, is passed over without a word."""
        taker = self._takers.get(session)
        if taker is None:
            seconds = self._game.reactor.seconds
            taker = Taker(session, Allowance(MESSAGES_A_SECOND, MESSAGES_AT_ONCE, seconds))
            self._takers[session] = taker
        message = parse(payload) if taker.allowance.take() else None
        if message is None:
            log.debug("a GMCP message of %d bytes was passed over", len(payload))
        elif message.name == "core.ping":
            taker.send("Core.Ping")
        else:
            asked = taker.supports.change(message.name, message.data)
            if asked is not None:
                taker.unlearn(asked)
                self._look(taker)

    def entered(self, session: Session) -> None:
        """Tell the client of somebody who has logged in all it wants."""
        taker = self._takers.get(session)
        if taker:
            taker.forget()
            self._look(taker)

    def gone(self, session: Session) -> None:
        """Forget a connection."""
        taker = self._takers.pop(session, None)
        if taker:
            self._stale.discard(taker)

    def goodbye(self, session: Session, reason: str) -> None:
        """Say why a connection ends."""
        taker = self._takers.get(session)
        if taker:
            taker.send("Core.Goodbye", reason)

    # what happens

    def show(self, fact: Fact) -> None:
        """Give a fact to the clients of those who may see it, and note who stands otherwise now."""
        if not self._takers:
            return
        if not isinstance(fact.event, StateChanged):
            self._give(fact)
        if not isinstance(fact.event, Spoken):
            self._note(fact)

    def _give(self, fact: Fact) -> None:
        made: dict[tuple[Sight, bool], list[tuple[str, bytes]]] = {}
        for presence in self._game.world.audience(fact):
            takers = self._of(presence)
            if not takers:
                continue
            viewer = self._game.publisher.viewer(fact, presence)
            seen = redact(fact, viewer)
            if seen is None:
                continue
            sight = Sight(side_of(fact, presence.id, presence.room), presence.nospoof)
            key = sight, viewer.referee
            if key not in made:
                messages = self._game.describe.events.messages(seen, sight)
                made[key] = [(package, encode(package, data)) for package, data in messages]
            for package, payload in made[key]:
                for taker in takers:
                    taker.give(package, payload)

    def _of(self, presence: Presence) -> list[Taker]:
        screens: list[Any] = list(presence.screens)
        return [self._takers[one] for one in screens if one in self._takers]

    def _note(self, fact: Fact) -> None:
        """Note whom a fact may concern: those who are, or were, where it happened."""
        rooms = {fact.room, getattr(fact.event, "room", None)}
        people = {fact.actor.id, fact.subject}
        keys = _keys(fact.event) if isinstance(fact.event, StateChanged) else ""
        for taker in self._takers.values():
            me = taker.presence
            if me is None or not taker.supports:
                continue
            named = keys and f"[{me.id}," in keys
            everyone = isinstance(fact.event, ChannelMade | ChannelDeleted)
            if everyone or me.room in rooms or me.id in people or named:
                self._look(taker)

    # how things stand

    def _look(self, taker: Taker) -> None:
        """Tell a client at the end of this turn of the reactor what is new to it."""
        self._stale.add(taker)
        if self._turn is None:
            self._turn = self._game.reactor.callLater(0, self._tell)

    def _tell(self) -> None:
        """Tell each what is new to them; what the database knows of it follows."""
        self._turn = None
        stale, self._stale = self._stale, set()
        for taker in stale:
            if taker.presence is not None and taker.supports:
                self._tell_one(taker, taker.presence)
                self._ask(taker, taker.presence)

    def _tell_one(self, taker: Taker, me: Presence) -> None:
        world = self._game.world
        taker.tell("Char.Name", gmcp_state.char_name(me))
        taker.tell("Room.Info", gmcp_state.room_info(world, me))
        if taker.room != me.room and taker.supports.has("Room.Players"):
            # Who comes and goes after that is told one by one.
            taker.room = me.room
            taker.send("Room.Players", gmcp_state.room_players(world, me))
        taker.tell("Scene.Info", gmcp_state.scene_info(world, me))
        taker.tell("Comm.Channel.List", gmcp_state.channel_list(world, me))

    def _ask(self, taker: Taker, me: Presence) -> None:
        """Ask the database how somebody stands, one question a client at a time."""
        if taker.reading:
            taker.again = True
            return
        if not any(map(taker.supports.has, ("Char.Status", "Char.Vitals", "Combat.Turn"))):
            return
        taker.reading = True
        here = gmcp_state.scene_here(self._game.world, me)
        look = self._game.executor.looking(me, partial(self._game.describe.standing, here))
        answer = self._game.read(look)
        answer.addCallbacks(partial(self._found, taker, me), self._failed)
        answer.addBoth(partial(self._answered, taker))

    def _found(self, taker: Taker, me: Presence, found: Standing | None) -> None:
        if found is None or taker.presence is not me or taker.session not in self._takers:
            return
        taker.tell("Char.Status", {**found.status, "doing": me.doing})
        taker.tell("Char.Vitals", dict(found.vitals))
        viewer = self._viewer(me, found)
        taker.tell("Combat.Turn", gmcp_state.combat_turn(found.fight, viewer, me.id))

    def _viewer(self, me: Presence, found: Standing) -> Viewer:
        """Tell as whom somebody sees the fight: as the gate would have it for a fact of it."""
        fact = found.fight and (found.fight.order or found.fight.turn)
        return self._game.publisher.viewer(fact, me) if fact else Viewer(me.id)

    def _answered(self, taker: Taker, _: Any) -> None:
        taker.reading = False
        if taker.again:
            taker.again = False
            self._look(taker)

    @staticmethod
    def _failed(failure: Failure) -> None:
        log.error("looking for a client's data failed: %s", failure.getTraceback())


def _keys(event: StateChanged) -> str:
    """Give the keys of what changed, as one text; a character's id begins each of theirs."""
    return " ".join(change.key for change in event.changes)
