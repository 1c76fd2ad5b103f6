"""The command line, run as the program that it is, in a folder of its own."""

from __future__ import annotations

import json
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path

import click
import pexpect
import pytest

from mushcombat.__main__ import main
from mushcombat.cli import cli
from mushcombat.config import Config
from tests.contract.program import (
    ENVIRONMENT,
    LOCAL,
    PATIENCE,
    PROGRAM,
    database_in,
    ended,
    refused,
    run,
    serving,
)

PASSWORD = "correct-horse-9"

# The command


def test_the_installed_command_is_the_one_that_python_runs() -> None:
    (command,) = entry_points(group="console_scripts", name="mushcombat")
    assert command.load() is main


# Logins and the database


def test_logins_are_made_and_changed(tmp_path: Path) -> None:
    typed = PASSWORD.encode() + b"\n"
    made = run(tmp_path, "account", "create", "Ada L", "--password-stdin", typed=typed)
    assert made.stdout == "Ada L can log in, as player.\n"
    words = ("account", "create", "Rhea", "--role", "staff", "--password-stdin")
    run(tmp_path, *words, typed=b"m\xc3\xb6glich\r\n")
    run(tmp_path, "account", "role", "ada l", "admin")
    run(tmp_path, "account", "rename", "Ada L", "Grace")
    run(tmp_path, "account", "disable", "rhea")
    before = {
        login.name: login for login in database_in(tmp_path).prepare_and(lambda s: s.logins())
    }
    run(tmp_path, "account", "passwd", "Grace", "--password-stdin", typed=b"battery-staple\n")
    listed = run(tmp_path, "account", "list").stdout.splitlines()
    assert listed == [
        "Grace: admin, last login never",
        "Rhea: staff, last login never, disabled",
    ]
    run(tmp_path, "account", "disable", "Rhea", "--undo")
    after = {login.name: login for login in database_in(tmp_path).prepare_and(lambda s: s.logins())}
    assert not after["Rhea"].disabled
    assert after["Rhea"].password_hash == before["Rhea"].password_hash
    assert after["Grace"].password_hash != before["Grace"].password_hash
    assert PASSWORD not in after["Grace"].password_hash


