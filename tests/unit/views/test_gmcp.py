"""What a client's scripts are given says nothing that the player's line does not say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import Any, Literal

import pytest

from mushcombat.domain.breakdown import Breakdown, Term
from mushcombat.domain.channels import ChannelSpoken
from mushcombat.domain.events import (
    Audience,
    Connected,
    Event,
    Fact,
    Moved,
    Paged,
    PoseEdited,
    PoseWithdrawn,
    Spoken,
    Style,
    Whispered,
    Who,
)
from mushcombat.domain.fight import OrderMade, TurnBegan
from mushcombat.domain.scene_events import Muttered, MutteredTo
from mushcombat.domain.visibility import Viewer, redact
from mushcombat.service.standing import FightStands
from mushcombat.systems.otherspace.combat_events import (
    Declared,
    Disarmed,
    Healed,
    Struck,
    Suffered,
)
from mushcombat.systems.otherspace.combat_text import OUTCOMES
from mushcombat.systems.spaceopera import events as duels
from mushcombat.views.gmcp import GmcpView, Sight
from mushcombat.views.gmcp_state import NO_FIGHT, combat_turn, scene_info
from mushcombat.views.side import Side, side_of
from tests.unit.schemas import SCHEMAS, check
from tests.unit.service.table import BOOK, world_of
from tests.unit.support import ADA, BRAM, NOW, RHEA, START, scene_of, who

VIEW = GmcpView(BOOK.systems.values(), BOOK.view)
LURKER, NAME = 99, "Lurkerling"
HIDDEN = frozenset({LURKER})
PEOPLE = (who(ADA), who(BRAM), Who(LURKER, NAME))

VIEWERS = [
    Viewer(ADA.id),
    Viewer(BRAM.id),
    Viewer(RHEA.id),
    Viewer(RHEA.id, referee=True),
    Viewer(ADA.id, unknown=HIDDEN),
    Viewer(RHEA.id, unknown=HIDDEN),
]

OURS = {"style", "kind", "channel", "scene", "row", "action", "replaces", "stun", "success"}
"""Keys of words that this program chose, of numbers that any line has, of yes and no."""

STYLES: tuple[Style, ...] = ("say", "pose", "semipose", "emit", "ooc", "set")
SAYS = ("waves%r[Result] x", ":nods", "")


def of_poses() -> Iterator[Event]:
    for style, text in product(STYLES, SAYS):
        yield Spoken(style, text)
        yield PoseEdited(5, style, text)
    yield PoseWithdrawn(5)


def of_talk() -> Iterator[Event]:
    for them, text in product(PEOPLE, SAYS):
        yield Whispered(them.id, them.name, text)
        yield Paged(them.id, them.name, text)
        yield Paged(them.id, them.name, text, ("Ada", "Bram"))
        yield Muttered(them.id, them.name, text)
        yield MutteredTo(them.id, them.name, text)
        yield MutteredTo(them.id, them.name, text, "Cass")
        yield ChannelSpoken(1, "Public", text)
    yield Muttered(None, "", "...")


def of_people() -> Iterator[Event]:
    for them, way in product(PEOPLE, ("", "Out")):
        yield Moved(them.id, them.name, START, 2, way)
        yield Moved(them.id, them.name, 2, START, way)
    yield from (Connected(True), Connected(False))


def of_fights() -> Iterator[Event]:
    points: dict[str, Any] = {"amount": 36, "health": 64, "word": "Hurt"}
    for them, numbers, done in product(PEOPLE, (True, False), (True, False)):
        me = them.id, them.name
        yield Declared("throw", (them.name, "Cass"), "grenade", "at 30 feet", (them.id, 55))
        yield Disarmed(*me, "sword", done)
        yield Healed(*me, done, 9, 64, "", "Hurt", numbers)
        for kind, after, blast in product(HARMS, ("", *OUTCOMES), (True, False)):
            harm: dict[str, Any] = {"harm": kind, "outcome": after, "numbers": numbers, **points}
            yield Struck(*me, 6, 4, done, **harm, breakdown=SUM, blast=blast)
            yield Suffered(*me, **harm, reason="a fall")


def of_duels() -> Iterator[Event]:
    for them, wound in product(PEOPLE, ("light", "critical")):
        people = (them.name, "Cass"), (them.id, 55)
        yield duels.Declared("attack", *people, "sword", "split 30/20")
        yield duels.Declared("move", (them.name,), (them.id,), "", "up to 3")
        yield duels.Struck(them.id, them.name, "wounded", "", wound, "out of the fight", True)
        for result in ("missed", "parried", "stopped"):
            yield duels.Struck(them.id, them.name, result, "buckler")


HARMS: tuple[Literal["harm", "stun"], ...] = ("harm", "stun")
SUM = Breakdown((Term(36, "ODF 36"),))


def leaves(data: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """Give all that a message says, but for what this program chose itself."""
    if isinstance(data, Mapping):
        for name, value in data.items():
            yield from leaves(value, name)
    elif isinstance(data, list):
        for value in data:
            yield from leaves(value, key)
    elif key not in OURS and data not in ("", None):
        yield key, data


@pytest.mark.parametrize("events", [of_poses, of_talk, of_people, of_fights, of_duels])
@pytest.mark.parametrize("viewer", VIEWERS, ids=str)
def test_a_message_says_no_more_than_the_line_for_the_same_viewer(
    events: Callable[[], Iterator[Event]], viewer: Viewer
) -> None:
    ways = list(product(PEOPLE, Audience, (7, None)))
    for event, (actor, audience, ledger) in product(events(), ways):
        seq = 5 if ledger else None
        fact = Fact(event, actor, NOW, audience, START, ledger, seq, seq)
        seen = redact(fact, viewer)
        if seen is not None:
            compare(seen, actor, side_of(fact, viewer.character, START), viewer)


def compare(seen: Fact, actor: Who, side: Side, viewer: Viewer) -> None:
    """Look for all that the messages of a fact say in the line that is shown beside them."""
    line = BOOK.view.shown(seen, side)
    mine = actor.name if side is Side.ACTOR else ""
    for package, data in VIEW.messages(seen, Sight(side)):
        check(package, data)
        for key, said in leaves(data):
            assert str(said) in line or said == mine, f"{package} tells {key} {said!r} over {line}"
        assert not viewer.unknown or NAME not in str(data)


@pytest.mark.parametrize("event", BOOK.codec.events, ids=lambda event: event.kind)
def test_what_makes_a_message_is_among_the_events_that_are_tried(event: type[Event]) -> None:
    from mushcombat.views import gmcp  # noqa: PLC0415 -- its private table is the thing tested

    tried = {
        *(Spoken, PoseEdited, PoseWithdrawn, Whispered, Paged, Muttered, MutteredTo, Connected),
        *(ChannelSpoken, Moved, Declared, Struck, Suffered, Disarmed, Healed),
        *(duels.Declared, duels.Struck),
    }
    makes = event in gmcp._MESSAGES or event in VIEW._combat
    assert makes == (event in tried)


def fact(event: Event, **changes: Any) -> Fact:
    return replace(Fact(event, who(ADA), NOW, Audience.ROOM, START, 7, 5, 5), **changes)


def test_an_emit_is_signed_for_who_wants_it_and_who_wrote_it() -> None:
    emit = fact(Spoken("emit", "Rain."))
    sights = [Sight(), Sight(authors=True), Sight(Side.ACTOR)]
    assert [VIEW.messages(emit, sight)[0][1]["name"] for sight in sights] == ["", "Ada", "Ada"]


def test_speech_is_a_pose_in_a_scene_and_talk_of_the_room_elsewhere() -> None:
    said = fact(Spoken("say", "Hi"))
    assert VIEW.messages(said, Sight()) == [
        (
            "Scene.Pose",
            {
                "scene": 7,
                "row": 5,
                "style": "say",
                "name": "Ada",
                "text": 'Ada says, "Hi"',
                "replaces": None,
            },
        )
    ]
    outside = replace(said, ledger=None, seq=None, action=None)
    talk = {"channel": "room", "talker": "Ada", "text": 'Ada says, "Hi"'}
    assert VIEW.messages(outside, Sight()) == [("Comm.Channel.Text", talk)]


def test_a_mended_pose_replaces_the_row_that_it_was() -> None:
    ((_, edited),) = VIEW.messages(fact(PoseEdited(3, "pose", "bows.")), Sight())
    ((_, gone),) = VIEW.messages(fact(PoseWithdrawn(3)), Sight())
    assert (edited["replaces"], edited["text"]) == (3, "[Edit] #3 reads now: Ada bows.")
    assert (gone["replaces"], gone["style"]) == (3, "withdrawn")


def test_health_that_a_scene_hides_is_no_number() -> None:
    blow = Struck(12, "Bram", 6, 4, True, "harm", 0, 0, "Badly hurt", "", False, None)
    ((_, data),) = VIEW.messages(fact(blow), Sight())
    assert (data["amount"], data["health"], data["state"]) == (None, None, "Badly hurt")


def test_a_miss_harms_nobody() -> None:
    miss = Struck(12, "Bram", 3, 4, False, "harm", 0, 100, "Well", "", True, None)
    ((package, data),) = VIEW.messages(fact(miss), Sight())
    assert (package, data["success"], data["amount"], data["state"]) == (
        "Combat.Result",
        False,
        None,
        "",
    )


def test_combat_outside_a_scene_is_no_message() -> None:
    assert VIEW.messages(fact(Disarmed(12, "Bram", "sword", True), ledger=0), Sight()) == []


# how a fight stands


def stands(turn: int | None, name: str) -> FightStands:
    order = OrderMade(("Ada", NAME), ((9,), (7, 2)), "", (ADA.id, LURKER))
    whose = fact(TurnBegan(turn, name, 2)) if turn is not None else None
    return FightStands(7, "on", 2, fact(order), whose)


def test_who_is_hidden_is_in_no_order_and_has_no_turn() -> None:
    seen = combat_turn(stands(LURKER, NAME), Viewer(ADA.id, unknown=HIDDEN), ADA.id)
    check("Combat.Turn", seen)
    assert (seen["order"], seen["current"]) == ([{"name": "Ada", "rank": [9]}], None)
    whole = combat_turn(stands(LURKER, NAME), Viewer(RHEA.id, referee=True), RHEA.id)
    assert (whole["order"][1], whole["current"]) == ({"name": NAME, "rank": [7, 2]}, NAME)


def test_whose_turn_it_is_knows_that_it_is_theirs() -> None:
    told = [combat_turn(stands(ADA.id, "Ada"), Viewer(i), i)["yours"] for i in (ADA.id, BRAM.id)]
    assert told == [True, False]


def test_a_fight_without_turn_or_order_or_no_fight_is_told_too() -> None:
    rolling = combat_turn(FightStands(7, "rolling", 0, None, None), Viewer(ADA.id), ADA.id)
    check("Combat.Turn", rolling)
    assert (rolling["order"], rolling["current"], rolling["phase"]) == ([], None, "rolling")
    assert combat_turn(stands(None, ""), Viewer(ADA.id), ADA.id)["current"] is None
    assert combat_turn(None, Viewer(ADA.id), ADA.id) == NO_FIGHT
    check("Combat.Turn", NO_FIGHT)


def test_a_private_scene_does_not_exist_for_others() -> None:
    scene = scene_of(ADA, referees=[ADA], private=True)
    world = world_of(scene)
    told = [scene_info(world, world.online[one.id]) for one in (ADA, BRAM)]
    for data in told:
        check("Scene.Info", data)
    assert [data["state"] for data in told] == ["open", "none"]


def test_hidden_npcs_are_listed_for_referees_alone() -> None:
    scene = scene_of(ADA, BRAM, referees=[BRAM], npcs={LURKER: NAME, 98: "Thug"}, hidden=HIDDEN)
    world = world_of(scene)
    told = [scene_info(world, world.online[one.id])["npcs"] for one in (ADA, BRAM, RHEA)]
    assert told == [["Thug"], [NAME, "Thug"], ["Thug"]]


def test_every_schema_is_of_a_package_that_is_sent() -> None:
    assert set(SCHEMAS) == {
        *("Char.Name", "Char.Status", "Char.Vitals"),
        *("Room.Info", "Room.Players", "Room.AddPlayer", "Room.RemovePlayer"),
        *("Comm.Channel.List", "Comm.Channel.Text", "Scene.Info", "Scene.Pose"),
        *("Combat.Turn", "Combat.Action", "Combat.Result"),
    }
