"""Channels, their lines, and players' choices, on both databases."""

from __future__ import annotations

from functools import partial

import pytest
from sqlalchemy import event

from mushcombat.domain.channels import KEPT, Channel, ChannelSpoken, State
from mushcombat.domain.character import Role
from mushcombat.domain.command import Committed, Outcome, Refused
from mushcombat.domain.events import Audience, Draft, Fact, Who
from mushcombat.domain.settings import MOST_CONTACTS, Contact, Settings
from mushcombat.errors import MushError
from mushcombat.storage.channels import CLEARED_EVERY
from mushcombat.storage.writes import WriteStore
from tests.contract.bench import Bench, Run, saying

PUBLIC, STAFF = 1, 2
ADA = Who(11, "Ada")


def speaks(text: str, channel: int = PUBLIC) -> Run:
    spoken = ChannelSpoken(channel, "Public", text)
    return lambda _: Outcome.of(Draft(spoken, Audience.CHANNEL))


def say(bench: Bench, *texts: str, channel: int = PUBLIC) -> None:
    bench.facts(*(bench.job(speaks(t, channel), actor=ADA, appends=True) for t in texts))


def lines(bench: Bench, channel: int = PUBLIC, count: int = 10_000) -> list[str]:
    found = bench.read(lambda store: store.channel_lines(channel, count))
    return [fact.event.text for fact in found if isinstance(fact.event, ChannelSpoken)]


def sets(character: int, state: State, store: WriteStore) -> None:
    store.set_channel(PUBLIC, character, state)


def marks(character: int, kind: Contact, other: int, store: WriteStore) -> None:
    store.set_contact(character, kind, other, on=True)


def settings(bench: Bench, character: int) -> Settings:
    return bench.read(lambda store: store.settings(character))


def test_a_new_game_has_a_public_channel_and_one_for_staff(bench: Bench) -> None:
    assert bench.read(lambda store: store.channels()) == [
        Channel(PUBLIC, "Public", "pub", Role.GUEST, everyone=True),
        Channel(STAFF, "Staff", "staff", Role.STAFF, everyone=True),
    ]


def test_what_is_said_is_kept_with_who_and_when_in_order(bench: Bench) -> None:
    (first, second) = bench.facts(
        bench.job(speaks("a"), actor=ADA, appends=True),
        bench.job(speaks(":ö%r"), actor=ADA, appends=True),
    )
    say(bench, "elsewhere", channel=STAFF)
    found = bench.read(lambda store: store.channel_lines(PUBLIC, 10))
    assert found == [Fact(fact.event, ADA, fact.at, Audience.CHANNEL) for fact in (first, second)]
    assert lines(bench, count=1) == [":ö%r"]
    assert lines(bench, STAFF) == ["elsewhere"]
    assert lines(bench, 99) == []


def test_lines_keep_their_order_over_batches(bench: Bench) -> None:
    for n in range(3):
        say(bench, f"{n}a", f"{n}b")
    assert lines(bench) == ["0a", "0b", "1a", "1b", "2a", "2b"]


def test_a_line_of_a_batch_outlives_a_job_beside_it_that_is_refused(bench: Bench) -> None:
    scene = bench.scene(bench.login("Ada"))

    def refuses(_: object) -> Outcome:
        raise MushError("no", "Not now.")

    appends = bench.job(speaks("kept"), actor=ADA, appends=True)
    results = bench.run(appends, refuses, saying(scene, "logged"), appends_refused(bench))
    assert [type(result) for result in results] == [Committed, Refused, Committed, Refused]
    assert lines(bench) == ["kept"]


def appends_refused(bench: Bench) -> Run:
    """Make the run of a job that says something and then can't."""
    closed = bench.scene(bench.login("Bram"))
    bench.facts(bench.closes(closed))
    spoken = ChannelSpoken(PUBLIC, "Public", "never")

    def run(_: object) -> Outcome:
        said = Draft(spoken, Audience.CHANNEL)
        return Outcome.of(said, Draft(spoken, Audience.ROOM, closed))

    return run


def test_only_the_newest_lines_are_kept(bench: Bench) -> None:
    count = KEPT + CLEARED_EVERY
    say(bench, *(str(n) for n in range(KEPT)))
    say(bench, *(str(n) for n in range(KEPT, count - 1)))
    assert len(lines(bench)) == count - 1
    say(bench, "last")
    assert lines(bench) == [str(n) for n in range(CLEARED_EVERY, count - 1)] + ["last"]


