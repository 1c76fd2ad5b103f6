"""Databases for tests that need more than one: each is empty, with the newest schema."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from tests.contract.conftest import made

Fresh = Callable[[], AbstractContextManager[str]]
"""Makes a database, gives its URL, and takes it away in the end."""


def databases(backend: str, request: pytest.FixtureRequest, folder: Path) -> Fresh:
    @contextmanager
    def sqlite() -> Iterator[str]:
        file = folder / f"{uuid.uuid4().hex}.db"
        shutil.copy(request.getfixturevalue("sqlite_template"), file)
        yield f"sqlite:///{file}"
        file.unlink()

    def postgresql() -> AbstractContextManager[str]:
        template = request.getfixturevalue("postgresql_template")
        return made(request.getfixturevalue("postgresql"), template)

    return sqlite if backend == "sqlite" else postgresql
