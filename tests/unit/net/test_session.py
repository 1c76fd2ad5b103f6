from __future__ import annotations

import logging

import pytest

from mushcombat.domain.command import Refused
from mushcombat.net.session import BROKEN, BURST, DOWN, FULL, ROOMY, TOO_LONG
from mushcombat.service.router import HUH
from tests.unit.net.fakes import Table, password_of, send, type_
from tests.unit.support import START


def test_a_connection_is_greeted_at_once(table: Table) -> None:
    session, link = table.session()
    session.begin()
    assert link.seen() == ["Welcome."]


def test_lines_take_effect_in_order(table: Table) -> None:
    session, link = table.inside()
    type_(session, "say one", "+calcdamage 40/4", "say two", "zzz", "")
    assert link.seen() == [
        'You say, "one"',
        "[Damage] Ada: 40 less Constitution 4 (20%) = 32.",
        'You say, "two"',
        HUH,
    ]


def test_nothing_runs_while_an_earlier_line_is_not_committed(table: Table) -> None:
    session, link = table.inside()
    table.writer.quick = False
    type_(session, "@doing a walk", "say after")
    assert link.seen() == []
    assert not session.idle
    table.writer.work()
    assert link.seen() == [
        "WHO says that you are doing: a walk",
        'You say, "after"',
    ]
    assert session.idle


def test_in_a_scene_speech_is_shown_when_it_is_committed(scene_table: Table) -> None:
    ada, mine = scene_table.inside()
    _, theirs = scene_table.inside("Bram")
    mine.seen()
    scene_table.writer.quick = False
    type_(ada, ":waves.", ":leaves.")
    assert (mine.seen(), theirs.seen()) == ([], [])
    assert [job.appends for job in scene_table.writer.jobs] == [True]
    scene_table.writer.work()
    assert (mine.seen(), theirs.seen()) == (["Ada waves."], ["Ada waves."])
    scene_table.writer.work()
    assert theirs.seen() == ["Ada leaves."]


def test_in_a_scene_a_line_ends_with_its_number(scene_table: Table) -> None:
    session, link = scene_table.inside()
    type_(session, ":waits.", "+rcalc 6/4/50/20", "+rcalc/self 6/4/50/20")
    plain = "[Damage] Ada: ranged: ODF 50 + 5 x (6 - 4) - DDF 20 = 40, before Constitution."
    assert link.seen() == ["Ada waits.", f"{plain} #2", plain]


def test_every_line_of_a_contest_ends_with_the_number_of_its_first(scene_table: Table) -> None:
    scene_table.store.faces._faces = [2] * 8
    session, link = scene_table.inside()
    type_(session, "+roll strength vs bram")
    assert [line.rpartition(" ")[2] for line in link.seen()] == ["#1", "#1", "#1"]


def test_quit_waits_for_the_job_before_it(scene_table: Table) -> None:
    session, link = scene_table.inside()
    scene_table.writer.quick = False
    type_(session, ":bows.", "QUIT", "say never")
    assert link.seen() == []
    scene_table.writer.work()
    assert link.seen() == ["Ada bows.", "Goodbye.", "CLOSE"]
    assert scene_table.writer.jobs == []


def test_a_lost_link_waits_for_what_was_typed_before(scene_table: Table) -> None:
    session, link = scene_table.inside()
    _, theirs = scene_table.inside("Bram")
    link.seen()
    scene_table.writer.quick = False
    type_(session, ":bows.", ":falls.")
    session.lost()
    scene_table.writer.work()
    assert theirs.seen() == ["Ada bows."]
    scene_table.writer.work()
    assert link.seen() == []
    assert theirs.seen() == ["Ada falls.", "Ada has disconnected."]
    assert session.presence is None
    assert [them.name for them in scene_table.world.everyone()] == ["Bram"]


