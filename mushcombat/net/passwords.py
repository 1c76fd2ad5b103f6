"""Hashing passwords, in a small thread pool: it takes tens of milliseconds, on purpose."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from twisted.internet.defer import Deferred
from twisted.internet.threads import deferToThreadPool
from twisted.python.threadpool import ThreadPool

T = TypeVar("T")

_HASHER = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
"""Argon2id with 19 MiB and two passes: what OWASP asks for at the least."""


def hash_password(password: str) -> str:
    """Hash a password for storing."""
    return _HASHER.hash(password)


_NOBODY = (
    "$argon2id$v=19$m=19456,t=2,p=1$"
    "07i8ktCzYICd4rDX9cp8iA$hDi8tZAMYa6a/P4jDzntaUXqrMR1AIywHEjQjHfXgbk"
)
"""The hash of a password that nobody knows; it takes as long to check as others."""


def verify_password(password_hash: str | None, password: str) -> bool:
    """Check a password; for an account that is not there it takes the same time."""
    try:
        return _HASHER.verify(password_hash or _NOBODY, password) and password_hash is not None
    except (VerificationError, InvalidHashError):
        return False


class Passwords:
    """Runs hashing off the reactor."""

    def __init__(self, reactor: Any, threads: int = 2) -> None:
        self._reactor = reactor
        self._pool = ThreadPool(minthreads=0, maxthreads=threads, name="passwords")

    def start(self) -> None:
        """Start the threads."""
        self._pool.start()

    def stop(self) -> None:
        """End the threads."""
        self._pool.stop()

    def run(self, work: Callable[[], T]) -> Deferred[T]:
        """Run work that hashes."""
        return deferToThreadPool(self._reactor, self._pool, work)
