from __future__ import annotations

import pytest

from mushcombat.paths import shipped
from mushcombat.systems.otherspace.tables import Tables, load

RULES = (shipped("config") / "rules" / "otherspace.toml").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def rules() -> str:
    """The text of the rules that come with the program."""
    return RULES


@pytest.fixture(scope="session")
def tables() -> Tables:
    """The rules that come with the program."""
    return load(RULES, "otherspace.toml")


@pytest.fixture(scope="session")
def flat() -> Tables:
    """The same with Constitution taking points instead of a share."""
    return load(RULES.replace('mode = "percent"', 'mode = "flat"'), "otherspace.toml")


@pytest.fixture(scope="session")
def d10() -> Tables:
    """The same with the dice the game used later."""
    return load(RULES.replace('kind = "4dF"', 'kind = "1d10-5"'), "otherspace.toml")
