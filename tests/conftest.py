"""For all tests: examples that hypothesis makes are the same in every run, and none is timed."""

from __future__ import annotations

from hypothesis import settings

settings.load_profile("ci")  # to look for others: pytest --hypothesis-profile=default
