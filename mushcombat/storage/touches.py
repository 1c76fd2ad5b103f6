"""Whether a job has written to the database itself.

A job that is refused is taken back in memory, which costs nothing; only for what it had written
already its transaction has to be done over.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Engine, event


class Touches:
    """Counts the statements of an engine that write, or try to: one that fails may spoil all.

    Of those that only a rollback takes back.
    """

    def __init__(self, engine: Engine) -> None:
        self.count = 0
        event.listen(engine, "before_cursor_execute", self._executes)

    def _executes(
        self,
        _connection: object,
        _cursor: object,
        _text: str,
        _values: object,
        context: Any,
        *_many: object,
    ) -> None:
        if context.isinsert or context.isupdate or context.isdelete:
            self.count += 1
