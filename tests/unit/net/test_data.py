"""Clients that take GMCP, in a game whose reactor turns when a test says so."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from typing import Any

import pytest

from mushcombat.domain.channels import ChannelMade, ChannelSet, ChannelSpoken
from mushcombat.domain.character import Actor
from mushcombat.domain.command import ReadContext
from mushcombat.domain.events import Audience, Draft, ExitOpened, Fact, Moved, Spoken
from mushcombat.domain.scene import Scene
from mushcombat.domain.visibility import Viewer
from mushcombat.net.data import MESSAGES_AT_ONCE, DataView
from mushcombat.net.session import Session
from mushcombat.views.gmcp import GmcpView, Message, Sight
from tests.unit.net.fakes import Link, Table, quick_hashing, type_
from tests.unit.schemas import read
from tests.unit.service.table import BOOK
from tests.unit.support import ADA, BRAM, DOCK, NOW, RHEA, START, Faces, scene_of, who

ALL = '["Char 1", "Room 1", "Comm.Channel 1", "Scene 1", "Combat 1"]'


def wants(session: Session, modules: str = ALL) -> None:
    session.gmcp(f"Core.Supports.Set {modules}".encode())
    session.game.reactor.advance(0)


def given(link: Link) -> list[tuple[str, Any]]:
    """Give the messages sent since this was last asked, each held against its schema."""
    sent, link.data = link.data, []
    return [read(message) for message in sent]


def packages(link: Link) -> list[str]:
    return [package for package, _ in given(link)]


def scripted(table: Table, actor: Actor, modules: str = ALL) -> tuple[Session, Link]:
    """Give somebody who has logged in with a client that wants data, and was told all."""
    session, link = table.inside(actor.name)
    wants(session, modules)
    given(link)
    return session, link


def test_who_logs_in_is_told_how_things_stand(table: Table) -> None:
    session, link = table.session()
    wants(session)
    assert given(link) == []
    type_(session, "connect Ada Adas-own-word")
    told = dict(given(link))
    hall = {"num": START, "name": "The Landing", "area": "start", "exits": {"Out": DOCK}}
    assert told["Room.Info"] == hall
    assert told["Char.Name"] == {"name": "Ada", "fullname": "Ada"}
    assert told["Room.Players"] == [{"name": "Ada", "fullname": "Ada"}]
    assert (told["Char.Status"]["role"], told["Char.Vitals"]["hp"]) == ("player", 100)
    assert set(told) == {
        *("Room.Info", "Room.Players", "Char.Name", "Char.Status", "Char.Vitals"),
        "Comm.Channel.List",
    }


def test_only_what_the_client_listed_is_sent(table: Table) -> None:
    _, link = table.inside()
    session, mine = table.inside("Bram")
    wants(session, '["Char.Name 1"]')
    assert given(mine) == [("Char.Name", {"name": "Bram", "fullname": "Bram"})]
    type_(session, "say hello", "page Ada=psst")
    assert given(mine) == given(link) == []


def test_who_asks_for_more_later_is_told_that_alone(table: Table) -> None:
    session, link = table.inside()
    wants(session, '["Char.Name 1"]')
    given(link)
    session.gmcp(b'Core.Supports.Add ["Room.Info 1"]')
    session.game.reactor.advance(0)
    assert packages(link) == ["Room.Info"]
    wants(session, "[]")
    wants(session, '["Room 1"]')
    assert packages(link) == ["Room.Info", "Room.Players"]


def test_a_ping_is_answered_whatever_was_listed(table: Table) -> None:
    session, link = table.session()
    session.gmcp(b"Core.Hello {}")
    session.gmcp(b"core.ping 120")
    assert given(link) == [("Core.Ping", None)]


@pytest.mark.parametrize(
    "payload",
    [
        b"Core.Hello {",
        b"No.Such {}",
        b"A " + b"[" * 5000,
        b'Core.Supports.Set {"Char": 1}',
        b"Core.Supports.Set",
        b"Core.Supports.Swap []",
        b"Core.Hello \0\xff\xff",
        b"",
    ],
)
def test_bad_messages_are_passed_over_without_a_word(
    table: Table, payload: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    session, link = table.session()
    session.gmcp(payload)
    session.game.reactor.advance(0)
    assert (given(link), link.seen()) == ([], [])
    assert payload[:8].decode("latin-1") not in caplog.text or not payload


def test_who_sends_too_many_is_not_listened_to_for_a_while(table: Table) -> None:
    session, link = table.session()
    for _ in range(MESSAGES_AT_ONCE + 50):
        session.gmcp(b"Core.Ping")
    assert len(given(link)) == MESSAGES_AT_ONCE
    session.game.reactor.advance(1)
    session.gmcp(b"Core.Ping")
    assert packages(link) == ["Core.Ping"]


def test_a_link_that_ends_is_told_why_and_forgotten(table: Table) -> None:
    session, link = scripted(table, ADA)
    type_(session, "QUIT")
    session.gmcp(b"Core.Ping")
    assert given(link) == [("Core.Goodbye", "Goodbye.")]
    session.lost()
    wants(session)
    type_(table.inside("Bram")[0], "say hello")
    assert given(link) == []


def test_speech_comes_as_data_to_each_as_they_read_it(table: Table) -> None:
    ada, mine = scripted(table, ADA)
    _, theirs = scripted(table, BRAM)
    given(mine)
    type_(ada, "say hi")
    said = [data["text"] for link in (mine, theirs) for _, data in given(link)]
    assert said == ['You say, "hi"', 'Ada says, "hi"']


def test_whispers_are_for_two(table: Table) -> None:
    sessions = {actor.name: scripted(table, actor) for actor in (ADA, BRAM, RHEA)}
    for _, link in sessions.values():
        given(link)
    type_(sessions["Ada"][0], "whisper Bram=meet me")
    whisper = {"channel": "whisper", "talker": "Ada", "text": 'Ada whispers, "meet me"'}
    assert given(sessions["Bram"][1]) == [("Comm.Channel.Text", whisper)]
    assert packages(sessions["Ada"][1]) == ["Comm.Channel.Text"]
    assert given(sessions["Rhea"][1]) == []


def test_who_comes_and_goes_is_told_one_by_one(table: Table) -> None:
    _, link = scripted(table, ADA)
    bram, _ = table.inside("Bram")
    bram.lost()
    assert given(link) == [
        ("Room.AddPlayer", {"name": "Bram", "fullname": "Bram"}),
        ("Room.RemovePlayer", "Bram"),
    ]


def test_who_walks_is_told_the_new_room_and_the_others_who_walked(table: Table) -> None:
    ada, mine = scripted(table, ADA)
    _, theirs = scripted(table, BRAM)
    given(mine)
    walked = Moved(ADA.id, "Ada", START, DOCK, "Out")
    table.game.publisher.publish([Fact(walked, who(ADA), NOW, Audience.ROOM, START)])
    ada.game.reactor.advance(0)
    assert packages(mine) == ["Room.Info", "Room.Players"]
    assert given(theirs) == [("Room.RemovePlayer", "Ada")]


def test_a_new_exit_is_told_to_who_stands_there(table: Table) -> None:
    _, link = scripted(table, ADA)
    opened = ExitOpened(9, START, ("Down",), 5)
    fact = Fact(opened, who(RHEA), NOW, Audience.REFEREES, START, 0, 1, 1)
    table.game.publisher.publish([fact])
    table.reactor.advance(0)
    ((package, data),) = given(link)
    assert (package, data["exits"]) == ("Room.Info", {"Out": DOCK, "Down": 5})


def scene_game(monkeypatch: pytest.MonkeyPatch, scene: Scene | None = None) -> Table:
    table = Table(scene or scene_of(ADA, BRAM, RHEA, referees=[RHEA]))
    quick_hashing(monkeypatch, table)
    return table


def test_a_fight_is_told_as_it_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    table = scene_game(monkeypatch)
    table.store.faces = Faces(*(2, 2, 2, 2), *(3, 3, 3, 3))
    rhea, _ = table.inside("Rhea")
    ada, link = scripted(table, ADA)
    bram, _ = table.inside("Bram")
    given(link)
    type_(rhea, "+combat/start")
    ((_, turn),) = given(link)
    assert (turn["phase"], turn["order"]) == ("rolling", [])
    type_(ada, "+combat/join")
    type_(bram, "+combat/join")
    type_(ada, "+reaction")
    type_(bram, "+reaction")
    last = given(link)[-1][1]
    assert (last["phase"], last["round"], last["current"]) == ("on", 1, "Bram")
    assert ([each["name"] for each in last["order"]], last["yours"]) == (["Bram", "Ada"], False)
    type_(rhea, "+damage Ada=36")
    told = dict(given(link))
    assert (told["Combat.Result"]["health"], told["Char.Vitals"]["hp"]) == (64, 64)
    type_(rhea, "+combat/stop")
    assert dict(given(link))["Combat.Turn"]["phase"] == "none"


def test_who_comes_back_into_a_fight_is_told_where_it_stands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = scene_game(monkeypatch)
    rhea, _ = table.inside("Rhea")
    type_(rhea, "+combat/start")
    session, link = table.session()
    wants(session)
    type_(session, "connect Ada Adas-own-word")
    told = dict(given(link))
    assert (told["Combat.Turn"]["phase"], told["Scene.Info"]["joined"]) == ("rolling", True)


def test_staff_who_play_do_not_see_who_hides_from_players(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hidden = frozenset({50})
    scene = scene_of(ADA, BRAM, RHEA, referees=[BRAM], npcs={50: "Lurkerling"}, hidden=hidden)
    table = scene_game(monkeypatch, scene)
    seats = {ADA.id: "Ada", RHEA.id: "Rhea", 50: "Lurkerling"}
    table.store.write("fight", (7,), "the fight", phase="on", round=2, turn=50)
    lurker = replace(table.store.characters[ADA.id], id=50, name="Lurkerling")
    table.store.characters[50] = lurker
    for place, (one, name) in enumerate(seats.items(), 1):
        table.store.write("combatant", (7, one), name, place=place, rank="[5]")
    bram, theirs = scripted(table, BRAM)
    given(theirs)
    session, link = table.session()
    wants(session)
    type_(session, "connect Rhea Rheas-own-word")
    told = dict(given(link))
    assert "Lurkerling" not in str(told)
    assert (told["Combat.Turn"]["round"], told["Combat.Turn"]["current"]) == (2, None)
    table.game.data.entered(bram)
    table.reactor.advance(0)
    assert dict(given(theirs))["Combat.Turn"]["current"] == "Lurkerling"


def test_a_pose_of_a_hidden_npc_is_told_to_the_referee_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    npcs, hidden = {50: "Lurkerling"}, frozenset({50})
    scene = scene_of(ADA, BRAM, RHEA, referees=[RHEA], npcs=npcs, hidden=hidden)
    table = scene_game(monkeypatch, scene)
    rhea, theirs = scripted(table, RHEA)
    _, mine = scripted(table, ADA)
    given(theirs)
    type_(rhea, "Lurkerling: pose waits.")
    assert "Lurkerling waits." in str(given(theirs))
    assert given(mine) == []


def test_a_scene_that_rests_is_told_as_such(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = scene_game(monkeypatch)
    rhea, theirs = scripted(table, RHEA)
    type_(rhea, "+scene/pause")
    ((package, data),) = given(theirs)
    assert (package, data["state"]) == ("Scene.Info", "paused")


class CountingView(GmcpView):
    count = 0

    def messages(self, fact: Fact, sight: Sight) -> list[Message]:
        self.count += 1
        return super().messages(fact, sight)


def test_a_fact_is_made_into_messages_once_for_each_kind_of_viewer(table: Table) -> None:
    view = CountingView(BOOK.systems.values(), BOOK.view)
    table.game.describe = DataView(view, table.game.describe.standing)
    ada, _ = scripted(table, ADA)
    for actor in (BRAM, BRAM, RHEA):
        scripted(table, actor)
    view.count = 0
    type_(ada, "say hi")
    assert view.count == 2
    table.game.data.gone(ada)
    type_(ada, "say hi")
    assert view.count == 3


def test_nothing_is_made_where_nobody_takes_data(table: Table) -> None:
    view = CountingView(BOOK.systems.values(), BOOK.view)
    table.game.describe = DataView(view, table.game.describe.standing)
    type_(table.inside()[0], "say hi")
    assert view.count == 0


def test_a_database_that_fails_leaves_the_rest_alone(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    ada, link = scripted(table, ADA)
    table.readers.fault = RuntimeError("gone")
    type_(ada, "@doing Nothing")
    assert given(link) == []
    assert "looking for a client's data failed" in caplog.text
    table.readers.fault = None
    type_(ada, "@doing Something")
    ((_, status),) = given(link)
    assert status["doing"] == "Something"


def test_a_character_that_is_gone_is_told_nothing(table: Table) -> None:
    def nobody(_here: Scene | None, _context: ReadContext) -> None:
        return None

    table.game.describe = DataView(table.game.describe.events, nobody)
    session, link = table.inside()
    wants(session, '["Char 1"]')
    assert packages(link) == ["Char.Name"]


def test_questions_to_the_database_do_not_pile_up(table: Table) -> None:
    ada, link = scripted(table, ADA)
    held: list[Any] = []
    look = table.game.read

    def slow(work: Any) -> Any:
        answer = look(work)
        answer.pause()
        held.append(answer)
        return answer

    table.game.read = slow  # type: ignore[method-assign]
    draft = Draft(Spoken("say", "x"))
    for _ in range(5):
        table.game.data._look(table.game.data._takers[ada])
        table.reactor.advance(0)
    assert len(held) == 1
    held.pop().unpause()
    table.reactor.advance(0)
    assert len(held) == 1
    assert json.dumps(given(link)) == "[]"
    assert table.game.publisher.viewer(
        Fact(draft.event, who(ADA), NOW, draft.audience), table.world.online[ADA.id]
    ) == Viewer(ADA.id)


def test_channels_are_listed_and_heard(table: Table) -> None:
    _, link = scripted(table, ADA)
    _, theirs = scripted(table, RHEA)
    given(link)
    made = ChannelMade(3, "Trade", "tr", "player", False)
    table.game.publisher.publish([Fact(made, who(RHEA), NOW, Audience.PRIVATE)])
    table.reactor.advance(0)
    public = {"name": "Public", "caption": "Public", "command": "+pub", "on": True}
    trade = {"name": "Trade", "caption": "Trade", "command": "+tr", "on": False}
    assert given(link) == [("Comm.Channel.List", [public, trade])]
    assert [len(data) for _, data in given(theirs)] == [3]
    said = [ChannelSpoken(1, "Public", "hi"), ChannelSpoken(2, "Staff", "hush")]
    table.game.publisher.publish([Fact(one, who(RHEA), NOW, Audience.CHANNEL) for one in said])
    text = {"channel": "Public", "talker": "Rhea", "text": '[Public] Rhea says, "hi"'}
    assert given(link) == [("Comm.Channel.Text", text)]
    muted = ChannelSet(1, "Public", "off")
    table.game.publisher.publish([Fact(muted, who(ADA), NOW, Audience.PRIVATE)])
    table.reactor.advance(0)
    assert given(link) == [("Comm.Channel.List", [{**public, "on": False}, trade])]
    table.game.publisher.publish([Fact(said[0], who(RHEA), NOW, Audience.CHANNEL)])
    assert given(link) == []


def test_talk_of_who_is_ignored_is_no_data(table: Table) -> None:
    ada, link = scripted(table, ADA)
    rhea, _ = table.inside("Rhea")
    given(link)
    assert ada.presence is not None
    ada.presence.settings = replace(ada.presence.settings, ignored=frozenset({RHEA.id}))
    type_(rhea, "whisper Ada=psst")
    said = ChannelSpoken(1, "Public", "hi")
    table.game.publisher.publish([Fact(said, who(RHEA), NOW, Audience.CHANNEL)])
    assert given(link) == []
    type_(rhea, "say hi")
    assert packages(link) == ["Comm.Channel.Text"]
