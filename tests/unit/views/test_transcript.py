from __future__ import annotations

import json
from typing import Any

import pytest

from mushcombat.domain.breakdown import Breakdown, Term
from mushcombat.domain.dice import SceneDice, commitment, scene_key
from mushcombat.domain.events import (
    Audience,
    Event,
    Fact,
    Moved,
    Paged,
    PrivacySet,
    RefereeNamed,
    SceneClosed,
    SceneInvited,
    SceneJoined,
    SceneLeft,
    SceneOpened,
    Spoken,
    TraitSet,
    Unreadable,
    Who,
)
from mushcombat.domain.ledger import GENESIS, Row, digest, link, timestamp
from mushcombat.domain.proof import AlteredError, verify
from mushcombat.systems.otherspace.events import Rolled
from mushcombat.views.transcript import (
    PROFILES,
    Cast,
    LoggedRow,
    jsonl_lines,
    shown_in,
    text_lines,
)
from tests.unit.service.table import BOOK
from tests.unit.support import ADA, BRAM, NOW, RHEA, START, scene_of, who

SEED = b"\x22" * 32
SCENE = scene_of(ADA, BRAM, referees=[RHEA])
CAST = Cast("The Landing", ["Ada", "Bram"], ["Rhea"])
ROOM, PRIVATE, REFEREES = Audience.ROOM, Audience.PRIVATE, Audience.REFEREES


class Log:
    """A scene's log, chained as the documents say."""

    def __init__(self) -> None:
        self.rows: list[LoggedRow] = []
        self._head, self._next = GENESIS, 0
        self._dice = SceneDice(scene_key(SEED), 0)

    def add(self, event: Event, actor: Who | None = None, audience: Audience = ROOM) -> None:
        seq, by = len(self.rows) + 1, actor or who(ADA)
        row = Row(
            SCENE.id,
            seq,
            timestamp(NOW),
            by.id,
            by.name,
            event.kind,
            event.version,
            BOOK.codec.dump(event) if event.kind != "unreadable" else {},
            audience.value,
            seq,
            1,
            self._next,
            self._dice.counter,
        ).as_json()
        self._next = self._dice.counter
        salt = f"{seq:02x}" * 16
        self._head = link(self._head, digest(salt, row))
        fact = Fact(event, by, NOW, audience, START, SCENE.id, seq, seq, self._head)
        self.rows.append(LoggedRow(fact, row, salt, digest(salt, row)))

    def roll(self, audience: Audience = ROOM) -> None:
        throw = self._dice.throw(4, 3, "roll")
        total = sum(throw.faces) - 8
        terms = (Term(4, "Strength 4 (Fair)"), Term(total, f"{total} (4dF)"))
        event = Rolled(ADA.id, "Ada", "Strength", "Fair", Breakdown(terms, (throw,)))
        self.add(event, audience=audience)


@pytest.fixture
def log() -> Log:
    made = Log()
    made.add(SceneOpened("Night Watch", "otherspace", 1, "Hall", False, False, 1, commitment(SEED)))
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
    made.add(SceneClosed(1, SEED.hex()))
    return made


def text(log: Log, profile: str) -> list[str]:
    return list(text_lines(SCENE, CAST, log.rows, profile, BOOK.view.render))


def jsonl(log: Log, profile: str) -> list[str]:
    return list(jsonl_lines(SCENE, log.rows, profile))


HEADING = ["Night Watch", "Scene 7, 2026-03-01, The Landing. With Ada and Bram. Referee: Rhea."]
POSE, SAID = "Ada waits.\n  And waits.", 'Bram says, "Halt!"'


def test_a_story_is_what_was_said_and_done_in_character(log: Log) -> None:
    assert text(log, "story") == [*HEADING, "", POSE, "", SAID]


def test_results_add_what_was_rolled(log: Log) -> None:
    lines = text(log, "results")
    rolled = next(line for line in lines if line.startswith("[Roll] Ada: Strength 4 (Fair)"))
    assert lines == [*HEADING, "", POSE, "", rolled, "", SAID]
    assert rolled.endswith(" #5")


def test_an_audit_is_everything_numbered_and_timed(log: Log) -> None:
    lines = text(log, "audit")
    assert len(lines) == len(HEADING) + 2 * len(log.rows)
    assert "#3 2026-03-01 12:30:45 UTC Ada: Ada waits.\n  And waits." in lines
    assert '#4 2026-03-01 12:30:45 UTC Ada: <OOC> Ada says, "brb"' in lines
    assert any(line.startswith("#7 2026-03-01 12:30:45 UTC Rhea (private): ") for line in lines)
    assert '#9 2026-03-01 12:30:45 UTC Rhea (referees): Rhea says, "a secret note"' in lines


