"""What a channel may be called, how one is found, and what a player chooses."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mushcombat
from mushcombat.domain.channels import ChannelSet, check_channel, find_channel
from mushcombat.domain.events import DoingSet
from mushcombat.domain.openings import TAGS
from mushcombat.domain.settings import (
    NOTHING_CHOSEN,
    Ignored,
    PagesLocked,
    Settings,
    Watched,
    WatchedAll,
    settings_after,
)
from mushcombat.domain.text import looks_like_ours
from mushcombat.errors import MushError
from tests.unit.channels import PUBLIC, STAFF
from tests.unit.support import ADA, GUEST, RHEA


@pytest.mark.parametrize("typed", ["public", "PUBLIC", "pub", "+pub", " publ ", "p"])
def test_a_channel_is_found_by_name_alias_or_beginning(typed: str) -> None:
    assert find_channel(typed, [PUBLIC, STAFF]) == PUBLIC


def test_an_alias_wins_over_a_beginning() -> None:
    other = check_channel("Staffing", "st")
    assert other == ("Staffing", "st")
    assert find_channel("staff", [STAFF]) == STAFF


def test_no_channel_and_several_are_refused() -> None:
    with pytest.raises(MushError, match=r'There is no channel "zed"\. \+channel'):
        find_channel("zed", [PUBLIC, STAFF])
    public = type(PUBLIC)(3, "Publicity", "ad", PUBLIC.role, everyone=False)
    with pytest.raises(MushError, match=r'"publ" could be Public or Publicity\.'):
        find_channel("publ", [PUBLIC, public])


@pytest.mark.parametrize("name", ["", "x", "9lives", "two words", "a]b", "a=b", "é" * 3, "x" * 17])
def test_a_name_with_anything_odd_in_it_is_refused(name: str) -> None:
    with pytest.raises(MushError, match="can't be called that"):
        check_channel(name, "alias")


@pytest.mark.parametrize("alias", ["", "x", "9x", "a b", "a/b", "x" * 13])
def test_an_alias_with_anything_odd_in_it_is_refused(alias: str) -> None:
    with pytest.raises(MushError, match="can't have that alias"):
        check_channel("Trade", alias)


def test_an_alias_is_kept_small_and_without_its_sign() -> None:
    assert check_channel("Trade", "+TR") == ("Trade", "tr")


def server_tags() -> set[str]:
    """Give the tags that strings of the program begin with."""
    found: set[str] = set()
    for file in Path(mushcombat.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found |= {tag.casefold() for tag in re.findall(r"^\[([A-Z]\w+)\]", node.value)}
    return found


def test_no_channel_can_have_the_tag_of_a_line_of_the_servers() -> None:
    tags = server_tags()
    assert {"result", "roll", "damage"} <= tags
    assert tags <= TAGS
    for tag in TAGS:
        with pytest.raises(MushError, match="Lines of the server itself"):
            check_channel(tag.title(), "alias")


@given(st.text(max_size=20), st.text(max_size=20))
def test_whatever_is_typed_a_channel_has_a_plain_name_or_none(name: str, alias: str) -> None:
    try:
        made, word = check_channel(name, alias)
    except MushError:
        return
    assert re.fullmatch(r"[A-Za-z][A-Za-z0-9-]+", made)
    assert word == word.casefold()
    assert looks_like_ours(f"[{made}] ")


def test_everyone_hears_a_channel_that_is_everyones_until_they_say_otherwise() -> None:
    assert NOTHING_CHOSEN.state(PUBLIC, GUEST) == "on"
    assert NOTHING_CHOSEN.state(STAFF, RHEA) == "on"
    assert (
        settings_after(NOTHING_CHOSEN, ChannelSet(1, "Public", "off")).state(PUBLIC, ADA) == "off"
    )


def test_nobody_hears_a_channel_that_is_not_open_to_them() -> None:
    assert Settings({2: "on"}).state(STAFF, ADA) == "left"


def test_a_channel_that_is_not_everyones_is_heard_by_those_who_join() -> None:
    own = type(PUBLIC)(3, "Trade", "tr", PUBLIC.role, everyone=False)
    assert NOTHING_CHOSEN.state(own, ADA) == "left"
    assert Settings({3: "on"}).state(own, ADA) == "on"


def test_each_choice_changes_one_thing() -> None:
    settings = NOTHING_CHOSEN
    for event in (
        Ignored(12, "Bram", True),
        Watched(13, "Rhea", True),
        WatchedAll(True),
        PagesLocked(True),
        DoingSet("nothing of this"),
    ):
        settings = settings_after(settings, event)
    assert settings == Settings({}, frozenset({12}), frozenset({13}), True, True)
    settings = settings_after(settings, Ignored(12, "Bram", False))
    settings = settings_after(settings, Watched(13, "Rhea", False))
    assert settings == Settings({}, frozenset(), frozenset(), True, True)
