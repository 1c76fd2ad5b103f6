"""Two servers that start at once on one empty database."""

from __future__ import annotations

import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from mushcombat.storage.revisions import newest
from tests.contract.bench import open_database
from tests.contract.program import PATIENCE, ended, serving


@pytest.mark.parametrize("backend", ["postgresql"], indirect=True)
@pytest.mark.parametrize("attempt", [1, 2])
def test_two_servers_start_at_once_and_one_makes_the_first_login(
    database_url: str, tmp_path: Path, attempt: int
) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
    with ExitStack() as stack, ThreadPoolExecutor(2) as both:
        waits = [serving(folder, "--database", database_url) for folder in folders]
        started = [*both.map(stack.enter_context, waits, timeout=PATIENCE * 2)]
        assert sorted(len(lines) for _, lines in started) == [1, 2]
        assert [ended(server, signal.SIGTERM) for server, _ in started] == [0, 0]
    assert sum((folder / "var" / "first-password").exists() for folder in folders) == 1
    database = open_database(database_url)
    assert database.revision() == newest()
    logins = database.prepare_and(lambda store: store.logins())
    assert [(login.name, login.one_time) for login in logins] == [("Admin", True)]


@pytest.mark.parametrize("backend", ["sqlite"], indirect=True)
def test_of_two_servers_that_start_at_once_a_sqlite_file_takes_one(
    database_url: str, tmp_path: Path
) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
    with ExitStack() as stack, ThreadPoolExecutor(2) as both:

        def start(folder: Path) -> str:
            try:
                stack.enter_context(serving(folder, "--database", database_url))
            except AssertionError as refusal:
                return str(refusal)
            return "ready"

        said = sorted(both.map(start, folders, timeout=PATIENCE * 2), key=len)
    assert said[0] == "ready"
    assert "Another server runs on this database" in said[1]
    logins = open_database(database_url).prepare_and(lambda store: store.logins())
    assert [login.name for login in logins] == ["Admin"]
