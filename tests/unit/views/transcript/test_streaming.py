"""Lines go out as rows come in: a long log needs no more memory than a short one."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pytest

from mushcombat.domain.events import Spoken
from mushcombat.domain.transcripts import FORMATS, PROFILES, LoggedRow, Source, Wanted
from mushcombat.views.transcript.blocks import MOST, Blocks
from mushcombat.views.transcript.selection import Selection
from tests.unit.service.table import BOOK
from tests.unit.support import BRAM, who
from tests.unit.views.transcript.logs import Log

FEW, MANY = 500, 5000


def sample() -> Log:
    log = Log()
    log.add(Spoken("pose", "waits, and thinks of a long walk home."))
    log.add(Spoken("say", "Halt!"), who(BRAM))
    log.add(Spoken("ooc", "brb"))
    log.attack()
    log.roll()
    return log


def endless(log: Log) -> Iterator[LoggedRow]:
    """Repeat the rows of a log, numbered on and on; each is made anew."""
    seq = 0
    while True:
        for row in log.rows:
            seq += 1
            fact = replace(row.fact, seq=seq, action=seq)
            yield LoggedRow(fact, {**row.hashed, "seq": seq}, row.salt, row.digest)


def peak(log: Log, wanted: Wanted, rows: int) -> int:
    """Give the most bytes held at once while a transcript of so many rows is written."""
    source = replace(log.source(), rows=islice(endless(log), rows))
    tracemalloc.start()
    try:
        written = sum(len(line) for line in BOOK.transcripts.lines(source, wanted))
        assert written > rows
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("format_", FORMATS)
def test_ten_times_the_rows_need_no_more_memory(format_: str, profile: str) -> None:
    log, wanted = sample(), Wanted(format_, profile)
    peak(log, wanted, 50)  # what is made once, and kept
    few, many = peak(log, wanted, FEW), peak(log, wanted, MANY)
    assert many < few + 50_000
    assert many < 500_000


def test_a_line_goes_out_before_the_rows_after_it_are_read() -> None:
    log = sample()
    for format_ in FORMATS:
        source = replace(log.source(), rows=endless(log))
        lines = BOOK.transcripts.lines(source, Wanted(format_, "results"))
        assert len(list(islice(lines, 200))) == 200


def blocks(source: Source, profile: str = "results") -> Blocks:
    chosen = Selection(source, Wanted("html", profile))
    return Blocks(source.rows, chosen, BOOK.view.render, lambda _: "")


def test_a_run_of_results_without_end_is_parted_into_blocks() -> None:
    log = Log()
    log.add(Spoken("pose", "rolls and rolls."))
    for _ in range(2 * MOST + 5):
        log.roll()
    made = list(blocks(log.source()))
    assert [(block.pose is not None, len(block.under)) for block in made] == [
        (True, MOST),
        (False, MOST),
        (False, 5),
    ]


def test_blocks_tell_of_the_rows_read_and_of_the_chain_so_far() -> None:
    log = sample()
    made = blocks(log.source(), "story")
    assert [block.under for block in made] == [[], []]
    assert (made.read, made.head) == (len(log.rows), log.rows[-1].fact.head)
    assert list(blocks(Log().source())) == []
