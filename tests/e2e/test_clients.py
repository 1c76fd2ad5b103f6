"""The clients that Debian has, in a terminal, as people use them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.harness import PASSWORD, WRONG_PASSWORD, Server
from tests.e2e.terminal import Terminal, program

Start = Callable[[Path, int], Terminal]


def tintin(folder: Path, port: int) -> Terminal:
    script = folder / "start.tin"
    script.write_text(f"#session game 127.0.0.1 {port}\n")
    return Terminal(folder, program("tt++", "tintin++"), "-G", str(script))


def tinyfugue(folder: Path, port: int) -> Terminal:
    words = ("-n", "-f/dev/null", "127.0.0.1", str(port))
    return Terminal(folder, program("tf", "tf5"), *words)


def telnet(folder: Path, port: int) -> Terminal:
    return Terminal(folder, program("telnet", "inetutils-telnet"), "127.0.0.1", str(port))


def netcat(folder: Path, port: int) -> Terminal:
    return Terminal(folder, program("nc", "netcat-openbsd"), "127.0.0.1", str(port))


TELNETS = [tintin, tinyfugue, telnet]
every_client = pytest.mark.parametrize("start", [*TELNETS, netcat])


@every_client
def test_a_user_logs_in_speaks_and_hears(server: Server, tmp_path: Path, start: Start) -> None:
    bram = server.login("Bram")
    with start(tmp_path, server.port) as client:
        client.expect("QUIT +to leave")
        client.type(f"connect ada {PASSWORD}")
        client.expect(r"Connected as Ada\.")
        bram.expect(r"^Ada has connected\.$")
        client.type("say hello from here")
        bram.expect(r'^Ada says, "hello from here"$')
        bram.send("say and hello to you")
        client.expect(r'Bram says, "and hello to you"')
        client.type("QUIT")
        bram.expect(r"^Ada has disconnected\.$")


@pytest.mark.parametrize("start", TELNETS)
def test_a_password_is_asked_for_twice_and_never_seen(
    server: Server, tmp_path: Path, start: Start
) -> None:
    with start(tmp_path, server.port) as client:
        client.expect("QUIT +to leave")
        client.type("connect ada")
        client.expect("Password:")
        client.type(WRONG_PASSWORD)
        client.expect("Either that player")
        client.type("connect ada")
        client.expect("Password:", times=2)
        client.type(PASSWORD)
        client.expect(r"Connected as Ada\.")
        client.type("say seen again")
        seen = client.expect('You say, "seen again"')
        assert PASSWORD not in seen
        assert WRONG_PASSWORD not in seen


@pytest.mark.parametrize("start", [tintin, telnet, netcat])
def test_letters_of_other_languages_go_both_ways(
    server: Server, tmp_path: Path, start: Start
) -> None:
    bram = server.login("Bram")
    with start(tmp_path, server.port) as client:
        client.expect("QUIT +to leave")
        client.type(f"connect ada {PASSWORD}")
        client.expect(r"Connected as Ada\.")
        client.type("say héllo ↯ –")
        bram.expect(r'^Ada says, "héllo ↯ –"$')
        bram.send("say naïve ☂")
        client.expect('Bram says, "naïve ☂"')


def test_tinyfugue_which_has_no_other_letters_gets_ascii_and_loses_nothing(
    server: Server, tmp_path: Path
) -> None:
    bram = server.login("Bram")
    with tinyfugue(tmp_path, server.port) as client:
        client.expect("QUIT +to leave")
        client.type(f"connect ada {PASSWORD}")
        client.expect(r"Connected as Ada\.")
        bram.send("say naïve “–” to the end")
        client.expect('Bram says, "naive "-" to the end"')


@pytest.mark.parametrize(
    ("start", "colours", "columns"),
    [(tintin, "true", "100"), (tinyfugue, "16", "[79]9"), (telnet, "256", "100")],
)
def test_what_a_client_shows_is_known_and_can_be_set(
    server: Server, tmp_path: Path, start: Start, colours: str, columns: str
) -> None:
    # tf tells one less than its screen has, which it may take for 80 columns at first.
    with start(tmp_path, server.port) as client:
        client.expect("QUIT +to leave")
        client.type(f"connect ada {PASSWORD}")
        client.expect(r"Connected as Ada\.")
        client.type("@set")
        client.expect(rf"Colour: {colours} \(your client says so\)")
        client.expect(rf"Width: {columns} columns \(your client says so\)")
        client.resize(70, 40)
        client.type("@set colour=off")
        client.type("@set width=40")
        client.type("@set")
        client.expect(r"Colour: off \(you set it\)")
        client.expect(r"Width: 40 columns \(you set it\)")
        client.type("pose " + " ".join(["word"] * 15))
        client.expect(r"^Ada( word){7}\n +word")


def test_ctrl_c_in_a_plain_telnet_does_not_silence_the_game(server: Server, tmp_path: Path) -> None:
    with telnet(tmp_path, server.port) as client:
        client.expect("QUIT +to leave")
        client.type("connect guest")
        client.expect("Connected as Guest")
        for turn in ("one", "two"):
            client.press("C-c")
            client.type(f"say {turn}")
            client.expect(f'You say, "{turn}"')


def test_what_netcat_users_see_has_no_odd_bytes_after_the_first(
    server: Server, tmp_path: Path
) -> None:
    with netcat(tmp_path, server.port) as client:
        first = client.expect("QUIT +to leave").strip().splitlines()[0]
        assert first.endswith("Welcome to mushcombat, a place for scenes and refereed fights.")
        client.type("WHO")
        seen = client.expect("0 players are connected.")
        assert "\ufffd" not in seen.replace(first, "")
