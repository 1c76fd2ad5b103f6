from __future__ import annotations

import logging

import pytest

from mushcombat.config import Config
from mushcombat.domain.character import Role
from mushcombat.net.login import PATIENCE, SPENT
from mushcombat.net.session import DOWN
from mushcombat.service.accounts import WRONG
from tests.unit.net.fakes import Table, password_of, quick_hashing, type_
from tests.unit.support import NOW

ROOM = ["The Landing (#1)", "A hall.", "Exits: Out <o>."]
GOOD = password_of("Ada")
INSIDE = ["News.", "Connected as Ada.", *ROOM]


def typed(table: Table, *lines: str) -> list[str]:
    session, link = table.session()
    type_(session, *lines)
    return link.seen()


@pytest.mark.parametrize(
    "line",
    [f"connect Ada {GOOD}", f"co ADA {GOOD}", f'CON "ada" {GOOD}', f"connect Ada {GOOD} "],
)
def test_a_login_ends_with_its_line_and_then_the_room(table: Table, line: str) -> None:
    assert typed(table, line) == INSIDE


def test_quotes_go_round_a_name_with_spaces(table: Table) -> None:
    table.store.create_account("Anna Maria", "hash of secret one", Role.PLAYER, NOW)
    assert "Connected as Anna Maria." in typed(table, 'connect "anna maria" secret one')


def test_a_wrong_name_and_a_wrong_password_are_answered_alike(table: Table) -> None:
    assert typed(table, "connect Ada wrong") == typed(table, "connect Nobody wrong") == [WRONG]
    assert WRONG == "Either that player does not exist, or has a different password."


def test_a_login_that_is_locked_out_is_answered_like_a_wrong_one(table: Table) -> None:
    table.store.set_disabled(101, disabled=True)
    assert typed(table, f"connect Ada {GOOD}") == [WRONG]


def test_a_one_time_password_works_once_and_asks_for_another(table: Table) -> None:
    table.store.create_account("Cass", "hash of once only", Role.PLAYER, NOW, one_time=True)
    first = typed(table, "connect Cass once only")
    assert first[:3] == [SPENT, "News.", "Connected as Cass."]
    assert typed(table, "connect Cass once only") == [WRONG]


def test_so_many_wrong_passwords_make_one_wait(table: Table) -> None:
    tries = table.game.config.login.tries
    assert typed(table, *["connect Ada wrong"] * tries) == [WRONG] * tries
    told = "Too many wrong passwords. Wait 31 seconds."
    assert typed(table, f"connect Ada {GOOD}") == [told]
    table.reactor.advance(table.game.config.login.wait)
    assert typed(table, f"connect Ada {GOOD}") == INSIDE


def test_a_connection_that_tries_name_after_name_is_closed(table: Table) -> None:
    most = PATIENCE * table.game.config.login.tries
    session, link = table.session()
    type_(session, *(f"connect Nobody{number} wrong" for number in range(most + 1)))
    told = "Too many wrong passwords on this connection. Goodbye."
    assert link.seen() == [*[WRONG] * most, told, "CLOSE"]


def test_an_old_password_can_no_more_be_guessed_inside_than_at_the_door(table: Table) -> None:
    session, link = table.session()
    tries = table.game.config.login.tries
    type_(session, f"connect Ada {GOOD}", *["@password guess=something new"] * (tries + 1))
    assert link.seen()[-1].startswith("Too many wrong passwords. Wait ")


def test_a_right_password_forgets_the_wrong_ones_before_it(table: Table) -> None:
    wrong = ["connect Ada wrong"] * (table.game.config.login.tries - 1)
    for _ in range(2):
        assert typed(table, *wrong) == [WRONG] * len(wrong)
        assert typed(table, f"connect Ada {GOOD}") == INSIDE


def test_a_password_is_asked_for_with_typing_hidden(table: Table) -> None:
    session, link = table.session()
    type_(session, "connect Ada")
    assert link.seen() == ["HIDE", "Password: "]
    type_(session, GOOD)
    assert link.seen() == ["SHOW", "", *INSIDE]


def test_typing_is_shown_again_after_a_wrong_password_too(table: Table) -> None:
    session, link = table.session()
    for _ in range(2):
        type_(session, "connect Ada")
        assert link.seen() == ["HIDE", "Password: "]
        type_(session, "wrong")
        assert link.seen() == ["SHOW", "", WRONG]


