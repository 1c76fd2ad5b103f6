"""Coming in and going out."""

from __future__ import annotations

import re

from tests.e2e.conftest import Serve
from tests.e2e.harness import (
    OTHER_PASSWORD,
    PASSWORD,
    SECRETS,
    WRONG_PASSWORD,
    Client,
    Server,
    open_scene,
    sync,
)

WRONG = "Either that player does not exist, or has a different password."
HUH = r'^Huh\?  \(Type "help" for help\.\)$'
WILL_ECHO, WONT_ECHO = b"\xff\xfb\x01", b"\xff\xfc\x01"


def names_in_who(client: Client) -> list[str]:
    """Give the names that WHO lists, in order."""
    return re.findall(r"^(.+?): on for ", client.ask("WHO"), re.MULTILINE)


def test_the_banner_comes_before_anything_is_typed_and_with_no_echo(shared: Server) -> None:
    client = shared.connect()
    assert WILL_ECHO not in client.raw
    assert b"\xff\xfb\x03" not in client.raw
    assert len(client.raw.partition(b"Welcome")[0]) <= 30


def test_a_login_ends_with_connected_and_then_the_room(shared: Server) -> None:
    client = shared.connect()
    client.send(f"connect ada {PASSWORD}")
    client.expect(r"^Connected as Ada\.$")
    client.expect(r"^The Landing \(#\d+\)$")


def test_somebody_makes_a_login_and_comes_back_with_it(shared: Server) -> None:
    client = shared.connect()
    client.send(f"create Zoe {OTHER_PASSWORD}")
    client.expect(r"^Connected as Zoe\.$")
    client.send("QUIT")
    client.expect_end()
    again = shared.login("Zoe", password=OTHER_PASSWORD)
    assert names_in_who(again) == ["Zoe"]


def test_create_can_be_switched_off(serve: Serve) -> None:
    server = serve("[accounts]\ncreate = false\n")
    client = server.connect()
    client.send(f"create Zoe {PASSWORD}")
    client.expect("switched off")
    client.send(f"connect Zoe {PASSWORD}")
    client.expect(re.escape(WRONG))


def test_quotes_go_round_a_name_with_a_space(shared: Server) -> None:
    client = shared.connect()
    client.send(f'create "Mary Ann" {PASSWORD}')
    client.expect(r"^Connected as Mary Ann\.$")
    other = shared.connect()
    other.send(f'connect "mary ann" {PASSWORD}')
    other.expect(r"^Connected as Mary Ann\.$")


def test_the_password_is_asked_for_with_echo_off_also_on_a_second_try(shared: Server) -> None:
    client = shared.connect()  # it never answers WILL ECHO or WONT ECHO
    for typed, answer in ((WRONG_PASSWORD, re.escape(WRONG)), (PASSWORD, r"^Connected as Ada\.$")):
        start = len(client.raw)
        client.send("connect ada")
        client.expect_prompt("Password: ")
        asked = client.raw[start:]
        assert asked.index(WILL_ECHO) < asked.index(b"Password: ")
        assert WONT_ECHO not in asked
        client.send(typed)
        client.expect(answer)
        after = client.raw[start + len(asked) :]
        assert after.startswith(WONT_ECHO + b"\r\n")
        assert (after.count(WONT_ECHO), after.count(WILL_ECHO)) == (1, 0)


def test_the_password_line_works_the_same_when_the_client_answers(shared: Server) -> None:
    client = shared.connect()
    for _ in range(2):
        client.send("connect ada")
        client.expect_prompt("Password: ")
        client.send_raw(b"\xff\xfd\x01" + WRONG_PASSWORD.encode() + b"\r\n")
        client.expect(re.escape(WRONG))
        client.send_raw(b"\xff\xfe\x01")
    assert client.raw.count(WILL_ECHO) == client.raw.count(WONT_ECHO) == 2


def test_echo_comes_back_when_no_password_comes(serve: Serve) -> None:
    server = serve("[login]\nprompt = 5\n")
    client = server.connect()
    client.send("connect ada")
    client.expect_prompt("Password: ")
    client.expect("Nothing came", seconds=8)
    assert client.raw.count(WONT_ECHO) == 1
    client.send(f"connect ada {PASSWORD}")
    client.expect(r"^Connected as Ada\.$")


