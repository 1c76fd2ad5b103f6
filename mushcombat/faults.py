"""What is wrong with a file of settings, all of it at once: file, key, found, expected."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from mushcombat.domain.text import clip
from mushcombat.records import record

M = TypeVar("M", bound=BaseModel)

WrongAt = tuple[str, object, str]
"""A key below a validator's own, what was found there (None: nothing), what is expected."""

WHOLE_FILE = "(the whole file)"
LONGEST_FOUND = 60
TOO_DEEP = "what is nested too deep"

_EXPECTED = {
    "missing": "a value",
    "extra_forbidden": "no key of this name{there_are}",
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "string_type": "text in quotes",
    "tuple_type": "a list in square brackets",
    "list_type": "a list in square brackets",
    "mapping_type": "a table",
    "dict_type": "a table",
    "model_type": "a table",
    "greater_than_equal": "{ge} or more",
    "less_than_equal": "{le} or less",
}
"""Pydantic's kinds of error in the words of who writes the file; others keep its own words."""


@record(frozen=True, slots=True)
class Fault:
    """One thing that is wrong; `str()` gives it in one line that steers no terminal."""

    file: str
    key: str
    found: str
    expected: str

    def __str__(self) -> str:
        line = f"{self.file}: {self.key}: found {self.found}, expected {self.expected}"
        return "".join(char if char.isprintable() else _escaped(char) for char in line)


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode()


class FaultyError(ValueError):
    """A file can't be used; `faults` lists everything that is wrong with it, a line each."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))


class WrongError(ValueError):
    """Raised by a validator, with all that it finds; the key "" is its own."""

    def __init__(self, *wrongs: WrongAt) -> None:
        self.wrongs = wrongs
        super().__init__("; ".join(expected for _, _, expected in wrongs))


def read(model: type[M], text: str, file: str) -> M:
    """Read the TOML of the file named `file` into a model; FaultyError lists every fault."""
    try:
        return model.model_validate(tomllib.loads(text))
    except ValueError as error:
        raise FaultyError(faults_in(error, file, model)) from error
    except RecursionError as error:
        raise FaultyError([Fault(file, WHOLE_FILE, TOO_DEEP, "tables and lists")]) from error


def faults_in(error: ValueError, file: str, model: type[BaseModel]) -> tuple[Fault, ...]:
    """Turn what pydantic or the TOML reader raised into faults of a file, read as a model."""
    if isinstance(error, ValidationError):
        details = error.errors(include_url=False)
        return tuple(fault for detail in details for fault in _validation(detail, file, model))
    return (_syntax(str(error), file),)


def _validation(detail: ErrorDetails, file: str, model: type[BaseModel]) -> Iterator[Fault]:
    key = _key(detail["loc"])
    problem = detail.get("ctx", {}).get("error")
    if isinstance(problem, WrongError):
        for below, found, expected in problem.wrongs:
            yield Fault(file, _joined(key, below), shown(found), expected)
        return
    found = None if detail["type"] == "missing" else detail["input"]
    yield Fault(file, key or WHOLE_FILE, shown(found), _expected(detail, model))


def _syntax(message: str, file: str) -> Fault:
    """Tell where a file is no TOML; the reader writes the place at the end of its message."""
    placed = re.fullmatch(r"(.*) \(at (.*)\)", message, re.DOTALL)
    text, place = placed.groups() if placed else (message, WHOLE_FILE)
    return Fault(file, place, f"what is no TOML ({text})", "TOML")


def _key(location: tuple[int | str, ...]) -> str:
    """Write where in the file: tables and keys with dots, places in lists as [0]."""
    key = ""
    for part in location:
        if part != "[key]":  # pydantic's mark for "the key itself", which is there already
            key = f"{key}[{part}]" if isinstance(part, int) else _joined(key, part)
    return key


def _joined(key: str, below: str) -> str:
    return ".".join(part for part in (key, below) if part)


def shown(found: object) -> str:
    """Write what was found as the file has it, not at length."""
    if found is None:
        return "nothing"
    try:
        text = json.dumps(found, ensure_ascii=False, default=str)
    except RecursionError:
        return TOO_DEEP
    return clip(text, LONGEST_FOUND)


def _expected(detail: ErrorDetails, model: type[BaseModel]) -> str:
    wording = _EXPECTED.get(detail["type"])
    if wording is not None:
        there_are = _there_are(model, detail["loc"])
        return wording.format(**detail.get("ctx", {}), there_are=there_are)
    return detail["msg"].removeprefix("Input should be ").removeprefix("Value error, ")


def _there_are(model: type[BaseModel], location: tuple[int | str, ...]) -> str:
    """Tell which keys there are where one is not known: the nearest, or all of them."""
    keys = _keys(model, location[:-1])
    near = get_close_matches(str(location[-1]), keys, n=1)
    if near:
        return f"; the nearest is {near[0]}"
    return f"; there are {', '.join(keys)}" if keys else ""


def _keys(model: type[BaseModel], location: tuple[int | str, ...]) -> list[str]:
    """Give the keys of a table by its place; none where they are up to who writes the file."""
    at: Any = model
    for part in location:
        fields = getattr(at, "model_fields", None)
        if fields is None:  # a list or a table of tables: all of them are of one kind
            at = (get_args(at) or (None,))[0 if isinstance(part, int) else -1]
        else:
            at = fields[part].annotation if part in fields else None
    return list(getattr(at, "model_fields", ()))
