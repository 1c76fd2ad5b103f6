"""Nobody whom a viewer must not know of may be in an event that the gate lets through.

Who acts and whom it happens to (`subject`, called `name` or `to`) the gate itself looks at. Any
other
field that could hold people is either harmless, and says so here, or its event has a `without`.
"""

from __future__ import annotations

import types
from dataclasses import fields
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest

from mushcombat.domain import events as core
from mushcombat.domain.breakdown import Breakdown, Term
from mushcombat.domain.channels import CHANNEL_EVENTS
from mushcombat.domain.events import Draft, Event, Unreadable
from mushcombat.domain.fight import Asked, OrderMade, TurnBegan
from mushcombat.domain.scene_events import MutteredTo
from mushcombat.domain.settings import SETTING_EVENTS
from mushcombat.domain.staff_events import STAFF_EVENTS
from mushcombat.domain.state import Redone, Undone
from mushcombat.domain.visibility import Viewer, redact
from mushcombat.systems.otherspace.combat_events import Declared
from mushcombat.systems.spaceopera.events import Declared as SpaceDeclared
from tests.unit.service.table import BOOK
from tests.unit.support import ADA, RHEA, fact_of

LURKER, NAME = 99, "Lurkerling"
UNKNOWN = frozenset({LURKER})

NEVER_ABOUT_NPCS = (
    core.Whispered,
    core.Paged,
    core.Connected,
    core.Moved,
    core.RoomDug,
    core.ExitOpened,
    core.Described,
    core.DoingSet,
    MutteredTo,
    *STAFF_EVENTS,
    *CHANNEL_EVENTS,
    *SETTING_EVENTS,
)
"""What players and rooms alone have a part in, and what one player alone hears."""

GATED = {"subject", "name", "to"}

NUMBERS = {
    *("round", "target", "row", "room", "scene", "era", "before", "after", "level"),
    *("attack", "defence", "amount", "health", "margin", "points", "seconds", "words"),
    *("roll", "sides"),
}
"""Fields that hold a number of something that is nobody."""

WORDS = {
    *("text", "reason", "note", "title", "place", "about", "setting", "value", "commitment"),
    *("seed", "system", "group", "trait", "word", "why", "outcome", "weapon", "quirk", "item"),
    *("what", "style", "sort", "harm", "losses", "words"),
    *("result", "thing", "wound", "effect", "fate"),
}
"""Fields that hold a player's own words, or words of the rules."""


def is_harmless(name: str, hint: Any) -> bool:
    """Tell whether a field can't name anybody the server would have to leave out."""
    if get_origin(hint) in {Union, types.UnionType}:
        return all(is_harmless(name, one) for one in get_args(hint) if one is not type(None))
    if hint is int:
        return name in NUMBERS
    if hint is str:
        return name in WORDS
    return hint in {bool, Breakdown, tuple[Term, ...]} or get_origin(hint) is Literal


def has_own_without(event: type[Event]) -> bool:
    return event.without is not Event.without


@pytest.mark.parametrize("event", BOOK.codec.events, ids=lambda event: event.kind)
def test_no_event_can_name_somebody_whom_the_gate_does_not_leave_out(event: type[Event]) -> None:
    if event.for_referees or event in NEVER_ABOUT_NPCS or has_own_without(event):
        return
    hints = get_type_hints(event)
    names = [field.name for field in fields(event)]
    gated = GATED if "subject" in names else set()
    open_ = [name for name in names if name not in gated and not is_harmless(name, hints[name])]
    assert not open_, (
        f"{event.__name__} may name people in {open_}: give it a `without`, or, if these can hold"
        " nobody, list them here."
    )


EXAMPLES: dict[type[Event], tuple[Event, ...]] = {
    OrderMade: (
        OrderMade((NAME, "Ada"), ((9,), (7,)), "", (LURKER, ADA.id)),
        OrderMade((NAME, "Ada"), ((9, 3), (9, 2)), "", (LURKER, ADA.id)),
        OrderMade((NAME,), ((9,),), "", (LURKER,)),
        OrderMade((NAME, "Ada"), ((9,), (7,))),
    ),
    TurnBegan: (
        TurnBegan(ADA.id, "Ada", 2, (NAME, "Bram"), "", (LURKER, 12)),
        TurnBegan(ADA.id, "Ada", 2, (NAME,)),
        TurnBegan(LURKER, NAME, 2),
    ),
    Declared: (
        Declared("throw", ("Ada", NAME), "grenade", "", (ADA.id, LURKER)),
        Declared("throw", (NAME,), "grenade", "", (LURKER,)),
        Declared("throw", (NAME,), "grenade", ""),
    ),
    SpaceDeclared: (
        SpaceDeclared("attack", ("Ada", NAME), (ADA.id, LURKER), "sword", "split 30/20"),
        SpaceDeclared("attack", (NAME,), (LURKER,), "sword", ""),
    ),
    Asked: (
        Asked(ADA.id, "Ada", f"You may strike back at {NAME}", LURKER),
        Asked(LURKER, NAME, "It is allowed"),
    ),
    Undone: (
        Undone(
            5, "", (f"{NAME}'s health 64 -> 100", "Ada's turn again"), False, ((LURKER,), (ADA.id,))
        ),
        Undone(5, "", (f"{NAME}'s turn again",)),
    ),
    Redone: (
        Redone(5, "", (f"{NAME}'s health 100 -> 64",), ((LURKER, ADA.id),)),
        Redone(5, "", (f"{NAME}'s health 100 -> 64",)),
    ),
    Unreadable: (Unreadable("old.kind", f"{NAME} waves."),),
}
"""Events with a `without`, as they are logged now and as they were of old, with no ids."""


def test_every_event_with_a_without_is_tried() -> None:
    own = {event for event in (*BOOK.codec.events, Unreadable) if has_own_without(event)}
    assert set(EXAMPLES) == own


@pytest.mark.parametrize(
    "event", [one for several in EXAMPLES.values() for one in several], ids=lambda e: e.kind
)
def test_what_is_left_of_an_event_does_not_show_who_is_unknown(event: Event) -> None:
    whole = fact_of(Draft(event, ledger=7), RHEA, seq=5)
    assert NAME in BOOK.view.render(whole)
    seen = redact(whole, Viewer(ADA.id, unknown=UNKNOWN))
    assert seen is None or NAME not in BOOK.view.render(seen)
    assert redact(whole, Viewer(ADA.id, unknown=frozenset({1}))) is None or has_own_without(
        type(event)
    )


def test_those_who_are_known_are_left_as_they_were() -> None:
    order = EXAMPLES[OrderMade][0].without(UNKNOWN)
    assert order == OrderMade(("Ada",), ((7,),), "", (ADA.id,))
    turn = EXAMPLES[TurnBegan][0].without(UNKNOWN)
    assert turn == TurnBegan(ADA.id, "Ada", 2, ("Bram",), "", (12,))
    declared = EXAMPLES[Declared][0].without(UNKNOWN)
    assert declared == Declared("throw", ("Ada",), "grenade", "", (ADA.id,))
    undone = EXAMPLES[Undone][0].without(UNKNOWN)
    assert undone == Undone(5, "", ("Ada's turn again",), False, ((ADA.id,),))