def test_a_wrong_name_and_a_wrong_password_get_the_same_text(shared: Server) -> None:
    client = shared.connect()
    answers = []
    for name in ("ada", "nobody-at-all"):
        start = len(client.raw)
        client.send(f"connect {name} {WRONG_PASSWORD}")
        client.expect(re.escape(WRONG))
        answers.append(client.raw[start:])
    assert answers[0] == answers[1] == WRONG.encode() + b"\r\n"


def test_too_many_wrong_passwords_must_wait_even_with_the_right_one(serve: Serve) -> None:
    server = serve("[login]\ntries = 3\nwait = 1\n")
    client = server.connect()
    for _ in range(3):
        client.send(f"connect ada {WRONG_PASSWORD}")
        client.expect(re.escape(WRONG))
    client.send(f"connect ada {PASSWORD}")
    client.expect("Too many wrong passwords")
    server.login("Bram")  # others are not held up
    client.sock.settimeout(3)
    client.pump(1.1)
    client.send(f"connect ada {PASSWORD}")
    client.expect(r"^Connected as Ada\.$")


def test_a_guest_talks_and_rolls_but_never_opens_a_scene_or_referees(shared: Server) -> None:
    rhea, guest = shared.login("Rhea"), shared.guest()
    guest.send("say hello")
    rhea.expect(rf'^{guest.name} says, "hello"$')
    guest.send("+roll perception")
    rhea.expect(rf"^\[Roll\] {guest.name}: ")
    assert "is open" not in guest.ask("+scene/open Mine")
    number = open_scene(rhea, "Staffed")
    rhea.send(f"+scene/invite {guest.name}")
    guest.send(f"+scene/join {number}")
    guest.expect("You join")
    rhea.send(f"+scene/referee {guest.name}")
    rhea.expect("Guests never referee")
    assert re.search(HUH, guest.ask("+set me/Strength=9"), re.MULTILINE)
    assert "Referees: Rhea\n" in rhea.ask("+scene")
    rhea.ask("+scene/close")


def test_a_guest_joins_only_when_invited(server: Server) -> None:
    ada, guest = server.login("Ada"), server.guest()
    number = open_scene(ada, "By Invitation")
    for line in ("+scene/join", f"+scene/join {number}"):
        assert "You join" not in guest.ask(line)
    assert "In it: Ada\n" in ada.ask("+scene")
    ada.send(f"+scene/invite {guest.name}")
    guest.expect(rf"^Ada invites you to scene {number}\.")
    guest.send("+scene/join")
    ada.expect(rf"^{guest.name} joins scene {number}\.$")


def test_a_guest_is_gone_after_disconnecting(server: Server) -> None:
    ada, guest = server.login("Ada"), server.guest()
    number = open_scene(ada, "Farewell")
    ada.send(f"+scene/invite {guest.name}")
    guest.send("+scene/join")
    ada.expect("joins")
    guest.close()
    ada.expect(rf"^{guest.name} has disconnected\.$")
    ada.expect(rf"^{guest.name} leaves scene {number}\.$")
    assert names_in_who(ada) == ["Ada"]
    assert "In it: Ada\n" in ada.ask("+scene")
    assert server.guest().name != guest.name
    again = server.connect()
    again.send(f'connect "{guest.name}" {PASSWORD}')
    again.expect(re.escape(WRONG))


def test_no_more_guests_than_the_configuration_says(serve: Serve) -> None:
    server = serve("[accounts]\nguests = 1\n")
    server.guest()
    second = server.connect()
    second.send("connect guest")
    second.expect("No more guests")


def test_who_works_before_a_login_and_after(shared: Server) -> None:
    stranger = shared.connect()
    stranger.send("WHO")
    stranger.expect(r"^0 players are connected\.$")
    ada = shared.login("Ada")
    stranger.send("who")
    stranger.expect(r"^Ada: on for \d+s, idle \d+s$")
    stranger.expect(r"^1 player is connected\.$")
    assert names_in_who(ada) == ["Ada"]