@pytest.mark.parametrize("answer", ["", "QUIT", "connect Ada x", "guest"])
def test_whatever_answers_the_question_is_a_password_and_no_command(
    table: Table, answer: str
) -> None:
    session, link = table.session()
    type_(session, "connect Ada", answer)
    assert link.seen() == ["HIDE", "Password: ", "SHOW", "", WRONG]


def test_a_question_ends_when_nothing_comes(table: Table) -> None:
    session, link = table.session()
    type_(session, "connect Ada")
    table.reactor.advance(table.game.config.login.prompt - 1)
    assert link.seen() == ["HIDE", "Password: "]
    table.reactor.advance(1)
    assert link.seen() == ["SHOW", "", "Nothing came. Type connect <name> <password>, or help."]
    type_(session, "WHO")
    assert link.seen() == ["0 players are connected."]
    assert table.reactor.getDelayedCalls() == []


def test_an_answer_in_time_leaves_no_clock_running(table: Table) -> None:
    session, link = table.session()
    type_(session, "connect Ada", GOOD)
    assert table.reactor.getDelayedCalls() == []
    table.reactor.advance(3600)
    assert "SHOW" not in link.seen()[3:]


def test_a_link_lost_at_the_question_leaves_no_clock_running(table: Table) -> None:
    session, _ = table.session()
    type_(session, "connect Ada")
    session.lost()
    assert table.reactor.getDelayedCalls() == []


def test_while_a_password_is_checked_later_lines_wait(table: Table) -> None:
    table.hashing.held = []
    session, link = table.session()
    type_(session, f"connect Ada {GOOD}", "say hi")
    assert link.seen() == []
    for work in table.hashing.held:
        work()
    assert link.seen() == [*INSIDE, 'You say, "hi"']


def test_a_link_lost_while_a_password_is_checked_leaves_nobody_behind(table: Table) -> None:
    table.hashing.held = []
    session, link = table.session()
    type_(session, f"connect Ada {GOOD}")
    session.lost()
    for work in table.hashing.held:
        work()
    assert link.seen() == []
    assert table.world.everyone() == []


@pytest.mark.parametrize("line", ["connect", "connect ", 'connect ""'])
def test_connect_alone_is_answered_with_its_usage(table: Table, line: str) -> None:
    assert typed(table, line) == ["Usage: connect <name> <password>"]


@pytest.mark.parametrize("line", ["help", "hello", "look", "c", "+sheet", "HELP"])
def test_anything_else_is_answered_with_the_screen(table: Table, line: str) -> None:
    assert typed(table, line) == ["Welcome."]


def test_an_empty_line_is_answered_with_nothing(table: Table) -> None:
    assert typed(table, "", "   ", "\t") == []


def test_who_and_quit_work_before_a_login(table: Table) -> None:
    table.inside("Bram")
    assert typed(table, "who", "quit") == [
        "Bram: on for 0s, idle 0s",
        "1 player is connected.",
        "Goodbye.",
        "CLOSE",
    ]


def test_a_new_login_is_made_and_is_in(table: Table) -> None:
    assert typed(table, "create T'Pring long enough") == [
        "News.",
        "Connected as T'Pring.",
        *ROOM,
    ]
    assert table.store.accounts["T'Pring"].password_hash == "hash of long enough"


@pytest.mark.parametrize(
    "name",
    ["\u200b", "Bob\u200e", "\u0412\u043eb", "ada", "here", "#1", "+x", "x" * 200, '""', '"a  b"'],
)
def test_a_bad_name_makes_no_login_and_never_a_shortened_one(table: Table, name: str) -> None:
    before = set(table.store.accounts)
    (told,) = typed(table, f"create {name} long enough")
    assert told.strip()
    assert "Connected" not in told
    assert set(table.store.accounts) == before


def test_who_was_renamed_while_they_are_on_keeps_the_old_name_till_they_go(table: Table) -> None:
    session, _ = table.session()
    type_(session, f"connect Ada {GOOD}")
    table.store.rename(101, "Adele")
    told = 'The name "ADA" is taken. Pick another.'
    assert typed(table, "create ADA long enough") == [told]
    session.lost()
    assert "Connected as ADA." in typed(table, "create ADA long enough")


@pytest.mark.parametrize("line", ["create", "create Bob", "create Bob "])
def test_create_without_a_password_is_answered_with_its_usage(table: Table, line: str) -> None:
    assert typed(table, line) == ["Usage: create <name> <password>"]


def test_a_short_password_makes_no_login_and_is_not_repeated(table: Table) -> None:
    assert typed(table, "create Bob tiny") == ["A password has 6 to 128 characters. Pick another."]


