"""Files that people, disks and transfers have damaged: a list of faults, never a traceback."""

from __future__ import annotations

import contextlib
import json
import random
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from mushcombat.cli import cli
from mushcombat.config import Config
from mushcombat.domain.proof import AlteredError, verify
from mushcombat.faults import TOO_DEEP, WHOLE_FILE, Fault, FaultyError
from mushcombat.paths import shipped
from mushcombat.rulebook import load_config, load_rulebook, load_texts
from tests.unit.domain.transcripts import HEAD, good

SETTINGS = shipped("config") / "server.toml"
WHOLE = re.sub(r"^# (\w+ = )", r"\1", SETTINGS.read_text(encoding="utf-8"), flags=re.M).encode()
"""The configuration with every key in it, not in a comment."""
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


def told(load: Callable[[], object], file: Path) -> tuple[Fault, ...]:
    """Load: it works, or each fault names the file and a place in it, and steers no terminal.

    Of a number too long and of brackets too deep nothing knows the place.
    """
    faults: tuple[Fault, ...] = ()
    try:
        load()
    except FaultyError as problem:
        faults, lines = problem.faults, str(problem).splitlines()
    else:
        lines = []
    assert len(lines) == len(faults)
    assert [line for line in lines if not line.isprintable()] == []
    assert {fault.file for fault in faults} <= {str(file)}
    assert all(fault.key for fault in faults)
    placeless = [fault.found for fault in faults if fault.key == WHOLE_FILE]
    assert [found for found in placeless if "digits" not in found and found != TOO_DEEP] == []
    return faults


def keys_of(data: bytes) -> list[tuple[str, str]]:
    """Give each line of a TOML file that is a key and its value, with the key."""
    lines = re.findall(r"^((\w+) = .+)$", data.decode(), re.M)
    return [(line, key) for line, key in lines if is_toml(line)]


def is_toml(text: str) -> bool:
    try:
        return bool(tomllib.loads(text))
    except tomllib.TOMLDecodeError:
        return False


def loading(rules: Path) -> Callable[[], object]:
    return lambda: load_rulebook(Config.model_validate({"paths": {"rules": str(rules)}}))


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
    told(lambda: load_config(file), file)


