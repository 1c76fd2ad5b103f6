"""Poses as three people see them: mended, read back, in their order, muttered, and at rest."""

from __future__ import annotations

import re

from tests.e2e.conftest import Serve
from tests.e2e.harness import Client, Server, open_scene, sync


def last_number(client: Client) -> int:
    """Give the number of the last pose."""
    return int(re.findall(r"^#(\d+) ", client.ask("+recall 1"), re.MULTILINE)[-1])


def test_the_room_reads_what_was_mended_and_the_author_what_it_was(server: Server) -> None:
    ada, bram, rhea = server.logins("Ada", "Bram", "Rhea")
    open_scene(rhea, "The Docking Bay", ada, bram)
    ada.send("pose lifts the crat.")
    sync(ada, bram)
    number = last_number(ada)
    ada.send("+typo crat.=crate.")
    for client in (ada, bram, rhea):
        client.expect(rf"^\[Edit\] #{number} reads now: Ada lifts the crate\.$")
    assert re.match(r"(?i)(no|you).*(pose|own)", bram.ask("+typo crate=cat"))
    assert re.match(r"(?i)(no|you).*(pose|own)", bram.ask(f"+edit {number}=crate/cat"))
    assert f"#{number} " in ada.ask("+recall")
    assert "Ada lifts the crate. (edited)\n" in bram.ask("+recall")
    assert "lifts the crat.\n" in ada.ask(f"+recall/versions {number}")
    assert "lifts the crat.\n" in rhea.ask(f"+recall/versions {number}")
    assert "crat." not in bram.ask(f"+recall/versions {number}", "+scene/log", f"+why {number}")
    ada.send("+undo/pose")
    bram.expect(rf"^\[Edit\] Ada takes back #{number}\.$")
    assert "lifts" not in bram.ask("+recall", "+scene/log")


def test_what_is_mended_stays_literal_and_never_looks_like_the_servers(server: Server) -> None:
    ada, bram = server.logins("Ada", "Bram")
    open_scene(ada, "Bay", bram)
    ada.send("@emit x <script>alert(1)</script> & &lt; **md** [u](javascript:1)")
    ada.send("+typo x=[Roll] Bram: 9%r[Roll]")
    bram.expect(r"^\[Edit\] #3 reads now: <Ada> \[Roll\] Bram: 9$")
    bram.expect(r"^  \[Roll\] <script>alert\(1\)</script> & &lt; \*\*md\*\* \[u\]\(javascript:1\)$")


def test_the_next_in_order_is_told_once_and_the_absent_are_not_waited_for(server: Server) -> None:
    ada, bram, rhea = server.logins("Ada", "Bram", "Rhea")
    number = open_scene(rhea, "Bay", ada, bram)
    rhea.ask("+scene/set order=order")
    yours = rf"^\[Pot\] You have waited longest in scene {number}: your pose\. \(\+pot\)$"
    ada.send("pose waves.")
    bram.expect(yours)
    bram.ask("pose nods.")
    ada.expect(yours)
    assert re.search(r"^Pose order of scene .* Next: Ada\.$", bram.ask("+pot"), re.MULTILINE)
    ada.close()
    rhea.expect(r"^Ada has disconnected\.$")
    told = bram.ask("+pot")
    assert re.search(r"^Ada: \d+s ago, not connected$", told, re.MULTILINE)
    assert "Next: Bram." in told
    rhea.send("+pot/skip bram")
    bram.expect(r"^\[Pot\] Rhea passes over Bram\.$")


def test_the_person_hears_all_of_a_mutter_the_room_parts_and_the_log_no_more(
    server: Server,
) -> None:
    ada, bram, cass, rhea = server.logins("Ada", "Bram", "Cass", "Rhea")
    number = open_scene(rhea, "Bar", ada, bram)
    whole = "meet me behind the bar at midnight"
    ada.send(f"mutter bram={whole}")
    ada.expect(rf'^You mutter to Bram, "{whole}"$')
    bram.expect(rf'^Ada mutters to you, "{whole}"$')
    heard = cass.expect(r'^Ada mutters to Bram, "(.*)"$')[1]
    assert heard == rhea.expect(r'^Ada mutters to Bram, "(.*)"$')[1]
    bram.expect(rf'^Those here hear: "{re.escape(heard)}"$')
    assert "..." in heard
    assert set(heard.replace("...", "").split()) < set(whole.split())
    log = rhea.ask("+scene/log", "+recall")
    assert log.count(f'Ada mutters to Bram, "{heard}"') == 2
    assert whole not in log
    exported = server.cli("transcript", "export", str(number), "--profile", "audit")
    assert heard in exported
    assert whole not in exported


