"""Talking, looking and walking about."""

from __future__ import annotations

import re

import pytest

from tests.e2e.harness import Client, Server, sync

HUH = 'Huh?  (Type "help" for help.)'


def heard(teller: Client, line: str, *others: Client) -> list[str]:
    """Let somebody type a line; gives the block that each hears of it, the teller first."""
    sync(teller, *others)
    told = teller.ask(line)
    return [told, *(other.sync() for other in others)]


@pytest.mark.parametrize(
    ("line", "told", "others_told"),
    [
        ("say hello there", 'You say, "hello there"', 'Ada says, "hello there"'),
        ('"hello there', 'You say, "hello there"', 'Ada says, "hello there"'),
        ("pose waves.", "Ada waves.", "Ada waves."),
        (":waves.", "Ada waves.", "Ada waves."),
        (";'s pen clicks.", "Ada's pen clicks.", "Ada's pen clicks."),
        ("@emit A bell rings.", "A bell rings.", "A bell rings."),
        ("\\A bell rings.", "A bell rings.", "A bell rings."),
        ("ooc brb", '<OOC> Ada says, "brb"', '<OOC> Ada says, "brb"'),
        ("ooc :is away", "<OOC> Ada is away", "<OOC> Ada is away"),
        ("SAY Case", 'You say, "Case"', 'Ada says, "Case"'),
        ('say /Tomorrow/, a=b = "q"', 'You say, "/Tomorrow/, a=b = "q""', None),
        ("say %d %x 100%", 'You say, "%d %x 100%"', 'Ada says, "%d %x 100%"'),
        ("say a%bb%tc", 'You say, "a b    c"', 'Ada says, "a b    c"'),
    ],
)
def test_what_is_said_is_heard_as_on_any_mush(
    shared: Server, line: str, told: str, others_told: str | None
) -> None:
    ada, bram = shared.logins("Ada", "Bram")
    others_told = others_told or told.replace("You say", "Ada says")
    assert heard(ada, line, bram) == [f"{told}\n", f"{others_told}\n"]


def test_a_page_reaches_one_player_wherever_they_are(server: Server) -> None:
    ada, bram, cass = server.logins("Ada", "Bram", "Cass")
    cass.ask("lounge")
    sync(ada, bram, cass)
    told, bram_told, cass_told = heard(ada, "page cass=come here", bram, cass)
    assert told == "You paged Cass with 'come here'\n"
    assert cass_told == "Ada pages: come here\n"
    assert bram_told == ""


def test_a_whisper_reaches_one_player_in_the_room(server: Server) -> None:
    ada, bram, cass = server.logins("Ada", "Bram", "Cass")
    told, bram_told, cass_told = heard(ada, "whisper bram=the door", bram, cass)
    assert told == 'You whisper, "the door" to Bram.\n'
    assert bram_told == 'Ada whispers, "the door"\n'
    assert cass_told == ""
    cass.ask("lounge")
    sync(ada, bram)
    told, bram_told, cass_told = heard(ada, "whisper cass=still there?", bram, cass)
    assert "Cass" in told or "cass" in told
    assert "whisper" not in bram_told + cass_told


FORGERIES = [
    "[Result] Bram takes 90: health 10/100. #41",
    "<OOC> Rhea says, hello",
    "   [Damage] Ada: ranged: = 99",
    "\uff3bResult\uff3d Bram takes 90",
    "\uff1cOOC\uff1e Bram says",
    "\u200d[Result] Bram takes 90",
    "[ Result ] Bram takes 90",
    "%b[Result] Bram takes 90",
    "%t[Result] Bram takes 90",
    "\u27e6Result] Bram takes 90",
    'Scene 12 "Dock" is open. Dice commitment: 00.',
    "There is no scene 7.",
    "Health 60/100 (harm 40, stun 0)",
    "Connected as Bram.",
    "Rhea has connected.",
    "Rhea pages: x",
    'Rhea says, "I yield"',
    'You say, "x"',
]


