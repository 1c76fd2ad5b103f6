"""Channels: who is on them, who speaks, what is recalled, and what staff do."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from mushcombat.domain.channels import ChannelDeleted, ChannelMade, ChannelSet, ChannelSpoken
from mushcombat.domain.character import Actor, Role
from mushcombat.domain.command import Lane, Outcome
from mushcombat.domain.events import GAME_LEDGER, Audience
from mushcombat.domain.settings import Settings
from mushcombat.errors import MushError
from mushcombat.service.world import World
from tests.unit.channels import PUBLIC, said
from tests.unit.service.table import executor_of, world_of
from tests.unit.support import ADA, BRAM, GUEST, NOW, RHEA, MemoryStore, fact_of, scene_of, who

EVERYBODY = (ADA, BRAM, RHEA, GUEST)
ADMIN = replace(RHEA, role=Role.ADMIN)


class Game:
    """A world and a store that know the same."""

    def __init__(self, *people: Actor) -> None:
        self.world: World = world_of(scene_of(ADA), people=people or EVERYBODY)
        self.store = MemoryStore(scene_of(ADA))

    def do(self, line: str, actor: Actor = ADA) -> Outcome:
        """Run a line, and let the world know of what came of it."""
        work = executor_of(self.world).prepare(self.world.online[actor.id], line)
        outcome = work.run(self.store)
        for draft in outcome.drafts:
            self.world.apply(fact_of(draft, actor))
        return outcome

    def no(self, line: str, actor: Actor = ADA) -> str:
        with pytest.raises(MushError) as caught:
            self.do(line, actor)
        return str(caught.value)

    def events(self, line: str, actor: Actor = ADA) -> list[object]:
        return [draft.event for draft in self.do(line, actor).drafts]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("+pub hello", "hello"),
        ("+PUB Hello = you, %r", "Hello = you, %r"),
        ("pub hello", "hello"),
        ("+public hello", "hello"),
        ("public :waves.", ":waves."),
        ("+pub ;'s hat", ";'s hat"),
        ("+channel/say pub=hello", "hello"),
    ],
)
def test_an_alias_or_a_name_speaks_on_its_channel(line: str, text: str) -> None:
    (draft,) = Game().do(line).drafts
    assert draft.event == ChannelSpoken(1, "Public", text)
    assert (draft.audience, draft.ledger) == (Audience.CHANNEL, None)


def test_a_line_on_a_channel_goes_through_the_writer_and_locks_nobody() -> None:
    game = Game()
    work = executor_of(game.world).prepare(game.world.online[ADA.id], "+pub hi")
    assert (work.lane, work.appends) == (Lane.WRITE, True)


@pytest.mark.parametrize("line", ["pub", "+pub", "+pub   "])
def test_an_alias_alone_is_told_what_to_type(line: str) -> None:
    assert Game().no(line) == "What shall Public hear? +channel/say Public=<text>"


@pytest.mark.parametrize("line", ["+staff hi", "staff hi", "+pu hi", "+publi hi", "+pub/create x"])
def test_any_other_word_is_an_unknown_command(line: str) -> None:
    assert Game().no(line) == 'Huh?  (Type "help" for help.)'


def test_what_is_no_channel_at_all_is_left_to_others() -> None:
    channels = Game().world.channels
    assert [channels.command(line, ADA) for line in ("", ":pub hi", "+", "é x", "say x")] == [
        None
    ] * 5


def test_an_exit_wins_over_a_channel_without_its_sign() -> None:
    game = Game()
    room = game.world.room(1)
    way = replace(room.ways[0], names=("pub",))
    game.world.rooms[1] = replace(room, ways=(way,))
    routed = executor_of(game.world).prepare(game.world.online[ADA.id], "pub")
    assert routed.verb.name == "go"


@pytest.mark.parametrize("line", ["+staff hi", "+channel/say staff=:waves"])
def test_staff_speak_on_their_own_channel(line: str) -> None:
    (event,) = Game().events(line, RHEA)
    assert isinstance(event, ChannelSpoken)
    assert event.name == "Staff"


def test_guests_speak_on_the_public_channel() -> None:
    assert Game().events("+pub hi", GUEST) == [ChannelSpoken(1, "Public", "hi")]


def test_the_list_shows_the_channels_that_exist_for_one() -> None:
    game = Game()
    assert game.do("+channel").reply == ("Public (+pub): on, for all, 4 listening",)
    assert game.do("+channel/list", RHEA).reply == (
        "Public (+pub): on, for all, 4 listening",
        "Staff (+staff): on, for staff, 1 listening",
    )
    game.world.channels.load([])
    assert game.do("+channels").reply == ("There are no channels.",)


def test_who_lists_those_who_hear_it() -> None:
    game = Game()
    game.do("+pub/off", BRAM)
    assert game.do("+pub/who").reply == ("On Public: Ada, Guest 1 and Rhea.",)
    for actor in EVERYBODY:
        game.do("+channel/leave public", actor)
    assert game.do("+channel/who pub").reply == ("On Public: nobody.",)


@pytest.mark.parametrize(
    ("switch", "state", "hint"),
    [("off", "off", "+channel/on Public"), ("leave", "left", "+channel/join Public")],
)
def test_who_does_not_hear_a_channel_can_not_speak_there(
    switch: str, state: str, hint: str
) -> None:
    game = Game()
    assert game.events(f"+channel/{switch} pub") == [ChannelSet(1, "Public", state)]  # type: ignore[arg-type]
    assert not game.world.channels.hears(game.world.online[ADA.id], 1)
    assert game.store.settings(ADA.id).channels == {1: state}
    assert game.no("+pub hi") == f"You would not hear Public yourself. {hint}"
    game.do(hint)
    assert game.events("+pub hi") == [ChannelSpoken(1, "Public", "hi")]


def test_who_is_not_on_a_channel_can_not_turn_it_off() -> None:
    game = Game()
    game.do("+pub/leave")
    assert game.no("+pub/off") == "You are not on Public. +channel/join Public"


def test_recall_tells_when_and_who_in_order() -> None:
    game = Game()
    early = said(":waves.", who(BRAM), NOW - timedelta(days=1))
    game.store.said[1] = [early, said("hi", who(ADA), NOW)]
    told = (
        "Public, times in UTC:",
        "(2026-02-28 12:30) [Public] Bram waves.",
        '(12:30) [Public] Ada says, "hi"',
    )
    assert game.do("+channel/recall").reply == told
    assert game.do("+channel/recall public=2").reply == told
    assert game.do("+pub/recall =1").reply == (told[0], told[2])


def test_recall_leaves_out_whom_one_ignores() -> None:
    game = Game()
    game.store.said[1] = [said("a", who(BRAM), NOW)]
    game.world.online[ADA.id].settings = Settings(ignored=frozenset({BRAM.id}))
    assert game.do("+channel/recall").reply == ("Public has no lines yet.",)
    assert len(game.do("+channel/recall", BRAM).reply) == 2


def test_recall_is_for_those_who_are_on_the_channel() -> None:
    game = Game()
    game.do("+pub/leave")
    assert game.no("+pub/recall") == "You are not on Public. +channel/join Public"
    assert game.no("+channel/recall") == "You are on no channel. +channel lists them."
    assert game.no("+channel/recall staff") == 'There is no channel "staff". +channel lists them.'
    game.do("+pub/off", BRAM)
    assert game.do("+channel/recall", BRAM).reply == ("Public has no lines yet.",)


def test_who_is_gone_meanwhile_is_on_no_channel() -> None:
    game = Game()
    work = executor_of(game.world).prepare(game.world.online[ADA.id], "+channel/recall pub")
    game.world.depart(game.world.online[ADA.id])
    assert work.run(game.store).reply == ("Public has no lines yet.",)


@pytest.mark.parametrize("count", ["0", "101", "x", "-1"])
def test_a_recall_of_an_odd_number_of_lines_is_refused(count: str) -> None:
    assert "Usage: +channel/recall" in Game().no(f"+channel/recall pub={count}")


def test_staff_make_a_channel_that_others_join() -> None:
    game = Game()
    outcome = game.do("+channel/create Trade=TR, guests", RHEA)
    made, mine = outcome.drafts
    assert made.event == ChannelMade(3, "Trade", "tr", "guest", False)
    assert (made.audience, made.ledger) == (Audience.REFEREES, GAME_LEDGER)
    assert mine.event == ChannelSet(3, "Trade", "on")
    assert game.do("+channel/who tr").reply == ("On Trade: Rhea.",)
    assert game.no("+tr hi").startswith("You would not hear Trade yourself.")
    game.do("+channel/join trade")
    assert game.events("+tr hi") == [ChannelSpoken(3, "Trade", "hi")]


def test_a_channel_is_for_players_unless_said_otherwise() -> None:
    game = Game()
    game.do("+channel/create Trade=tr", RHEA)
    assert game.no("+tr hi", GUEST).startswith("Huh?")
    assert game.no("+channel/join tr", GUEST) == 'There is no channel "tr". +channel lists them.'


@pytest.mark.parametrize("names", ["Pages=pp", "Odd=rol", "Look=lk", "Odd=scene", "Sce=sss"])
def test_no_channel_can_stand_in_the_way_of_a_command(names: str) -> None:
    game = Game()
    if names == "Pages=pp":
        assert game.do(f"+channel/create {names}", RHEA).drafts
        return
    assert "is a command, or the beginning of one." in game.no(f"+channel/create {names}", RHEA)


def test_only_an_admin_makes_a_channel_for_admins() -> None:
    assert game_for(RHEA).no("+channel/create Top=top, admin", RHEA).startswith("Only an admin")
    made = game_for(ADMIN).do("+channel/create Top=top, admin", ADMIN)
    assert made.reply[0].startswith("Channel Top is there.")


def game_for(actor: Actor) -> Game:
    return Game(ADA, actor)


@pytest.mark.parametrize("typed", ["Trade", "=tr", "Trade=tr, gods"])
def test_making_a_channel_badly_is_told_how(typed: str) -> None:
    assert "Usage: +channel/create" in Game().no(f"+channel/create {typed}", RHEA)


def test_a_channel_is_deleted_by_its_whole_name() -> None:
    game = Game()
    assert game.no("+channel/delete pub", RHEA).endswith("+channel/delete Public")
    (draft,) = game.do("+channel/delete public", RHEA).drafts
    assert draft.event == ChannelDeleted(1, "Public")
    assert game.no("+pub hi").startswith("Huh?")
    assert not game.world.channels.hears(game.world.online[ADA.id], PUBLIC.id)


@pytest.mark.parametrize("line", ["+channel/create A=b", "+channel/delete Public"])
def test_for_players_the_verbs_of_staff_do_not_exist(line: str) -> None:
    switch = line.split(maxsplit=1)[0]
    assert f"{switch}," not in Game().no(line)
    assert Game().no(line).startswith("+channel has no switch")


def test_saying_something_needs_a_channel() -> None:
    assert "Usage: +channel/say" in Game().no("+channel/say hello")
