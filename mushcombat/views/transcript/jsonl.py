"""A transcript as lines of JSON that `verify` checks: see `docs/transcript-format.md`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from mushcombat.domain.ledger import GENESIS
from mushcombat.domain.proof import FORMAT
from mushcombat.domain.transcripts import Source, Wanted
from mushcombat.views.transcript.selection import Selection
from mushcombat.views.transcript.words import HARMFUL


def jsonl_lines(source: Source, wanted: Wanted, selection: Selection) -> Iterator[str]:
    """Write every row of the log: whole, or as its digest alone where the profile leaves it out."""
    yield _json(
        {
            "type": "transcript",
            "format": FORMAT,
            "scene": source.scene.id,
            "profile": wanted.profile,
            "ooc": wanted.ooc,
        }
    )
    shown = withheld = 0
    head = GENESIS
    for row in source.rows:
        head = row.fact.head
        if selection.exported(row):
            shown += 1
            yield _json({"type": "row", "salt": row.salt, "digest": row.digest, **row.hashed})
        else:
            withheld += 1
            yield _json({"type": "withheld", "seq": row.fact.seq, "digest": row.digest})
    yield _json({"type": "end", "head": head, "rows": shown, "withheld": withheld})


def _json(value: dict[str, Any]) -> str:
    """Write a line; what could steer a terminal stands in it as its number alone."""
    return HARMFUL.sub(_numbered, json.dumps(value, ensure_ascii=False))


def _numbered(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
