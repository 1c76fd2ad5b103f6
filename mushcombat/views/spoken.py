"""Facts as a screen reader speaks them: the same ones, in sentences, what matters first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from mushcombat.domain.breakdown import Breakdown
from mushcombat.domain.channels import (
    CHANNEL_EVENTS,
    ChannelDeleted,
    ChannelMade,
    ChannelSet,
    ChannelSpoken,
)
from mushcombat.domain.eras import ERA_EVENTS, DiceWords, EraClosed, SceneReopened
from mushcombat.domain.events import (
    CORE_EVENTS,
    Audience,
    Connected,
    Described,
    DoingSet,
    Event,
    ExitOpened,
    Fact,
    Moved,
    Paged,
    PoseEdited,
    PoseWithdrawn,
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
)
from mushcombat.domain.refereeing import (
    REFEREE_EVENTS,
    HandedOver,
    Noted,
    NpcHidden,
    NpcShown,
    SteppedDown,
)
from mushcombat.domain.scene_events import (
    SCENE_EVENTS,
    Muttered,
    MutteredTo,
    PoseSkipped,
    PoseTurn,
    SceneIdle,
    ScenePaused,
    SceneRead,
    SceneResumed,
)
from mushcombat.domain.settings import (
    SETTING_EVENTS,
    Ignored,
    Noticed,
    PagesLocked,
    Watched,
    WatchedAll,
)
from mushcombat.domain.sharing import SHARING_EVENTS, SharingAnswered, SharingAsked
from mushcombat.domain.staff_events import STAFF_EVENTS
from mushcombat.domain.state import STATE_EVENTS, Redone, StateChanged, Undone
from mushcombat.domain.text import listing
from mushcombat.systems.system import Describe, System
from mushcombat.views.aloud import aloud, guarded, in_words, numbered, untagged
from mushcombat.views.plain import PlainView
from mushcombat.views.side import Side

SENTENCES: frozenset[type[Event]] = frozenset(
    {
        Whispered,
        Paged,
        Connected,
        Moved,
        RoomDug,
        ExitOpened,
        Described,
        DoingSet,
        TraitSet,
        SceneJoined,
        SceneLeft,
        SceneInvited,
        RefereeNamed,
        PrivacySet,
        NpcEntered,
        HandedOver,
        SteppedDown,
        Muttered,
        MutteredTo,
        ChannelMade,
        ChannelDeleted,
        ChannelSet,
        Ignored,
        Watched,
        WatchedAll,
        PagesLocked,
        Unreadable,
    }
)
"""Events whose plain line is a sentence already."""

TAGGED: frozenset[type[Event]] = frozenset(
    {
        PoseWithdrawn,
        DiceWords,
        FightStarted,
        FightJoined,
        FightLeft,
        FightStopped,
        SceneSet,
        ScenePaused,
        SceneResumed,
        SceneRead,
        SceneIdle,
        PoseSkipped,
        PoseTurn,
        SharingAsked,
        SharingAnswered,
        Noted,
        NpcHidden,
        NpcShown,
        *STAFF_EVENTS,
    }
)
"""Events whose plain line is a tag and a sentence: the tag becomes a word and a colon."""

_OOC = "<OOC> "


class SpokenView:
    """Renders every event for the ear; refuses to be made when one has no spoken form."""

    def __init__(self, systems: Iterable[System], plain: PlainView) -> None:
        self._plain = plain
        self._speak: dict[type[Event], Describe | None] = {}
        self._results: set[type[Event]] = set()
        missing = _CORE - {*SENTENCES, *TAGGED, *_SPOKEN}
        for system in systems:
            self._speak.update(dict.fromkeys(system.events, None) | dict(system.speak))
            self._results |= set(system.results)
        if missing:
            names = sorted(event.__name__ for event in missing)
            raise RuntimeError(f"events without a spoken form: {', '.join(names)}")

    def shown(self, fact: Fact, side: Side = Side.OTHER) -> str:
        """Say it as it is said in the game: what referees alone know of is said to be hidden."""
        text = self.render(fact, side)
        secret = fact.audience is Audience.REFEREES and fact.in_scene
        return f"{text} Hidden." if secret and not fact.event.is_theirs() else text

    def render(self, fact: Fact, side: Side = Side.OTHER) -> str:
        """Say a fact. Where an action opens, and of who was hurt, its number comes last."""
        kind = type(fact.event)
        speak = self._speak.get(kind)
        if speak:
            return speak(fact.event, fact.actor.name) + self._after(fact)
        plain = self._plain.render(fact, side)
        if kind in self._speak:
            return aloud(numbered(plain))
        own = _SPOKEN.get(kind)
        if own:
            return own(fact, fact.event, plain)
        told = numbered(plain) if kind in REFEREE_EVENTS else plain
        return untagged(told).rstrip() if kind in TAGGED else guarded(told, fact.actor.name)

    def _after(self, fact: Fact) -> str:
        """Give the number that +why takes; the sum itself where no log could be asked for it."""
        if not fact.in_scene:
            sums = [in_words(each.formula()) for each in _sums(fact.event)]
            return "".join(f" The sum: {each}." for each in sums)
        opens = fact.seq == fact.action or type(fact.event) in self._results
        return f" Action {fact.action}." if opens else ""


def _sums(event: Event) -> Iterable[Breakdown]:
    values = (getattr(event, name) for name in getattr(event, "__dataclass_fields__", ()))
    return (value for value in values if isinstance(value, Breakdown))


def _spoken(fact: Fact, event: Spoken, plain: str) -> str:
    """Say a player's words as they are, but for what sounds like the server."""
    if event.style == "ooc":
        return f"Out of character, {guarded(plain.removeprefix(_OOC), fact.actor.name)}"
    return guarded(plain, fact.actor.name)


