"""The error that a player reads: what was wrong, and what to type instead."""

from __future__ import annotations


class MushError(Exception):
    """A refusal told to the one who typed: one sentence, and a hint if there is one.

    `code` is a word for programs ("field", "name"), `text` says what was wrong, `hint` says
    what to type instead. `str()` gives text and hint with a space between.
    """

    def __init__(self, code: str, text: str, hint: str = "") -> None:
        super().__init__(code, text, hint)
        self.code = code
        self.text = text
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.text} {self.hint}" if self.hint else self.text
