"""A full disk, a locked file, a database gone: players are told, and nothing is lost or doubled."""

from __future__ import annotations

import re
import resource
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.e2e.fight_script import start_duel
from tests.e2e.harness import PASSWORD, Client, Server, open_scene, sync
from tests.e2e.proxy import Cut, Proxy
from tests.e2e.test_durable import logged
from tests.e2e.torture.places import server_on

UNSAVED = r"^The database did not take it, so nothing was changed\. Type it again in a moment\.$"


def times(client: Client, text: str) -> int:
    """Count the lines that somebody was shown of a text, once all is there."""
    client.sync()
    return len(re.findall(rf"^{re.escape(text)}$", client.seen, re.MULTILINE))


@contextmanager
def full_disk(server: Server) -> Iterator[None]:
    """Let no file of the server grow beyond what the write-ahead log has already."""
    assert server.process is not None
    wal = Path(server.url.removeprefix("sqlite:///") + "-wal")
    process, limit = server.process.pid, resource.RLIMIT_FSIZE
    before = resource.prlimit(process, limit)
    resource.prlimit(process, limit, (wal.stat().st_size, before[1]))
    try:
        yield
    finally:
        resource.prlimit(process, limit, before)


def test_on_a_full_disk_everyone_is_told_and_the_room_goes_on(server: Server) -> None:
    ada, bram, cass = server.logins("Ada", "Bram", "Cass")
    scene = open_scene(ada, "Narrow", bram)
    ada.ask("pose fits.")
    sync(ada, bram, cass)
    with full_disk(server):
        for n in range(3):
            ada.send(f"pose does not fit {n}." + "x" * 6000)
            ada.expect(UNSAVED)
        cass.send("say here is room")
        cass.expect(r'^You say, "here is room"$')
        assert "Narrow" in cass.ask("+scene/list")
    ada.send("pose fits again.")
    bram.expect(r"^Ada fits again\.$")
    assert "does not fit" not in bram.seen
    assert logged(server, scene) == ["fits.", "fits again."]