def test_flags_beat_the_environment_and_that_beats_the_file(tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text('[database]\nurl = "sqlite:///file.db"\n')
    by_file = {"MUSHCOMBAT_CONFIG": "my.toml"}
    by_environment = {**by_file, "MUSHCOMBAT_DATABASE": "sqlite:///environment.db"}
    run(tmp_path, "db", "upgrade", environment=by_file)
    assert [file.name for file in tmp_path.glob("*.db")] == ["file.db"]
    run(tmp_path, "db", "upgrade", environment=by_environment)
    run(tmp_path, "db", "current", "--database", "sqlite:///flag.db", environment=by_environment)
    found = {file.name for file in tmp_path.glob("*.db")}
    assert found == {"file.db", "environment.db", "flag.db"}
    assert not (tmp_path / "var").exists()


def commands_of(group: click.Group) -> Iterator[click.Command]:
    for command in group.commands.values():
        yield from commands_of(command) if isinstance(command, click.Group) else [command]


def test_every_command_takes_a_configuration_and_a_database(tmp_path: Path) -> None:
    for command in commands_of(cli):
        taken = {option for each in command.params for option in each.opts}
        assert {"--config", "--database"} <= taken, command.name
    (tmp_path / "my.toml").touch()
    (tmp_path / "altered.jsonl").touch()
    words = ("--config", "my.toml", "--database", "sqlite:///nobody-needs-it.db")
    assert run(tmp_path, "verify", "altered.jsonl", *words, code=1).stdout.startswith("ALTERED: ")
    assert not (tmp_path / "nobody-needs-it.db").exists()


def test_a_password_is_asked_for_on_a_terminal_and_not_shown(tmp_path: Path) -> None:
    words = ["-m", "mushcombat", "account", "create", "Ada"]
    child = pexpect.spawn(sys.executable, words, cwd=tmp_path, env=ENVIRONMENT, timeout=PATIENCE)
    for prompt in (r"Password: ", r"Repeat.*: "):
        child.expect(prompt)
        child.sendline(PASSWORD)
    child.expect(r"Ada can log in, as player\.")
    assert PASSWORD.encode() not in child.before
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


# check


def test_all_faults_of_a_configuration_are_listed(tmp_path: Path) -> None:
    faulty = '[server]\nname = 3\n[login]\ntries = 0\n[nonsense]\nkey = "x"\n'
    (tmp_path / "bad.toml").write_text(faulty)
    for command in ("check", "serve"):
        done = run(tmp_path, command, "--config", "bad.toml", code=1)
        keys = [line.split(": ")[1] for line in done.stderr.splitlines()]
        assert sorted(keys) == ["login.tries", "nonsense", "server.name"]
        assert done.stdout == ""
    assert not (tmp_path / "var").exists()


def test_all_faults_of_rules_and_texts_are_listed(tmp_path: Path) -> None:
    shutil.copytree(Config().rules_folder, tmp_path / "rules")
    shutil.copytree(Config().texts_folder, tmp_path / "texts")
    rules = tmp_path / "rules" / "otherspace.toml"
    (tmp_path / "my.toml").write_text('[paths]\nrules = "rules"\ntexts = "texts"\n')
    said = run(tmp_path, "check", "--config", "my.toml").stdout
    assert said == "The configuration and the rules tables are good.\n"
    rules.write_text("nonsense = 1\n" + rules.read_text(encoding="utf-8") + "\n[more]\n")
    (tmp_path / "texts" / "motd.txt").write_bytes(b"\xff")
    (tmp_path / "texts" / "connect.txt").unlink()
    done = run(tmp_path, "check", "--config", "my.toml", code=1)
    places = [": ".join(line.split(": ")[:2]) for line in done.stderr.splitlines()]
    assert sorted(places) == [
        "rules/otherspace.toml: more",
        "rules/otherspace.toml: nonsense",
        "texts/connect.txt: (the whole file)",
        "texts/motd.txt: line 1",
    ]


def test_a_configuration_that_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe")
    done = run(tmp_path, "check", "--config", "bad.toml", code=1)
    assert done.stderr == "bad.toml: line 1: found bytes that are no text, expected UTF-8\n"


@pytest.mark.parametrize("content", [b"\xff\xfe", b"key = \n", None])
def test_rules_that_are_no_toml_are_named(tmp_path: Path, content: bytes | None) -> None:
    (tmp_path / "my.toml").write_text('[paths]\nrules = "rules"\n')
    shutil.copytree(Config().rules_folder, tmp_path / "rules")
    (tmp_path / "rules" / "otherspace.toml").unlink()
    if content is not None:
        (tmp_path / "rules" / "otherspace.toml").write_bytes(content)
    done = run(tmp_path, "check", "--config", "my.toml", code=1)
    assert done.stderr.startswith("rules/otherspace.toml: ")
    assert len(done.stderr.splitlines()) == 1


# Bad input

BAD_INPUT = [
    ([], "Name a command"),
    (["frobnicate"], "No such command 'frobnicate'"),
    (["account", "create"], "Missing argument 'NAME'"),
    (["account", "create", "Ada", "--role", "king"], "'king' is not one of"),
    (["account", "create", "Bram"], "--password-stdin"),
    (["account", "create", "Bram", "--password-stdin"], "6 to 128"),
    (["account", "passwd", "Nobody", "--password-stdin"], "6 to 128"),
    (
        ["account", "role", "Nobody", "staff"],
        'no login "Nobody". mushcombat account list names all.',
    ),
    (["account", "role", "\udcff", "staff"], "no login"),
    (["account", "rename", "Ada", "%s"], "names can't have"),
    (["account", "rename", "Ada", "Scene"], '"Scene" is a word that the game uses itself. Pick'),
    (["account", "create", "here"], '"here" is a word that the game uses itself. Pick another.'),
    (["account", "create", "Guest9"], '"Guest9" is a word that the game uses itself. Pick'),
    (["account", "list", "--config", "."], "Is a directory"),
    (["account", "list", "--database", "nonsense"], "sqlite:///FILE"),
    (["account", "list", "--database", "postgresql://u@h:port/x"], "sqlite:///FILE"),
    (["account", "list", "--database", "postgresql+psycopg2://h/x"], "sqlite:///FILE"),
    (["account", "list", "--database", "sqlite:///x.db?timeout=soon"], "sqlite:///FILE"),
    (["account", "list", "--database", "sqlite://"], "Name a file"),
    (["account", "list", "--database", "sqlite:////dev/null/x/y.db"], "Not a directory"),
    (["account", "list", "--database", "sqlite:///var"], "unable to open"),
    (["account", "list", "--database", "postgresql://u@127.0.0.1:1/x"], "--database"),
    (["transcript", "export", "7"], "There is no scene 7."),
    (["transcript", "export", "1" + "0" * 30], "not a whole number from 1 to"),
    (["transcript", "export", "abc"], 'scene: "abc" is not a whole number from 1 to 999999999.'),
    (["verify", "var/mushcombat.db", "--head", "zz"], "--head takes the 64 hex digits"),
    (["verify", "var/mushcombat.db", "--head", ""], "--head takes the 64 hex digits"),
    (["verify", "var/mushcombat.db", "--head", "0" * 63], "--head takes the 64 hex digits"),
    (["verify", "var/mushcombat.db", "--config", "."], "Is a directory"),
    (["verify", "nowhere.jsonl"], "does not exist"),
]


ASK = """
import contextlib, io, json, sys
from mushcombat.cli import main
answers = []
for words in json.load(sys.stdin):
    sys.argv = ["mushcombat", *words]
    out, err, code = io.StringIO(), io.StringIO(), None
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as end:
            code = end.code
    answers.append((code, out.getvalue(), err.getvalue()))
print(json.dumps(answers))
"""
"""Starting Python takes far longer than being refused: all are asked of one process."""


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[int, str, str]]:
    """Give exit code, stdout and stderr for each bad input, typed in a game that Ada plays in."""
    folder = tmp_path_factory.mktemp("game")
    words = ("account", "create", "Ada", "--password-stdin")
    run(folder, *words, typed=PASSWORD.encode() + b"\n")
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        cwd=folder,
        env=ENVIRONMENT,
        input=json.dumps([words for words, _ in BAD_INPUT]),
        capture_output=True,
        text=True,
        timeout=PATIENCE * 2,
        start_new_session=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    answered: list[tuple[int, str, str]] = [(c, o, e) for c, o, e in json.loads(done.stdout)]
    return answered