def statements(bench: Bench, count: int) -> list[str]:
    """Give what the database is told while so many lines are kept in one batch."""
    told: list[str] = []

    def note(_c: object, _u: object, statement: str, *_: object) -> None:
        if "recent_jobs" not in statement:  # swept now and then
            told.append(statement.partition(" ")[0])

    event.listen(bench.engine, "before_cursor_execute", note)
    say(bench, *(str(n) for n in range(count)))
    event.remove(bench.engine, "before_cursor_execute", note)
    return told


def test_many_lines_cost_no_more_statements_than_two(bench: Bench) -> None:
    few, many = statements(bench, 2), statements(bench, 50)
    assert few == many
    assert few.count("INSERT") == few.count("UPDATE") == 1


def test_a_line_for_a_channel_that_is_gone_is_dropped(bench: Bench) -> None:
    say(bench, "nobody's", channel=99)
    say(bench, "kept")
    assert lines(bench, 99) == []
    assert lines(bench) == ["kept"]


def test_a_channel_is_made_and_deleted_with_all_that_is_its(bench: Bench) -> None:
    ada = bench.login("Ada").character
    made = bench.do(
        lambda store: store.make_channel("Trade", "tr", Role.PLAYER, bench.clock(), everyone=False)
    )
    assert bench.read(lambda store: store.channels())[-1] == made
    bench.do(lambda store: store.set_channel(made.id, ada, "on"))
    say(bench, "hi", channel=made.id)
    bench.do(lambda store: store.delete_channel(made.id))
    assert [one.name for one in bench.read(lambda store: store.channels())] == ["Public", "Staff"]
    assert settings(bench, ada) == Settings()
    assert lines(bench, made.id) == []


@pytest.mark.parametrize(
    ("name", "alias"), [("PUBLIC", "x1"), ("Pub", "x1"), ("X1", "pub"), ("X1", "public")]
)
def test_a_name_or_an_alias_is_taken_whichever_of_both_it_was(
    bench: Bench, name: str, alias: str
) -> None:
    with pytest.raises(MushError, match=f"There is a channel called {name} or {alias}"):
        bench.do(
            lambda store: store.make_channel(
                name, alias, Role.PLAYER, bench.clock(), everyone=False
            )
        )


def test_what_a_player_chose_is_kept_and_changed(bench: Bench) -> None:
    ada, bram, cass = (bench.login(name).character for name in ("Ada", "Bram", "Cass"))
    assert settings(bench, ada) == Settings()
    states: tuple[State, ...] = ("off", "left")
    for state in states:
        bench.do(partial(sets, ada, state))
    for other in (bram, cass, bram):
        bench.do(partial(marks, ada, "ignore", other))
    bench.do(lambda store: store.set_contact(ada, "watch", bram, on=True))
    bench.do(lambda store: store.watch_all(ada, on=True))
    bench.do(lambda store: store.lock_pages(ada, on=True))
    assert settings(bench, ada) == Settings(
        {PUBLIC: "left"}, frozenset({bram, cass}), frozenset({bram}), True, True
    )
    assert settings(bench, bram) == Settings()
    bench.do(lambda store: store.set_contact(ada, "ignore", bram, on=False))
    bench.do(lambda store: store.lock_pages(ada, on=False))
    assert settings(bench, ada).ignored == {cass}
    assert not settings(bench, ada).pages_locked


def test_who_becomes_staff_is_ignored_no_longer(bench: Bench) -> None:
    ada, bram = bench.login("Ada"), bench.login("Bram")
    kinds: tuple[Contact, ...] = ("ignore", "watch")
    for kind in kinds:
        bench.do(partial(marks, ada.character, kind, bram.character))
    bench.do(lambda store: store.set_role(bram.account, Role.STAFF))
    assert settings(bench, ada.character) == Settings(watched=frozenset({bram.character}))


def test_there_is_an_end_to_whom_one_can_ignore(bench: Bench) -> None:
    ada = bench.login("Ada").character
    others = [bench.login(f"Crew {n}").character for n in range(MOST_CONTACTS + 1)]

    def ignore(store: WriteStore) -> None:
        for other in others:
            marks(ada, "ignore", other, store)

    with pytest.raises(MushError, match="more than 100"):
        bench.do(ignore)
    assert settings(bench, ada).ignored == frozenset()


def test_where_one_left_from_is_kept_until_one_goes_back(bench: Bench) -> None:
    ada, deck = bench.login("Ada"), bench.room()
    assert bench.read(lambda store: store.left_from(ada.character)) is None
    bench.do(lambda store: store.leave_from(ada.character, deck))
    assert bench.read(lambda store: store.left_from(ada.character)) == deck
    bench.do(lambda store: store.leave_from(ada.character, None))
    assert bench.read(lambda store: store.left_from(ada.character)) is None
