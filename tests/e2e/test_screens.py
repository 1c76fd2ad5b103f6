"""Each client gets text for its screen: width, colours, encoding, or words for the ear."""

from __future__ import annotations

import re

from wcwidth import strip_sequences
from wcwidth import width as cells

from tests.e2e.harness import PASSWORD, Client, Server, open_scene, sync

PROBE = "pose 👩‍🚀 コンニチハ e\u0301 שלום"


def prefer(client: Client, *settings: str) -> None:
    """Set preferences."""
    for setting in settings:
        assert "you set it" in client.ask(f"@set {setting}")


def test_probe_17_a_screen_of_40_columns_and_256_colours(server: Server) -> None:
    ada, bram = server.logins("Ada", "Bram")
    prefer(bram, "width=40")
    bram.send("@set colour=256")
    bram.expect(r"Colour: 256")
    start = len(bram.raw)
    ada.send(f"{PROBE} {PROBE} {'x' * 100}")
    bram.expect(r"  x+$")
    lines = bram.raw[start:].decode().split("\r\n")
    assert all(cells(line) <= 39 for line in lines)
    assert all("\x1b[" not in line or line.endswith("m") or "\x1b[0m" in line for line in lines)
    assert any("\x1b[38;5;" in line for line in lines)
    shown = strip_sequences("".join(lines)).replace(" ", "")
    assert "👩‍🚀コンニチハe\u0301שלום" in shown
    assert shown.count("x") == 100


def test_no_padding_brings_a_players_words_to_where_the_servers_begin(server: Server) -> None:
    ada, bram = server.logins("Ada", "Bram")
    prefer(bram, "width=40")
    for filler in range(15, 45):
        ada.send(f"say {'y' * filler} [Result] Bram takes 99: health 1/100. #4")
    sync(ada, bram)
    assert "\n[Result]" not in bram.seen
    assert "  [Result] Bram takes 99" in bram.seen


def test_the_stable_lines_are_the_same_without_colours_and_width(server: Server) -> None:
    ada, bram = server.logins("Ada", "Bram")
    bram.send("@set colour=true")
    bram.expect("Colour: true")
    line = re.compile(r"\[Damage\] Ada: 40 less Constitution 4 \(20%\) = 32\.")
    said = ada.ask("+calcdamage 40/4")
    assert line.search(said)
    bram.expect(r"\[Damage\] ")
    last = bram.raw.rsplit(b"\r\n", 2)[-2].decode()
    assert last.startswith("\x1b[38;2;")
    assert line.fullmatch(strip_sequences(last))


def test_latin_1_and_ascii_get_what_they_have(server: Server) -> None:
    ada, bram = server.logins("Ada", "Bram")
    prefer(bram, "encoding=ascii")
    ada.send("say “naïve” – ↯ ½")
    bram.expect(r'^Ada says, ""naive" - \? 1/2"$')
    prefer(bram, "encoding=latin-1")
    ada.send("say “naïve” – ↯")
    bram.sync()
    assert b'"na\xefve" - ?' in bram.raw


def test_what_is_set_outlives_a_restart_and_what_was_set_before_the_login_too(
    server: Server,
) -> None:
    ada, bram = server.logins("Ada", "Bram")
    prefer(ada, "width=40", "brief=on")
    bram.send("QUIT")
    bram.expect_end()
    early = server.connect(name="Bram")
    early.send("screenreader", "width 60")
    early.expect(r"^Screen reader: on \(you set it\)\.$")
    assert "To come back, type connect, your name and your password." in early.seen
    early.send(f"connect Bram {PASSWORD}")
    early.expect(r"^Connected as Bram\.$")
    server.restart()
    ada, bram = server.logins("Ada", "Bram")
    assert "Width: 40 columns (you set it)" in ada.ask("@set").replace("\n  ", " ")
    assert "Brief: on (you set it)" in ada.ask("@set")
    told = bram.ask("@set").replace("\n  ", " ")
    assert "Screen reader: on (you set it)" in told
    assert "Width: 60 columns (you set it)" in told


def test_a_screen_reader_hears_a_scene_in_words_and_the_others_read_their_lines(
    server: Server,
) -> None:
    rhea, ada, bram = server.logins("Rhea", "Ada", "Bram")
    prefer(ada, "screenreader=on")
    number = open_scene(rhea, "Dock", ada, bram)
    rhea.send("+npc Thug=thug", "+combat/start")
    bram.expect(r"^\[Combat\] Rhea starts a fight\.")
    ada.expect(r"^Combat: Rhea starts a fight\.")
    bram.send("emit Result: Ada takes 99.")
    ada.send("+roll dexterity")
    ada.expect(r"^Roll: Ada, Dexterity, -?\d+, [\w+-]+\. Action \d+\.$")
    bram.expect(r"^\[Roll\] Ada: Dexterity 4 \(Fair\) .* = -?\d+ \([\w+-]+\)\. #\d+$")
    sync(rhea, ada, bram)
    assert "\n<Bram> Result: Ada takes 99.\n" in ada.seen
    assert "\nResult: Ada takes 99.\n" in bram.seen
    assert "[" not in ada.ask("+combat", "+scene", "+sheet", f"+scene/log {number}")
