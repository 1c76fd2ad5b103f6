"""Where the files are that come with the program: configuration, rules tables, migrations."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent


def shipped(name: str) -> Path:
    """Find a folder that travels with the program: inside a wheel, or beside a checkout."""
    packed = _PACKAGE / "_data" / name
    return packed if packed.is_dir() else _PACKAGE.parent / name