def test_making_logins_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    config = Config.model_validate({"accounts": {"create": False, "guests": 0}})
    table = Table(config=config)
    quick_hashing(monkeypatch, table)
    assert typed(table, "create Bob long enough") == [
        "Making a character is switched off here. Ask staff."
    ]
    assert typed(table, "connect guest") == [
        "No more guests fit just now. Try create <name> <password>."
    ]


def test_so_many_guests_fit_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(config=Config.model_validate({"accounts": {"guests": 1}}))
    quick_hashing(monkeypatch, table)
    assert "Connected as Guest 2." in typed(table, "connect guest")
    assert typed(table, "connect GUEST")[0].startswith("No more guests fit")


def test_hashing_that_fails_is_told_and_the_next_line_runs(table: Table) -> None:
    table.hashing.broken = True
    assert typed(table, f"connect Ada {GOOD}", "who") == [DOWN, "0 players are connected."]
    assert typed(table, "create Bob long enough") == [DOWN]


def test_a_password_is_changed_by_who_knows_it(table: Table) -> None:
    session, link = table.inside()
    type_(session, f"@password {GOOD}=another one", "say on")
    assert link.seen() == ["Your password is changed.", 'You say, "on"']
    assert typed(table, f"connect Ada {GOOD}") == [WRONG]
    assert "Connected as Ada." in typed(table, "connect Ada another one")


def test_a_password_is_not_changed_by_who_does_not(table: Table) -> None:
    session, link = table.inside()
    type_(session, "@password guess=another one", f"@password {GOOD}=tiny", "@password x", "say on")
    assert link.seen() == [
        "The old password is another one. Try @password.",
        "A password has 6 to 128 characters. Pick another.",
        "Usage: @password [<old>=<new>]",
        'You say, "on"',
    ]
    assert table.store.accounts["Ada"].password_hash == f"hash of {GOOD}"


def test_a_password_is_asked_for_when_it_is_not_given(table: Table) -> None:
    session, link = table.inside()
    type_(session, "@password")
    assert link.seen() == ["HIDE", "Old password: "]
    type_(session, GOOD)
    assert link.seen() == ["SHOW", "", "HIDE", "New password: "]
    type_(session, "say secret", "say on")
    assert link.seen() == ["SHOW", "", "Your password is changed.", 'You say, "on"']
    assert "Connected as Ada." in typed(table, "connect Ada say secret")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("guess", "another one", "The old password is another one. Try @password."),
        (GOOD, "tiny", "A password has 6 to 128 characters. Pick another."),
        (GOOD, "", "Your password stays as it is. Try @password."),
    ],
)
def test_an_answer_that_will_not_do_changes_nothing(
    table: Table, old: str, new: str, told: str
) -> None:
    session, link = table.inside()
    type_(session, "@password", old, new, "say on")
    assert link.seen()[-2:] == [told, 'You say, "on"']
    assert table.store.accounts["Ada"].password_hash == f"hash of {GOOD}"


def test_an_empty_line_at_the_first_question_ends_it_and_the_next_line_is_a_line(
    table: Table,
) -> None:
    session, link = table.inside()
    type_(session, "@password", "", "say on")
    told = "Your password stays as it is. Try @password."
    assert link.seen() == ["HIDE", "Old password: ", "SHOW", "", told, 'You say, "on"']


def test_a_question_inside_ends_when_nothing_comes(table: Table) -> None:
    session, link = table.inside()
    type_(session, "@password")
    table.reactor.advance(table.game.config.login.prompt)
    told = ["HIDE", "Old password: ", "SHOW", "", "Nothing came. Type @password."]
    assert link.seen() == told
    type_(session, "say on")
    assert link.seen() == ['You say, "on"']


def test_no_password_is_in_any_record_of_the_log(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    secrets = [GOOD, "wrong-word-1", "right-word-2", "other-word-3", "fresh-word-4"]
    for broken in (False, True):
        table.hashing.broken = broken
        typed(table, f"connect Ada {GOOD}", f"@password {GOOD}=fresh-word-4")
        typed(table, "connect Ada wrong-word-1", "connect Ada", "wrong-word-1")
        typed(table, "create Cass right-word-2", "@password right-word-2=other-word-3")
        typed(table, "create Ada other-word-3", "create here other-word-3")
    table.hashing.broken = False
    table.readers.fault = OSError("disk")
    typed(table, "connect Ada wrong-word-1")
    assert caplog.records
    everything = caplog.text + "".join(str(vars(record)) for record in caplog.records)
    assert [secret for secret in secrets if secret in everything] == []
