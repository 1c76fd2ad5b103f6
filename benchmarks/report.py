"""The results as a table, or as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from benchmarks.measure import Span

FULL, BUSY = 0.9, 0.2
"""Shares of a core: from where a client is said to be the limit, and the machine to be shared."""


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that was measured some times, each time on both servers."""

    key: str
    what: str
    wanted: str
    bare: Sequence[Span]
    ours: Sequence[Span]

    @property
    def ratio(self) -> float:
        """The median of the rounds' ratios."""
        pairs = zip(self.ours, self.bare, strict=True)
        return float(median(ours.rate / max(1.0, bare.rate) for ours, bare in pairs))

    @property
    def cpu_ratio(self) -> float:
        """The same by the server's processor time: steadier on a machine that others use too."""
        return _by_cpu(self.ours) / max(1.0, _by_cpu(self.bare))


def _rate(spans: Sequence[Span]) -> float:
    return float(median(span.rate for span in spans))


def _by_cpu(spans: Sequence[Span]) -> float:
    return float(median(span.rate / max(0.01, span.server) for span in spans))


def _share(spans: Sequence[Span], name: str) -> float:
    return float(median(getattr(span, name) for span in spans))


def table(rows: Sequence[Row], syncs: float) -> str:
    """Write the table, and what to know when reading it."""
    head = ("what, per second", "bare", "ours", "ratio", "by CPU", "wanted")
    cells = [_cells(row) for row in rows]
    widths = [max(len(line[i]) for line in (head, *cells)) for i in range(len(head))]
    lines = [_line(line, widths) for line in (head, *cells)]
    lines.insert(1, "  ".join("-" * width for width in widths))
    notes = [note for row in rows for note in _notes(row)]
    other = max((_share(s, "other") for row in rows for s in (row.bare, row.ours)), default=0.0)
    if other >= BUSY:
        notes.append(f"Other programs took up to {other:.0%} of a core: run it again when idle.")
    return "\n".join([*lines, "", f"The disk takes {syncs:,.0f} fdatasync/s.", *notes])


def _cells(row: Row) -> tuple[str, ...]:
    rates = (f"{_rate(spans):,.0f}" for spans in (row.bare, row.ours))
    return (row.what, *rates, f"{row.ratio:.3f}", f"{row.cpu_ratio:.3f}", row.wanted)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *middle, last = zip(cells, widths, strict=True)
    numbers = [text.rjust(width) for text, width in middle]
    return "  ".join([first[0].ljust(first[1]), *numbers, last[0]]).rstrip()


def _notes(row: Row) -> list[str]:
    notes = []
    for name, spans in (("bare", row.bare), ("ours", row.ours)):
        client, server = _share(spans, "client"), _share(spans, "server")
        if client >= FULL:
            notes.append(
                f"{row.what}, {name}: the clients took {client:.0%} of a core (the server"
                f" {server:.0%}); the server may be faster than that."
            )
    return notes


def as_json(rows: Sequence[Row], syncs: float, lost: str) -> str:
    """Write everything that was measured."""
    return json.dumps(
        {"rows": [_row(row) for row in rows], "syncs_per_s": round(syncs), "lost": lost or None}
    )


def _row(row: Row) -> dict[str, Any]:
    return {
        "key": row.key,
        "what": row.what,
        "wanted": row.wanted,
        "bare_per_s": round(_rate(row.bare), 1),
        "ours_per_s": round(_rate(row.ours), 1),
        "ratio": round(row.ratio, 4),
        "cpu_ratio": round(row.cpu_ratio, 4),
        "bare": [asdict(span) for span in row.bare],
        "ours": [asdict(span) for span in row.ours],
    }
