from __future__ import annotations

import json
import logging
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mushcombat import logs
from mushcombat.config import Log
from mushcombat.logs import JsonLines, KeyValue

TEXTS = st.text(st.characters(codec="utf-8"), max_size=80)


def record(text: str, fields: dict[str, object] | None = None, error: Any = None) -> Any:
    made = logging.LogRecord("net.x", logging.INFO, "f.py", 1, "%s", (text,), error)
    made.created = 1_772_367_045.678
    if fields:
        made.fields = fields
    return made


def test_a_record_is_keys_and_values() -> None:
    line = KeyValue().format(record("logged in", {"player": "Ada", "address": "::1"}))
    begin = "time=2026-03-01T12:10:45.678+00:00 level=info logger=net.x"
    assert line == f'{begin} event="logged in" player=Ada address=::1'


def test_a_record_is_a_json_object_where_that_is_wanted() -> None:
    assert json.loads(JsonLines().format(record("logged in", {"row": 5}))) == {
        "time": "2026-03-01T12:10:45.678+00:00",
        "level": "info",
        "logger": "net.x",
        "event": "logged in",
        "row": 5,
    }


@given(TEXTS, TEXTS)
def test_whatever_is_in_a_record_it_is_one_line_that_steers_no_terminal(
    text: str, value: str
) -> None:
    for formatter in (KeyValue(), JsonLines()):
        line = formatter.format(record(text, {"address": value}))
        assert line.isascii()
        assert line.isprintable()
    assert json.loads(JsonLines().format(record(text)))["event"] == text


@given(TEXTS)
def test_no_value_can_pretend_to_be_another_key(value: str) -> None:
    line = KeyValue().format(record("x", {"address": value, "end": "y"}))
    assert line.endswith(" end=y")
    between = line.partition(" address=")[2].removesuffix(" end=y")
    assert between == value or json.loads(between) == value


def test_an_error_is_told_in_the_same_line() -> None:
    try:
        int("two\nlines")
    except ValueError:
        error = sys.exc_info()
    line = KeyValue().format(record("failed", error=error))
    assert "Traceback (most recent call last)" in line
    assert "\n" not in line
    assert "two" in line
    assert json.loads(line.partition(" error=")[2]).startswith("Traceback")


def test_the_log_goes_to_stderr_in_the_form_that_is_set(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    monkeypatch.setattr(root, "level", root.level)
    logs.begin(Log(format="json", level="warning"))
    logging.getLogger("net").info("not this")
    logging.getLogger("net").warning("but this")
    assert [json.loads(line)["event"] for line in capsys.readouterr().err.splitlines()] == [
        "but this"
    ]