@pytest.mark.parametrize("seconds", [5])
def test_a_file_locked_for_some_seconds_is_waited_for(server: Server, seconds: int) -> None:
    ada, bram = server.logins("Ada", "Bram")
    scene = open_scene(ada, "Patience", bram)
    other = sqlite3.connect(server.url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    end = time.monotonic() + seconds
    ada.send("pose waits.")
    while time.monotonic() < end:
        assert "not take it" not in bram.ask("WHO") + ada.seen  # which need no writing
        ada.pump(0.2)
    assert "waits" not in bram.seen
    other.execute("ROLLBACK")
    other.close()
    bram.expect(r"^Ada waits\.$")
    assert times(ada, "Ada waits.") == times(bram, "Ada waits.") == 1
    assert logged(server, scene) == ["waits."]


def test_who_waits_too_long_for_a_locked_file_is_told_once_and_nothing_is_doubled(
    server: Server,
) -> None:
    ada, bram, cass = server.logins("Ada", "Bram", "Cass")
    scene = open_scene(ada, "Impatience", bram)
    other = sqlite3.connect(server.url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    ada.send("pose waits.")
    bram.send("pose waits, too.")
    cass.send("say talks on")
    cass.expect(r'^You say, "talks on"$')
    for client in (ada, bram):
        client.expect(UNSAVED)
    other.execute("ROLLBACK")
    other.close()
    ada.send("pose goes on.")
    bram.expect(r"^Ada goes on\.$")
    assert "waits" not in bram.seen + ada.seen
    assert logged(server, scene) == ["goes on."]


def test_who_waits_for_a_locked_file_when_the_server_ends_is_told_that_nobody_knows(
    server: Server,
) -> None:
    ada, bram = server.logins("Ada", "Bram")
    scene = open_scene(ada, "Last Words", bram)
    other = sqlite3.connect(server.url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    ada.send("pose is in doubt.", "pose is not done.", "pose is not done, either.")
    bram.send("look")
    bram.expect(r"^Exits: ")
    server.signal(signal.SIGTERM)
    ada.expect(r"^The server is ending\. Not done any more: your last 2 lines\.$")
    ada.expect(r"^It ends before it knows whether your last line was saved\.")
    ada.expect(r"^The server is going down now\.")
    other.execute("ROLLBACK")
    other.close()
    assert server.wait() == 0
    assert logged(server, scene) in ([], ["is in doubt."])


# PostgreSQL


@pytest.fixture
def proxy(postgresql: str) -> Iterator[Proxy]:
    """Put a proxy before an empty database."""
    with Proxy(postgresql) as proxy:
        yield proxy


@pytest.fixture
def behind(proxy: Proxy, tmp_path: Path) -> Iterator[Server]:
    """Start a server that reaches its database through the proxy alone."""
    with server_on(proxy.url, tmp_path) as server:
        yield server
        proxy.reopen()


def test_a_commit_whose_answer_is_lost_is_shown_once_and_in_the_log_once(
    behind: Server, proxy: Proxy
) -> None:
    ada, bram = behind.logins("Ada", "Bram")
    scene = open_scene(ada, "Doubt", bram)
    proxy.cut_next_commit("after")
    ada.send("pose is in.", "pose is next.")
    for client in (ada, bram):
        client.expect(r"^Ada is next\.$")
    assert proxy.was_cut.is_set()
    assert times(ada, "Ada is in.") == times(bram, "Ada is in.") == 1
    assert logged(behind, scene) == ["is in.", "is next."]


def test_a_commit_that_never_arrived_is_made_on_a_new_connection(
    behind: Server, proxy: Proxy
) -> None:
    ada, bram = behind.logins("Ada", "Bram")
    scene = open_scene(ada, "Doubt", bram)
    proxy.cut_next_commit("before")
    ada.send("pose is in.", "pose is next.")
    for client in (ada, bram):
        client.expect(r"^Ada is next\.$")
    assert proxy.was_cut.is_set()
    assert times(ada, "Ada is in.") == times(bram, "Ada is in.") == 1
    assert logged(behind, scene) == ["is in.", "is next."]


def test_nobody_notices_that_the_connection_was_lost_while_nothing_was_written(
    behind: Server, proxy: Proxy
) -> None:
    ada, bram = behind.logins("Ada", "Bram")
    scene = open_scene(ada, "Quiet", bram)
    proxy.shut()
    proxy.reopen()
    ada.send("pose is in.")
    bram.expect(r"^Ada is in\.$")
    assert "did not take it" not in ada.seen
    assert logged(behind, scene) == ["is in."]


@pytest.mark.parametrize("where", ["before", "after"])
def test_while_the_database_is_gone_those_in_doubt_wait_and_all_others_go_on(
    behind: Server, proxy: Proxy, where: Cut
) -> None:
    ada, bram, cass = behind.logins("Ada", "Bram", "Cass")
    scene = open_scene(ada, "Doubt", bram)
    proxy.cut_next_commit(where, shut=True)
    ada.send("pose is in doubt.")
    ada.expect(r"^The database does not answer\. Your line is kept in mind: wait")
    bram.send("pose is refused.")
    bram.expect(UNSAVED)
    cass.send("say talks on", "look")
    cass.expect(r'^You say, "talks on"$')
    cass.send("+finger Ada")
    cass.expect(r"^The database can't be read just now\. Try again in a moment\.$")
    assert "in doubt" not in bram.seen
    proxy.reopen()
    bram.expect(r"^Ada is in doubt\.$")
    assert times(ada, "Ada is in doubt.") == times(bram, "Ada is in doubt.") == 1
    assert logged(behind, scene) == ["is in doubt."]


def test_while_the_database_is_silent_who_waits_is_told_and_all_others_go_on(
    behind: Server, proxy: Proxy
) -> None:
    ada, bram, cass = behind.logins("Ada", "Bram", "Cass")
    scene = open_scene(ada, "Silence", bram)
    late = behind.connect(name="late")
    proxy.fall_silent()
    ada.send("pose waits.", "pose waits again.")
    ada.expect(r"^The database does not answer\. Your line is kept in mind: wait")
    bram.send("pose is refused.")
    bram.expect(UNSAVED)
    cass.send("+finger Ada", "say talks on")
    cass.expect(r"^The database can't be read just now\. Try again in a moment\.$")
    cass.expect(r'^You say, "talks on"$')
    late.send(f"connect Cass {PASSWORD}", "connect guest")
    late.expect(r"^The database can't be read just now\. Try again in a moment\.$")
    late.expect(UNSAVED)
    assert "waits" not in bram.seen
    proxy.reopen()
    bram.expect(r"^Ada waits\.$")
    type_until_saved(ada, "pose goes on.", r"^Ada goes on\.$")
    assert times(ada, "Ada waits.") == times(bram, "Ada waits.") == 1
    assert [text for text in logged(behind, scene) if text != "waits again."] == [
        "waits.", "goes on.",
    ]  # fmt: skip
    assert logged(behind, scene).count("waits again.") == times(bram, "Ada waits again.")


def test_a_server_whose_database_is_silent_ends_all_the_same_and_loses_nothing_shown(
    behind: Server, proxy: Proxy
) -> None:
    ada, bram = behind.logins("Ada", "Bram")
    scene = open_scene(ada, "Silence", bram)
    ada.ask("pose is saved.")
    bram.expect(r"^Ada is saved\.$")
    proxy.fall_silent()
    ada.send("pose waits.")
    ada.pump(1.0)
    behind.signal(signal.SIGTERM)
    for client in (ada, bram):
        client.expect(r"going down now")
    assert behind.wait() == 1
    proxy.reopen()
    behind.start()
    assert logged(behind, scene)[0] == "is saved."
    assert "waits." in logged(behind, scene) or "Ada waits" not in bram.seen


def type_until_saved(client: Client, line: str, shown: str) -> None:
    """Type a line again as long as it is refused."""
    client.sync()
    client.send(line)
    while client.expect(f"{shown}|{UNSAVED}")[0].startswith("The database"):
        client.pump(0.2)
        client.send(line)


def test_servers_whose_database_is_silent_let_their_own_players_talk_and_are_one_again_after(
    peopled: str, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        proxies = [stack.enter_context(Proxy(peopled)) for _ in range(2)]
        servers = []
        for number, proxy in enumerate(proxies):
            folder = tmp_path / str(number)
            folder.mkdir()
            servers.append(stack.enter_context(Server(folder, proxy.url)))
            stack.callback(proxy.reopen)
        ada, bram, far = servers[0].login("Ada"), servers[0].login("Bram"), servers[1].login("Cass")
        ada.expect(r"^Cass has connected\.$")
        for proxy in proxies:
            proxy.fall_silent()
        ada.send("say one", "say two", "page Bram=three", "WHO")
        for pattern in (r'^Ada says, "one"$', r'^Ada says, "two"$', r"^Ada pages: three$"):
            bram.expect(pattern)
        ada.expect(r"^3 players are connected\.$")
        for proxy in proxies:
            proxy.reopen()
        while not re.search(r'^Ada says, "again"$', far.seen, re.MULTILINE):
            far.pump(0.2)
            ada.send("say again")
        assert times(bram, 'Ada says, "one"') == times(ada, 'You say, "one"') == 1
        assert times(bram, 'Ada says, "two"') == times(ada, 'You say, "two"') == 1


@pytest.mark.parametrize("where", ["before", "after"])
def test_an_attack_cut_off_at_its_commit_hits_once(
    behind: Server, proxy: Proxy, where: Cut
) -> None:
    duel = start_duel(behind)
    duel.ada.send("+attack Bram=pistol, close")
    number = duel.rhea.expect(r"^\[Ruling\] #(\d+) Ada > Bram, pistol")[1]
    proxy.cut_next_commit(where)
    duel.rhea.send("+ok")
    for client in duel.all:
        client.expect(rf"^\[Result\] Bram takes .*health \d+/100.*#{number}$")
        client.expect(r"^\[Turn\] Round 1: Bram\.")
    sync(*duel.all)
    for client in duel.all:
        assert len(re.findall(r"^\[Result\] Bram takes", client.seen, re.MULTILINE)) == 1
    _prove(behind, duel.scene)


def test_a_fight_goes_on_when_the_database_comes_back(behind: Server, proxy: Proxy) -> None:
    duel = start_duel(behind)
    proxy.shut()
    duel.ada.send("+attack Bram=pistol, close")
    duel.ada.expect(UNSAVED)
    duel.bram.send("whisper Ada=what now?")
    duel.ada.expect(r'^Bram whispers, "what now\?"$')
    proxy.reopen()
    duel.shoot()
    duel.all[0].sync()
    assert len(re.findall(r"^\[Attack\] Ada attacks Bram", duel.rhea.seen, re.MULTILINE)) == 1
    _prove(behind, duel.scene)


def _prove(server: Server, scene: int) -> None:
    """Hash the log again, and throw its dice again."""
    file = server.folder / "log.jsonl"
    options = ("--format", "jsonl", "--profile", "audit", "--output", str(file))
    server.cli("transcript", "export", str(scene), *options)
    server.cli("verify", str(file))
