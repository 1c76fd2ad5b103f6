"""One scene with every kind of line in it, and what each profile and format shows of each.

`LINES` is the table: add a kind of line by playing it in `play` and saying here who reads it.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.e2e.harness import Client, Server, open_scene, sync

STORY, RESULTS, AUDIT = "story", "results", "audit"
PROFILES = (STORY, RESULTS, AUDIT)
FORMATS = ("text", "markdown", "html", "jsonl")


@dataclass(frozen=True)
class Line:
    """A kind of line: words that are nowhere else, and the profiles that show them."""

    kind: str
    words: str
    profiles: tuple[str, ...]


ALL, SUMS, NONE = PROFILES, (RESULTS, AUDIT), ()

LINES = [
    Line("say", "zinnia", ALL),
    Line("pose", "yarrow", ALL),
    Line("semipose", "xeranthemum", ALL),
    Line("emit", "wisteria", ALL),
    Line("ooc", "violet", (AUDIT,)),
    Line("page", "ursinia", NONE),
    Line("whisper", "tulip", NONE),
    Line("refused command", "snowdrop", NONE),
    Line("roll", "Perception", SUMS),
    Line("roll to oneself", "Dexterity", NONE),
    Line("calculator", "before Constitution", SUMS),
    Line("staff sets a trait", "Intelligence", (AUDIT,)),
    Line("a leaver's pose", "rose", ALL),
    Line("what a leaver said later", "quince", NONE),
    Line("a bystander's pose", "peony", NONE),
    Line("another scene's pose", "orchid", NONE),
    Line("words for the dice", "nettle", (AUDIT,)),
    Line("hostile", "marigold", ALL),
    Line("left-out person's pose", "lupin", (AUDIT,)),
    Line("left-out person's roll", "Strength", (AUDIT,)),
]
"""To come with their verbs: mutter, referee note, hidden roll, edited and withdrawn pose."""

PROVED = {"words for the dice": ALL}
"""What the JSON lines show beside what people read: the proof needs it."""

HOSTILE = """<script>alert("marigold")</script> & &lt; **md** [u](javascript:1) 'q'"""


@dataclass(frozen=True)
class Played:
    server: Server
    number: int
    head: str


def play(server: Server) -> Played:
    """Play the scene; Cass asks to be left out of what is published."""
    rhea, ada, bram, cass, dora, eve = server.logins("Rhea", "Ada", "Bram", "Cass", "Dora", "Eve")
    number = open_scene(rhea, "Every Kind", ada, bram, cass)
    open_scene(dora, "Elsewhere")
    ada.ask("+seed nettle and salt")
    ada.ask("say zinnia!", ":smells the yarrow.", ";'s xeranthemum wilts.", "@emit Wisteria falls")
    ada.ask("@emit A wisteria blooms.", f"pose {HOSTILE}")
    ada.ask("ooc violet here", "page bram=ursinia", "whisper bram=tulip", "+roll snowdrop")
    bram.ask("+roll perception", "+roll/self dexterity", "+rcalcdamage 6/4/50/20")
    rhea.ask("+set Bram/Intelligence=Good")
    bram.ask(":holds a rose.", "+scene/leave", ":drops a quince.")
    eve.ask(":brings a peony.")
    together = ((ada, ":waits."), (dora, ":waters an orchid."), (cass, ":plants a lupin."))
    for client, line in together:  # in the same instant
        client.send(line)
    sync(ada, dora, cass)
    cass.ask("+roll strength", "+scene/share out")
    rhea.send("+scene/close")
    head = rhea.expect(r"Chain head: ([0-9a-f]{64})\.")[1]
    server.check_log()
    return Played(server, number, head)


@pytest.fixture(scope="module")
def played(module_server: Server) -> Played:
    for name in ("Dora", "Eve"):
        module_server.account(name)
    return play(module_server)


def export(played: Played, format_: str, profile: str, *more: str) -> str:
    words = ("transcript", "export", str(played.number), "--format", format_, "--profile", profile)
    return played.server.cli(*words, *more)


def readable(format_: str, text: str) -> str:
    """Give what somebody reads of an export: without escapes, or the payloads' own strings."""
    if format_ == "html":
        return html.unescape(re.sub(r"<[^>]*>", "", text.partition("</style>")[2]))
    if format_ == "markdown":
        return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text)
    return "\n".join(_strings(text)) if format_ == "jsonl" else text


def _strings(text: str) -> Iterator[str]:
    for line in map(json.loads, text.splitlines()):
        yield f"{line.get('name')}: {json.dumps(line.get('payload'), ensure_ascii=False)}"


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("format_", FORMATS)
def test_each_kind_of_line_is_where_it_belongs_and_nowhere_else(
    played: Played, format_: str, profile: str
) -> None:
    shown = readable(format_, export(played, format_, profile)).casefold()
    sums = "odf 50" if format_ != "jsonl" else '"ranged"'
    for line in LINES:
        words = sums if line.kind == "calculator" and format_ == "jsonl" else line.words.casefold()
        profiles = PROVED.get(line.kind, line.profiles) if format_ == "jsonl" else line.profiles
        assert (words in shown) == (profile in profiles), (line.kind, format_, profile)
    assert ("cass" in shown) == (profile == AUDIT)