def test_a_link_lost_in_the_middle_of_a_burst_waits_for_its_lines(table: Table) -> None:
    session, _ = table.inside()
    _, theirs = table.inside("Bram")
    said = [f'Ada says, "{n}"' for n in range(BURST + 1)]
    send(session, *[f"say {n}" for n in range(BURST + 1)])
    session.lost()
    assert theirs.seen() == []
    table.reactor.turn()
    assert theirs.seen() == said[:BURST]
    table.reactor.turn()
    assert theirs.seen() == [said[BURST], "Ada has disconnected."]


def test_a_link_that_is_lost_before_a_login_is_just_gone(table: Table) -> None:
    session, link = table.session()
    session.lost()
    assert link.seen() == []
    assert session.presence is None


def test_after_so_many_lines_the_others_get_a_turn(table: Table) -> None:
    ada, mine = table.inside()
    bram, theirs = table.inside("Bram")
    mine.seen()
    send(ada, *[f"say {n}" for n in range(2 * BURST + 1)])
    send(bram, "say my turn")
    assert mine.seen() == []
    table.reactor.turn()
    assert mine.seen() == [f'You say, "{n}"' for n in range(BURST)] + ['Bram says, "my turn"']
    assert 'You say, "my turn"' in theirs.seen()
    table.reactor.turn()
    assert len(mine.seen()) == BURST
    assert not ada.idle
    table.reactor.turn()
    assert len(mine.seen()) == 1
    assert ada.idle


def test_no_line_is_lost_or_doubled_by_taking_turns(table: Table) -> None:
    session, link = table.inside()
    type_(session, *[f"say {n}" for n in range(10 * BURST)])
    assert link.seen() == [f'You say, "{n}"' for n in range(10 * BURST)]
    assert table.reactor.getDelayedCalls() == []


def flooded(table: Table, lines: int) -> list[str]:
    """Let so many lines arrive at once; give how the link was paused and resumed."""
    session, link = table.inside()
    send(session, *["say x"] * lines)
    before = link.seen()
    table.reactor.advance(0)
    assert session.idle
    return [step for step in (*before, "|", *link.seen()) if step in {"PAUSE", "RESUME", "|"}]


def test_a_flood_pauses_reading_once_until_there_is_room(table: Table) -> None:
    assert flooded(table, FULL + 50) == ["PAUSE", "|", "RESUME"]


def test_less_than_a_flood_pauses_nothing(table: Table) -> None:
    assert flooded(table, FULL - 1) == ["|"]


def test_when_the_server_ends_reading_is_not_resumed(table: Table) -> None:
    table.game.closing = True
    assert flooded(table, FULL) == ["PAUSE", "|"]


def test_reading_goes_on_only_when_there_is_room(table: Table) -> None:
    session, link = table.inside()
    send(session, *["say x"] * FULL)
    turns = 0
    while "RESUME" not in link.done:
        table.reactor.turn()
        turns += 1
    assert FULL - turns * BURST < ROOMY <= FULL - (turns - 1) * BURST


def test_a_line_over_the_limit_is_told(table: Table) -> None:
    session, link = table.inside()
    session.too_long()
    assert link.seen() == [TOO_LONG]


