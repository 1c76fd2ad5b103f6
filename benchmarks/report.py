"""The results as a table, or as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any, Literal

from benchmarks.measure import Span

FULL, BUSY = 0.9, 0.2
"""Shares of a core: from where a client is said to be the limit, and the machine to be shared."""

RATE = "/s"
"""The unit of rates, which may be set against the processor time that they took."""

HEAD = ("what", "unit", "against", "ours", "ratio", "by CPU", "wanted", "")


@dataclass(frozen=True, slots=True)
class Goal:
    """What a row is to reach: its `ratio` or what is `ours`, at `least` or at `most` so much."""

    of: Literal["ratio", "ours"]
    bound: Literal["least", "most"]
    number: float

    def met_by(self, value: float) -> bool:
        """Tell whether a value reaches it."""
        return value >= self.number if self.bound == "least" else value <= self.number

    def __str__(self) -> str:
        sign = ">=" if self.bound == "least" else "<="
        return f"{'ratio ' if self.of == 'ratio' else ''}{sign} {self.number:,g}"


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that was measured some times, each time on both sides if there are two."""

    key: str
    what: str
    unit: str
    goal: Goal | None
    against: Sequence[Span]
    ours: Sequence[Span]

    @property
    def ratio(self) -> float | None:
        """The median of the rounds' ratios, None without another side."""
        if not self.against:
            return None
        pairs = zip(self.ours, self.against, strict=True)
        return float(median(ours.value / max(1e-9, other.value) for ours, other in pairs))

    @property
    def cpu_ratio(self) -> float | None:
        """The same by the server's processor time: steadier on a machine that others use too."""
        if not self.against or self.unit != RATE:
            return None
        return _by_cpu(self.ours) / max(1.0, _by_cpu(self.against))

    @property
    def met(self) -> bool | None:
        """Tell whether the goal is reached, None without one."""
        if self.goal is None:
            return None
        value = self.ratio if self.goal.of == "ratio" else _value(self.ours)
        return value is not None and self.goal.met_by(value)


def _value(spans: Sequence[Span]) -> float:
    return float(median(span.value for span in spans))


def _by_cpu(spans: Sequence[Span]) -> float:
    return float(median(span.value / max(0.01, span.server) for span in spans))


def _share(spans: Sequence[Span], name: str) -> float:
    return float(median(getattr(span, name) for span in spans)) if spans else 0.0


def table(rows: Sequence[Row], notes: Sequence[str] = ()) -> str:
    """Write the table, and what to know when reading it."""
    cells = [_cells(row) for row in rows]
    widths = [max(len(line[i]) for line in (HEAD, *cells)) for i in range(len(HEAD))]
    lines = [_line(line, widths) for line in (HEAD, *cells)]
    lines.insert(1, "  ".join("-" * width for width in widths).rstrip())
    return "\n".join([*lines, "", *notes, *_notes(rows)])


def _cells(row: Row) -> tuple[str, ...]:
    against = _number(_value(row.against)) if row.against else ""
    ratios = ("" if ratio is None else f"{ratio:.3f}" for ratio in (row.ratio, row.cpu_ratio))
    met = {None: "", True: "met", False: "MISSED"}[row.met]
    wanted = str(row.goal) if row.goal else ""
    return (row.what, row.unit, against, _number(_value(row.ours)), *ratios, wanted, met)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:,.2f}"


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    left = (0, 1, 6, 7)
    padded = (
        text.ljust(width) if at in left else text.rjust(width)
        for at, (text, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "  ".join(padded).rstrip()


def _notes(rows: Sequence[Row]) -> list[str]:
    """Say what was the limit besides the server."""
    notes = [note for row in rows for note in _limits(row)]
    other = max((_share(s, "other") for row in rows for s in (row.against, row.ours)), default=0.0)
    if other >= BUSY:
        notes.append(f"Other programs took up to {other:.0%} of a core: run it again when idle.")
    return notes


def _limits(row: Row) -> list[str]:
    notes = []
    for name, spans in (("against", row.against), ("ours", row.ours)):
        client, server = _share(spans, "client"), _share(spans, "server")
        if row.unit == RATE and client >= FULL:
            notes.append(
                f"{row.what}, {name}: the clients took {client:.0%} of a core (the server"
                f" {server:.0%}); the server may be faster than that."
            )
    return notes


def as_json(rows: Sequence[Row], lost: str, **more: float) -> str:
    """Write everything that was measured."""
    return json.dumps({"rows": [_row(row) for row in rows], **more, "lost": lost or None})


def _row(row: Row) -> dict[str, Any]:
    return {
        "key": row.key,
        "what": row.what,
        "unit": row.unit,
        "wanted": str(row.goal) if row.goal else None,
        "met": row.met,
        "ours_median": round(_value(row.ours), 2),
        "against_median": round(_value(row.against), 2) if row.against else None,
        "ratio": _rounded(row.ratio),
        "cpu_ratio": _rounded(row.cpu_ratio),
        "against": [asdict(span) for span in row.against],
        "ours": [asdict(span) for span in row.ours],
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
