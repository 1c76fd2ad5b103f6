"""What is shown to a room whose people read on many kinds of screen."""

from __future__ import annotations

from benchmarks.screens import KINDS, VIEWERS, Screen, full_room, line, publisher
from mushcombat.domain.events import Audience, Event, Fact, Spoken
from mushcombat.domain.preferences import Preferences
from mushcombat.domain.screen import Kind
from mushcombat.net.publisher import Publisher
from mushcombat.systems.otherspace.combat_events import Declared, Helpless
from mushcombat.systems.otherspace.events import Rolled
from mushcombat.views.few_words import FewWords
from mushcombat.views.side import Side
from tests.unit.net.fakes import Table, type_
from tests.unit.service.table import BOOK, world_of
from tests.unit.support import ADA, BRAM, NOW, START, scene_of, who
from tests.unit.views.samples import SUM


def fact(event: Event, seq: int = 6) -> Fact:
    return Fact(event, who(ADA), NOW, Audience.ROOM, START, ledger=7, seq=seq, action=5)


def test_one_line_to_500_viewers_of_8_kinds_is_rendered_8_times() -> None:
    showing = publisher(KINDS, BOOK.view, BOOK.spoken)
    showing.publish([line()])
    assert (VIEWERS, len(KINDS), showing.renders) == (500, 8, 8)


def test_each_viewer_gets_the_bytes_of_their_kind() -> None:
    world = full_room(KINDS)
    Publisher(world, BOOK.view, BOOK.spoken).publish([line()])
    sent: dict[Kind, set[int]] = {}
    for presence in world.everyone():
        for screen in presence.screens:
            assert isinstance(screen, Screen)
            sent.setdefault(screen.kind, set()).add(screen.taken)
    assert set(sent) == set(KINDS)
    assert all(len(sizes) == 1 and min(sizes) > 100 for sizes in sent.values())


ROLL = Rolled(ADA.id, "Ada", "Pistol", "Great", SUM)


def test_a_brief_screen_is_spared_the_steps_of_an_action_and_a_roll_of_its_own_is_none() -> None:
    few = FewWords(BOOK.systems.values())
    assert few.leaves_out(fact(ROLL), Side.OTHER)
    assert few.leaves_out(fact(Helpless(BRAM.id, "Bram", "asleep", 1, "Poor")), Side.SUBJECT)
    assert not few.leaves_out(fact(ROLL, seq=5), Side.OTHER)
    declared = fact(Declared("attack", ("Bram",), "pistol", ""), seq=5)
    assert few.leaves_out(declared, Side.OTHER)
    assert not few.leaves_out(declared, Side.ACTOR)
    assert not few.leaves_out(fact(Spoken("pose", "waves.")), Side.OTHER)


def test_what_is_left_out_sends_nothing() -> None:
    world = world_of(scene_of(ADA, BRAM))
    brief, whole = Screen(Kind(brief=True)), Screen(Kind())
    world.online[BRAM.id].screens += [brief, whole]
    Publisher(world, BOOK.view, BOOK.spoken).publish([fact(ROLL)])
    assert (brief.taken, whole.taken > 0) == (0, True)


def test_who_acts_on_a_brief_screen_sees_their_action_open_and_the_others_do_not() -> None:
    world = world_of(scene_of(ADA, BRAM))
    actors, others = Screen(Kind(brief=True)), Screen(Kind(brief=True))
    world.online[ADA.id].screens.append(actors)
    world.online[BRAM.id].screens.append(others)
    opening = fact(Declared("attack", ("Bram",), "pistol", ""), seq=5)
    Publisher(world, BOOK.view, BOOK.spoken).publish([opening])
    assert (actors.taken > 0, others.taken) == (True, 0)


def test_two_people_on_different_screens_read_the_same_line_each_their_way(table: Table) -> None:
    ada, heard = table.inside("Ada")
    bram, seen = table.inside("Bram")
    heard.seen()
    ada.terminal.screen_reader = True
    ada.terminal_changed()
    assert bram.presence is not None
    bram.presence.prefer(Preferences(colour="16"))
    type_(bram, "+roll pistol at -1")
    spoken, painted = heard.seen(), seen.seen()
    assert spoken[0].startswith("Roll: Bram, ")
    assert "minus 1 (asked)" in spoken[0]
    assert painted[0].startswith("\x1b[36m[Roll] \x1b[0mBram: ")
