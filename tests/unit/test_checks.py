"""`check` finds what a server would not start with: all of it, and without opening a port."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from mushcombat.checks import check
from mushcombat.config import Config, load
from mushcombat.errors import MushError
from mushcombat.faults import FaultyError
from tests.contract.program import LOCAL, refused, run
from tests.e2e.certificates import write_certificate

WRONG = """
[server]
telnet = ["tcp:99999", "tcp:abc", "foo:1", "", "stdio:", "unix:no/where"]
[web]
listen = ["ssl:4202:privateKey=no.pem:certKey=no.pem", "haproxy:tcp:4203"]
[metrics]
listen = ["tcp:x", "tcp:4203"]
[database]
url = "mysql://me:battery-staple@there/game"
[paths]
var = "my.toml"
[rules]
default = "chess"
"""
TOLD = [
    ("server.telnet[0]", "a port is a number from 0 to 65535)"),
    ("server.telnet[1]", "(no whole number: 'abc')"),
    ("server.telnet[2]", "'foo')"),
    ("server.telnet[3]", ")"),
    ("server.telnet[4]", "(that is no port)"),
    ("server.telnet[5]", "(there is no folder no)"),
    ("web.listen[0]", "/no.pem: No such file or directory)"),
    ("metrics.listen[0]", "'x')"),
    ("metrics.listen[1]", "(web.listen[1] has that already)"),
    ("paths.var", 'found "my.toml", expected a folder, or where one can be made'),
    ("database.url", "(mysql is no database that this runs on)"),
    ("rules.default", 'found "chess", expected one of otherspace, spaceopera'),
]


def faults(folder: Path, text: str) -> list[str]:
    file = folder / "my.toml"
    file.write_text(text)
    with pytest.raises(FaultyError) as caught:
        check(load(file), None)
    lines = str(caught.value).splitlines()
    assert all(line.startswith(f"{file}: ") for line in lines)
    return [line.removeprefix(f"{file}: ") for line in lines]


def test_all_that_a_server_would_not_start_with_is_told_at_once_by_file_and_key(
    tmp_path: Path,
) -> None:
    (tmp_path / "my.toml").write_text(WRONG)
    done = run(tmp_path, "check", "--config", "my.toml", code=1)
    lines = done.stderr.splitlines()
    assert [line.split(": ")[:2] for line in lines] == [["my.toml", key] for key, _ in TOLD]
    assert [
        (line, end) for line, (_, end) in zip(lines, TOLD, strict=True) if end not in line
    ] == []
    assert "battery-staple" not in done.stderr
    assert [each.name for each in tmp_path.iterdir()] == ["my.toml"]


def test_a_server_that_does_not_start_for_its_file_names_the_keys(tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text(WRONG.replace("chess", ""))
    done = run(tmp_path, "serve", "--config", "my.toml", code=1)
    assert [line.split(": ")[1] for line in done.stderr.splitlines()] == [k for k, _ in TOLD[:-1]]
    words = ("--telnet", LOCAL, "--database", "sqlite:///my.db")
    done = run(tmp_path, "serve", "--config", "my.toml", *words, code=1)
    keys = [line.split(": ")[1] for line in done.stderr.splitlines()]
    assert keys == ["web.listen[0]", "metrics.listen[0]", "metrics.listen[1]", "paths.var"]


def test_a_port_of_the_file_that_is_taken_is_named_with_its_key(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        endpoint = f'["tcp:{port}:interface=127.0.0.1"]'
        (tmp_path / "my.toml").write_text(f"[server]\ntelnet = {endpoint}\n")
        words = ("--config", "my.toml")
        assert "good" in run(tmp_path, "check", *words).stdout  # which opens none
        told = refused(tmp_path, "serve", *words)
        assert told.endswith(" --telnet tcp:PORT, or [server] telnet in my.toml.")
        (tmp_path / "my.toml").write_text(f"[metrics]\nlisten = {endpoint}\n")
        told = refused(tmp_path, "serve", "--telnet", LOCAL, *words)
        assert told.endswith("Name another with [metrics] listen in my.toml.")


def test_a_server_that_listens_nowhere_is_told_so(tmp_path: Path) -> None:
    wanted = "server.telnet: found [], expected an endpoint like tcp:4201, here or in web.listen"
    assert faults(tmp_path, "[server]\ntelnet = []") == [wanted]
    file = tmp_path / "my.toml"
    file.write_text('[server]\ntelnet = []\n[web]\nlisten = ["tcp:0"]\n')
    check(load(file), None)


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("nonsense", "what can't be read"),
        ("postgresql://me:battery-staple@h:port/x", "what can't be read"),
        ("oracle://h/x?password=battery-staple", "oracle://h/x?password=hidden"),
        ("sqlite://", "sqlite://"),
        ("sqlite:///x.db?timeout=soon", "sqlite:///x.db?timeout=soon"),
        ("sqlite:///x.db?uri=true", "sqlite:///x.db?uri=true"),
        ("sqlite:////tmp", "sqlite:////tmp"),
    ],
)
def test_a_database_that_can_not_be_used_is_told_and_no_password(
    tmp_path: Path, url: str, found: str
) -> None:
    (told,) = faults(tmp_path, f'[database]\nurl = "{url}"')
    assert told.startswith(f'database.url: found "{found}", expected sqlite:///FILE or postgresql')
    assert "battery" not in told
    with pytest.raises(MushError):
        check(Config(), url)


def test_what_a_server_would_start_with_is_good(tmp_path: Path) -> None:
    write_certificate(tmp_path, "game.example.org")
    file = tmp_path / "my.toml"
    tls = f"privateKey={tmp_path / 'key.pem'}:certKey={tmp_path / 'cert.pem'}"
    telnet = [
        "tcp:4201:backlog=-1",
        "tcp:4201:interface=127.0.0.2",
        "tcp6:4202",
        f"ssl:4203:{tls}",
        f"haproxy:ssl:4204:{tls}",
        f"unix:{tmp_path / 'mush.sock'}",
        "tcp:0",
        "tcp:0",
        "systemd:domain=INET:index=0",
    ]
    file.write_text(f"[server]\ntelnet = {telnet}\n[database]\nurl = 'postgresql://u@h/n'\n")
    check(load(file), "sqlite:///x.db")
    assert not (tmp_path / "mush.sock").exists()