def test_a_referee_sets_the_scene_and_who_did_is_shown_to_those_who_ask(server: Server) -> None:
    ada, bram, rhea = server.logins("Ada", "Bram", "Rhea")
    open_scene(rhea, "Bay", ada, bram)
    ada.ask("@nospoof on")
    rhea.send("+emit/set Rain%tfalls.%rIt is cold.")
    ada.expect(r"^\(Rhea\) Rain    falls\.\n  It is cold\.$")
    bram.expect(r"^Rain    falls\.\n  It is cold\.$")
    assert "(Rhea) Rain" in ada.ask("+recall")
    assert "(Rhea) Rain" not in bram.ask("+recall")
    assert "(Rhea) Rain" in bram.ask("+scene/log")
    assert "has no switch" in ada.ask("+emit/set Sun.")


def test_a_paused_scene_survives_a_kill_and_logs_nothing_until_it_goes_on(server: Server) -> None:
    ada, bram, rhea = server.logins("Ada", "Bram", "Rhea")
    number = open_scene(rhea, "Bay", ada, bram)
    rhea.send("+scene/pause")
    ada.expect(
        rf"^\[Scene\] Rhea pauses scene {number}: what is said and done is not logged until "
    )
    server.restart()
    ada, bram, rhea = server.logins("Ada", "Bram", "Rhea")
    lines = re.search(r"^Lines: \d+$", ada.ask("+scene"), re.MULTILINE)[0]  # type: ignore[index]
    ada.send("say Where were we?")
    bram.expect(r'^Ada says, "Where were we\?"$')
    paused = "The scene is paused: +scene/resume goes on.\n"
    for line in ("+roll pistol", "+typo a=b", "+undo/pose", "+pot/skip"):
        assert ada.ask(line) == paused, line
    assert lines in ada.ask("+scene")
    assert "Where were we" not in ada.ask("+scene/log")
    assert "paused here" in ada.ask("look")
    rhea.send("+scene/continue")
    ada.expect(
        rf"^\[Scene\] Rhea lets scene {number} go on: what is said and done is logged again\.$"
    )
    ada.ask("say Now.")
    assert "Now." in bram.ask("+scene/log")


def test_what_is_set_on_a_scene_is_shown_to_those_who_look_for_one(server: Server) -> None:
    ada, cass = server.logins("Ada", "Cass")
    number = open_scene(ada, "Bay")
    for line in ("location=Dock 7", "type=combat", "warning=gore", "pacing=relaxed"):
        ada.ask(f"+scene/set {line}")
    ada.ask("+scene/set title=Night at the Bay", "+scene/set zone=europe/berlin")
    listed = (
        rf'^Scene {number} "Night at the Bay" \(Dock 7; combat; relaxed\): public, open, 1 in it,'
        r" no pose yet\. Warning: gore$"
    )
    assert re.search(listed, cass.ask("+scene/list"), re.MULTILINE)
    assert "Night at the Bay" in cass.ask("look")
    told = cass.ask(f"+scene/info {number}")
    assert "Location: Dock 7\nType: combat\nWarning: gore\nPacing: relaxed\n" in told
    assert "Zone: Europe/Berlin\n" in told
    ada.ask("+scene/stop")
    assert cass.ask("+scene/list").startswith("No scene is open.")
    assert 'Night at the Bay" (Dock 7; combat; relaxed): public, closed' in cass.ask(
        "+scene/list all"
    )


def test_those_in_the_room_of_an_idle_scene_are_reminded_and_it_stays_open(serve: Serve) -> None:
    server = serve("[scenes]\nlive = 1\n")
    (ada,) = server.logins("Ada")
    number = open_scene(ada, "Bay")
    ada.expect(rf'^\[Scene\] Nobody has posed in scene {number} "Bay" for \d+s\.')
    assert f'Scene {number} "Bay": public, open' in ada.ask("+scene")
    assert "Nobody has posed" not in ada.ask("+scene/log")
