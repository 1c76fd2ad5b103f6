"""What deploy/ holds is what its readers (systemd, Docker, people) take."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mushcombat.cli import cli
from mushcombat.config import load

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
UNITS = ("mushcombat.service", "mushcombat-backup.service", "mushcombat-backup.timer")
PROGRAM = "/opt/mushcombat/.venv/bin/mushcombat"
PAGE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")


def directives(name: str) -> dict[str, str]:
    lines = (DEPLOY / name).read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))


def test_systemd_finds_nothing_wrong_with_the_units(tmp_path: Path) -> None:
    verify = shutil.which("systemd-analyze")
    if verify is None:
        if os.environ.get("CI") == "true":
            pytest.fail("no systemd-analyze; CI has to have it")
        pytest.skip("no systemd-analyze")
    for name in UNITS:
        text = (DEPLOY / name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(text.replace(PROGRAM, sys.executable), encoding="utf-8")
    files = [str(tmp_path / name) for name in UNITS]
    done = subprocess.run([verify, "verify", *files], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_service_runs_without_rights_and_writes_to_its_own_folder_alone() -> None:
    unit = directives("mushcombat.service")
    assert unit["User"] == "mushcombat"
    assert (unit["NoNewPrivileges"], unit["CapabilityBoundingSet"]) == ("true", "")
    assert (unit["ProtectSystem"], unit["StateDirectory"]) == ("strict", "mushcombat")
    assert unit["ExecStart"].startswith(f"{PROGRAM} serve ")
    assert int(unit["TimeoutStopSec"]) > 10, "a server may take 10 seconds to end"


def test_the_image_runs_as_a_user_without_rights_and_takes_nothing_but_the_program() -> None:
    lines = (DEPLOY / "Dockerfile").read_text(encoding="utf-8").splitlines()
    last_stage = lines[max(at for at, line in enumerate(lines) if line.startswith("FROM")) :]
    assert [line for line in last_stage if line.startswith("USER")] == ["USER 10001"]
    copied = {word for line in lines if line.startswith("COPY") for word in line.split()[1:-1]}
    ours = {word for word in copied if not word.startswith(("--", "/"))}
    assert all((ROOT / name).exists() for name in ours)
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8")
    assert {line[1:] for line in ignored.splitlines() if line.startswith("!")} == ours
    assert any("--require-hashes" in line for line in lines)


def test_every_command_that_the_page_names_is_there() -> None:
    named = set(re.findall(r"mushcombat (?=[a-z]+ )([a-z]+)(?= [^|]*(?:--|FILE|\.backup))", PAGE))
    assert {"check", "backup", "restore", "account"} <= named
    assert named <= set(cli.commands)


def test_every_file_that_the_page_copies_is_there() -> None:
    files = re.findall(r"(?<!/)(?:deploy|config)/[\w.-]+", PAGE)
    assert {f"deploy/{name}" for name in UNITS} <= set(files)
    assert [name for name in files if not (ROOT / name).exists()] == []


def test_the_configuration_that_the_page_shows_is_good(tmp_path: Path) -> None:
    shown = re.findall(r"^    (\[\w+\]\n(?:    .+\n)+)", PAGE, re.MULTILINE)
    assert len(shown) >= 2
    file = tmp_path / "server.toml"
    file.write_text(re.sub(r"^    ", "", "".join(shown), flags=re.MULTILINE), encoding="utf-8")
    assert load(file).server.name == "The Landing"
