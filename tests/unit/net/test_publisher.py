from __future__ import annotations

from collections import Counter
from typing import Any, get_args

import pytest

from mushcombat.domain.channels import ChannelDeleted, ChannelSpoken
from mushcombat.domain.character import Actor
from mushcombat.domain.command import Committed, Job, Outcome, Refused
from mushcombat.domain.eras import SceneLoaded
from mushcombat.domain.events import (
    Audience,
    Connected,
    Draft,
    Event,
    Fact,
    Moved,
    Paged,
    SceneClosed,
    SceneOpened,
    Spoken,
    Style,
    Who,
)
from mushcombat.domain.preferences import Preferences
from mushcombat.domain.screen import Kind
from mushcombat.domain.settings import Settings
from mushcombat.net.game import refusal_text
from mushcombat.net.publisher import Publisher
from mushcombat.service.world import World
from mushcombat.systems.otherspace.combat_events import Helpless
from mushcombat.views.plain import PlainView, Side
from tests.unit.net.fakes import Table
from tests.unit.service.table import BOOK, world_of
from tests.unit.support import ADA, BRAM, DOCK, GUEST, NOW, RHEA, START, scene_of, who
from tests.unit.views.samples import samples


class Screen:
    behind = False

    def __init__(self, encoding: str = "utf-8") -> None:
        self.kind = Kind(encoding)
        self.seen: list[bytes] = []

    def judge(self) -> None:
        raise AssertionError("nobody sets anything here")

    def write(self, data: bytes) -> None:
        self.seen.append(data)


class CountingView(PlainView):
    """Counts how often a fact is rendered for each side."""

    def __init__(self) -> None:
        super().__init__(BOOK.systems.values())
        self.count: Counter[Side] = Counter()

    def render(self, fact: Fact, side: Side = Side.OTHER) -> str:
        self.count[side] += 1
        return super().render(fact, side)


def screens(world: World, *encodings: str) -> dict[str, list[Screen]]:
    """Give everyone a screen for each encoding."""
    made = {}
    for presence in world.everyone():
        mine = [Screen(encoding) for encoding in encodings]
        presence.screens += mine
        made[presence.name] = mine
    return made


def fact(event: Event, actor: Actor = ADA, **changes: Any) -> Fact:
    values: dict[str, Any] = {"audience": Audience.ROOM, "room": START} | changes
    return Fact(event, who(actor), NOW, **values)


def test_a_fact_is_rendered_once_for_each_side_and_kind_of_screen() -> None:
    view, world = CountingView(), world_of()
    made = screens(world, "utf-8", "latin-1", "utf-8")
    Publisher(world, view, BOOK.spoken).publish([fact(Spoken("say", "café"))])
    assert view.count == {Side.ACTOR: 2, Side.OTHER: 2}
    utf, latin, again = made["Bram"]
    assert utf.seen == again.seen == ['Ada says, "café"\r\n'.encode()]
    assert latin.seen == ['Ada says, "café"\r\n'.encode("latin-1")]
    assert utf.seen[0] is made["Rhea"][0].seen[0]
    assert made["Ada"][0].seen == ['You say, "café"\r\n'.encode()]


def test_what_a_rule_system_tells_is_rendered_once_for_all_sides() -> None:
    view, world = CountingView(), world_of(scene_of(ADA, BRAM))
    made = screens(world, "utf-8", "latin-1")
    hurt = Helpless(BRAM.id, "Bram", "asleep", 1, "Poor")
    Publisher(world, view, BOOK.spoken).publish([fact(hurt, ledger=7, action=5)])
    assert view.count == {Side.OTHER: 2}
    assert made["Ada"][0].seen[0] is made["Bram"][0].seen[0] is made["Rhea"][0].seen[0]


def test_a_pose_is_rendered_once_for_all_sides() -> None:
    view, world = CountingView(), world_of()
    made = screens(world, "utf-8")
    Publisher(world, view, BOOK.spoken).publish([fact(Spoken("pose", "waves."))])
    assert view.count == {Side.OTHER: 1}
    assert made["Ada"][0].seen[0] is made["Bram"][0].seen[0]


def test_poses_and_what_a_rule_system_tells_read_the_same_from_every_side() -> None:
    systems = [each for system in BOOK.systems.values() for each in system.describe]
    told = [fact(event) for kind in systems for event in samples(kind)]
    posed = [fact(Spoken(style, ":waves.")) for style in get_args(Style) if style != "say"]
    assert not BOOK.view.reads_alike(fact(Spoken("say", ":waves.")))
    for alike in (*told, *posed):
        assert BOOK.view.reads_alike(alike)
        for view in (BOOK.view, BOOK.spoken):
            assert len({view.shown(alike, side) for side in Side}) == 1, alike.event


