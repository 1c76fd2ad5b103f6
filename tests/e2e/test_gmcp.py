"""GMCP over telnet with the real program; probe 11: bad messages, and nothing unasked."""

from __future__ import annotations

import re
from typing import Any

from tests.e2e.harness import PASSWORD, PATIENCE, Client, Server, open_scene, sync
from tests.unit.schemas import read

DO, WILL, SB, GMCP = b"\xff\xfd\xc9", b"\xff\xfb\xc9", b"\xff\xfa\xc9", b"\xc9"
END = b"\xff\xf0"
ALL = '["Char 1", "Room 1", "Comm.Channel 1", "Scene 1", "Combat 1"]'


def message(text: str) -> bytes:
    return SB + text.encode() + END


def given(client: Client) -> list[tuple[str, Any]]:
    """Give every message so far, each held against the schema of its package."""
    found = re.findall(rb"\xff\xfa\xc9(.*?)\xff\xf0", client.raw, re.DOTALL)
    return [read(one.decode()) for one in found]


def wait_for(client: Client, package: str, **fields: Any) -> Any:
    """Wait until a message came with these fields; gives its data."""
    while True:
        for name, data in reversed(given(client)):
            if name == package and fields.items() <= (data.items() if fields else set()):
                return data
        assert client.pump(PATIENCE), f"no {package} with {fields}: {given(client)}"


def scripted(server: Server, name: str, modules: str = ALL) -> Client:
    """Log somebody in with a client that takes data."""
    client = server.connect(name=name)
    client.send_raw(DO + message('Core.Hello {"client": "Test", "version": "1"}'))
    client.send_raw(message(f"Core.Supports.Set {modules}"))
    client.send(f"connect {name} {PASSWORD}")
    client.expect(rf"^Connected as {name}\.$")
    client.sync()
    return client


def test_bad_messages_end_nothing_and_show_nothing(shared: Server) -> None:
    client = shared.connect(name="bad")
    client.send_raw(DO)
    for bad in (
        b"Core.Hello {",
        b"No.Such {}",
        b"A " + b"[" * 5000,
        b'{"a":' * 3000,
        b"Core.Hello \x00 \xff\xff",
        b"Core.Supports.Set 7",
        b"",
    ):
        client.send_raw(SB + bad + END)
    client.send(f"connect Ada {PASSWORD}")
    client.expect(r"^Connected as Ada\.$")
    heard = client.sync()
    assert "Core" not in heard
    assert "[[" not in heard
    assert given(client) == []
    client.send_raw(message('Core.Supports.Set ["Char 1"]') + message("Core.Ping"))
    wait_for(client, "Core.Ping")
    wait_for(client, "Char.Vitals", hp=100)
    assert {package.partition(".")[0] for package, _ in given(client)} == {"Core", "Char"}


def test_a_link_without_the_option_gets_no_byte_of_it(shared: Server) -> None:
    ada = scripted(shared, "Ada")
    bram, cass = shared.logins("Bram", "Cass")
    cass.send_raw(message('Core.Supports.Set ["Char 1", "Comm 1"]'))
    ada.send("say hello there")
    wait_for(ada, "Comm.Channel.Text", talker="Ada")
    sync(ada, bram, cass)
    assert SB not in bram.raw + cass.raw


def test_a_scene_and_its_fight_are_told_to_each_as_they_may_see_it(shared: Server) -> None:
    ada, rhea = scripted(shared, "Ada"), scripted(shared, "Rhea")
    (cass,) = shared.logins("Cass")
    number = open_scene(rhea, "Data", ada, cass)
    wait_for(ada, "Scene.Info", scene=number, joined=True)
    rhea.send("+npc/hidden Lurkerling=thug", "+combat/start")
    rhea.send("Lurkerling: pose waits.")
    wait_for(rhea, "Scene.Pose", name="Lurkerling")
    ada.send("+combat/join", "pose draws.")
    cass.send("+combat/join")
    sync(rhea, ada, cass)
    ada.send("+reaction")
    cass.send("+reaction")
    turn = wait_for(rhea, "Combat.Turn", phase="on")
    assert "Lurkerling" in [each["name"] for each in turn["order"]]
    mine = wait_for(ada, "Combat.Turn", phase="on")
    assert {each["name"] for each in mine["order"]} == {"Ada", "Cass"}
    rhea.send("+damage Ada=36, a fall")
    result = wait_for(ada, "Combat.Result", kind="harm", target="Ada")
    vitals = wait_for(ada, "Char.Vitals", hp=64)
    assert (result["amount"], result["health"], vitals["maxhp"]) == (36, 64, 100)
    rhea.send("+scene/set health=bands", "+damage Ada=10")
    banded = wait_for(ada, "Combat.Result", amount=None)
    wait_for(ada, "Char.Vitals", hp=None, band=banded["state"])
    rhea.send("+combat/stop", "+scene/close")
    wait_for(ada, "Scene.Info", state="none")
    wait_for(ada, "Combat.Turn", phase="none")
    assert "Lurkerling" not in str(given(ada))


def test_a_server_that_goes_down_says_so(shared: Server) -> None:
    ada = scripted(shared, "Ada")
    ada.send("QUIT")
    ada.expect_end()
    assert ("Core.Goodbye", "Goodbye.") in given(ada)
