"""Channels, pages to several, and what players choose about each other, over TCP."""

from __future__ import annotations

import re
import socket

from tests.e2e.fight_script import start_duel
from tests.e2e.harness import Client, Server, open_scene, sync


def heard(teller: Client, line: str, *others: Client) -> list[str]:
    """Let somebody type a line; gives the block that each hears of it, the teller first."""
    sync(teller, *others)
    told = teller.ask(line)
    return [told, *(other.sync() for other in others)]


def test_a_channel_reaches_its_listeners_wherever_they_are(server: Server) -> None:
    ada, bram, rhea = server.logins("Ada", "Bram", "Rhea")
    guest = server.guest()
    bram.ask("lounge")
    for line, shown in (
        ("+pub hello", '[Public] Ada says, "hello"\n'),
        ("pub :waves.", "[Public] Ada waves.\n"),
        ("+public a%r[Result] b", '[Public] Ada says, "a\n  [Result] b"\n'),
    ):
        assert heard(ada, line, bram, rhea, guest) == [shown] * 4
    name = guest.name
    assert heard(guest, "+pub hi", ada) == [f'[Public] {name} says, "hi"\n'] * 2
    assert heard(rhea, "+staff psst", ada, bram, guest)[1:] == ["", "", ""]
    assert "Huh?" in ada.ask("+staff hi")
    assert "Huh?" in ada.ask("+pubs hi")


def test_what_was_said_is_recalled_after_the_power_fails(either: Server) -> None:
    ada, bram = either.logins("Ada", "Bram")
    bram.ask("+channel/off public")
    assert heard(ada, "+pub while you were off", bram)[1] == ""
    ada.send("+pub just before")
    ada.expect("just before")
    either.restart()
    (bram,) = either.logins("Bram")
    told = bram.ask("+channel/recall public=5")
    assert re.findall(r'^\(\d\d:\d\d\) \[Public\] Ada says, "(.*)"$', told, re.M) == [
        "while you were off",
        "just before",
    ]
    (ada,) = either.logins("Ada")
    bram.expect(r"^Ada has connected\.$")
    assert heard(ada, "+pub still off?", bram)[1] == ""
    bram.ask("+pub/on")
    assert heard(ada, "+pub and now?", bram)[1] == '[Public] Ada says, "and now?"\n'


def test_staff_make_a_channel_and_it_is_there_after_a_restart(server: Server) -> None:
    ada, rhea = server.logins("Ada", "Rhea")
    assert "is a command" in rhea.ask("+channel/create Trade=page")
    assert "Lines of the server itself" in rhea.ask("+channel/create Result=res")
    assert "Channel Trade is there." in rhea.ask("+channel/create Trade=tr")
    assert ada.ask("+channel/join trade") == "You hear Trade.\n"
    assert heard(ada, "+tr fish!", rhea) == ['[Trade] Ada says, "fish!"\n'] * 2
    server.restart()
    ada, rhea = server.logins("Ada", "Rhea")
    assert heard(ada, "+tr fish?", rhea) == ['[Trade] Ada says, "fish?"\n'] * 2
    assert "Channel Trade is gone." in rhea.ask("+channel/delete trade")
    assert "Huh?" in ada.ask("+tr fish")


def test_a_line_on_a_channel_is_in_no_log_of_a_scene(server: Server) -> None:
    ada, bram = server.logins("Ada", "Bram")
    open_scene(ada, "Quiet", bram)
    assert heard(ada, "+pub not in the story", bram)[1].startswith("[Public] Ada")
    assert "not in the story" not in ada.ask("+scene/log")


