"""Several servers on one PostgreSQL: to their players they are one game."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from tests.e2e.databases import Databases
from tests.e2e.fight_script import ROUNDS
from tests.e2e.harness import PASSWORD, Client, Server, open_scene
from tests.e2e.several import FarTable, Several, same_order, settle, several


@pytest.fixture(scope="module")
def twins(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Several]:
    """Start two servers on one database, for all tests that leave them alive."""
    with databases.one() as url, several(url, tmp_path_factory.mktemp("twins"), 2) as twins:
        yield twins


@pytest.fixture
def game(twins: Several) -> Iterator[Several]:
    """Lend the two servers to one test: nobody is connected."""
    yield twins
    twins.empty()


@pytest.fixture
def mortal(peopled: str, tmp_path: Path) -> Iterator[Several]:
    """Start two servers on one database for one test, which may kill them."""
    with several(peopled, tmp_path, 2) as game:
        yield game


@pytest.fixture
def pair(game: Several) -> tuple[Client, Client]:
    """Log Ada in at one server, Bram at the other."""
    ada, bram = game.servers[0].login("Ada"), game.servers[1].login("Bram")
    ada.expect(r"^Bram has connected\.$")
    return ada, bram


def test_talk_crosses_and_is_seen_as_in_one_room(pair: tuple[Client, Client]) -> None:
    ada, bram = pair
    ada.send("say Hello over there.")
    bram.expect(r'^Ada says, "Hello over there\."$')
    ada.expect(r'^You say, "Hello over there\."$')
    bram.send(":nods.")
    ada.expect(r"^Bram nods\.$")
    bram.send("page Ada=psst")
    ada.expect(r"^Bram pages.*psst")
    ada.send("whisper Bram=closer")
    bram.expect(r"^Ada whispers.*closer")
    bram.reject("psst.*closer")


def test_who_look_and_finger_know_those_of_the_other_server(pair: tuple[Client, Client]) -> None:
    ada, bram = pair
    bram.send("@doing Watching the rain", "@desc me=A tall man.")
    settle(bram, ada)
    ada.send("WHO")
    ada.expect(r"^Bram: on for \w+, idle \w+, Watching the rain$")
    ada.expect(r"^2 players are connected\.$")
    assert "Here: Bram." in ada.ask("look")
    assert "A tall man." in ada.ask("look Bram")
    assert "Connected: for" in ada.ask("+finger Bram")
    assert "Ada" in bram.ask("+where")
    bram.close()
    ada.expect(r"^Bram has disconnected\.$")
    assert "1 player is connected." in ada.ask("WHO")


def test_rooms_that_are_dug_and_those_who_walk_are_seen_everywhere(game: Several) -> None:
    rhea, ada = game.login("Rhea"), game.login("Ada")
    rhea.expect(r"^Ada has connected\.$")
    rhea.send("@dig Engine Room=Engine;e,Out;o")
    settle(rhea, ada)
    rhea.send("e")
    ada.expect(r"^Rhea .*Engine")
    ada.send("e")
    ada.expect(r"^Here: Rhea\.$")
    rhea.expect(r"^Ada ")
    settle(ada, rhea)
    ada.send("say In here.")
    rhea.expect(r'^Ada says, "In here\."$')
    for one in (rhea, ada):
        one.ask("home")


def test_a_whole_fight_is_the_same_for_those_at_either_server(game: Several) -> None:
    table = FarTable(cast("Server", game))
    table.run(lambda _: None)
    shown = table.shown["Rhea"]
    assert all(lines == shown for lines in table.shown.values())
    assert any(line.startswith(f"[Turn] Round {ROUNDS}: ") for line in shown)
    assert any(line.startswith("[Undo]") for line in shown)
    file = game.servers[0].folder / "log.jsonl"
    options = ("--format", "jsonl", "--profile", "audit", "--output", str(file))
    game.cli("transcript", "export", str(table.state.scene), *options)
    game.cli("verify", str(file))


def test_commit_order_is_display_order_for_everyone(game: Several) -> None:
    people = [game.login(name) for name in ("Rhea", "Ada", "Bram", "Cass")]
    for one in people[:-1]:
        one.expect(r"^Cass has connected\.$")
    open_scene(people[0], "A Crowd", *people[1:3])
    for number in range(40):
        for one in people:
            one.send(f":counts {number}.")
    for one in people:
        settle(one, *(other for other in people if other is not one))
    lines = same_order(people, r"^\w+ counts \d+\.$")
    assert len(lines) == 4 * 40
    for one in people:
        numbers = [line for line in lines if line.startswith(one.name)]
        assert numbers == [f"{one.name} counts {number}." for number in range(40)]


def test_a_dead_server_takes_its_own_players_alone(mortal: Several) -> None:
    one, two = mortal.servers
    ada, bram, guest = one.login("Ada"), two.login("Bram"), two.guest()
    number = open_scene(ada, "Night Watch")
    bram.send(f"+scene/join {number}")
    bram.expect(r"^You join scene")
    settle(bram, ada)
    two.kill()
    ada.expect(r"^Bram has disconnected\.$")
    ada.expect(rf"^{guest.name} has disconnected\.$")
    assert "1 player is connected." in ada.ask("WHO")
    ada.send(":goes on.")
    ada.expect(r"^Ada goes on\.$")
    back = one.login("Bram")
    assert '"Night Watch": you missed' in back.seen
    assert "Ada goes on." in back.seen
    ada.expect(r"^Bram has connected\.$")


def test_who_comes_to_the_other_server_at_once_is_told_what_they_missed(mortal: Several) -> None:
    one, two = mortal.servers
    ada, bram = one.login("Ada"), two.login("Bram")
    number = open_scene(ada, "Night Watch")
    bram.send(f"+scene/join {number}")
    bram.expect(r"^You join scene")
    settle(bram, ada)
    two.kill()
    ada.send(":calls.")
    ada.expect(r"^Ada calls\.$")
    back = one.login("Bram")
    assert "Ada calls." in back.seen
    back.send("say Here again.")
    ada.expect(r'^Bram says, "Here again\."$')
    two.start()  # which knows that the one before it is dead, and has nobody connected
    cass = two.login("Cass")
    ada.expect(r"^Cass has connected\.$")
    assert "3 players are connected." in cass.ask("WHO")
    back.close()
    ada.expect(r"^Bram has disconnected\.$")


def test_who_is_connected_to_both_servers_comes_and_goes_once(game: Several) -> None:
    one, two = game.servers
    ada, here = two.login("Ada"), one.login("Bram")
    ada.expect(r"^Bram has connected\.$")
    there = two.login("Bram")
    settle(here, ada)
    ada.send("say Both of you.")
    for bram in (here, there):
        bram.expect(r'^Ada says, "Both of you\."$')
    assert "2 players are connected." in ada.ask("WHO")
    here.send("QUIT")
    here.expect_end()
    there.send("say Still here.")
    ada.expect(r'^Bram says, "Still here\."$')
    ada.reject(r"^Bram has (dis)?connected\.$")
    there.send("QUIT")
    ada.expect(r"^Bram has disconnected\.$")


def test_a_server_that_ends_says_so_for_its_players(mortal: Several) -> None:
    one, two = mortal.servers
    ada, bram = one.login("Ada"), two.login("Bram")
    ada.expect(r"^Bram has connected\.$")
    two.signal(signal.SIGTERM)
    bram.expect(r"^The server is going down now\.")
    ada.expect(r"^Bram has disconnected\.$")
    assert two.wait() == 0


def test_a_server_that_slept_joins_the_others_again(mortal: Several) -> None:
    one, two = mortal.servers
    ada, bram = one.login("Ada"), two.login("Bram")
    ada.expect(r"^Bram has connected\.$")
    with two.stopped():
        ada.expect(r"^Bram has disconnected\.$")
    ada.expect(r"^Bram has connected\.$")
    ada.send("say You were away.")
    bram.expect(r'^Ada says, "You were away\."$')
    bram.send("say Was I?")
    ada.expect(r'^Bram says, "Was I\?"$')
    assert "2 players are connected." in bram.ask("WHO")


def test_what_the_command_line_does_is_heard(game: Several) -> None:
    rhea = game.login("Rhea")
    rhea.send("WHO")
    game.servers[0].account("Dana")
    dana = game.servers[1].login("Dana")
    rhea.expect(r"^Dana has connected\.$")
    dana.send("page Rhea=hello")
    rhea.expect(r"^Dana pages.*hello")


def test_staff_boot_and_ban_players_of_the_other_server(game: Several) -> None:
    one, two = game.servers
    rhea, ada, cass = one.login("Rhea"), two.login("Ada"), two.login("Cass")
    rhea.expect(r"^Cass has connected\.$")
    rhea.send("@boot Cass=enough")
    cass.expect_end()
    rhea.expect(r"^Cass has disconnected\.$")
    rhea.send("@ban Cass=1h, enough")
    settle(rhea, ada)
    again = two.connect(name="Cass")
    again.send(f"connect Cass {PASSWORD}")
    again.expect(r"enough")
    rhea.send("@ban/remove Cass")
    settle(rhea, ada)
    two.login("Cass")