def _on_channel(fact: Fact, event: ChannelSpoken, plain: str) -> str:
    said = plain.removeprefix(f"[{event.name}] ")
    return f"{event.name} channel, {guarded(said, fact.actor.name)}"


def _noticed(fact: Fact, event: Noticed, _plain: str) -> str:
    return f"Watch: {fact.actor.name} has {'connected' if event.here else 'disconnected'}."


def _edited(fact: Fact, event: PoseEdited, plain: str) -> str:
    _, _, now = plain.partition(" reads now: ")
    return f"Edit: number {event.row} reads now: {guarded(now, fact.actor.name)}"


def _opened(fact: Fact, event: SceneOpened | SceneReopened, _plain: str) -> str:
    """Say that it is open, without 64 digits: the log has them for who checks the dice."""
    again = f" again, era {event.era}" if isinstance(event, SceneReopened) else ""
    title = f'Scene {fact.ledger}, "{event.title}"'
    return f"{title}, is open{again}. +scene/log has the commitment of its dice."


def _closed(fact: Fact, _event: SceneClosed, _plain: str) -> str:
    return f"Scene {fact.ledger} is closed. +scene/log {fact.ledger} has the seed of its dice."


def _order(_fact: Fact, event: OrderMade, _plain: str) -> str:
    """Say who comes when; the reaction of each behind the name."""
    seats = zip(event.names, event.ranks, strict=True)
    reason = f" {event.reason}." if event.reason else ""
    return f"Order: {', '.join(f'{name} {_rank(rank)}' for name, rank in seats)}.{reason}"


def _rank(rank: tuple[int, ...]) -> str:
    rerolls = f" with reroll {' then '.join(map(str, rank[1:]))}" if len(rank) > 1 else ""
    return f"{rank[0] if rank else 'not rolled'}{rerolls}"


def _turn(_fact: Fact, event: TurnBegan, _plain: str) -> str:
    """Say whose turn it is first."""
    if event.subject is None:
        return f"Turn: no one can act, round {event.round}."
    skipped = f" {listing(list(event.skipped))} can't act." if event.skipped else ""
    note = f" {event.note}" if event.note else ""
    return f"Turn: {event.name}, round {event.round}.{skipped}{note}"


def _taken_back(fact: Fact, event: Undone, _plain: str) -> str:
    forced = " by force" if event.forced else ""
    return f"Undo: {fact.actor.name} takes back action {event.target}{forced}{_told(event)}"


def _stands(fact: Fact, event: Redone, _plain: str) -> str:
    return f"Redo: {fact.actor.name} lets action {event.target} stand again{_told(event)}"


def _told(event: Undone | Redone) -> str:
    reason = f", {event.reason}" if event.reason else ""
    shown = "".join(f" {part.replace(' -> ', ' to ')}." for part in event.shown)
    return f"{reason}.{shown}"


def _changed(_fact: Fact, event: StateChanged, _plain: str) -> str:
    parts = [f"{c.about}, {c.field}, {c.before} to {c.after}" for c in event.changes]
    return f"Changed: {'; '.join(parts)}."


def _asked(_fact: Fact, event: Asked, plain: str) -> str:
    """Say a question, and to others than who is asked, whose it is: its text is the server's."""
    question = aloud(event.text)
    return question if plain == event.text else f"{event.name} is asked. {question}"


def _reminded(_fact: Fact, event: Told, _plain: str) -> str:
    return aloud(event.text)


_SPOKEN: Mapping[type[Event], Callable[[Fact, Any, str], str]] = {
    Spoken: _spoken,
    PoseEdited: _edited,
    ChannelSpoken: _on_channel,
    Noticed: _noticed,
    SceneOpened: _opened,
    SceneReopened: _opened,
    SceneClosed: _closed,
    EraClosed: _closed,
    OrderMade: _order,
    TurnBegan: _turn,
    Undone: _taken_back,
    Redone: _stands,
    StateChanged: _changed,
    Told: _reminded,
    Asked: _asked,
}
_CORE: frozenset[type[Event]] = frozenset(
    {
        *CORE_EVENTS,
        *FIGHT_EVENTS,
        *STATE_EVENTS,
        *SCENE_EVENTS,
        *ERA_EVENTS,
        *SHARING_EVENTS,
        *REFEREE_EVENTS,
        *CHANNEL_EVENTS,
        *SETTING_EVENTS,
        *STAFF_EVENTS,
    }
)