@pytest.mark.parametrize("format_", FORMATS)
def test_ooc_talk_is_there_where_it_is_asked_for(played: Played, format_: str) -> None:
    assert "violet" in readable(format_, export(played, format_, STORY, "--ooc"))


@pytest.mark.parametrize("profile", PROFILES)
def test_what_was_typed_against_the_reader_is_literal(played: Played, profile: str) -> None:
    text, markdown, page = (export(played, f, profile) for f in ("text", "markdown", "html"))
    assert f"Ada {HOSTILE}" in text
    assert f"Ada {HOSTILE}" in readable("markdown", markdown)
    assert html.escape(HOSTILE) in page.replace("</span>", "")
    assert "<script" not in page
    assert "\\[u\\](javascript\\:1)" in markdown


@pytest.mark.parametrize("profile", PROFILES)
def test_every_profile_is_verified_against_the_head_that_was_shown(
    played: Played, profile: str
) -> None:
    file = played.server.folder / f"{profile}.jsonl"
    export(played, "jsonl", profile, "--output", str(file))
    said = played.server.cli("verify", str(file), "--head", played.head)
    assert "The chain holds: " in said
    dice = {STORY: 0, RESULTS: 4, AUDIT: 8}[profile]
    assert f"All {dice} dice in it fell as its seed says." in said


def test_the_words_for_the_dice_are_needed_to_throw_them_again(played: Played) -> None:
    lines = export(played, "jsonl", AUDIT).splitlines()
    at = next(n for n, line in enumerate(lines) if "nettle" in line)
    row = json.loads(lines[at])
    lines[at] = json.dumps({"type": "withheld", "seq": row["seq"], "digest": row["digest"]})
    end = json.loads(lines[-1])
    lines[-1] = json.dumps({**end, "rows": end["rows"] - 1, "withheld": 1})
    file = played.server.folder / "without.jsonl"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert "8 dice can't be proved yet" in played.server.cli("verify", str(file))


# sharing, reopening: each with a server of its own


def transcripts(server: Server) -> list[str]:
    folder = server.folder / "var" / "transcripts"
    return sorted(file.name for file in folder.iterdir()) if folder.is_dir() else []


def test_a_transcript_is_written_when_all_agree_and_two_of_a_title_are_two_files(
    server: Server,
) -> None:
    ada, bram, cass = server.logins("Ada", "Bram", "Cass")
    numbers = []
    for _ in range(2):
        number = open_scene(ada, "Dockside Ambush!", bram)
        ada.send("+scene/share")
        bram.expect(rf"^\[Share\] Ada asks to share the transcript of scene {number}\.")
        ada.send("+scene/download")
        ada.expect(r"^Nothing is written: no answer yet from Bram\.")
        bram.send("+scene/share yes")
        ada.expect(r"^\[Share\] Bram says yes\.$")
        ada.ask(f"pose waits, {number}.", "+scene/close")
        numbers.append(number)
    for number in numbers:
        for format_ in FORMATS:
            told = bram.ask(f"+scene/download {number}={format_} results")
            ending = {"text": "txt", "markdown": "md"}.get(format_, format_)
            path = re.escape(f"var/transcripts/{number}-dockside-ambush.{ending}")
            assert re.match(rf"Written: {path} \(results, \d+ lines\)\.", told)
    assert len(transcripts(server)) == 8
    for number in numbers:
        file = server.folder / "var" / "transcripts" / f"{number}-dockside-ambush.md"
        assert f"Ada waits, {number}." in file.read_text(encoding="utf-8")
    assert cass.ask(f"+scene/download {numbers[0]}").startswith("You took no part in scene ")
    file = server.folder / "var" / "transcripts" / f"{numbers[0]}-dockside-ambush.jsonl"
    assert "The chain holds" in server.cli("verify", str(file))


def test_anyone_can_refuse_or_be_left_out_after_the_closing_and_the_log_stays(
    server: Server,
) -> None:
    ada, bram, cass = server.logins("Ada", "Bram", "Cass")
    number = open_scene(ada, "Quiet Talk", bram, cass)
    ada.ask("+scene/private")
    for client in (bram, cass):
        client.ask(f"+scene/join {number}")
    bram.ask("pose hums a tune.")
    ada.ask("pose listens.")
    ada.send("+scene/close")
    head = ada.expect(r"Chain head: ([0-9a-f]{64})\.")[1]
    ada.ask("+scene/share", f"+scene/share {number}")
    bram.expect(rf'^\[Share\] Ada asks to share the transcript of scene {number} "Quiet Talk"\.')
    bram.ask(f"+scene/share {number}=no")
    ada.expect(rf'^\[Share\] Scene {number} "Quiet Talk": Bram answers no\.$')
    cass.ask("+scene/share yes")
    assert "Bram said no" in ada.ask("+scene/download")
    assert transcripts(server) == []
    bram.ask("+scene/share out")
    told = ada.ask("+scene/download =text")
    assert "Written: var/transcripts/" in told
    text = (server.folder / "var" / "transcripts" / f"{number}-quiet-talk.txt").read_text()
    assert "Ada listens." in text
    assert "Bram" not in text
    assert "Left out: Bram" in cass.ask("+scene/share")
    assert "Audits are for" in ada.ask("+scene/download =audit")
    exported = server.cli("transcript", "export", str(number), "--format", "jsonl")
    assert json.loads(exported.splitlines()[-1])["head"] == head