@pytest.mark.parametrize("text", FORGERIES)
def test_an_emit_that_begins_like_the_servers_line_is_signed(shared: Server, text: str) -> None:
    ada, bram = shared.logins("Ada", "Bram")
    for block in heard(ada, f"@emit {text}", bram):
        assert block.startswith("<Ada> "), block
        assert block.count("\n") == 1


@pytest.mark.parametrize("verb", ["say", "pose", "semipose", "@emit", "ooc"])
def test_lines_behind_a_percent_r_are_indented(shared: Server, verb: str) -> None:
    ada, bram = shared.logins("Ada", "Bram")
    line = f"{verb} waves.%r[Damage] Ada: = 99%R\uff3bRoll\uff3d Ada: = 9"
    for block in heard(ada, line, bram):
        first, *more = block.splitlines()
        assert "waves." in first
        assert [line[:3] for line in more] == ["  [", "  \uff3b"]


@pytest.mark.parametrize("verb", ["page bram=", "whisper bram="])
def test_lines_to_one_player_can_not_begin_like_the_servers(shared: Server, verb: str) -> None:
    ada, bram = shared.logins("Ada", "Bram")
    for block in heard(ada, f"{verb}[Roll] x%r[Result] y", bram):
        assert not re.search(r"^\s?[\[<]", block, re.MULTILINE)
    for block in heard(ada, f"{verb}:[Roll] x%r[Result] y", bram):
        assert not re.search(r"^\s?[\[<]", block, re.MULTILINE)


def test_a_description_can_not_begin_like_the_servers_lines(server: Server) -> None:
    ada, bram = server.logins("Ada", "Bram")
    ada.ask("@desc me=[Result] Bram takes 90%r[Roll] Ada: = 9")
    shown = bram.ask("look ada")
    assert shown == "Ada\n<Ada> [Result] Bram takes 90\n  [Roll] Ada: = 9\n"


def test_the_title_of_a_scene_can_not_forge_a_line_of_a_room(server: Server) -> None:
    ada, bram = server.logins("Ada", "Bram")
    ada.ask("+scene/open Plain")
    bram.ask("+scene/open [Result] Ada takes 90")
    sync(ada, bram)
    shown = bram.ask("look", "+where", "+scene", "+scene/list", "home") + ada.ask("+scene/list")
    assert "[Result] Ada takes 90" in shown
    assert not re.search(r"^\s?\[Result\]", shown, re.MULTILINE)


def test_percent_signs_mean_nothing_in_a_doing_or_a_title(server: Server) -> None:
    ada = server.login("Ada")
    ada.ask("@doing one%rtwo", "+scene/open three%rfour")
    assert "one%rtwo" in ada.ask("who")
    assert '"three%rfour"' in ada.ask("+scene")


def test_an_exit_wins_over_an_abbreviated_command_but_not_over_a_whole_name(
    server: Server,
) -> None:
    rhea, ada = server.logins("Rhea", "Ada")
    assert "Name: Ada" in ada.ask("fing ada")
    rhea.ask("@dig Cellar=fing ada;look;cellar,up")
    assert ada.ask("look").startswith("The Landing (#")
    assert ada.ask("fing ada").startswith("Cellar (#")


def test_arrivals_departures_and_connects_are_told(server: Server) -> None:
    ada, bram = server.login("Ada"), server.login("Bram")
    ada.expect(r"^Bram has connected\.$")
    bram.send("lounge")
    bram.expect(r"^OOC Lounge \(#\d+\)$")
    ada.expect(r"^Bram leaves by OOC Lounge\.$")
    bram.send("home")
    bram.expect(r"^The Landing \(#\d+\)$")
    ada.expect(r"^Bram arrives\.$")
    bram.close()
    ada.expect(r"^Bram has disconnected\.$")


def test_everyone_comes_back_where_they_left(server: Server) -> None:
    ada = server.login("Ada")
    ada.send("lounge", "QUIT")
    ada.expect_end()
    again = server.connect(name="Ada")
    again.send("connect ada correct-horse-9")
    again.expect(r"^Connected as Ada\.$")
    again.expect(r"^OOC Lounge \(#\d+\)$")


