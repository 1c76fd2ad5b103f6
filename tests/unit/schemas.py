"""The schemas of docs/gmcp.md, to hold against what is really sent."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

PAGE = Path(__file__).parents[2] / "docs" / "gmcp.md"
_SECTION = re.compile(r"^### (\S+)\n.*?^```json\n(.*?)^```", re.MULTILINE | re.DOTALL)

SCHEMAS: dict[str, Any] = {
    name: json.loads(text) for name, text in _SECTION.findall(PAGE.read_text(encoding="utf-8"))
}
_VALIDATORS = {name: Draft202012Validator(schema) for name, schema in SCHEMAS.items()}


def check(package: str, data: Any) -> None:
    """Fail if a message is not what the page says of its package."""
    if package not in {"Core.Ping", "Core.Goodbye"}:
        _VALIDATORS[package].validate(data)


def read(message: str) -> tuple[str, Any]:
    """Part a message into its package and its data, and check that."""
    package, _, body = message.partition(" ")
    data = json.loads(body) if body else None
    check(package, data)
    return package, data
