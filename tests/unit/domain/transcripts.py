"""Exported transcripts made by the documented recipe, without the code that exports."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from mushcombat.domain.dice import commitment, die, scene_key
from mushcombat.domain.ledger import GENESIS, digest, link
from mushcombat.domain.proof import AlteredError, verify

Line = dict[str, Any]

SEED = b"\x11" * 32
KEY = scene_key(SEED)
SCENE = 7


LATER = -1
"""Stands for where the dice are when a row without any is written."""


def _row(kind: str, payload: Any, first: int = LATER, after: int = LATER) -> Line:
    """Make a row; one without dice gets, when it is written, where the dice stand then."""
    return {
        "scene": SCENE,
        "at": "2026-03-01T12:00:00.000000Z",
        "actor": 11,
        "name": "Ada",
        "kind": kind,
        "version": 1,
        "payload": payload,
        "audience": "room",
        "era": 1,
        "dice_from": first,
        "dice_to": after,
    }


def opened() -> Line:
    return _row("scene.opened", {"title": "T", "era": 1, "commitment": commitment(SEED)})


def closed() -> Line:
    return _row("scene.closed", {"era": 1, "seed": SEED.hex()})


def said(text: str = "Yes!") -> Line:
    return _row("spoken", {"style": "say", "text": text})


def rolled(start: int, count: int = 4, *, forged: bool = False) -> Line:
    """Make a row that shows dice; forged, its first die is another one."""
    faces = [die(KEY, n, "roll", 3) for n in range(start, start + count)]
    if forged:
        faces[0] = faces[0] % 3 + 1
    throw = {"start": start, "label": "roll", "sides": 3, "faces": faces}
    payload = {"name": "Ada", "breakdown": {"terms": [{"value": 4}], "throws": [throw]}}
    return _row("otherspace.rolled", payload, start, start + count)


def withheld() -> Line:
    return {"type": "withheld", "digest": hashlib.sha256(b"secret").hexdigest()}


def written(*rows: Line) -> list[Line]:
    """Chain rows into a transcript; what they say of themselves is kept."""
    head, dice, lines = GENESIS, 0, []
    lines.append({"type": "transcript", "format": 1, "scene": SCENE, "profile": "results"})
    for seq, row in enumerate(rows, 1):
        whole = {"seq": seq, **row} if "type" in row else {"seq": seq, "action": seq, **row}
        if "type" not in row:
            if whole["dice_from"] == LATER:
                whole |= {"dice_from": dice, "dice_to": dice}
            dice = whole["dice_to"]
            salt = f"{seq:02x}" * 16
            whole = {"type": "row", "salt": salt, "digest": digest(salt, whole), **whole}
        head = link(head, whole["digest"])
        lines.append(whole)
    hidden = sum(line["type"] == "withheld" for line in lines)
    counts = {"rows": len(rows) - hidden, "withheld": hidden}
    return [*lines, {"type": "end", "head": head, **counts}]


def good(text: str = "Yes!") -> list[Line]:
    """Make a transcript that holds: six rows, one withheld, nine dice."""
    lone = rolled(8, 1)
    return written(opened(), said(text), rolled(0), rolled(4), lone, withheld(), closed())


GOOD = good()
HEAD = GOOD[-1]["head"]
OPENED, SAID, ROLLED, CLOSED = 1, 2, 3, 7
"""Where these lines are in it."""


def check(lines: list[Line], head: str | None = None) -> tuple[int, int, int, int]:
    """Verify it; gives the counts of rows, of withheld ones, of dice, of dice not proved."""
    text = [json.dumps(line, ensure_ascii=False) for line in lines]
    done = verify(text, text, head)
    return done.rows, done.withheld, done.dice, done.unproved


def fault(lines: list[Line], head: str | None = None) -> str:
    """Verify what does not hold; gives what is said of it."""
    with pytest.raises(AlteredError) as caught:
        check(lines, head)
    assert str(caught.value).startswith(f"line {caught.value.line}: ")
    return str(caught.value)


def changed(place: int, **values: Any) -> list[Line]:
    """Make a good one, and change one line."""
    lines = good()
    lines[place] |= values
    return lines