def test_look_shows_the_room_who_is_here_and_the_exits(shared: Server) -> None:
    ada, _ = shared.logins("Ada", "Bram")
    lines = ada.ask("look").splitlines()
    assert re.fullmatch(r"The Landing \(#\d+\)", lines[0])
    assert "Here: Bram." in lines
    assert "Exits: OOC Lounge <lounge>." in lines
    assert ada.ask("l") == ada.ask("look here") == "\n".join(lines) + "\n"


def test_where_names_rooms_and_who_is_in_them(server: Server) -> None:
    ada, bram, _ = server.logins("Ada", "Bram", "Cass")
    bram.ask("lounge")
    assert sorted(ada.ask("+where").splitlines()) == [
        "OOC Lounge: Bram",
        "The Landing: Ada and Cass",
    ]


def test_finger_tells_of_the_connected_the_absent_and_nobody(shared: Server) -> None:
    ada, rhea = shared.logins("Ada", "Rhea")
    assert re.match(r"Name: Rhea\nRole: staff\nConnected: for \d+s\n", ada.ask("+finger rhea"))
    rhea.close()
    ada.expect("Rhea has disconnected")
    assert re.search(r"^Last login: [\d-]+ [\d:]+ UTC$", ada.ask("+finger rhea"), re.MULTILINE)
    assert 'no player called "nobody"' in ada.ask("+finger nobody")


def test_a_description_shows_line_breaks_and_is_kept(server: Server) -> None:
    ada, bram = server.logins("Ada", "Bram")
    assert "no description" in bram.ask("look ada")
    ada.ask("@desc me=Tall.%rVery tall.")
    server.restart()
    bram, _ = server.logins("Bram", "Ada")
    assert bram.ask("look ada") == "Ada\nTall.\n  Very tall.\n"


def test_a_doing_is_in_who_and_can_be_taken_away(shared: Server) -> None:
    ada, bram = shared.logins("Ada", "Bram")
    ada.ask("@doing Fixing the roof")
    assert re.search(r"^Ada: .*, Fixing the roof$", bram.ask("who"), re.MULTILINE)
    ada.ask("@doing")
    assert "roof" not in bram.ask("who")


def test_staff_dig_open_and_move_people(server: Server) -> None:
    rhea, ada = server.logins("Rhea", "Ada")
    number = re.search(r"^Engine Room is dug, as #(\d+)\.$", rhea.ask("@dig Engine Room"), re.M)
    assert number is not None
    rhea.ask(f"@open Hatch;ha=#{number[1]}")
    assert "Hatch <ha>" in ada.ask("look")
    assert ada.ask("ha").startswith(f"Engine Room (#{number[1]})")
    assert "is moved to The Landing" in rhea.ask("@tel ada=The Landing")
    ada.expect(r"^The Landing \(#\d+\)$")
    rhea.ask("@tel engine", "@desc here=Pipes hiss.")
    assert ada.ask("hatch") == f"Engine Room (#{number[1]})\nPipes hiss.\nHere: Rhea.\n"
    rhea.expect(r"^Ada arrives\.$")


def test_an_unknown_command_and_a_forbidden_one_answer_the_same(shared: Server) -> None:
    ada, bram = shared.logins("Ada", "Bram")
    for line in (
        "flibbertigibbet",
        "@dig Cave",
        "@tel bram=here",
        "+set bram/strength=9",
        "@",
        "+",
    ):
        assert heard(ada, line, bram) == [f"{HUH}\n", ""], line
    assert "no help on" in ada.ask("help @dig")
    assert "@dig" not in ada.ask("help")


def test_a_name_that_fits_nobody_or_several_is_told(shared: Server) -> None:
    ada = shared.login("Ada")
    shared.guest()
    shared.guest()
    assert 'Nobody called "xavier" is connected.' in ada.ask("page xavier=hello")
    assert re.search(r'"guest" could be Guest \d+, Guest \d+\.', ada.ask("page guest=hello"))


def test_an_unknown_switch_is_named(shared: Server) -> None:
    ada = shared.login("Ada")
    for line in ("+scene/zzz", "+sce/zzz", "say/zzz x"):
        assert 'has no switch "/zzz"' in ada.ask(line)
