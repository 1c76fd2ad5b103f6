"""Scenes, their logs, and what can be proved of them afterwards."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass

import pytest

from tests.e2e.harness import Client, Server, open_scene, sync


def export(server: Server, scene: int, profile: str, form: str = "jsonl") -> str:
    """Export a transcript with the command line."""
    words = ("transcript", "export", str(scene), "--format", form, "--profile", profile)
    return server.cli(*words)


def log_lines(client: Client, scene: int) -> list[str]:
    """Give the last page of a scene's log without numbers and times."""
    shown = client.ask(f"+scene/log {scene}").splitlines()[1:]
    return [re.sub(r"^#\d+ \d\d:\d\d:\d\d ", "", line) for line in shown]


def test_a_scene_is_opened_joined_shown_left_and_closed(server: Server) -> None:
    ada, bram = server.logins("Ada", "Bram")
    number = open_scene(ada, "The Long Corridor", bram)
    ada.send("pose waits.")
    bram.expect(r"^Ada waits\.$")
    shown = bram.ask("+scene")
    assert f'Scene {number} "The Long Corridor": public, open, otherspace.' in shown
    assert "In it: Ada and Bram\n" in shown
    assert f'Scene {number} "The Long Corridor": public, open, 2 in it, last' in bram.ask(
        "+scene/list"
    )
    assert "Ada waits." in bram.ask("+scene/recap")
    bram.send("+scene/close")
    bram.expect("Who opened the scene closes it")
    bram.send("+scene/leave")
    ada.expect(rf"^Bram leaves scene {number}\.$")
    bram.expect(rf"^You leave scene {number}\.$")
    ada.send("+scene/close")
    bram.expect(rf"^Scene {number} is closed\. Dice seed: [0-9a-f]{{64}}\.")
    assert "You are in no scene" in ada.ask("+scene")
    assert "No scene is open" in ada.ask("+scene/list")
    assert log_lines(bram, number)[1:4] == [
        f"Bram joins scene {number}.",
        "Ada waits.",
        f"Bram leaves scene {number}.",
    ]


def test_bystanders_hear_a_public_scene_but_are_not_logged(server: Server) -> None:
    ada, cass = server.logins("Ada", "Cass")
    number = open_scene(ada, "In the Open")
    cass.ask("say from the side", "+roll perception")
    ada.ask("say in the scene")
    sync(ada, cass)
    assert 'Cass says, "from the side"' in ada.seen
    assert "[Roll] Cass: " in ada.seen
    assert 'Ada says, "in the scene"' in cass.seen
    assert log_lines(cass, number)[1:] == ['Ada says, "in the scene"']


def test_what_is_whispered_paged_or_rolled_to_oneself_is_in_no_log(server: Server) -> None:
    ada, bram = server.logins("Ada", "Bram")
    number = open_scene(ada, "Secrets", bram)
    ada.ask("whisper bram=the safe", "page bram=the code", "+rcalc/self 6/4/50/20", "+scene/zzz")
    ada.ask("pose smiles.")
    bram.sync()
    assert "[Damage]" not in bram.seen
    assert log_lines(ada, number)[2:] == ["Ada smiles."]
    assert "the safe" not in export(server, number, "audit")


def test_a_second_scene_in_a_room_gets_a_room_of_its_own(server: Server) -> None:
    ada, bram, cass = server.logins("Ada", "Bram", "Cass")
    first = open_scene(ada, "First")
    second = open_scene(bram, "Second", cass)
    assert bram.ask("look").startswith("Second (#")
    ada.expect(r"^Bram leaves\.$")
    ada.expect(r"^Cass leaves\.$")
    bram.ask("say over here")
    assert "over here" in cass.sync()
    assert "over here" not in ada.sync()
    assert first != second
    cass.send("+scene/leave")
    ada.expect(r"^Cass arrives\.$")
    bram.send("+scene/close")
    ada.expect(r"^Bram arrives\.$")
    for client in (bram, cass):
        assert client.ask("look").startswith("The Landing (#")
    assert "somewhere" not in ada.ask("+where")


def test_those_asleep_in_a_scene_of_its_own_come_back_at_the_close_too(server: Server) -> None:
    ada, bram, cass = server.logins("Ada", "Bram", "Cass")
    open_scene(ada, "First")
    open_scene(bram, "Second", cass)
    cass.close()
    bram.expect(r"^Cass has disconnected\.$")
    ada.sync()
    bram.ask("+scene/close")
    assert ada.sync() == "Bram arrives.\n"  # and not Cass, who is not connected
    assert server.login("Cass").ask("look").startswith("The Landing (#")