def test_two_connections_of_a_player_both_hear_and_count_once(shared: Server) -> None:
    bram, first = shared.login("Bram"), shared.login("Ada")
    bram.expect(r"^Ada has connected\.$")
    second = shared.login("Ada")
    bram.send("say to all of you")
    for screen in (first, second):
        screen.expect(r'^Bram says, "to all of you"$')
    first.send("pose is in two places.")
    second.expect(r"^Ada is in two places\.$")
    assert names_in_who(bram) == ["Ada", "Bram"]
    first.reset()
    second.send("say one left")
    bram.expect('says, "one left"')
    assert names_in_who(bram) == ["Ada", "Bram"]
    assert "connected" not in bram.seen.partition("Ada has connected")[2].replace(
        "players are connected", ""
    )
    second.close()
    bram.expect(r"^Ada has disconnected\.$")


def test_quit_says_goodbye_and_closes_before_and_after_a_login(shared: Server) -> None:
    stranger, ada, bram = shared.connect(), *shared.logins("Ada", "Bram")
    stranger.send("QUIT")
    stranger.expect(r"^Goodbye\.$")
    stranger.expect_end()
    ada.send("say last words", "QUIT")
    ada.expect(r"^Goodbye\.$")
    ada.expect_end()
    bram.expect('Ada says, "last words"')
    bram.expect(r"^Ada has disconnected\.$")


def test_a_disabled_login_is_told_what_a_wrong_password_is_told(server: Server) -> None:
    server.cli("account", "disable", "Bram")
    client = server.connect()
    client.send(f"connect bram {PASSWORD}")
    client.expect(re.escape(WRONG))
    server.cli("account", "disable", "Bram", "--undo")
    server.login("Bram")


def test_the_first_password_of_admin_works_once(serve: Serve) -> None:
    server = serve("", empty=True)
    file = server.folder / "var" / "first-password"
    assert any(str(file.relative_to(server.folder)) in line for line in server.said)
    assert file.stat().st_mode & 0o777 == 0o600
    password = file.read_text().strip()
    SECRETS.append(password)
    admin = server.login("Admin", password=password)
    again = server.connect()
    again.send(f"connect Admin {password}")
    again.expect(re.escape(WRONG))
    admin.send(f"@password {password}={OTHER_PASSWORD}")
    admin.expect("password is changed")
    server.login("Admin", password=OTHER_PASSWORD)
    assert not any(password in line for line in server.said)


BAD_NAMES = ["\u200b", "Bob\u200e", "\u0412\u043eb", "bram", "BRAM", "here", "me", "#1", "+x"]


def test_a_bad_name_is_refused_whole_and_with_a_reason(server: Server) -> None:
    client = server.connect()
    for name in [*BAD_NAMES, "x" * 200]:
        client.send(f"create {name} {PASSWORD}")
        client.expect(r"(?i)name|taken|characters|word that the game uses")
    ada = server.login("Ada")
    assert names_in_who(ada) == ["Ada"]
    assert [line.partition(":")[0] for line in server.cli("account", "list").splitlines()] == [
        "Ada",
        "Bram",
        "Cass",
        "Rhea",
    ]


def test_an_empty_name_is_refused_and_one_with_an_apostrophe_taken_whole(shared: Server) -> None:
    client = shared.connect()
    for line in ("create", 'create ""', f'create "" {PASSWORD}', "create Bob"):
        client.send(line)
        client.expect("(?i)usage|name")
    client.send(f"create T'Pring {PASSWORD}")
    client.expect(r"^Connected as T'Pring\.$")


def test_a_player_changes_the_password_with_the_old_one_alone(server: Server) -> None:
    ada, bram = server.logins("Ada", "Bram")
    ada.send(f"@password {WRONG_PASSWORD}={OTHER_PASSWORD}")
    ada.expect("old password")
    ada.send(f"@password {PASSWORD}=x")
    ada.expect("(?i)password has")
    ada.send(f"@password {PASSWORD}={OTHER_PASSWORD}")
    ada.expect("password is changed")
    sync(ada, bram)
    assert not any(secret in client.seen for client in (ada, bram) for secret in SECRETS)
    old = server.connect()
    old.send(f"connect ada {PASSWORD}")
    old.expect(re.escape(WRONG))
    server.login("Ada", password=OTHER_PASSWORD)