def test_an_outsider_learns_nothing_of_a_private_scene_by_sharing_or_reopening(
    server: Server,
) -> None:
    ada, cass, rhea = server.logins("Ada", "Cass", "Rhea")
    number = open_scene(ada, "Quiet Talk")
    ada.ask("+scene/private")
    sync(cass, rhea)
    before = [client.seen for client in (cass, rhea)]
    for line in ("+scene/close", "+scene/share", f"+scene/reopen {number}", "+scene/share yes"):
        for client in (cass, rhea):
            for command in ("+scene/share {}", "+scene/download {}", "+scene/reopen {}"):
                for wanted in (number, number + 1):
                    said = client.ask(command.format(wanted))
                    assert said == f"There is no scene {wanted}.\n"
        assert "There is no scene" not in ada.ask(line)
    for client, seen in zip((cass, rhea), before, strict=True):
        assert "Quiet" not in client.seen.removeprefix(seen)
        assert "Ada leaves." in client.seen.removeprefix(seen)


def test_a_reopened_scene_goes_on_in_a_new_era_and_verifies_whole(server: Server) -> None:
    ada, bram = server.logins("Ada", "Bram")
    number = open_scene(ada, "Two Nights", bram)
    bram.send("+seed a red door")
    ada.expect(r'^\[Seed\] Bram gives the dice words: "a red door"$')
    ada.ask("+roll perception")
    assert "A die has been thrown" in ada.ask("+seed too late")
    bram.send("+scene/reopen")
    bram.expect("Who opened the scene reopens it|No scene of yours is closed")
    ada.ask("+scene/close")
    assert "You are in no scene here" in bram.ask("+seed x")
    bram.send(f"+scene/reopen {number}")
    bram.expect(r"^Who opened the scene reopens it")
    ada.send("+scene/reopen")
    opened = bram.expect(
        rf'^Scene {number} "Two Nights" is open again, era 2\. Dice commitment: ([0-9a-f]{{64}})\.$'
    )
    sync(ada, bram)
    bram.ask("pose is back.", "+roll dexterity")
    assert f"Scene {number} is open." in ada.ask(f"+scene/reopen {number}")
    ada.send("+scene/close")
    seed, head = ada.expect(r"Dice seed: ([0-9a-f]{64})\. Chain head: ([0-9a-f]{64})\.").groups()
    file = Path(server.folder / "both.jsonl")
    words = ("--format", "jsonl", "--profile", "results", "--output", str(file))
    server.cli("transcript", "export", str(number), *words)
    said = server.cli("verify", str(file), "--head", head)
    assert "All 8 dice in it fell as its seed says." in said
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    eras = {row["kind"]: row["payload"] for row in rows if row["type"] == "row"}
    assert eras["scene.reopened"]["commitment"] == opened[1]
    assert eras["scene.closed"]["seed"] == seed
    assert "Bram is back." in server.cli("transcript", "export", str(number))


def test_a_reopened_scene_is_there_after_the_server_was_killed(server: Server) -> None:
    ada = server.login("Ada")
    number = open_scene(ada, "Two Nights")
    ada.ask("+scene/close", "+scene/reopen")
    server.restart()
    ada = server.login("Ada")
    ada.ask("pose goes on.")
    assert "Ada goes on." in ada.ask("+scene/log")
    assert f"Scene {number} is closed" in ada.ask("+scene/close")


def reopen_elsewhere(ada: Client, bram: Client, number: int) -> str:
    """Reopen a scene whose room has another one; gives the room that Ada is in."""
    open_scene(bram, "Another")
    ada.ask(f"+scene/restart {number}")
    return ada.ask("look").partition(" (#")[0]


def test_a_scene_whose_room_is_taken_is_reopened_in_one_of_its_own(server: Server) -> None:
    ada, bram = server.logins("Ada", "Bram")
    number = open_scene(ada, "Two Nights")
    ada.ask("+scene/close")
    assert reopen_elsewhere(ada, bram, number) == "Two Nights"
    ada.ask("pose sits alone.", "+scene/close")
    assert "alone" not in bram.sync()
    assert ada.ask("look").startswith("The Landing (#")
