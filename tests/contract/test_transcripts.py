"""Transcripts: played, listed, exported and verified with the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from mushcombat import app
from mushcombat.domain.breakdown import Breakdown, Term
from mushcombat.domain.command import Outcome
from mushcombat.domain.dice import commitment
from mushcombat.domain.events import Audience, Draft, Event, SceneClosed, SceneOpened, Spoken
from mushcombat.domain.ports import Opening, Writes
from mushcombat.systems.otherspace.events import Rolled
from tests.contract.program import database_in, refused, run

PASSWORD = b"correct-horse-9\n"
SEED = bytes(range(32))


def play(store: Writes, *, closed: bool) -> Outcome:
    """Play a scene with all sorts of entries in it."""
    ada = store.find_players("Ada")[0].id
    room = store.dig("Deck")
    opening = Opening("Ünder Fire", "otherspace", room, ada, True, False, SEED)
    scene = store.open_scene(opening, app.utc_now()).id
    throw = store.dice(scene).throw(4, 3, "roll")
    total = Breakdown((Term(5, "Pistol 5"), Term(1, "1 (4dF)", kind="dice")), (throw,))
    shown = commitment(SEED)
    opened = SceneOpened("Ünder Fire", "otherspace", room, "Deck", False, True, 1, shown)
    spoken = [Spoken("say", "Hands up!"), Spoken("ooc", "brb"), Rolled(ada, "Ada", "P", "G", total)]
    drafts = [Draft(event, Audience.ROOM, scene) for event in (opened, *spoken)]
    drafts.append(Draft(Spoken("say", "a secret"), Audience.PRIVATE, scene))
    if closed:
        seed: Event = SceneClosed(1, store.close_scene(scene, app.utc_now()).hex())
        drafts.append(Draft(seed, Audience.ROOM, scene))
    return Outcome.of(*drafts)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with a game in it: Ada, a scene that is over and one that is not."""
    folder = tmp_path_factory.mktemp("game")
    words = ("account", "create", "Ada", "--password-stdin")
    run(folder, *words, typed=PASSWORD)
    database = database_in(folder)
    database.perform(lambda store: play(store, closed=True))
    database.perform(lambda store: play(store, closed=False))
    return folder


def exported(game: Path, *words: str) -> str:
    return run(game, "transcript", "export", "1", *words).stdout


def test_scenes_are_listed_with_their_state(game: Path) -> None:
    first, second = run(game, "scene", "list").stdout.splitlines()
    assert re.fullmatch(r'1 "Ünder Fire": closed, \d{4}-\d\d-\d\d \d\d:\d\d', first)
    assert re.fullmatch(r'2 "Ünder Fire": open, \d{4}-\d\d-\d\d \d\d:\d\d', second)


@pytest.mark.parametrize(("profile", "rolls"), [("story", False), ("results", True)])
def test_a_story_is_what_was_said_and_results_add_the_rolls(
    game: Path, profile: str, rolls: bool
) -> None:
    text = exported(game, "--profile", profile)
    assert text.splitlines()[0] == "Ünder Fire"
    assert "Hands up!" in text
    assert ("[Roll]" in text) == rolls
    assert not re.search(r"brb|secret", text)


def test_an_audit_shows_every_row_with_its_number(game: Path, tmp_path: Path) -> None:
    file = tmp_path / "audit.txt"
    assert exported(game, "--profile", "audit", "--output", str(file)) == ""
    text = file.read_text(encoding="utf-8")
    assert [int(n) for n in re.findall(r"^#(\d+) ", text, re.MULTILINE)] == [1, 2, 3, 4, 5, 6]
    assert "secret" in text


@pytest.mark.parametrize(
    ("profile", "withheld", "dice"), [("story", 3, 0), ("results", 2, 4), ("audit", 0, 4)]
)
def test_an_exported_transcript_is_verified(
    game: Path, tmp_path: Path, profile: str, withheld: int, dice: int
) -> None:
    file = tmp_path / "it.jsonl"
    file.write_text(exported(game, "--format", "jsonl", "--profile", profile), encoding="utf-8")
    head = json.loads(file.read_text(encoding="utf-8").splitlines()[-1])["head"]
    said = run(tmp_path, "verify", str(file), "--head", head).stdout
    assert f"{6 - withheld} rows, {withheld} withheld, head {head}" in said
    assert f"All {dice} dice in it fell as its seed says." in said


def test_dice_of_an_open_scene_can_not_be_proved_yet(game: Path) -> None:
    words = ("--format", "jsonl", "--profile", "audit", "--output", "open.jsonl")
    run(game, "transcript", "export", "2", *words)
    assert "4 dice can't be proved yet" in run(game, "verify", "open.jsonl").stdout


def test_an_altered_transcript_is_told_by_its_first_bad_line(game: Path, tmp_path: Path) -> None:
    good = exported(game, "--format", "jsonl", "--profile", "audit")
    lines = good.splitlines(keepends=True)
    altered = {
        "line 3: ": good.replace("Hands up!", "Hands on!"),
        "line 8: ": "".join(lines[:-1]),
    }
    for number, (where, text) in enumerate(altered.items()):
        file = tmp_path / f"{number}.jsonl"
        file.write_text(text, encoding="utf-8")
        assert run(tmp_path, "verify", file.name, code=1).stdout.startswith(f"ALTERED: {where}")
    (tmp_path / "good.jsonl").write_text(good, encoding="utf-8")
    said = run(tmp_path, "verify", "good.jsonl", "--head", "0" * 64, code=1).stdout
    assert said.startswith("ALTERED: line 8: the chain ends in ")


def test_a_transcript_is_not_written_where_there_is_no_folder(game: Path) -> None:
    told = refused(game, "transcript", "export", "1", "--output", "nowhere/it.txt")
    assert told == "nowhere/it.txt: No such file or directory."
