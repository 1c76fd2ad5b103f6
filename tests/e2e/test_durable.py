"""What was shown is on disk, whatever happens next."""

from __future__ import annotations

import json
import random
import re
import select
import signal
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path

from tests.e2e.conftest import Serve
from tests.e2e.harness import PATIENCE, STOP_SECONDS, Client, Server, open_scene, sync

GOODBYE = r"^The server is going down now\."


def logged(server: Server, scene: int) -> list[str]:
    """Give what was said and posed in a scene, as its log has it, in order."""
    words = ("transcript", "export", str(scene), "--format", "jsonl", "--profile", "audit")
    rows = [json.loads(line) for line in server.cli(*words).splitlines()]
    return [row["payload"]["text"] for row in rows if row.get("kind") == "spoken"]


def read_until(clients: Sequence[Client], end: float) -> None:
    """Read from all of these until a moment."""
    while (left := end - time.monotonic()) > 0:
        ready, _, _ = select.select([c.sock for c in clients if not c.closed], [], [], left)
        for client in clients:
            if client.sock in ready:
                client.pump(0)


def read_until_shown(clients: Sequence[Client], text: str, count: int) -> None:
    """Read from all of these until the first has been shown so many lines that hold a text."""
    end = time.monotonic() + PATIENCE
    while sum(text in line for line in clients[0].seen.split("\n")[:-1]) < count:
        assert time.monotonic() < end, f"{clients[0].name} is not shown {text!r} {count} times"
        read_until(clients, time.monotonic() + 0.01)


def read_to_the_end(clients: Sequence[Client]) -> None:
    """Read from all of these until the server has closed them."""
    for client in clients:
        while client.pump(PATIENCE):
            pass


def test_an_acknowledged_pose_survives_a_kill_once_and_in_order(either: Server) -> None:
    rhea, ada, bram = either.logins("Rhea", "Ada", "Bram")
    open_scene(rhea, "Elsewhere")
    number = open_scene(ada, "The Long Corridor", bram)  # the second one: in a room of its own
    texts = [f"takes step {n}." for n in range(5)]
    for n, text in enumerate(texts):
        (ada, bram)[n % 2].send(f"pose {text}")
        (ada, bram)[n % 2].expect(re.escape(text))
    either.restart()
    assert logged(either, number) == texts
    ada, bram = either.logins("Ada", "Bram")
    for client in (ada, bram):
        assert "In it: Ada and Bram\n" in client.ask("+scene")
        assert client.ask("look").startswith("The Long Corridor (#")
    ada.send("pose gets up.")
    bram.expect(r"^Ada gets up\.$")
    assert logged(either, number) == [*texts, "gets up."]


def test_an_acknowledged_sheet_and_password_survive_a_kill(server: Server) -> None:
    rhea = server.login("Rhea")
    rhea.send("+set Ada/Dexterity=Good")
    rhea.expect("Dexterity is now")
    server.restart()
    assert "Dexterity: Good (5)" in server.login("Ada").ask("+sheet")


def test_guests_of_a_killed_server_are_out_of_its_scenes(either: Server) -> None:
    ada, guest = either.login("Ada"), either.guest()
    number = open_scene(ada, "Open House")
    ada.ask(f"+scene/invite {guest.name}")
    guest.ask(f"+scene/join {number}")
    assert f"In it: Ada and {guest.name}\n" in ada.ask("+scene")
    either.restart()
    ada = either.login("Ada")
    assert "In it: Ada\n" in ada.ask("+scene")
    assert f"{guest.name} leaves scene {number}." in ada.ask("+scene/log")


ROUNDS = 10
LINES = 150


def shown(client: Client, ordered: dict[str, int]) -> list[int]:
    """Give the places in the log of all lines that a client was shown whole."""
    whole = client.seen.rpartition("\n")[0]
    lines = re.findall(r"^\w+ (round \d+ \w+ \d+)\.$", whole, re.MULTILINE)
    assert [line for line in lines if line not in ordered] == [], "shown, but not in the log"
    return [ordered[line] for line in lines]


def test_no_line_that_anyone_saw_is_lost_when_the_server_is_killed(server: Server) -> None:
    names = ["Rhea", "Ada", "Bram", "Cass", "Dora"]
    server.account("Dora")
    clients = list(server.logins(*names))
    number = open_scene(clients[0], "Storm", *clients[1:])
    chance = random.Random(20261130)
    everyone = list(clients)
    for turn in range(ROUNDS):
        for client in clients:
            lines = [f"pose round {turn} {client.name} {n}." for n in range(LINES)]
            client.send(*lines)
        read_until_shown(clients, f" round {turn} ", chance.randint(1, LINES))
        server.kill()
        read_to_the_end(clients)
        server.start()
        clients = list(server.logins(*names))
        everyone += clients
    assert "In it: Ada, Bram, Cass, Dora and Rhea\n" in clients[0].ask("+scene")
    texts = [text.removesuffix(".") for text in logged(server, number)]
    ordered = {text: place for place, text in enumerate(texts)}
    assert len(ordered) == len(texts), "a line is in the log twice"
    seen = [shown(client, ordered) for client in everyone]
    assert all(places == sorted(set(places)) for places in seen), "shown in another order"
    assert sum(map(bool, seen)) >= ROUNDS, "the kills came before anything was shown"
    assert len(texts) < ROUNDS * LINES * len(names), "the kills came after everything was done"


