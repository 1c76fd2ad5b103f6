from __future__ import annotations

import itertools
import re
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mushcombat.domain.events import Audience, Event, Fact, PoseEdited, PoseWithdrawn, Spoken, Style
from mushcombat.domain.poses import (
    LONGEST_POSE,
    Pose,
    as_poses,
    in_character,
    mended,
    overheard,
    read_change,
    read_slashed,
)
from mushcombat.domain.scene_events import Muttered, ScenePaused
from mushcombat.errors import MushError
from tests.unit.support import ADA, NOW, who

EQUALS = re.compile("=")


def row(event: Event, seq: int) -> Fact:
    return Fact(event, who(ADA), NOW, Audience.ROOM, ledger=7, seq=seq, action=seq)


SAID = row(Spoken("say", "lift the crat"), 3)
FIRST = row(PoseEdited(3, "say", "lift the crate"), 5)
SECOND = row(PoseEdited(3, "say", "lift the crates"), 8)
GONE = row(PoseWithdrawn(3), 9)
OTHER = row(PoseEdited(4, "pose", "waves"), 6)


def no(text: str, old: str, new: str) -> str:
    with pytest.raises(MushError) as caught:
        mended(text, old, new)
    return str(caught.value)


def test_a_pose_reads_as_its_newest_version_with_its_first_number_and_time() -> None:
    (pose,) = as_poses([SAID], [FIRST, OTHER, SECOND, SAID])
    assert pose == Pose(SAID, (FIRST, SECOND))
    assert pose.now == replace(SAID, event=Spoken("say", "lift the crates"))
    assert (pose.number, pose.edited, pose.withdrawn) == (3, True, False)


def test_a_pose_that_nobody_changed_reads_as_it_was_spoken() -> None:
    (pose,) = as_poses([SAID], [])
    assert pose.now is SAID
    assert (pose.edited, pose.withdrawn) == (False, False)


def test_a_withdrawn_pose_is_known_as_one() -> None:
    (pose,) = as_poses([SAID], [FIRST, GONE])
    assert pose.withdrawn


def test_a_row_without_a_number_is_no_pose_of_a_log() -> None:
    assert Pose(replace(SAID, seq=None)).number == 0
    assert as_poses([replace(SAID, seq=None)], [FIRST])[0].later == ()


STYLES: list[tuple[Style, bool]] = [
    ("say", True),
    ("pose", True),
    ("semipose", True),
    ("emit", True),
    ("set", False),
    ("ooc", False),
]


@pytest.mark.parametrize(("style", "counts"), STYLES)
def test_what_is_in_character_counts_as_a_pose(style: Style, counts: bool) -> None:
    assert in_character(row(Spoken(style, "x"), 1)) is counts


def test_a_mutter_counts_as_a_pose_and_a_line_of_the_servers_does_not() -> None:
    assert in_character(row(Muttered(None, "", "..."), 1))
    assert not in_character(row(ScenePaused(), 1))


@pytest.mark.parametrize(
    ("typed", "change"),
    [
        ("crat/crate", ("crat", "crate")),
        ("a/b/c", ("a", "b/c")),
        (r"and\/or/or", ("and/or", "or")),
        (r"or/and\/or", ("or", "and/or")),
        ("very /", ("very ", "")),
        ("old / new", ("old", "new")),
        ("old /new", ("old ", "new")),
        ("old/ new", ("old", " new")),
        (r"back\slash/x", (r"back\slash", "x")),
    ],
)
def test_an_edit_is_split_at_the_first_slash_that_is_none_of_its_words(
    typed: str, change: tuple[str, str]
) -> None:
    assert read_slashed(typed) == change


@pytest.mark.parametrize("typed", ["", "crat", "/crate", "  /crate", r"crat\/crate"])
def test_an_edit_without_an_old_text_or_a_slash_is_none(typed: str) -> None:
    assert read_slashed(typed) is None


def test_a_typo_is_split_at_the_first_equals_sign_and_slashes_are_its_words() -> None:
    assert read_change("a/b=c=d", EQUALS) == ("a/b", "c=d")


@given(st.text(min_size=1), st.text())
def test_whatever_is_escaped_is_read_back(old: str, new: str) -> None:
    assume(old.strip() and not old.endswith("\\") and not new.startswith("/"))
    assume("\\/" not in old + new)
    assume(not (old[-1:].isspace() and new[:1].isspace()))
    typed = old.replace("/", r"\/") + "/" + new.replace("/", r"\/")
    assert read_slashed(typed) == (old, new)


def test_an_edit_replaces_the_words_where_they_are() -> None:
    assert mended("lifts the crat.%rWaits.", "crat.", "crate.") == "lifts the crate.%rWaits."
    assert mended("a big, big box", "big, big", "big") == "a big box"


@pytest.mark.parametrize(
    ("text", "old", "new", "said"),
    [
        ("waves", "nods", "x", 'Your pose does not hold "nods". +recall shows it.'),
        ("waves", "Waves", "x", 'Your pose does not hold "Waves". +recall shows it.'),
        ("aaa", "aa", "b", 'Your pose holds "aa" in 2 places. Type more of the words'),
        ("waves", "waves", "waves", "Your pose reads so already: nothing would change."),
        ("waves", "waves", "", "Nothing of your pose would be left. +undo/pose withdraws it."),
        ("waves", "waves", "%r%b %t", "Nothing of your pose would be left."),
        ("waves", "waves", "x" * 8001, "Your pose would have 8001 characters. At most 8000 fit."),
    ],
)
def test_an_edit_that_is_none_is_refused_with_a_reason(
    text: str, old: str, new: str, said: str
) -> None:
    assert no(text, old, new).startswith(said)


@given(st.text(), st.text(min_size=1), st.text())
def test_an_edit_changes_one_place_alone_or_is_refused(text: str, old: str, new: str) -> None:
    try:
        result = mended(text, old, new)
    except MushError:
        return
    head, _, tail = text.partition(old)
    assert result == head + new + tail
    assert result != text
    assert len(result) <= LONGEST_POSE


WORDS = st.lists(st.tuples(st.text(alphabet="abc", min_size=1), st.booleans()), min_size=1)


@given(WORDS)
def test_a_room_hears_the_words_that_are_kept_in_their_order(words: list[tuple[str, bool]]) -> None:
    heard = overheard([word for word, _ in words], [kept for _, kept in words]).split(" ")
    assert [word for word in heard if word != "..."] == [word for word, kept in words if kept]
    assert ("..." in heard) == any(not kept for _, kept in words)
    assert all(pair != ("...", "...") for pair in itertools.pairwise(heard))


def test_a_run_of_lost_words_is_three_dots_once() -> None:
    kept = [True, False, False, True, False]
    assert overheard(["meet", "me", "at", "the", "bar"], kept) == "meet ... the ..."