def test_a_scene_opened_in_anothers_own_room_leads_nobody_into_that_room(server: Server) -> None:
    ada, bram, cass, rhea = server.logins("Ada", "Bram", "Cass", "Rhea")
    open_scene(ada, "First")
    open_scene(bram, "Second", cass)
    bram.ask("+scene/private")
    open_scene(cass, "Third", rhea)
    assert rhea.ask("look").startswith("Third (#")
    cass.ask("+scene/close")
    for client in (cass, rhea):
        assert client.ask("look").startswith("The Landing (#")
    bram.ask("pose whispers to the wall.", "+scene/close")
    assert "wall" not in rhea.sync()
    assert bram.ask("look").startswith("The Landing (#")


def test_a_private_scene_answers_an_outsider_like_one_that_is_not_there(server: Server) -> None:
    ada, cass, rhea = server.logins("Ada", "Cass", "Rhea")
    number = open_scene(ada, "Quiet Talk")
    ada.send("+scene/private")
    ada.expect(rf"^Scene {number} is private now")
    sync(ada, cass, rhea)
    ada.ask("pose waters the plant.")
    for outsider in (cass, rhea):
        assert "plant" not in outsider.sync()
        for command in ("+scene/log {}", "+scene/join {}", "+scene/recap {}", "+scene/log {}=1"):
            answers = [outsider.ask(command.format(n)) for n in (number, number + 1)]
            assert answers[0] == f"There is no scene {number}.\n"
            assert answers[1] == f"There is no scene {number + 1}.\n"
        shown = outsider.ask("+scene/list", "look", "+scene/join", "+where", "+finger ada", "WHO")
        assert "Quiet" not in shown
        assert f"{number} " not in re.sub(r"#\d+|\d+s|[\d-]+ [\d:]+", "", shown)
    assert "plant" in ada.ask("+scene/log")


def test_a_private_scene_that_is_closed_stays_private(server: Server) -> None:
    ada, bram, cass = server.logins("Ada", "Bram", "Cass")
    number = open_scene(ada, "Quiet Talk", bram)
    ada.ask("+scene/private", "pose waters the plant.", "+scene/close")
    sync(bram, cass)
    assert "seed" not in cass.seen
    assert cass.ask(f"+scene/log {number}") == f"There is no scene {number}.\n"
    assert "plant" in "".join(log_lines(bram, number))
    assert ada.ask("look").startswith("The Landing (#")


def test_a_private_scene_can_be_joined_by_who_is_invited(server: Server) -> None:
    ada, cass, guest = server.login("Ada"), server.login("Cass"), server.guest()
    number = open_scene(ada, "Quiet Talk")
    ada.ask("+scene/private", "+scene/invite cass", f"+scene/invite {guest.name}")
    for client in (cass, guest):
        client.expect(rf"^Ada invites you to scene {number}\.")
        client.send(f"+scene/join {number}")
        ada.expect(rf"^{client.name} joins scene {number}\.$")
        assert client.ask("look").startswith("Quiet Talk (#")


def test_a_public_scene_shows_itself_again(server: Server) -> None:
    ada, cass = server.logins("Ada", "Cass")
    number = open_scene(ada, "Quiet Talk")
    ada.ask("+scene/private", "+scene/public")
    assert f'Scene {number} "Quiet Talk": public' in cass.ask("+scene/list")
    cass.send(f"+scene/join {number}")
    ada.expect(rf"^Cass joins scene {number}\.$")


@dataclass(frozen=True)
class Played:
    """A scene that was played and closed, and what was shown of its dice."""

    server: Server
    number: int
    commitment: str
    seed: str
    head: str
    audit: list[str]


@pytest.fixture(scope="module")
def played(module_server: Server) -> Played:
    """Play a scene with all kinds of lines, and export its audit."""
    rhea, ada, bram = module_server.logins("Rhea", "Ada", "Bram")
    number = open_scene(rhea, "Proof", ada, bram)
    commitment = re.search(r"commitment: ([0-9a-f]{64})", rhea.seen)
    ada.ask("pose draws first.", "+roll pistol at 1", "+reaction", "ooc phone, sorry")
    bram.ask("say Not today.", "+rcalcdamage 6/4/50/20", "+roll strength vs ada")
    rhea.ask("+set Bram/Strength=Good", "@emit The lights go out.")
    rhea.send("+scene/close")
    closing = ada.expect(r"Dice seed: ([0-9a-f]{64})\. Chain head: ([0-9a-f]{64})\.")
    assert commitment is not None
    audit = export(module_server, number, "audit").splitlines()
    module_server.check_log()
    return Played(module_server, number, commitment[1], closing[1], closing[2], audit)