def test_sigterm_does_what_is_queued_tells_everyone_and_ends_with_0(either: Server) -> None:
    ada, bram, stranger = either.login("Ada"), either.login("Bram"), either.connect()
    number = open_scene(ada, "Last Words", bram)
    ada.send(*(f"say line {n}" for n in range(300)))
    bram.expect(r'^Ada says, "line 0"$')
    start = time.monotonic()
    either.signal(signal.SIGTERM)
    for client in (ada, bram, stranger):
        client.expect(GOODBYE, seconds=STOP_SECONDS)
    read_to_the_end([ada, bram, stranger])
    assert either.wait() == 0
    assert time.monotonic() - start < STOP_SECONDS
    texts = logged(either, number)
    heard = re.findall(r'^Ada says, "(line \d+)"$', bram.seen, re.MULTILINE)
    acknowledged = re.findall(r'^You say, "(line \d+)"$', ada.seen, re.MULTILINE)
    assert texts == [f"line {n}" for n in range(len(texts))]
    assert heard == acknowledged == texts[: len(heard)]  # on a slow machine more is in the log
    assert len(heard) > 1


def test_sigterm_ends_in_time_though_there_is_too_much_to_do(server: Server) -> None:
    ada = server.login("Ada")
    number = open_scene(ada, "Flood")
    ada.send(*(f"say {n}" for n in range(20_000)))  # more than can be done in the time
    ada.expect('You say, "0"')
    start = time.monotonic()
    server.signal(signal.SIGTERM)
    read_to_the_end([ada])
    assert server.wait() == 0
    assert time.monotonic() - start < STOP_SECONDS
    undone = r"^The server is ending\. Not done any more: your last [\d,]+ lines\.$"
    assert re.search(undone + "\n" + GOODBYE, ada.seen, re.MULTILINE)
    acknowledged = re.findall(r'^You say, "(\d+)"$', ada.seen, re.MULTILINE)
    assert logged(server, number)[: len(acknowledged)] == acknowledged


def test_sigterm_tells_of_lines_that_a_slowed_link_was_not_read_yet(serve: Serve) -> None:
    server = serve("[limits]\nlines_burst = 50\nlines = 10\n")
    ada = server.login("Ada")
    for part in range(8):  # what comes in parts is not all read at once
        ada.send(*(f"say {part} {n}" for n in range(100)))
        ada.pump(0.1)
    server.signal(signal.SIGTERM)
    read_to_the_end([ada])
    assert server.wait() == 0
    told = re.search(r"^The server is ending\. .*: your last ([\d,]+) lines\.$", ada.seen, re.M)
    assert told, ada.seen[-300:]
    assert len(re.findall(r'^You say, "\d \d+"$', ada.seen, re.M)) + int(told[1]) == 800


def test_sigterm_ends_in_time_though_somebody_never_reads(server: Server) -> None:
    ada, deaf = server.logins("Ada", "Bram")
    text = "x" * 4000
    ada.send(*(f"say {text}{n}" for n in range(500)))
    ada.expect(r"499\"$")
    assert not deaf.closed
    start = time.monotonic()
    server.signal(signal.SIGTERM)
    assert server.wait() == 0
    assert time.monotonic() - start < STOP_SECONDS


def test_a_database_locked_for_a_while_disconnects_nobody_and_loses_nothing(
    server: Server,
) -> None:
    ada, bram, cass = server.logins("Ada", "Bram", "Cass")
    number = open_scene(ada, "Patience", bram)
    sync(ada, bram, cass)
    file = Path(server.url.removeprefix("sqlite:///"))
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    unlocked = time.monotonic() + 3
    ada.send("pose says one.", "pose says two.")
    bram.send("pose says three.")
    assert cass.ask("look").startswith("The Landing")  # what needs no writing goes on
    assert "Patience" in cass.ask("+scene/list")
    read_until([ada, bram, cass], unlocked)
    assert "says one" not in ada.seen + bram.seen + cass.seen, "shown before it is on disk"
    other.execute("ROLLBACK")
    other.close()
    for client in (ada, bram, cass):
        client.expect(r"^Ada says two\.$")
        for word in ("one", "two", "three"):
            client.sync()
            assert len(re.findall(rf"^\w+ says {word}\.$", client.seen, re.MULTILINE)) == 1
    assert sorted(logged(server, number)) == ["says one.", "says three.", "says two."]