def test_a_page_goes_to_several_and_again(server: Server) -> None:
    server.account("Old Tom")
    ada, bram, tom = server.logins("Ada", "Bram", "Old Tom")
    told, bram_told, tom_told = heard(ada, 'page bram "old tom"=hi', bram, tom)
    assert told == "You paged (Bram, Old Tom) with 'hi'\n"
    assert bram_told == tom_told == "To (Bram, Old Tom) Ada pages: hi\n"
    told, bram_told, tom_told = heard(ada, "page =:waves.", bram, tom)
    assert told == "Long distance to (Bram, Old Tom): Ada waves.\n"
    assert bram_told == tom_told == "From afar, to (Bram, Old Tom): Ada waves.\n"
    assert ada.ask("page") == "You last paged Bram and Old Tom.\n"
    bram.ask("+afk making tea")
    assert "Bram is away: making tea" in ada.ask("page bram=hi")
    ada.send("QUIT")
    (ada,) = server.logins("Ada")
    assert ada.ask("page") == "You have paged nobody yet: page <name>=<text>\n"


def test_who_is_ignored_is_not_heard_but_seen(server: Server) -> None:
    ada, bram, cass = server.logins("Ada", "Bram", "Cass")
    assert "You ignore Ada" in bram.ask("+ignore ada")
    told, bram_told, cass_told = heard(ada, "+pub hello", bram, cass)
    assert (bram_told, told) == ("", cass_told)
    assert ada.ask("page bram=hi") == "Bram takes no pages just now. Try again another day.\n"
    assert heard(ada, "whisper bram=hi", bram)[1] == ""
    assert heard(ada, "pose waves.", bram)[1] == "Ada waves.\n"
    server.restart()
    ada, bram = server.logins("Ada", "Bram")
    assert heard(ada, "+pub hello again", bram)[1] == ""
    bram.ask("+ignore/remove ada")
    assert heard(ada, "+pub third time", bram)[1] == '[Public] Ada says, "third time"\n'


def test_pages_stay_locked_over_a_restart_and_staff_come_through(server: Server) -> None:
    (bram,) = server.logins("Bram")
    assert "You take no pages now" in bram.ask("@lock page")
    server.restart()
    ada, bram, rhea = server.logins("Ada", "Bram", "Rhea")
    assert heard(ada, "page bram=hi", bram)[1] == ""
    assert heard(rhea, "page bram=hi", bram)[1] == "Rhea pages: hi\n"
    bram.ask("@unlock page")
    assert heard(ada, "page bram=hi", bram)[1] == "Ada pages: hi\n"


def test_who_watches_is_told_who_comes_and_goes(server: Server) -> None:
    (ada,) = server.logins("Ada")
    ada.ask("+watch bram", "lounge")
    bram = server.login("Bram")
    ada.expect(r"^<Watch> Bram has connected\.$")
    server.login("Cass")
    bram.send("QUIT")
    ada.expect(r"^<Watch> Bram has disconnected\.$")
    assert "Cass has" not in ada.seen
    ada.ask("+watch/all on")
    cass = server.clients[-1]
    cass.send("QUIT")
    ada.expect(r"^<Watch> Cass has disconnected\.$")


def test_one_goes_out_of_character_and_back_even_over_a_restart(server: Server) -> None:
    ada, bram, rhea = server.logins("Ada", "Bram", "Rhea")
    rhea.ask("@dig Cellar=cellar,up")
    ada.ask("cellar")
    assert "OOC Lounge" in ada.ask("+ooc")
    server.restart()
    ada, bram = server.logins("Ada", "Bram")
    assert "Cellar" in ada.ask("+ic")
    assert "You are in character already." in ada.ask("+ic")
    assert heard(bram, "+ooc brb", bram)[0] == '<OOC> Bram says, "brb"\n'


def test_nobody_goes_out_of_a_fight(server: Server) -> None:
    duel = start_duel(server)
    told = duel.ada.ask("+ooc")
    assert told == (
        "You are in the middle of a fight. +combat/leave first, or talk with ooc <text>.\n"
    )
    assert "OOC Lounge" in duel.rhea.ask("+ooc")


def test_a_listener_who_never_reads_holds_up_nobody(server: Server) -> None:
    ada, bram, cass = server.logins("Ada", "Bram", "Cass")
    bram.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sync(ada, cass)
    ada.send(*(f"+pub {n} {'x' * 2000}" for n in range(300)))
    for n in range(300):
        cass.expect(rf'^\[Public\] Ada says, "{n} x')
    assert ada.ask("+channel/recall public=3").count("[Public] Ada says") == 3
