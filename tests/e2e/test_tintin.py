"""The real TinTin++ client, as people use it."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from typing import Any

import pexpect
import pytest

from tests.e2e.conftest import missing
from tests.e2e.harness import PASSWORD, PATIENCE, Server

PLACES = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"])
"""Debian puts games where not every PATH looks."""

COLOUR = r"(?:\x1b\[[\d;]*m)*"
"""A tag has a colour of its own."""


@pytest.fixture
def tintin(server: Server) -> Iterator[Any]:
    program = shutil.which("tt++", path=PLACES)
    if program is None:
        missing("tt++ is not installed (Debian: apt install tintin++)")
    child = pexpect.spawn(
        program,
        ["-G"],
        cwd=server.folder,
        env={**os.environ, "TERM": "xterm", "LANG": "C.UTF-8", "HOME": str(server.folder)},
        encoding="utf-8",
        timeout=PATIENCE,
        dimensions=(40, 100),
    )
    child.send(f"#session game 127.0.0.1 {server.port}\r")
    child.expect("QUIT +to leave")
    try:
        yield child
    finally:
        child.close(force=True)


def test_a_tintin_user_logs_in_poses_and_sees_what_others_work_out(
    server: Server, tintin: Any
) -> None:
    bram = server.login("Bram")
    tintin.send(f"connect ada {PASSWORD}\r")
    tintin.expect(r"Connected as Ada\.")
    bram.expect(r"^Ada has connected\.$")
    tintin.send("pose waves from a real client.\r")
    bram.expect(r"^Ada waves from a real client\.$")
    tintin.send("+roll pistol at 1\r")
    roll = bram.expect(r"^\[Roll\] Ada: .* = -?\d+ \(.*\)\.$")[0]
    tag, rest = roll.split(" ", 1)
    tintin.expect(f"{re.escape(tag)} {COLOUR}{re.escape(rest)}")
    bram.send("+rcalcdamage 6/4/50/20")
    tintin.expect(rf"\[Damage\] {COLOUR}Bram: ranged: .* = 40, before Constitution\.")


def test_a_tintin_user_is_asked_for_the_password_twice_and_never_sees_it(
    server: Server, tintin: Any
) -> None:
    for password, answer in (("wrong-donkey-5", "Either that player"), (PASSWORD, "Connected as")):
        tintin.send("connect ada\r")
        tintin.expect("Password: ")
        tintin.send(f"{password}\r")
        tintin.expect(answer)
        assert password not in tintin.before
    tintin.send("say h\u00e9llo\r")
    tintin.expect('You say, "h\u00e9llo"')
