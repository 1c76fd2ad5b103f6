"""Facts as lines of plain text: what a telnet client without any talent is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from mushcombat.domain.channels import CHANNEL_EVENTS
from mushcombat.domain.eras import ERA_EVENTS, EraClosed
from mushcombat.domain.events import (
    CORE_EVENTS,
    Connected,
    Described,
    DoingSet,
    Event,
    ExitOpened,
    Fact,
    Moved,
    PrivacySet,
    RefereeNamed,
    RoomDug,
    SceneClosed,
    SceneInvited,
    SceneJoined,
    SceneLeft,
    SceneOpened,
    Spoken,
    TraitSet,
    Unreadable,
    Whispered,
)
from mushcombat.domain.fight import (
    FIGHT_EVENTS,
    Asked,
    FightJoined,
    FightLeft,
    FightStarted,
    FightStopped,
    NpcEntered,
    OrderMade,
    SceneSet,
    Told,
    TurnBegan,
    written_order,
)
from mushcombat.domain.refereeing import REFEREE_EVENTS
from mushcombat.domain.scene_events import SCENE_EVENTS
from mushcombat.domain.settings import SETTING_EVENTS
from mushcombat.domain.sharing import SHARING_EVENTS
from mushcombat.domain.staff_events import STAFF_EVENTS
from mushcombat.domain.state import STATE_EVENTS, Redone, StateChanged, Undone
from mushcombat.domain.text import listing, spoken
from mushcombat.systems.approval import STATE, show_state
from mushcombat.systems.system import System
from mushcombat.views.plain_channels import CHANNEL_LINES
from mushcombat.views.plain_eras import ERA_LINES, closed
from mushcombat.views.plain_referees import REFEREE_LINES, marked
from mushcombat.views.plain_scene import SCENE_LINES
from mushcombat.views.plain_staff import STAFF_LINES
from mushcombat.views.side import Side, side_of
from mushcombat.views.speech import written

__all__ = ["PlainView", "Side", "side_of"]


class PlainView:
    """Renders every event there is; refuses to be made when one has no rendering."""

    def __init__(self, systems: Iterable[System]) -> None:
        self.systems = {system.name: system for system in systems}
        self._describe: dict[type[Event], Callable[[Any, str], str]] = {}
        for system in self.systems.values():
            self._describe.update(system.describe)
        known = {event for system in self.systems.values() for event in system.events}
        missing = [
            e.__name__ for e in (known - set(self._describe)) | (_CORE - {*_LINES, *REFEREE_LINES})
        ]
        if missing:
            raise RuntimeError(f"events without a view: {', '.join(sorted(missing))}")

    def render(self, fact: Fact, side: Side = Side.OTHER) -> str:
        """Write a fact; in a scene, a system's line ends with the number of its action."""
        describe = self._describe.get(type(fact.event))
        if describe:
            number = f" #{fact.action}" if fact.in_scene else ""
            return describe(fact.event, fact.actor.name) + number
        if isinstance(fact.event, TraitSet):
            return self._trait_set(fact, fact.event, side)
        among_referees = REFEREE_LINES.get(type(fact.event))
        if among_referees:
            return among_referees(fact, fact.event)
        return _LINES[type(fact.event)](fact, fact.event, side)

    def reads_alike(self, fact: Fact) -> bool:
        """Tell whether a fact reads the same from every side: poses and a rule system's lines do.

        Who says something reads "You say".
        """
        if isinstance(fact.event, Spoken):
            return fact.event.style != "say"
        return type(fact.event) in self._describe

    def shown(self, fact: Fact, side: Side = Side.OTHER) -> str:
        """Write it as it is shown in the game: with a mark on what referees alone can see."""
        return marked(fact, self.render(fact, side))

    def public_text(self, fact: Fact) -> str:
        """Write what is stored beside a public row: its text as anybody sees it."""
        return self.render(fact)

    def _trait_set(self, fact: Fact, event: TraitSet, side: Side) -> str:
        system = self.systems.get(event.system)
        show = system.show_level if system else _bare_level
        what = system.show_trait(event.group, event.trait) if system else event.trait
        if (event.group, event.trait) == STATE:
            show, what = show_state, "sheet"
        now, before = show(event.group, event.after), show(event.group, event.before)
        why = f" ({event.reason})" if event.reason else ""
        if side is Side.SUBJECT:
            return f"{fact.actor.name} sets your {what} to {now}; it was {before}{why}."
        return f"{event.name}'s {what} is now {now}; it was {before}{why}."