@pytest.mark.parametrize("case", range(len(BAD_INPUT)), ids=[" ".join(w) for w, _ in BAD_INPUT])
def test_bad_input_is_answered_with_one_line(
    answers: list[tuple[int, str, str]], case: int
) -> None:
    code, out, err = answers[case]
    assert BAD_INPUT[case][1] in err
    assert (code, out, err.count("\n"), err[-1]) == (2, "", 1, "\n")


def test_bad_input_to_the_program_itself_is_answered_with_one_line(tmp_path: Path) -> None:
    assert refused(tmp_path, "frobnicate") == "No such command 'frobnicate'. Try mushcombat --help."
    told = refused(tmp_path, "account", "create", "Ada", "--password-stdin", typed=b"\xff" * 9)
    assert told == "That password is not UTF-8 text. Pick another."
    told = refused(tmp_path, "serve", "--telnet", "carrier-pigeon:1")
    assert re.fullmatch(r"Can't listen: .*pigeon.* --telnet tcp:PORT\.", told)
    told = refused(tmp_path, "serve", "--telnet", "tcp:0", "--web", "carrier-pigeon:1")
    assert re.fullmatch(r"Can't listen: .*pigeon.*'\. Name another with --web tcp:PORT\.", told)
    assert "0-65535. Name" in refused(tmp_path, "serve", "--telnet", "tcp:99999")


