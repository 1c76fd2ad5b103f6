"""JSON lines: every profile verifies, and what is withheld leaves its digest alone."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mushcombat.domain.events import (
    PoseEdited,
    SceneInvited,
    SceneJoined,
    SceneLeft,
    Spoken,
    TraitSet,
)
from mushcombat.domain.ledger import GENESIS
from mushcombat.domain.proof import AlteredError, verify
from mushcombat.domain.transcripts import PROFILES
from tests.unit.support import ADA, BRAM, RHEA, who
from tests.unit.views.transcript.hostile import CONTROLS, TEXTS, hostile_log, unsafe
from tests.unit.views.transcript.logs import PRIVATE, REFEREES, Log


@pytest.fixture
def log() -> Log:
    made = Log()
    made.open()
    made.add(SceneJoined(), who(BRAM))
    made.add(Spoken("pose", "waits.%rAnd waits."))
    made.add(Spoken("ooc", "brb"))
    made.roll()
    made.add(SceneInvited(RHEA.id, "Rhea"), audience=PRIVATE)
    made.add(
        TraitSet(BRAM.id, "Bram", "otherspace", "skill", "Pistol", None, 5), who(RHEA), PRIVATE
    )
    made.roll(PRIVATE)
    made.add(Spoken("say", "a secret note"), who(RHEA), REFEREES)
    made.add(Spoken("say", "Halt!"), who(BRAM))
    made.add(SceneLeft(), who(BRAM))
    made.close()
    return made


@pytest.mark.parametrize(
    ("profile", "rows", "dice"), [("story", 4, 0), ("results", 5, 4), ("audit", 12, 8)]
)
def test_the_lines_of_every_profile_can_be_verified(
    log: Log, profile: str, rows: int, dice: int
) -> None:
    lines = log.lines("jsonl", profile)
    done = verify(lines, lines, log.rows[-1].fact.head)
    assert (done.rows, done.withheld, done.dice, done.unproved) == (rows, 12 - rows, dice, 0)


@pytest.mark.parametrize("ooc", [False, True])
@pytest.mark.parametrize("profile", PROFILES)
def test_the_lines_say_what_they_are_and_end_in_the_same_head(
    log: Log, profile: str, ooc: bool
) -> None:
    header, *rows, end = map(json.loads, log.lines("jsonl", profile, ooc=ooc))
    assert header == {
        "type": "transcript",
        "format": 1,
        "scene": 7,
        "profile": profile,
        "ooc": ooc,
    }
    assert end["head"] == log.rows[-1].fact.head
    assert end["rows"] == sum(row["type"] == "row" for row in rows)
    assert end["withheld"] == len(rows) - end["rows"]
    texts = [row["payload"].get("text") for row in rows if row["type"] == "row"]
    assert ("brb" in texts) == (ooc or profile == "audit")


def test_a_withheld_row_gives_away_its_digest_alone(log: Log) -> None:
    lines = log.lines("jsonl", "results")
    hidden: list[dict[str, Any]] = [
        line for line in map(json.loads, lines) if line["type"] == "withheld"
    ]
    assert [line["seq"] for line in hidden] == [2, 4, 6, 7, 8, 9, 11]
    assert all(line.keys() == {"type", "seq", "digest"} for line in hidden)
    salts = [row.salt for row in log.rows if row.fact.seq in {2, 4, 6, 7, 8, 9, 11}]
    assert not any(salt in line for salt in salts for line in lines)
    assert "secret" not in "".join(lines)


def test_an_edited_pose_leaves_its_digest_and_the_edit_stands_in_its_own_place() -> None:
    log = Log()
    log.add(Spoken("pose", "lifts the crat."))
    log.add(Spoken("say", "Oof."), who(BRAM))
    log.add(PoseEdited(1, "pose", "lifts the crate."))
    rows = [json.loads(line) for line in log.lines("jsonl")][1:-1]
    assert [row["type"] for row in rows] == ["withheld", "row", "row"]
    assert rows[2]["payload"] == {"row": 1, "style": "pose", "text": "lifts the crate."}
    assert "crat." not in "".join(log.lines("jsonl"))


def test_what_left_out_people_and_hidden_npcs_did_is_withheld_and_the_rest_verifies() -> None:
    log = Log()
    log.open()
    log.add(Spoken("pose", "waits."), who(BRAM))
    log.add(Spoken("pose", "waits."), who(RHEA))
    log.unknown = {BRAM.id: "Bram"}
    log.close()
    lines = log.lines("jsonl")
    assert "Bram" not in "".join(lines)
    assert (verify(lines, lines).rows, verify(lines, lines).withheld) == (3, 1)


def test_a_transcript_without_its_opener_verifies_and_counts_the_dice_it_can_not_bind() -> None:
    log = Log()
    log.open()
    log.add(Spoken("pose", "waits."), who(RHEA))
    log.roll()
    log.close()
    log.unknown = {ADA.id: "Ada"}  # opened, rolled and closed
    lines = log.lines("jsonl", "results")
    done = verify(lines, lines, log.rows[-1].fact.head)
    assert (done.rows, done.withheld, done.dice, done.unproved) == (1, 3, 0, 0)


def test_an_altered_line_of_an_export_is_found(log: Log) -> None:
    lines = [line.replace("Halt!", "Welcome!") for line in log.lines("jsonl")]
    with pytest.raises(AlteredError, match="line 11: the row was altered"):
        verify(lines, lines)


@pytest.mark.parametrize("profile", PROFILES)
def test_an_empty_log_is_an_empty_transcript(profile: str) -> None:
    lines = Log().lines("jsonl", profile)
    assert verify(lines, lines).head == GENESIS


@pytest.mark.parametrize("text", [*TEXTS.values(), *CONTROLS.values(), "😀 漢 é"])
def test_any_text_is_in_the_lines_as_it_was_typed_and_steers_nothing(text: str) -> None:
    log = hostile_log(text)
    lines = log.lines("jsonl")
    assert unsafe("\n".join(lines)) == set()
    assert len(lines) == 3
    assert json.loads(lines[1])["payload"]["text"] == text
    assert verify(lines, lines).rows == 1