def test_the_configuration_that_is_damaged_here_is_a_good_one(tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_bytes(WHOLE)
    assert load_config(file) == Config()
    assert len(keys_of(WHOLE)) == sum(len(keys) for keys in tomllib.loads(WHOLE.decode()).values())


@pytest.mark.parametrize("line", [line for line, _ in keys_of(WHOLE)])
def test_every_key_with_something_odd_behind_it_is_named(tmp_path: Path, line: str) -> None:
    file, key = tmp_path / "server.toml", line.partition(" ")[0]
    file.write_text(WHOLE.decode().replace(f"\n{line}\n", f"\n{key} = {{ odd = 1 }}\n"))
    faults = told(lambda: load_config(file), file)
    assert faults
    assert {fault.key.rpartition(".")[2] for fault in faults} == {key}


ODD = ["nan", "-1", "1e400", '"\\u202e"', "[[[]]]", "true", "1979-05-27T07:32:00Z", '""', "[1, {}]"]
"""Values that TOML knows, and hardly a key takes."""


@BOUNDED
@given(st.lists(st.tuples(st.sampled_from(keys_of(WHOLE)), st.sampled_from(ODD)), max_size=5))
def test_a_configuration_of_odd_values_is_a_list_of_faults(
    tmp_path: Path, odd: list[tuple[tuple[str, str], str]]
) -> None:
    file, text = tmp_path / "server.toml", WHOLE.decode()
    for (line, key), value in odd:
        text = text.replace(f"\n{line}\n", f"\n{key} = {value}\n")
    file.write_text(text)
    told(lambda: load_config(file), file)


@BOUNDED
@given(DAMAGES)
def test_a_damaged_configuration_is_a_list_of_faults(tmp_path: Path, damages: list[Damage]) -> None:
    file = tmp_path / "server.toml"
    file.write_bytes(damaged(WHOLE, damages))
    told(lambda: load_config(file), file)


@settings(BOUNDED, max_examples=40)
@given(DAMAGES, st.sampled_from(sorted(RULES)))
def test_a_damaged_table_of_rules_is_a_list_of_faults(
    tmp_path: Path, damages: list[Damage], name: str
) -> None:
    for each, data in RULES.items():
        (tmp_path / each).write_bytes(damaged(data, damages) if each == name else data)
    told(loading(tmp_path), tmp_path / name)


KEYS = [(name, line, key) for name, data in RULES.items() for line, key in keys_of(data)]


@settings(BOUNDED, max_examples=60)
@given(st.sampled_from(KEYS), st.sampled_from(["{ odd = 1 }", *ODD]))
def test_an_odd_value_in_a_table_of_rules_is_named_or_taken(
    tmp_path: Path, place: tuple[str, str, str], value: str
) -> None:
    name, line, key = place
    for each, data in RULES.items():
        (tmp_path / each).write_bytes(data)
    text = RULES[name].decode()
    (tmp_path / name).write_text(text.replace(f"\n{line}\n", f"\n{key} = {value}\n"))
    faults = told(loading(tmp_path), tmp_path / name)
    if "odd" in value:
        assert any(key in fault.key for fault in faults)


def test_text_that_is_no_utf_8_is_told_of_with_its_line(tmp_path: Path) -> None:
    for each, data in RULES.items():
        (tmp_path / each).write_bytes(b"# a\n# b \xff\n" + data)
    with pytest.raises(FaultyError) as caught:
        loading(tmp_path)()
    assert {fault.key for fault in caught.value.faults} == {"line 2"}
    assert len(caught.value.faults) == len(RULES)


EXPORT = "".join(json.dumps(line) + "\n" for line in good()).encode()


@settings(BOUNDED, max_examples=300)
@given(DAMAGES)
def test_a_damaged_transcript_is_altered_or_says_the_very_same(damages: list[Damage]) -> None:
    """Whatever still verifies, against the head that was noted, has not lost or gained a word."""
    hurt = damaged(EXPORT, damages)
    with contextlib.suppress(AlteredError, UnicodeDecodeError):
        lines = hurt.decode().splitlines(keepends=True)
        verify(lines, lines, HEAD)
        assert what_is_read(lines) == what_is_read(EXPORT.decode().splitlines())


def what_is_read(lines: list[str]) -> list[list[tuple[str, Any]]]:
    """Read lines as somebody who looks at them does: of the first, only what rows prove."""
    read = [json.loads(line, object_pairs_hook=sorted) for line in lines]
    return [[field for field in read[0] if field[0] in {"type", "format", "scene"}], *read[1:]]


@settings(BOUNDED, max_examples=300)
@given(st.data())
def test_a_transcript_with_other_words_in_it_is_never_proved(data: st.DataObject) -> None:
    """Mutate what stands between brackets and quotes, so that it mostly stays JSON."""
    text = EXPORT.decode()
    pieces = re.split(r"([\[\]{}:,\"])", text)
    places = [at for at, piece in enumerate(pieces) if piece.strip()]
    for _ in range(data.draw(st.integers(1, 2))):
        at, other = data.draw(st.sampled_from(places)), data.draw(st.sampled_from(places))
        junk = data.draw(st.sampled_from(["", "0", "x", "null", "1.0", "-0", "\\u0041"]))
        pieces[at] = data.draw(st.sampled_from([pieces[other], junk, pieces[at] + junk]))
    lines = "".join(pieces).splitlines(keepends=True)
    with contextlib.suppress(AlteredError):
        verify(lines, lines, HEAD)
        assert what_is_read(lines) == what_is_read(text.splitlines())


@pytest.mark.parametrize("folder", ["x" * 5000, "server.toml", "not/there"])
def test_a_folder_of_texts_that_can_not_be_read_is_a_list_of_faults(
    tmp_path: Path, folder: str
) -> None:
    (tmp_path / "server.toml").touch()
    config = Config.model_validate({"paths": {"texts": str(tmp_path / folder)}})
    with pytest.raises(FaultyError) as caught:
        load_texts(config)
    named = {Path(fault.file).name for fault in caught.value.faults}
    assert {"connect.txt", "motd.txt"} <= named


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
