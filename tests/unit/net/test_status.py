"""What lists of games are told (MSSP)."""

from __future__ import annotations

import pytest

from mushcombat.config import Config
from mushcombat.net.status import status
from tests.unit.net.fakes import Table, type_
from tests.unit.support import NOW


def test_name_players_and_uptime_are_always_told(table: Table) -> None:
    table.inside()
    told = dict(status(table.game))
    assert told["NAME"] == "mushcombat"
    assert told["PLAYERS"] == "1"
    assert told["UPTIME"] == str(int(NOW.timestamp()))
    assert told["CODEBASE"].startswith("mushcombat ")


def test_what_the_configuration_leaves_open_is_left_out(table: Table) -> None:
    told = dict(status(table.game))
    assert not {"HOSTNAME", "PORT", "TLS", "CONTACT", "MINIMUM AGE", "CREATED"} & set(told)
    assert told["LANGUAGE"] == "English"


def test_what_the_configuration_says_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = {
        "hostname": "game.example",
        "port": 4201,
        "tls": 4202,
        "minimum_age": 18,
        "crawl_delay": 6,
        "gameplay": ["Roleplaying", "Player versus Player"],
    }
    table = Table(config=Config.model_validate({"mssp": ours}))
    told = list(status(table.game))
    assert ("HOSTNAME", "game.example") in told
    assert ("PORT", "4201") in told
    assert ("TLS", "4202") in told
    assert ("MINIMUM AGE", "18") in told
    assert ("CRAWL DELAY", "6") in told
    assert [value for name, value in told if name == "GAMEPLAY"] == ours["gameplay"]


@pytest.mark.parametrize("line", ["MSSP-REQUEST", "mssp-request"])
def test_a_line_at_the_login_screen_is_answered_too(table: Table, line: str) -> None:
    session, link = table.session()
    type_(session, line)
    told = link.seen()
    assert (told[0], told[-1]) == ("MSSP-REPLY-START", "MSSP-REPLY-END")
    assert "PLAYERS\t0" in told


def test_inside_it_is_a_word_like_any_other(table: Table) -> None:
    session, link = table.inside()
    type_(session, "MSSP-REQUEST")
    assert "MSSP-REPLY-START" not in link.seen()