def test_a_heading_leaves_out_what_there_is_not() -> None:
    lines = list(text_lines(SCENE, Cast("nowhere", [], []), [], "story", BOOK.view.render))
    assert lines == ["Night Watch", "Scene 7, 2026-03-01, nowhere."]


BOOKKEEPING: list[Event] = [
    SceneJoined(),
    SceneLeft(),
    SceneInvited(12, "Bram"),
    RefereeNamed(12, "Bram"),
    PrivacySet(True, 5, "x"),
    TraitSet(12, "Bram", "otherspace", "skill", "Pistol", None, 5),
    Unreadable("x", "y"),
]


def fact(event: Event, audience: Audience = ROOM) -> Fact:
    return Fact(event, who(ADA), NOW, audience, START, 7, 1, 1)


def profiles_of(one: Fact) -> set[str]:
    return {profile for profile in PROFILES if shown_in(profile, one)}


@pytest.mark.parametrize("event", BOOKKEEPING)
def test_bookkeeping_is_for_the_audit_alone(event: Event) -> None:
    assert profiles_of(fact(event)) == {"audit"}


@pytest.mark.parametrize("audience", [PRIVATE, REFEREES])
@pytest.mark.parametrize(
    "event", [Spoken("say", "x"), Paged(12, "Bram", "x"), SceneClosed(1, "x"), *BOOKKEEPING]
)
def test_what_was_not_for_the_room_is_for_the_audit_alone(event: Event, audience: Audience) -> None:
    assert profiles_of(fact(event, audience)) == {"audit"}


def test_ooc_talk_is_for_the_audit_alone_and_other_talk_for_all() -> None:
    assert profiles_of(fact(Spoken("ooc", "x"))) == {"audit"}
    for said in (Spoken("say", "x"), Spoken("pose", "x"), Spoken("emit", "x")):
        assert profiles_of(fact(said)) == set(PROFILES)


def test_moves_and_rolls_are_results_and_no_story() -> None:
    assert profiles_of(fact(Moved(11, "Ada", 1, 2))) == {"results", "audit"}


def test_the_commitment_and_the_seed_are_in_every_proof() -> None:
    opened = SceneOpened("T", "otherspace", 1, "Hall", False, False, 1, "ab" * 32)
    assert profiles_of(fact(opened)) == profiles_of(fact(SceneClosed(1, "x"))) == set(PROFILES)


@pytest.mark.parametrize(
    ("profile", "rows", "dice"), [("story", 4, 0), ("results", 5, 4), ("audit", 12, 8)]
)
def test_the_lines_of_every_profile_can_be_verified(
    log: Log, profile: str, rows: int, dice: int
) -> None:
    lines = jsonl(log, profile)
    done = verify(lines, lines, log.rows[-1].fact.head)
    assert (done.rows, done.withheld, done.dice, done.unproved) == (rows, 12 - rows, dice, 0)


@pytest.mark.parametrize("profile", PROFILES)
def test_the_lines_of_every_profile_end_in_the_same_head(log: Log, profile: str) -> None:
    header, *_, end = map(json.loads, jsonl(log, profile))
    assert header == {"type": "transcript", "format": 1, "scene": 7, "profile": profile}
    assert end["head"] == log.rows[-1].fact.head


def test_a_withheld_row_gives_away_its_digest_alone(log: Log) -> None:
    lines = jsonl(log, "results")
    hidden: list[dict[str, Any]] = [
        line for line in map(json.loads, lines) if line["type"] == "withheld"
    ]
    assert [line["seq"] for line in hidden] == [2, 4, 6, 7, 8, 9, 11]
    assert all(line.keys() == {"type", "seq", "digest"} for line in hidden)
    salts = [row.salt for row in log.rows if row.fact.seq in {2, 4, 6, 7, 8, 9, 11}]
    assert not any(salt in line for salt in salts for line in lines)
    assert "secret" not in "".join(lines)


def test_an_altered_line_of_an_export_is_found(log: Log) -> None:
    lines = [line.replace("Halt!", "Welcome!") for line in jsonl(log, "story")]
    with pytest.raises(AlteredError, match="line 11: the row was altered"):
        verify(lines, lines)


def test_an_empty_log_is_an_empty_transcript() -> None:
    lines = list(jsonl_lines(SCENE, [], "audit"))
    assert verify(lines, lines).head == GENESIS