def _bare_level(_group: str, level: int | None) -> str:
    return "unset" if level is None else str(level)


def _whispered(fact: Fact, event: Whispered, side: Side) -> str:
    if side is Side.ACTOR:
        return f'You whisper, "{spoken(event.text)}" to {event.to}.'
    return f'{fact.actor.name} whispers, "{spoken(event.text)}"'


def _connected(fact: Fact, event: Connected, _side: Side) -> str:
    return f"{fact.actor.name} has {'connected' if event.here else 'disconnected'}."


def _moved(_fact: Fact, event: Moved, side: Side) -> str:
    if side is Side.ORIGIN:
        return f"{event.name} leaves by {event.way}." if event.way else f"{event.name} leaves."
    return f"{event.name} arrives."


def _dug(fact: Fact, event: RoomDug, _side: Side) -> str:
    return f"{fact.actor.name} dug {event.name} (#{event.room})."


def _opened_exit(fact: Fact, event: ExitOpened, _side: Side) -> str:
    return f"{fact.actor.name} opened {event.names[0]} from #{event.room} to #{event.destination}."


def _described(fact: Fact, event: Described, _side: Side) -> str:
    return f"{fact.actor.name} described {event.name}."


def _doing(fact: Fact, event: DoingSet, _side: Side) -> str:
    return f"{fact.actor.name} is doing: {event.text}"


def _scene_opened(fact: Fact, event: SceneOpened, _side: Side) -> str:
    title = f'Scene {fact.ledger} "{event.title}"'
    return f"{title} is open. Dice commitment: {event.commitment}."


def _scene_joined(fact: Fact, _event: SceneJoined, side: Side) -> str:
    who = "You join" if side is Side.ACTOR else f"{fact.actor.name} joins"
    return f"{who} scene {fact.ledger}."


def _scene_left(fact: Fact, _event: SceneLeft, side: Side) -> str:
    who = "You leave" if side is Side.ACTOR else f"{fact.actor.name} leaves"
    return f"{who} scene {fact.ledger}."


def _scene_invited(fact: Fact, event: SceneInvited, side: Side) -> str:
    if side is Side.SUBJECT:
        number = fact.ledger
        return f"{fact.actor.name} invites you to scene {number}. Type +scene/join {number}."
    return f"{fact.actor.name} invites {event.name} to scene {fact.ledger}."


def _referee_named(fact: Fact, event: RefereeNamed, _side: Side) -> str:
    return f"{event.name} referees scene {fact.ledger}."


def _privacy(fact: Fact, event: PrivacySet, _side: Side) -> str:
    return (
        f"Scene {fact.ledger} is {'private' if event.private else 'public'} now, in {event.place}."
    )


def _undone(fact: Fact, event: Undone, _side: Side) -> str:
    reason = f" ({event.reason})" if event.reason else ""
    what = f": {', '.join(event.shown)}" if event.shown else ""
    forced = ", by force" if event.forced else ""
    return (
        f"[Undo] {fact.actor.name} takes back #{event.target}{reason}{forced}{what}. #{fact.action}"
    )


def _redone(fact: Fact, event: Redone, _side: Side) -> str:
    reason = f" ({event.reason})" if event.reason else ""
    what = f": {', '.join(event.shown)}" if event.shown else ""
    return (
        f"[Redo] {fact.actor.name} lets #{event.target} stand again{reason}{what}. #{fact.action}"
    )