@pytest.mark.parametrize("endpoint", ["", "tcp", "tcp:0:foo=bar", "systemd:index=9", "unix:"])
def test_what_is_no_port_of_ours_is_answered_with_one_line(tmp_path: Path, endpoint: str) -> None:
    told = refused(tmp_path, "serve", "--telnet", endpoint)
    assert told.startswith("Can't listen: ")
    assert told.endswith("Name another with --telnet tcp:PORT.")


# serve


def test_a_first_start_tells_where_the_password_is_and_ends_on_a_signal(tmp_path: Path) -> None:
    with serving(tmp_path) as (server, lines):
        first, ready = lines
        port = int(re.fullmatch(r"mushcombat ready telnet=127\.0\.0\.1:(\d+)\n", ready)[1])  # type: ignore[index]
        file = tmp_path / "var" / "first-password"
        password = file.read_text().strip()
        assert str(file.relative_to(tmp_path)) in first
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert len(password) >= 12
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as client:
            assert client.recv(1) != b""
            same = ("serve", "--telnet", f"tcp:{port}:interface=127.0.0.1")
            assert refused(tmp_path, *same).startswith("Another server runs on this database")
            other = tmp_path / "other"
            other.mkdir()
            assert f"Can't listen on port {port}: " in run(other, *same, code=2).stderr
            assert ended(server, signal.SIGTERM) == 0
    with serving(tmp_path) as (server, lines):
        assert len(lines) == 1
        assert ended(server, signal.SIGINT) == 0
    assert password not in first + (tmp_path / "log").read_text()
    assert file.read_text().strip() == password
    assert run(tmp_path, "account", "list").stdout == "Admin: admin, last login never\n"


def test_a_first_start_that_can_not_listen_makes_no_login_and_the_next_one_does(
    tmp_path: Path,
) -> None:
    file = tmp_path / "var" / "first-password"
    refused(tmp_path, "serve", "--telnet", "carrier-pigeon:1")
    assert not file.exists()
    assert run(tmp_path, "account", "list").stdout == ""
    file.write_text("of a game that was here before")
    with serving(tmp_path) as (server, lines):
        assert "one-time password of Admin is in var/first-password" in lines[0]
        assert ended(server, signal.SIGTERM) == 0
    assert "before" not in file.read_text()


def test_more_signals_while_a_server_ends_change_nothing(tmp_path: Path) -> None:
    with serving(tmp_path) as (server, lines):
        port = int(lines[-1].rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as client:
            told = client.recv(1)
            server.send_signal(signal.SIGTERM)
            while b"going down" not in told:  # it waits a while for this client to close
                told += client.recv(4096)
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGTERM):
                server.send_signal(number)
            assert client.recv(4096) == b""
        assert ended(server, signal.SIGTERM) == 0
    assert "Traceback" not in (tmp_path / "log").read_text()


def test_a_first_password_that_can_not_be_written_makes_no_login(tmp_path: Path) -> None:
    (tmp_path / "var" / "first-password").mkdir(parents=True)
    words = ("--database", "sqlite:///my.db")
    told = refused(tmp_path, "serve", "--telnet", LOCAL, *words)
    assert told.startswith("var/first-password: ")
    assert run(tmp_path, "account", "list", *words).stdout == ""


def test_a_server_starts_where_somebody_has_the_first_name_already(tmp_path: Path) -> None:
    with serving(tmp_path) as (server, _):
        assert ended(server, signal.SIGTERM) == 0
    run(tmp_path, "account", "role", "Admin", "player")
    with serving(tmp_path) as (server, lines):
        assert len(lines) == 1
        assert ended(server, signal.SIGTERM) == 0


def test_on_a_terminal_the_first_password_is_shown_and_not_written(tmp_path: Path) -> None:
    words = [*PROGRAM[1:], "serve", "--telnet", LOCAL]
    child = pexpect.spawn(PROGRAM[0], words, cwd=tmp_path, env=ENVIRONMENT, timeout=PATIENCE)
    child.expect(r"one-time password ([\w-]{16})\r\n")
    child.expect(r"mushcombat ready telnet=")
    child.sendintr()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert not (tmp_path / "var" / "first-password").exists()