def test_a_fault_of_ours_is_told_and_noted_and_the_next_line_runs(
    table: Table, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, link = table.inside()

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(table.world, "way", broken)
    type_(session, "nonsense", "say on")
    assert link.seen() == [BROKEN, 'You say, "on"']
    assert "ZeroDivisionError" in caplog.text


def test_reading_answers_and_lets_the_next_line_run(table: Table) -> None:
    session, link = table.inside()
    type_(session, "+finger bram", "say on")
    assert link.seen() == ["Name: Bram", "Role: player", "Last login: never", 'You say, "on"']


def test_reading_that_refuses_tells_why(table: Table) -> None:
    session, link = table.inside()
    type_(session, "+finger zed", "say on")
    assert link.seen() == [
        'There is no player called "zed". WHO lists names.',
        'You say, "on"',
    ]


def test_reading_that_fails_is_told_and_noted(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    session, link = table.inside()
    table.readers.fault = OSError("disk")
    type_(session, "+finger bram", "say on")
    assert link.seen() == [DOWN, 'You say, "on"']
    assert [record.levelno for record in caplog.records] == [logging.ERROR]


def test_a_refused_job_is_told_to_its_actor_alone(table: Table) -> None:
    session, link = table.inside()
    _, theirs = table.inside("Bram")
    link.seen()
    type_(session, "go nowhere")
    assert link.seen() == ['There is no exit "nowhere" here. look lists the exits.']
    assert theirs.seen() == []
    session.answered(Refused("No."))
    assert link.seen() == ["No."]


def test_a_line_that_is_no_utf_8_makes_the_answers_latin_1(table: Table) -> None:
    session, link = table.inside()
    session.line(b"say caf\xe9")
    type_(session, "say x é")
    assert link.seen() == ['You say, "caf\\xe9"', 'You say, "x \\xe9"']
    assert session.kind.encoding == "latin-1"


def test_what_plays_tricks_on_a_screen_is_cleaned_out(table: Table) -> None:
    session, link = table.inside()
    type_(session, "say a\x1b[31mb\u202ec\x07")
    assert link.seen() == ['You say, "abc"']


def test_somebody_connected_twice_is_there_once(table: Table) -> None:
    _, others = table.inside("Bram")
    first, one = table.inside()
    second, two = table.inside()
    assert others.seen() == ["Ada has connected."]
    assert len(table.world.everyone()) == 2
    type_(first, "say both")
    assert (one.seen(), two.seen()) == (['You say, "both"'], ['You say, "both"'])
    first.lost()
    assert 'Ada says, "both"' in others.seen()
    assert others.seen() == []
    type_(second, "say still here")
    second.lost()
    assert others.seen() == ['Ada says, "still here"', "Ada has disconnected."]


def test_a_guest_who_disconnects_is_retired(table: Table) -> None:
    session, _ = table.session()
    type_(session, "connect guest")
    assert session.presence is not None
    name = session.presence.name
    session.lost()
    assert table.store.accounts[name].disabled
    assert table.world.here(START) == []


def test_walking_shows_the_new_room(table: Table) -> None:
    table.store.open_exit(START, ["Out", "o"], 2)
    session, link = table.inside()
    _, theirs = table.inside("Bram")
    link.seen()
    type_(session, "out")
    assert link.seen() == ["Dock 7 (#2)"]
    assert theirs.seen() == ["Ada leaves by Out."]


def test_who_comes_back_into_a_scene_is_told_what_waits_for_them(scene_table: Table) -> None:
    scene_table.arrival = ("[Combat] Round 1, Bram's turn.", "[Roll] It is allowed: +go 5")
    session, link = scene_table.session()
    type_(session, f"connect Ada {password_of('Ada')}")
    assert tuple(link.seen()[-2:]) == scene_table.arrival


def test_who_is_in_no_scene_is_told_of_none(table: Table) -> None:
    table.arrival = ("[Combat] Round 1, Bram's turn.",)
    session, link = table.session()
    type_(session, f"connect Ada {password_of('Ada')}")
    assert not set(table.arrival) & set(link.seen())


def test_at_the_end_what_waits_or_still_comes_is_dropped_counted_and_told(table: Table) -> None:
    session, link = table.inside()
    session.line(b"say one")
    session.line(b"say two")
    session.drop()
    table.reactor.turn()
    session.line(b"say three")
    session.goodbye("The end.")
    session.line(b"say four")
    assert link.seen() == [
        "RESUME",
        "The server is ending. Not done any more: your last 3 lines.",
        "The end.",
        "FINISH",
    ]


def test_at_the_end_who_waits_for_the_database_is_told_that_nobody_knows(table: Table) -> None:
    session, link = table.inside()
    session.wait()
    session.line(b"say on")
    session.drop()
    session.goodbye("The end.")
    assert link.seen() == [
        "RESUME",
        "The server is ending. Not done any more: your last line.",
        "It ends before it knows whether your last line was saved. Look, once it is back.",
        "The end.",
        "FINISH",
    ]