def verified(played: Played, lines: list[str], *more: str, code: int = 0) -> str:
    """Verify the lines of a transcript; gives the verdict."""
    file = played.server.folder / "transcript.jsonl"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return played.server.cli("verify", str(file), *more, code=code)


def test_the_seed_of_the_closing_fits_the_commitment_and_all_dice_fall_again(
    played: Played,
) -> None:
    assert hashlib.sha256(bytes.fromhex(played.seed)).hexdigest() == played.commitment
    said = verified(played, played.audit, "--head", played.head)
    dice = sum(line.count('"faces"') for line in played.audit) * 4
    assert dice == 16
    assert f"All {dice} dice in it fell as its seed says." in said
    assert "0 withheld" in said


def test_the_profiles_of_a_transcript_hold_what_they_promise(played: Played) -> None:
    story, results, audit = (
        export(played.server, played.number, profile, "text")
        for profile in ("story", "results", "audit")
    )
    said = ["Ada draws first.", 'Bram says, "Not today."', "The lights go out."]
    for text in (story, results, audit):
        assert [text.count(line) for line in said] == [1, 1, 1]
        assert [text.index(line) for line in said] == sorted(text.index(line) for line in said)
    assert "[Roll]" not in story
    assert "= 40, before Constitution" in results
    assert "phone, sorry" not in story + results
    assert "phone, sorry" in audit
    assert "Strength" not in re.sub(r"^ *\[.*$", "", results, flags=re.MULTILINE)
    assert "Bram's Strength is now" in audit
    stamp = r"^#\d+ \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC"
    assert re.search(rf"{stamp} Ada: Ada draws first\.$", audit, re.MULTILINE)


@pytest.mark.parametrize("profile", ["story", "results"])
def test_a_profile_verifies_though_it_withholds_the_rest(played: Played, profile: str) -> None:
    file = played.server.folder / f"{profile}.jsonl"
    played.server.cli(
        *("transcript", "export", str(played.number), "--format", "jsonl"),
        *("--profile", profile, "--output", str(file)),
    )
    assert "The chain holds" in played.server.cli(
        "verify", str(file), "--head", played.head.upper()
    )
    assert json.loads(file.read_text().splitlines()[-1])["withheld"] > 0
    assert "phone, sorry" not in file.read_text()


def test_an_altered_transcript_is_found_out_at_its_first_bad_line(played: Played) -> None:
    good = played.audit
    at = next(i for i, line in enumerate(good) if "draws first" in line)
    rolled = next(i for i, line in enumerate(good) if '"faces"' in line)
    faces = re.sub(r'(?<="faces": )\[\d', "[9", good[rolled])
    assert faces != good[rolled]
    for bad, lines in (
        (at, [*good[:at], good[at].replace("first", "last"), *good[at + 1 :]]),
        (rolled, [*good[:rolled], faces, *good[rolled + 1 :]]),
        (len(good) - 1, good[:-1]),
    ):
        assert verified(played, lines, code=1).startswith(f"ALTERED: line {bad + 1}: ")


def test_a_transcript_with_another_head_than_was_shown_is_found_out(played: Played) -> None:
    said = verified(played, played.audit, "--head", played.head[::-1], code=1)
    assert said.startswith("ALTERED: ")
    assert played.head in said


def test_the_transcript_of_an_open_scene_verifies_with_its_dice_unproved(server: Server) -> None:
    ada = server.login("Ada")
    number = open_scene(ada, "Open Still")
    ada.ask("+roll pistol")
    file = server.folder / "open.jsonl"
    file.write_text(export(server, number, "audit"), encoding="utf-8")
    assert "4 dice can't be proved yet" in server.cli("verify", str(file))


def test_a_scene_that_was_never_there_is_told_on_the_command_line(server: Server) -> None:
    said = server.cli("transcript", "export", "7", code=2)
    assert said.count("\n") == 1
    assert "There is no scene 7." in said
