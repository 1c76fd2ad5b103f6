"""Floods, liars and slow readers against the real program, and the staff who deal with them."""

from __future__ import annotations

import re
import socket
from pathlib import Path

from tests.e2e.conftest import Serve
from tests.e2e.harness import (
    OTHER_PASSWORD,
    PASSWORD,
    PATIENCE,
    Client,
    Server,
    open_scene,
    sync,
)

POSE = "x" * 3900


def resident(server: Server) -> int:
    """Give the memory of the process in KiB."""
    assert server.process is not None
    status = Path(f"/proc/{server.process.pid}/status").read_text(encoding="utf-8")
    found = re.search(r"^VmRSS:\s+(\d+) kB", status, re.MULTILINE)
    assert found
    return int(found[1])


def refusal(server: Server) -> str:
    """Connect, and give all that is said until the connection ends."""
    client = Client(server.port, name="late")
    server.clients.append(client)
    client.expect_end()
    return client.seen


def test_who_never_reads_is_cut_off_and_told_the_rest_at_the_next_login(serve: Serve) -> None:
    server = serve("[limits]\noutput = 200000\nbytes = 0\naddress_bytes = 0\n")
    ada, bram = server.logins("Ada", "Bram")
    number = open_scene(ada, "Night Watch", bram)
    bram.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sync(ada)
    before, poses = resident(server), 0
    while "Bram has disconnected." not in ada.seen:
        for _ in range(50):
            ada.send(f"pose {poses} {POSE}")
            poses += 1
        ada.sync()
        assert poses < 20_000, "nobody was cut off"
        assert resident(server) - before < 60_000
    while bram.pump(1.0):
        pass
    read = {int(found) for found in re.findall(r"^Ada (\d+) x+$", bram.seen, re.MULTILINE)}
    again = server.login("Bram")
    told = re.search(r"you missed (?:over )?(\d+) lines?; .* \+scene/log (\d+)=(\d+)", again.seen)
    assert told, again.seen[-3000:]
    page = int(told[3])
    first = again.ask(f"+scene/log {number}={page}")
    shown = re.findall(r"Ada (\d+) x+$", first, re.MULTILINE)
    assert set(range(int(shown[0]))) <= read, "there is a gap that nobody told of"
    assert f"Ada {poses - 1} x" in again.seen
    assert "does not read" in server.log()


def test_2000_pasted_lines_are_slowed_and_none_is_lost(serve: Serve) -> None:
    server = serve("[limits]\nlines_burst = 100\nlines = 2000\n")
    ada, bram = server.logins("Ada", "Bram")
    ada.send(*(f"say line {number}" for number in range(2000)))
    bram.expect(r'^Ada says, "line 1999"$')
    said = re.findall(r'^Ada says, "line (\d+)"$', bram.seen, re.MULTILINE)
    assert said == [str(number) for number in range(2000)]


def test_3000_lines_in_one_packet_are_done_no_faster_than_any_others(serve: Serve) -> None:
    server = serve("[limits]\nlines_burst = 50\nlines = 10\n")
    ada, bram = server.logins("Ada", "Bram")
    with server.stopped():
        ada.send(*(f"say {number}" for number in range(3000)))
    ada.expect(r'^You say, "60"$')
    bram.sync()
    assert len(re.findall(r"^Ada says", bram.seen, re.MULTILINE)) < 1000  # which takes 95 s


def test_while_one_pastes_2000_lines_another_is_answered_long_before_the_end(
    server: Server,
) -> None:
    ada, bram = server.logins("Ada", "Bram")
    with server.stopped():
        ada.send(*(f"say line {number}" for number in range(2000)))
        bram.send("say me too")
    ada.expect(r'^Bram says, "me too"$')
    before = re.findall(r'^You say, "line (\d+)"$', ada.seen, re.MULTILINE)
    assert len(before) < 2000
    ada.expect(r'^You say, "line 1999"$')
    at = ada.seen.index('Bram says, "me too"')
    assert len(re.findall(r"^You say", ada.seen[:at], re.MULTILINE)) < 1000


def test_a_full_server_says_so_in_one_line_and_goes_on(serve: Serve) -> None:
    server = serve("[limits]\nconnections = 2\n")
    ada, bram = server.logins("Ada", "Bram")
    assert refusal(server) == "The server is full: 2 are connected. Try again later.\n"
    bram.send("QUIT")
    bram.expect_end()
    ada.expect(r"^Bram has disconnected\.$")
    server.login("Bram")


def test_one_address_can_not_take_all_the_places(serve: Serve) -> None:
    server = serve("[limits]\nper_address = 1\n")
    server.login("Ada")
    assert "come from your address already" in refusal(server)
    other = Client(server.port, name="elsewhere", source=("127.0.0.2", 0))
    server.clients.append(other)
    other.expect(r"QUIT +to leave")