def _state_changed(_fact: Fact, event: StateChanged, _side: Side) -> str:
    shown = [f"{c.about}: {c.field} {c.before} -> {c.after}" for c in event.changes]
    return "Changed: " + "; ".join(shown)


def _fight_started(fact: Fact, event: FightStarted, _side: Side) -> str:
    rolled = "the order is rolled by itself" if event.unasked else "then +reaction"
    return f"[Combat] {fact.actor.name} starts a fight. Join with +combat/join; {rolled}."


def _fight_joined(_fact: Fact, event: FightJoined, _side: Side) -> str:
    return f"[Combat] {event.name} joins the fight."


def _fight_left(_fact: Fact, event: FightLeft, _side: Side) -> str:
    return f"[Combat] {event.name} is out of the fight."


def _fight_stopped(_fact: Fact, _event: FightStopped, _side: Side) -> str:
    return "[Combat] The fight is over."


def _order_made(_fact: Fact, event: OrderMade, _side: Side) -> str:
    reason = f" ({event.reason})" if event.reason else ""
    return f"[Order] {written_order(event.names, event.ranks)}{reason}"


def _turn_began(_fact: Fact, event: TurnBegan, _side: Side) -> str:
    skipped = f" ({listing(list(event.skipped))} can't act.)" if event.skipped else ""
    if event.subject is None:
        return f"[Turn] Round {event.round}: no one can act."
    note = f" {event.note}" if event.note else ""
    return f"[Turn] Round {event.round}: {event.name}.{skipped}{note}"


def _npc_entered(_fact: Fact, event: NpcEntered, _side: Side) -> str:
    return f"{event.name} ({event.about}) is in the scene."


def _scene_set(fact: Fact, event: SceneSet, _side: Side) -> str:
    if not event.value:
        return f"[Scene] {fact.actor.name} empties {event.setting}."
    return f"[Scene] {fact.actor.name} sets {event.setting} to {event.value}."


def _told(_fact: Fact, event: Told, _side: Side) -> str:
    return event.text


def _asked(fact: Fact, event: Asked, side: Side) -> str:
    to_them = side is Side.SUBJECT or (side is Side.ACTOR and fact.actor.id == event.subject)
    return event.text if to_them else f"({event.name} is asked.) {event.text}"


def _unreadable(_fact: Fact, event: Unreadable, _side: Side) -> str:
    return event.text or f"(a {event.stored_kind} of another version of this program)"


_LINES: dict[type[Event], Callable[[Fact, Any, Side], str]] = {
    Spoken: written,
    Whispered: _whispered,
    Connected: _connected,
    Moved: _moved,
    RoomDug: _dug,
    ExitOpened: _opened_exit,
    Described: _described,
    DoingSet: _doing,
    SceneOpened: _scene_opened,
    SceneJoined: _scene_joined,
    SceneLeft: _scene_left,
    SceneInvited: _scene_invited,
    RefereeNamed: _referee_named,
    PrivacySet: _privacy,
    SceneClosed: closed,
    EraClosed: closed,
    Unreadable: _unreadable,
    Undone: _undone,
    Redone: _redone,
    StateChanged: _state_changed,
    FightStarted: _fight_started,
    FightJoined: _fight_joined,
    FightLeft: _fight_left,
    FightStopped: _fight_stopped,
    OrderMade: _order_made,
    TurnBegan: _turn_began,
    NpcEntered: _npc_entered,
    SceneSet: _scene_set,
    Told: _told,
    Asked: _asked,
    **SCENE_LINES,
    **CHANNEL_LINES,
    **ERA_LINES,
    **STAFF_LINES,
}
_CORE = {
    *CORE_EVENTS,
    *FIGHT_EVENTS,
    *STATE_EVENTS,
    *SCENE_EVENTS,
    *ERA_EVENTS,
    *SHARING_EVENTS,
    *REFEREE_EVENTS,
    *STAFF_EVENTS,
    *CHANNEL_EVENTS,
    *SETTING_EVENTS,
} - {TraitSet}
