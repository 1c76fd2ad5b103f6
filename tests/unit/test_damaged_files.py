"""Files that people, disks and transfers have damaged: a list of faults, never a traceback."""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from mushcombat.cli import cli
from mushcombat.config import Config
from mushcombat.domain.proof import AlteredError, verify
from mushcombat.faults import FaultyError
from mushcombat.paths import shipped
from mushcombat.rulebook import load_config, load_rulebook
from tests.unit.domain.transcripts import HEAD, good

SETTINGS = shipped("config") / "server.toml"
WHOLE = SETTINGS.read_text(encoding="utf-8").replace("\n# ", "\n").encode()
RULES = {file.name: file.read_bytes() for file in (shipped("config") / "rules").glob("*.toml")}
BOUNDED = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

Damage = tuple[str, int, bytes]
DAMAGES = st.lists(
    st.tuples(
        st.sampled_from(["cut", "put", "over", "again", "zero"]),
        st.integers(0, 2**20),
        st.binary(max_size=12) | st.sampled_from([b"\n", b"[", b'"', b"=", b"\xff", b"9" * 5000]),
    ),
    min_size=1,
    max_size=4,
)


def damaged(data: bytes, damages: list[Damage]) -> bytes:
    """Damage bytes: cut them short, put some in, write over some, repeat a part, blank one."""
    for how, place, junk in damages:
        at = place % (len(data) + 1)
        data = {
            "cut": data[:at],
            "put": data[:at] + junk + data[at:],
            "over": data[:at] + junk + data[at + len(junk) :],
            "again": data[:at] + data[max(0, at - 100) : at] + data[at:],
            "zero": data[:at] + bytes(20) + data[at + 20 :],
        }[how]
    return data


def told(load: Callable[[], object]) -> None:
    """Load: it works, or every fault is a line that a terminal can show."""
    lines = []
    try:
        load()
    except FaultyError as problem:
        lines = str(problem).splitlines() or [""]
    assert [line for line in lines if not line or not line.isprintable()] == []


@BOUNDED
@given(st.binary(max_size=300))
@example(b"\xff\xfe[server]")
@example(b"[" * 5000)
@example(b"a." * 3000 + b"b = 1")
@example(b"a = " + b"[" * 5000)
@example(b"a = " + b"[" * 5000 + b"]" * 5000)
@example(b"[limits]\nconnections = " + b"9" * 5000)
@example(b'[metrics]\naddresses = ["::1/999", "not/here"]')
@example(b'[log]\nformat = "\\u001b[31m"')
@example('[log]\nformat = "\u202eevil"\n"\u0085\u200b" = 1'.encode())
@example(b"[server]\nname = nan\n[server]\n")
def test_any_bytes_are_a_configuration_or_a_list_of_faults(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "server.toml"
    file.write_bytes(data)
    told(lambda: load_config(file))


@BOUNDED
@given(DAMAGES)
def test_a_damaged_configuration_is_a_list_of_faults(tmp_path: Path, damages: list[Damage]) -> None:
    file = tmp_path / "server.toml"
    file.write_bytes(damaged(WHOLE, damages))
    told(lambda: load_config(file))


@settings(BOUNDED, max_examples=40)
@given(DAMAGES, st.sampled_from(sorted(RULES)))
def test_a_damaged_table_of_rules_is_a_list_of_faults(
    tmp_path: Path, damages: list[Damage], name: str
) -> None:
    for each, data in RULES.items():
        (tmp_path / each).write_bytes(damaged(data, damages) if each == name else data)
    told(lambda: load_rulebook(Config.model_validate({"paths": {"rules": str(tmp_path)}})))


EXPORT = "".join(json.dumps(line) + "\n" for line in good()).encode()


@settings(BOUNDED, max_examples=300)
@given(DAMAGES)
def test_a_damaged_transcript_is_altered_or_says_the_very_same(damages: list[Damage]) -> None:
    """Whatever still verifies, against the head that was noted, has not lost or gained a word."""
    hurt = damaged(EXPORT, damages)
    with contextlib.suppress(AlteredError, UnicodeDecodeError):
        lines = hurt.decode().splitlines(keepends=True)
        verify(lines, lines, HEAD)
        read = [json.loads(line) for line in lines if line.strip()]
        assert read == [json.loads(line) for line in EXPORT.splitlines()]


def test_the_command_tells_of_a_damaged_file_in_one_line(tmp_path: Path) -> None:
    """Many damages of one file, the same ones each time."""
    chance = random.Random(7)
    file = tmp_path / "it.jsonl"
    for _ in range(40):
        place, junk = chance.randrange(len(EXPORT)), chance.randbytes(3)
        file.write_bytes(damaged(EXPORT, [("over", place, junk)]))
        done = CliRunner().invoke(cli, ["verify", str(file), "--head", HEAD])
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        assert len(done.output.splitlines()) == 1
        assert done.output.startswith(("ALTERED: ", "The chain holds"))


def test_a_configuration_that_can_not_be_read_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="directory"):
        load_config(tmp_path)