def test_1000_idle_connections_of_one_address_are_let_in_and_hold_nobody_up(
    server: Server,
) -> None:
    sockets = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(1000)]
    ada = server.login("Ada")
    assert ada.ask("say still here") == 'You say, "still here"\n'
    for each in sockets:
        each.close()


def test_500_who_connect_while_the_server_is_busy_all_wait_until_they_are_let_in(
    server: Server,
) -> None:
    with server.stopped():
        sockets = [
            socket.create_connection(("127.0.0.1", server.port), PATIENCE) for _ in range(500)
        ]
    for each in sockets:
        each.settimeout(PATIENCE)
        assert each.recv(1), "nobody was there"
        each.close()


def test_staff_boot_and_ban_and_a_ban_outlives_a_kill(serve: Serve) -> None:
    server = serve()
    rhea, bram = server.logins("Rhea", "Bram")
    rhea.send("@boot bram=a novel")
    bram.expect(r"^\[Server\] Rhea boots you: a novel$")
    bram.expect_end()
    bram = server.login("Bram")
    rhea.send("@ban bram=2d, another novel")
    bram.expect(r"^\[Server\] Rhea bans you until \S+ \S+ UTC: another novel$")
    bram.expect_end()
    server.restart()
    late = server.connect(name="Bram")
    late.send(f"connect Bram {PASSWORD}")
    late.expect(r"^You are banned here until \S+ \S+ UTC: another novel$")
    late.expect_end()
    rhea = server.login("Rhea")
    assert rhea.ask("@ban/remove bram").endswith("Bram may come in again.\n")
    server.login("Bram")
    audit = rhea.ask("+audit")
    assert re.findall(r"\[Server\] Rhea (\w+ \w+)", audit) == [
        "boots Bram", "bans Bram", "lets Bram",
    ]  # fmt: skip
    assert re.search(
        r"^#\d+ \S+ \S+ \[Server\] console: Ada was made, as player\.$", audit, re.MULTILINE
    )


def test_a_banned_network_is_disconnected_and_kept_out_even_after_a_kill(serve: Serve) -> None:
    server = serve()
    rhea = server.login("Rhea")
    far = Client(server.port, name="far", source=("127.0.7.1", 0))
    server.clients.append(far)
    far.expect(r"QUIT +to leave")
    assert "You are connected from there yourself" in rhea.ask("@ban 127.0.0.0/16")
    rhea.send("@ban 127.0.7.0/24=floods")
    far.expect(r"^\[Server\] Rhea bans 127\.0\.7\.0/24 without an end: floods$")
    far.expect_end()
    server.restart()
    far = Client(server.port, name="far", source=("127.0.7.2", 0))
    server.clients.append(far)
    far.expect(r"^You are banned here: floods$")
    far.expect_end()
    server.login("Rhea")


def test_an_admin_ends_the_server_and_what_was_typed_is_saved(serve: Serve) -> None:
    server = serve()
    server.account("Zed", "admin")
    ada, zed = server.logins("Ada", "Zed")
    number = open_scene(ada, "Night Watch")
    ada.send("pose waits.")
    ada.expect(r"^Ada waits\.$")
    zed.send("@shutdown=new disk")
    ada.expect(r"^\[Server\] Zed ends the server now: new disk$")
    ada.expect(r"^The server is going down now\.")
    assert server.wait() == 0
    assert "Ada waits." in server.cli("transcript", "export", str(number))
    server.start()
    assert "[Server] Zed ends the server now: new disk" in server.login("Rhea").ask("+audit")


def test_an_admin_gives_a_password_that_works_one_time(serve: Serve) -> None:
    server = serve()
    server.account("Zed", "admin")
    zed = server.login("Zed")
    zed.send(f"@newpassword bram={OTHER_PASSWORD}")
    zed.expect(r"^The password is set\.$")
    bram = server.login("Bram", password=OTHER_PASSWORD)
    assert "worked this one time" in bram.seen
    late = server.connect(name="late")
    for word in (OTHER_PASSWORD, PASSWORD):
        late.send(f"connect Bram {word}")
        late.expect(r"^Either that player does not exist")
    assert OTHER_PASSWORD not in zed.ask("+audit")


def test_the_server_opens_as_many_files_as_its_limit_of_connections_needs(server: Server) -> None:
    assert server.process is not None
    text = Path(f"/proc/{server.process.pid}/limits").read_text(encoding="utf-8")
    soft, hard = re.findall(r"^Max open files\s+(\d+)\s+(\d+)", text, re.MULTILINE)[0]
    assert int(soft) >= min(4000, int(hard))
