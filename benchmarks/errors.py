"""What can go wrong with a run."""

from __future__ import annotations


class RunFailedError(Exception):
    """No measurement could be made; says why."""


class LostError(Exception):
    """A line did not arrive exactly once, whole and in order; says which."""
