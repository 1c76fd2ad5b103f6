"""The hash chain over a log, and what `verify` checks.

Row digest = SHA-256(salt, canonical JSON of the row); head = SHA-256(previous head, row digest).
A withheld row is exported as its digest alone, without the salt, so that nobody can guess a
short secret by trying.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from json.encoder import encode_basestring
from typing import Any

from mushcombat.records import record

GENESIS = "0" * 64
"""The head before the first row of every log."""


_JSON = json.JSONEncoder(
    sort_keys=True,
    ensure_ascii=False,
    separators=(",", ":"),
    allow_nan=False,
    check_circular=False,  # what is written comes from records, or from JSON
)
"""Made once: every row of a log is written by it."""

_string = encode_basestring
"""Writes one string, as `canonical` does."""


def canonical(value: object) -> str:
    """Write JSON in the one way that is hashed: sorted keys, no spaces, whole numbers, UTF-8."""
    return _JSON.encode(value)


def timestamp(at: datetime) -> str:
    """Write a time as it is hashed and exported: UTC, with microseconds, ending in Z."""
    here = at if at.tzinfo is UTC else at.astimezone(UTC)
    return here.isoformat(timespec="microseconds")[:-6] + "Z"  # for +00:00


@record(frozen=True, slots=True)
class Row:
    """One row of a log as it is hashed and exported; `payload` is the event's own fields."""

    scene: int
    seq: int
    at: str
    actor: int
    name: str
    kind: str
    version: int
    payload: Mapping[str, Any]
    audience: str
    action: int
    era: int
    dice_from: int
    dice_to: int

    def as_json(self) -> dict[str, Any]:
        """Give the row as a JSON object."""
        return {name: getattr(self, name) for name in self.__slots__}

    def text(self, payload: str) -> str:
        """Write the row as canonical JSON; its payload is that already, and is the longest part."""
        return (
            f'{{"action":{self.action},"actor":{self.actor},"at":{_string(self.at)},'
            f'"audience":{_string(self.audience)},"dice_from":{self.dice_from},'
            f'"dice_to":{self.dice_to},"era":{self.era},"kind":{_string(self.kind)},'
            f'"name":{_string(self.name)},"payload":{payload},"scene":{self.scene},'
            f'"seq":{self.seq},"version":{self.version}}}'
        )


def digest(salt: str, row: Mapping[str, Any]) -> str:
    """Hash one row; `salt` in hex."""
    return digest_of(salt, canonical(row))


def digest_of(salt: str, row: str) -> str:
    """Hash one row that is canonical JSON already; `salt` in hex."""
    return sha256(bytes.fromhex(salt) + row.encode()).hexdigest()


def link(head: str, row_digest: str) -> str:
    """Chain a row's digest to the head before it."""
    return sha256(bytes.fromhex(head) + bytes.fromhex(row_digest)).hexdigest()
