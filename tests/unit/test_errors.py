from __future__ import annotations

from mushcombat.errors import MushError


def test_an_error_reads_as_its_text() -> None:
    error = MushError("name", "That name is taken.")
    assert str(error) == "That name is taken."
    assert (error.code, error.text, error.hint) == ("name", "That name is taken.", "")


def test_an_error_with_a_hint_reads_as_both() -> None:
    assert str(MushError("name", "That name is taken.", "Pick another.")) == (
        "That name is taken. Pick another."
    )
