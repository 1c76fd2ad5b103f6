"""The log tells what happens to the server, and nothing that anybody says."""

from __future__ import annotations

import json
import re

import pytest

from tests.e2e.conftest import Serve
from tests.e2e.harness import OTHER_PASSWORD, PASSWORD, WRONG_PASSWORD, open_scene, sync

WORDS = {
    "page": "quartzpage",
    "whisper": "quartzwhisper",
    "say": "quartzsay",
    "pose": "quartzpose",
    "mutter": "quartzmutter",
    "scene": "quartzscene",
    "reason": "quartzreason",
    "typed wrongly": "quartztyped",
}


@pytest.mark.parametrize("form", ["keys", "json"])
def test_no_password_and_nothing_that_was_said_is_in_the_log(serve: Serve, form: str) -> None:
    server = serve(f'[log]\nformat = "{form}"\nlevel = "debug"\n')
    server.account("Zed", "admin")
    early = server.connect(name="early")
    for line in (
        f"connect {OTHER_PASSWORD} Ada",
        f"conect Ada {WORDS['typed wrongly']}",
        f"connect Ada {WRONG_PASSWORD}",
    ):
        early.send(line)
    early.expect(r"^Either that player does not exist")
    ada, bram, zed = server.logins("Ada", "Bram", "Zed")
    ada.send(f"page Bram={WORDS['page']}", f"whisper Bram={WORDS['whisper']}")
    ada.send(f"say {WORDS['say']}", f"mutter Bram={WORDS['mutter']}")
    open_scene(ada, WORDS["scene"], bram)
    ada.send(f"pose {WORDS['pose']}", f"@password {PASSWORD}={OTHER_PASSWORD}")
    ada.expect(r"^Your password is changed\.$")
    zed.send(f"@newpassword bram={OTHER_PASSWORD}", f"@boot bram={WORDS['reason']}")
    bram.expect_end()
    sync(ada, zed)
    log = server.log()
    leaked = [what for what, word in WORDS.items() if word in log]
    assert leaked == []
    assert [word for word in (PASSWORD, OTHER_PASSWORD, WRONG_PASSWORD) if word in log] == []
    told = "logged in" if form == "keys" else '"event": "logged in"'
    assert told in log
    assert re.search(r"staff\.booted", log)
    for line in log.splitlines():
        if form == "json":
            assert {"time", "level", "logger", "event"} <= set(json.loads(line))
        else:
            assert re.match(r"time=\S+ level=\w+ logger=\S+ event=", line), line