def test_nothing_is_rendered_when_nobody_is_there() -> None:
    view, world = CountingView(), world_of(people=())
    Publisher(world, view, BOOK.spoken).publish([fact(Spoken("say", "x"))])
    assert not view.count


def test_facts_are_shown_in_order() -> None:
    world = world_of()
    made = screens(world, "utf-8")
    said = [fact(Spoken("say", str(n))) for n in range(5)]
    Publisher(world, BOOK.view, BOOK.spoken).publish(said)
    assert made["Bram"][0].seen == [f'Ada says, "{n}"\r\n'.encode() for n in range(5)]


def test_who_connects_is_shown_to_the_others_alone() -> None:
    world = world_of()
    made = screens(world, "utf-8")
    Publisher(world, BOOK.view, BOOK.spoken).publish([fact(Connected(True))])
    assert (made["Ada"][0].seen, made["Bram"][0].seen) == ([], [b"Ada has connected.\r\n"])


def test_a_private_fact_is_shown_to_the_two_of_them_alone() -> None:
    world = world_of()
    made = screens(world, "utf-8")
    page = fact(Paged(BRAM.id, "Bram", "x"), audience=Audience.PRIVATE)
    Publisher(world, BOOK.view, BOOK.spoken).publish([page])
    assert made["Ada"][0].seen == [b"You paged Bram with 'x'\r\n"]
    assert made["Bram"][0].seen == [b"Ada pages: x\r\n"]
    assert made["Rhea"][0].seen == []


@pytest.mark.parametrize(("ledger", "seen"), [(7, 1), (None, 0), (0, 0), (99, 0)])
def test_what_is_for_referees_is_shown_to_those_of_that_scene(
    ledger: int | None, seen: int
) -> None:
    world = world_of(scene_of(ADA, BRAM, referees=[BRAM]))
    made = screens(world, "utf-8")
    note = fact(Spoken("say", "x"), audience=Audience.REFEREES, ledger=ledger)
    Publisher(world, BOOK.view, BOOK.spoken).publish([note])
    assert [len(made[name][0].seen) for name in ("Ada", "Bram", "Rhea")] == [0, seen, 0]


def test_who_moves_is_shown_the_room_they_come_to() -> None:
    world = world_of()
    made = screens(world, "utf-8")
    Publisher(world, BOOK.view, BOOK.spoken).publish(
        [fact(Moved(ADA.id, "Ada", START, DOCK, "Out"))]
    )
    assert made["Ada"][0].seen == [b"Dock 7 (#2)\r\n"]
    assert made["Bram"][0].seen == [b"Ada leaves by Out.\r\n"]


def test_a_move_of_somebody_not_connected_is_shown_to_nobody() -> None:
    world = world_of()
    made = screens(world, "utf-8")
    Publisher(world, BOOK.view, BOOK.spoken).publish([fact(Moved(99, "Ghost", START, DOCK))])
    assert [screen.seen for mine in made.values() for screen in mine] == [[], [], []]


def test_the_picture_of_the_world_changes_before_a_fact_is_shown() -> None:
    world = world_of()
    made = screens(world, "utf-8")
    opened = SceneOpened("T", "otherspace", START, "Hall", False, False, 1, "ab" * 32)
    closed = SceneClosed(1, "cd" * 32)
    Publisher(world, BOOK.view, BOOK.spoken).publish(
        [fact(opened, ledger=7), fact(closed, ledger=7)]
    )
    assert world.scenes == {}
    assert len(made["Rhea"][0].seen) == 2


def test_a_byte_that_telnet_takes_for_its_own_is_doubled() -> None:
    world = world_of()
    made = screens(world, "latin-1")
    Publisher(world, BOOK.view, BOOK.spoken).publish([fact(Spoken("say", "ÿ"))])
    assert made["Bram"][0].seen == [b'Ada says, "\xff\xff"\r\n']


def test_results_are_released_in_order_each_after_its_facts() -> None:
    table = Table()
    steps: list[str] = []

    def job(name: str) -> Job:
        return Job(name, who(RHEA), START, lambda _: Outcome(), lambda _: steps.append(name))

    committed = Committed((fact(Spoken("say", "x")),))
    table.game.publisher.publish = (  # type: ignore[method-assign]
        lambda facts: steps.append(f"{len(tuple(facts))} shown")
    )
    table.game.release([(job("a"), committed), (job("b"), Refused("no")), (job("c"), committed)])
    assert steps == ["1 shown", "a", "b", "1 shown", "c"]


