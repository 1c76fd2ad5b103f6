"""Who types too fast is read more slowly, loses nothing, and leaves the others their turns."""

from __future__ import annotations

from typing import Any

import pytest

from mushcombat.config import Config
from mushcombat.net.session import BURST, FULL, Session
from tests.unit.net.fakes import Link, Table, password_of, quick_hashing, send, type_


def limited(monkeypatch: pytest.MonkeyPatch, **limits: int) -> Table:
    table = Table(config=Config.model_validate({"limits": limits}))
    quick_hashing(monkeypatch, table)
    return table


def packet(session: Session, *lines: str) -> None:
    """Let a packet arrive, as a link hands it over."""
    send(session, *lines)
    session.received(sum(len(line) + 2 for line in lines))


def reading(link: Link) -> list[str]:
    return [step for step in link.seen() if step in {"PAUSE", "RESUME"}]


def test_more_bytes_than_the_burst_make_the_link_wait_as_long_as_they_owe(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = limited(monkeypatch, bytes_burst=100, bytes=50)
    session, link = table.session()
    session.received(100)
    assert reading(link) == []
    session.received(100)
    assert reading(link) == ["PAUSE"]
    table.reactor.advance(1.9)
    assert reading(link) == []
    table.reactor.advance(0.1)
    assert reading(link) == ["RESUME"]


def said(link: Link) -> list[str]:
    return [line for line in link.seen() if line.startswith("You say")]


def test_lines_over_the_burst_are_done_at_the_rate_though_one_packet_brought_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = limited(monkeypatch, lines_burst=11, lines=10)
    session, link = table.inside()  # by one line
    packet(session, *[f"say {n}" for n in range(30)])
    packet(session, "say last")  # which the network had handed over before
    assert reading(link) == ["PAUSE"]
    seen: list[str] = []
    for second in range(5):
        for _ in range(100):
            table.reactor.advance(0.01)
        seen += link.seen()
        done = [line for line in seen if line.startswith("You say")]
        assert 0 <= 11 + 10 * (second + 1) - len(done) <= 1 or len(done) == 31
    assert done == [*(f'You say, "{n}"' for n in range(30)), 'You say, "last"']
    assert [step for step in seen if step == "RESUME"] == ["RESUME"]


def test_lines_that_come_one_by_one_over_the_burst_are_done_at_the_rate(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = limited(monkeypatch, lines_burst=50, lines=10)
    session, link = table.inside()
    network: list[str] = []
    done = 0
    for number in range(300):
        network.append(f"say {number}")
        steps = link.seen()
        done += sum(step.startswith("You say") for step in steps)
        if not session._intake.holds("rate"):
            packet(session, *network)
            network.clear()
        table.reactor.advance(0.01)
    assert 75 <= done <= 80


def test_lines_over_the_burst_that_wait_when_the_link_is_lost_are_done_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = limited(monkeypatch, lines_burst=3, lines=1)
    session, _ = table.inside("Ada")
    _, theirs = table.inside("Bram")
    packet(session, *[f"say {n}" for n in range(20)])
    table.reactor.advance(0)
    assert len(theirs.seen()) == 2
    session.lost()
    for _ in range(3):
        table.reactor.advance(1)
    assert theirs.seen() == [*(f'Ada says, "{n}"' for n in range(2, 20)), "Ada has disconnected."]


def test_one_address_has_a_limit_for_all_its_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    table = limited(monkeypatch, address_bytes=50)
    one, mine = table.session("192.0.2.7")
    two, theirs = table.session("192.0.2.7")
    three, others = table.session("192.0.2.8")
    one.received(100)
    two.received(50)
    three.received(50)
    assert (reading(mine), reading(theirs), reading(others)) == ([], ["PAUSE"], [])


def test_a_link_that_waits_for_two_reasons_goes_on_after_both(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = limited(monkeypatch, bytes_burst=10, bytes=10)
    session, link = table.inside()
    packet(session, *["say x"] * FULL)
    assert reading(link) == ["PAUSE"]
    for _ in range(FULL):
        table.reactor.turn()
    assert session.idle
    assert "RESUME" not in link.seen()
    table.reactor.advance(FULL)
    assert reading(link) == ["RESUME"]


def test_a_link_is_read_no_more_when_the_server_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    table = limited(monkeypatch, bytes_burst=10, bytes=10)
    session, link = table.session()
    session.received(30)
    table.game.closing = True
    table.reactor.advance(10)
    assert reading(link) == ["PAUSE"]


def test_a_lost_link_leaves_no_timer_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    table = limited(monkeypatch, bytes_burst=10, bytes=10)
    session, _ = table.session()
    session.begin()
    session.received(100)
    session.lost()
    session.received(100)
    assert table.reactor.getDelayedCalls() == []


def test_2000_pasted_lines_of_one_let_the_others_have_their_turn_in_between(table: Table) -> None:
    """The order of work: whoever types one line waits for at most one burst of the other's."""
    flooder, _ = table.inside("Ada")
    other, theirs = table.inside("Bram")
    done: list[str] = []
    prepare = table.game.executor.prepare

    def noted(presence: Any, line: str, *kind: Any) -> Any:
        done.append(f"{presence.name}: {line}")
        return prepare(presence, line, *kind)

    table.game.executor.prepare = noted  # type: ignore[method-assign,assignment]  # a test's own ears
    send(flooder, *["WHO"] * 2000)
    for number in range(20):
        before = len(done)
        send(other, f"say {number}")
        table.reactor.turn()
        mine = next(at for at, line in enumerate(done[before:]) if line.startswith("Bram"))
        assert mine <= BURST
    assert len(done) < 2000
    for _ in range(2000):
        table.reactor.turn()
    assert done.count("Ada: WHO") == 2000
    assert [line for line in theirs.seen() if line.startswith("You say")] == [
        f'You say, "{number}"' for number in range(20)
    ]


def test_many_flooders_have_a_burst_each_before_anybody_has_a_second_one(table: Table) -> None:
    links = []
    for _ in range(5):
        session, link = table.session()
        send(session, *["WHO"] * 100)
        links.append(link)
    for turn in (1, 2):
        table.reactor.turn()
        answers = [len(link.done) for link in links]
        assert answers == [turn * BURST] * 5


# who may not come in


def test_who_may_not_come_in_is_told_in_one_line_and_never_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = limited(monkeypatch, connections=1)
    first, mine = table.session()
    second, theirs = table.session()
    first.begin()
    second.begin()
    assert mine.seen() == ["Welcome."]
    assert theirs.seen() == ["The server is full: 1 are connected. Try again later.", "CLOSE"]
    type_(second, f"connect Ada {password_of('Ada')}")
    assert theirs.seen() == []
    second.lost()
    assert table.game.gate.count == 1
    first.lost()
    assert table.game.gate.count == 0
    assert table.game.sessions == set()