def test_what_nobody_needs_kept_is_shown_in_the_actors_room_unless_it_says_otherwise() -> None:
    table = Table()
    shown: list[Fact] = []
    table.game.publisher.publish = shown.extend  # type: ignore[method-assign, assignment]
    mine, theirs = Draft(Spoken("say", "x")), Draft(Spoken("say", "y"), actor=Who(9, "X"), room=5)
    table.game.show(who(ADA), START, [mine, theirs])
    assert [(one.actor, one.room, one.ledger) for one in shown] == [
        (who(ADA), START, None),
        (Who(9, "X"), 5, None),
    ]


def test_the_words_of_a_refusal_are_those_that_are_told() -> None:
    assert refusal_text(Refused("No.")) == "No."
    assert refusal_text(Committed()) == ""


def test_who_asks_for_it_sees_who_wrote_an_emit() -> None:
    world = world_of()
    made = screens(world, "utf-8")
    world.online[BRAM.id].preferences = Preferences(nospoof=True)
    Publisher(world, CountingView(), BOOK.spoken).publish(
        [fact(Spoken("emit", "The lights go out."))]
    )
    assert made["Bram"][0].seen == [b"(Ada) The lights go out.\r\n"]
    assert made["Ada"][0].seen == [b"The lights go out.\r\n"]


def test_the_world_is_shown_a_scene_that_is_open_again_and_nobody_else_is() -> None:
    world = world_of()
    made = screens(world, "utf-8")
    scene = scene_of(ADA, npcs={50: "Thug"})
    Publisher(world, BOOK.view, BOOK.spoken).publish(
        [fact(SceneLoaded(scene), audience=Audience.PRIVATE)]
    )
    assert world.scene_in(START) == world.scenes[7] == scene
    assert [screen.seen for mine in made.values() for screen in mine] == [[], [], []]


def test_a_line_on_a_channel_reaches_those_who_hear_it_and_is_rendered_once() -> None:
    view, world = CountingView(), world_of(people=(ADA, BRAM, RHEA, GUEST))
    made = screens(world, "utf-8")
    world.online[BRAM.id].room = DOCK
    world.online[RHEA.id].settings = Settings({1: "off"})
    world.online[GUEST.id].settings = Settings(ignored=frozenset({ADA.id}))
    said = fact(ChannelSpoken(1, "Public", "hi"), audience=Audience.CHANNEL)
    Publisher(world, view, BOOK.spoken).publish([said])
    heard = [b'[Public] Ada says, "hi"\r\n']
    assert [made[name][0].seen for name in ("Ada", "Bram", "Rhea", "Guest 1")] == [
        heard,
        heard,
        [],
        [],
    ]
    assert view.count == {Side.ACTOR: 1, Side.OTHER: 1}


def test_staff_alone_hear_the_channel_of_staff() -> None:
    world = world_of()
    made = screens(world, "utf-8")
    world.online[ADA.id].settings = Settings({2: "on"})
    said = fact(ChannelSpoken(2, "Staff", "hi"), actor=RHEA, audience=Audience.CHANNEL)
    Publisher(world, BOOK.view, BOOK.spoken).publish([said])
    assert [len(made[name][0].seen) for name in ("Ada", "Bram", "Rhea")] == [0, 0, 1]


def test_nobody_hears_a_channel_that_is_gone() -> None:
    world = world_of()
    made = screens(world, "utf-8")
    said = fact(ChannelSpoken(1, "Public", "hi"), audience=Audience.CHANNEL)
    Publisher(world, BOOK.view, BOOK.spoken).publish(
        [fact(ChannelDeleted(1, "Public"), RHEA, room=DOCK), said]
    )
    assert [made[name][0].seen for name in ("Ada", "Bram")] == [[], []]


def test_a_page_to_several_is_shown_to_each_once() -> None:
    world = world_of()
    made = screens(world, "utf-8")
    people = ("Bram", "Rhea")
    first = fact(Paged(BRAM.id, "Bram", "x", people), audience=Audience.PRIVATE)
    second = fact(Paged(RHEA.id, "Rhea", "x", people), audience=Audience.SUBJECT)
    Publisher(world, BOOK.view, BOOK.spoken).publish([first, second])
    assert made["Ada"][0].seen == [b"You paged (Bram, Rhea) with 'x'\r\n"]
    assert made["Bram"][0].seen == [b"To (Bram, Rhea) Ada pages: x\r\n"]
    assert made["Rhea"][0].seen == [b"To (Bram, Rhea) Ada pages: x\r\n"]
