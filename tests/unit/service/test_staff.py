from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from mushcombat.domain.bans import Ban
from mushcombat.domain.character import Actor, Character, Role
from mushcombat.domain.command import Access, Lane, Outcome
from mushcombat.domain.events import GAME_LEDGER, Audience, Described, Draft, Event, Fact, TraitSet
from mushcombat.domain.staff_events import (
    BanLifted,
    BanSet,
    Booted,
    PasswordReset,
    ShutdownCancelled,
    ShutdownSet,
)
from mushcombat.domain.state import StateChanged
from mushcombat.errors import MushError
from mushcombat.service.router import HUH
from mushcombat.service.staff import MOST_ROWS, gives_password
from mushcombat.systems.approval import STATE, SUBMITTED
from tests.unit.service.table import BOOK, ROUTER, do, executor_of, world_of
from tests.unit.support import (
    ADA,
    BRAM,
    GUEST,
    NOW,
    RHEA,
    START,
    MemoryStore,
    fact_of,
    scene_of,
    who,
)

ODA = Actor(15, "Oda", Role.STAFF, 105)
ZED = Actor(16, "Zed", Role.ADMIN, 106)


def store_of() -> MemoryStore:
    store = MemoryStore()
    for actor in (ODA, ZED):
        store.characters[actor.id] = Character(
            actor.id, actor.name, START, role=actor.role, account=actor.account
        )
    return store


def only(outcome: Outcome) -> tuple[Event, Audience]:
    """Give the one fact, which is in the game's ledger."""
    (draft,) = outcome.drafts
    assert draft.ledger == GAME_LEDGER
    return draft.event, draft.audience


def no(line: str, actor: Actor = RHEA, store: MemoryStore | None = None) -> str:
    with pytest.raises(MushError) as caught:
        do(line, actor, store=store or store_of())
    return str(caught.value)


def test_booting_is_noted_and_told_to_whom_it_happens() -> None:
    booted = Booted(BRAM.id, "Bram", "pasted a novel")
    assert only(do("@boot bram=pasted  a novel", RHEA)) == (booted, Audience.PRIVATE)
    assert only(do("@boot bram", RHEA))[0] == Booted(BRAM.id, "Bram", "")


def test_who_is_not_there_can_not_be_booted() -> None:
    assert no("@boot nobody") == 'There is no player called "nobody". WHO lists names.'
    assert no("@boot oda", ZED).startswith("Oda is not connected.")


@pytest.mark.parametrize("line", ["@boot {}", "@ban {}"])
def test_staff_act_on_those_of_less_rank_alone(line: str) -> None:
    for name in ("Oda", "Zed"):
        assert no(line.format(name)) == f"{name} is staff as well. Ask an admin."
    assert no(line.format("rhea")) == "That is you. Name somebody else."
    assert no(line.format("me")) == "That is you. Name somebody else."
    assert "staff as well" not in no("@boot oda", ZED)
    assert only(do("@ban oda", ZED, store=store_of()))[0] == BanSet("Oda", ODA.id, None, "")


def test_a_player_is_banned_for_a_time_or_for_ever() -> None:
    store = store_of()
    end = NOW + timedelta(days=3)
    event, audience = only(do("@ban bram=3d, threats, and worse", RHEA, store=store))
    assert (event, audience) == (
        BanSet("Bram", BRAM.id, end, "threats, and worse"),
        Audience.PRIVATE,
    )
    assert store.bans() == [Ban("Bram", BRAM.id, "threats, and worse", "Rhea", NOW, end)]
    event, _ = only(do("@ban bram=threats, and worse", RHEA, store=store))
    assert event == BanSet("Bram", BRAM.id, None, "threats, and worse")
    assert only(do("@ban bram=12h", RHEA, store=store))[0] == BanSet(
        "Bram", BRAM.id, NOW + timedelta(hours=12), ""
    )


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("192.0.2.7/24", "192.0.2.0/24"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:DB8::1/48", "2001:db8::/48"),
    ],
)
def test_addresses_are_kept_in_one_way_of_writing_and_lifted_in_any(typed: str, kept: str) -> None:
    store = store_of()
    assert only(do(f"@ban {typed}=floods", RHEA, store=store))[0] == BanSet(
        kept, None, None, "floods"
    )
    assert [ban.target for ban in store.bans()] == [kept]
    lifted = do(f"@ban/remove {typed}", RHEA, store=store)
    assert only(lifted)[0] == BanLifted(kept)
    assert store.bans() == []


def test_lifting_a_ban_of_a_name_goes_by_any_case_and_an_unknown_one_is_refused() -> None:
    store = store_of()
    do("@ban bram", RHEA, store=store)
    assert no("@ban/remove ada", store=store) == 'There is no ban of "ada". @ban/list names them.'
    assert only(do("@unban BRAM", RHEA, store=store))[0] == BanLifted("Bram")


def test_a_time_behind_the_reason_is_no_ban_without_an_end() -> None:
    assert "leave the time out" in no("@ban bram=1000000h, bad")
    assert no("@ban bram=spam for 1d") == "The time comes before the reason. @ban bram=1d, ..."
    assert only(do("@ban bram=looking for a fight", RHEA))[0] == BanSet(
        "Bram", BRAM.id, None, "looking for a fight"
    )


@pytest.mark.parametrize("end", ["spam, 1d", "for 1d", "spam for 3 days", "spam 12h"])
def test_a_time_at_the_end_of_the_reason_is_told_where_it_goes(end: str) -> None:
    assert no(f"@ban bram={end}").startswith("The time comes before the reason. @ban bram=")


@pytest.mark.parametrize(
    "typed",
    ["1d spam", "30m", "90m, spam", "1w", "1.5d", "-1d", "1h: spam", "3d spam for 1w", ".5d"],
)
def test_what_looks_like_a_time_and_is_none_is_no_ban_without_an_end(typed: str) -> None:
    told = no(f"@ban bram={typed}")
    assert told.startswith(f'"{typed}" does not begin with a time, and it looks like one. @ban ')


def test_nobody_bans_the_address_that_they_come_from() -> None:
    world = world_of()
    world.online[RHEA.id].addresses = ["192.0.2.9"]
    executor = executor_of(world)
    for typed in ("192.0.2.9", "192.0.2.0/24", "0.0.0.0/0"):
        work = executor.prepare(world.online[RHEA.id], f"@ban {typed}")
        with pytest.raises(MushError, match="You are connected from there yourself"):
            work.run(store_of())


def test_a_guest_is_banned_by_address_alone() -> None:
    assert "@connections tells it." in no("@ban guest 1")


def test_the_list_shows_bans_that_hold() -> None:
    store = store_of()
    assert do("@ban/list", RHEA, store=store).reply == ("Nobody is banned.",)
    store.ban(Ban("192.0.2.7", None, "", "Rhea", NOW, NOW + timedelta(hours=1)))
    store.ban(Ban("Bram", 12, "threats", "Zed", NOW))
    store.ban(Ban("Cass", 17, "", "Zed", NOW - timedelta(days=2), NOW))
    assert do("@ban/list", RHEA, store=store).reply == (
        "192.0.2.7 until 2026-03-01 13:30 UTC, by Rhea on 2026-03-01",
        "Bram without an end, by Zed on 2026-03-01: threats",
    )


def test_a_reason_is_one_line_of_200_characters_at_most() -> None:
    assert "reason: that has 201 characters" in no("@boot bram=" + "x" * 201)


def test_a_password_is_given_for_one_time_and_stands_in_no_fact() -> None:
    store = store_of()
    outcome = gives_password(ZED, "bram", "the hash", "The password is set.")(store)
    assert only(outcome) == (PasswordReset(BRAM.id, "Bram"), Audience.PRIVATE)
    assert outcome.reply == ("The password is set.",)
    login = store.accounts["Bram"]
    assert (login.password_hash, login.one_time, login.spent) == ("the hash", True, False)


def test_guests_and_oneself_get_no_password() -> None:
    for actor, name, told in (
        (ZED, "guest 1", "Guest 1 has no password"),
        (ZED, "zed", "That is you"),
    ):
        with pytest.raises(MushError, match=told):
            gives_password(actor, name, "h", "")(store_of())


def test_what_is_typed_as_a_password_is_not_repeated() -> None:
    for line in ("@newpassword", "@newpassword =secretive", "@newpassword bram="):
        told = no(line, ZED)
        assert told.startswith("Usage: @newpassword <player>")
        assert "secretive" not in told


def test_the_server_is_shut_down_by_admins_at_once_or_later() -> None:
    assert no("@shutdown") == HUH
    assert only(do("@shutdown", ZED))[0] == ShutdownSet(0, "")
    assert only(do("@shutdown=new disk", ZED))[0] == ShutdownSet(0, "new disk")
    assert only(do("@shutdown 5=new disk", ZED))[0] == ShutdownSet(5, "new disk")
    assert "minutes:" in no("@shutdown 1441", ZED)
    assert "minutes:" in no("@shutdown soon", ZED)


def of_staff(event: Event, at: datetime) -> Fact:
    return Fact(event, who(ZED), at, Audience.REFEREES, ledger=GAME_LEDGER, seq=1, action=1)


@pytest.mark.parametrize(
    ("minutes", "ago", "counts"), [(5, 4, True), (5, 5, False), (0, 0, False), (None, 1, False)]
)
def test_a_shutdown_is_cancelled_only_while_it_is_to_come(
    minutes: int | None, ago: int, *, counts: bool
) -> None:
    store, event = store_of(), ShutdownCancelled() if minutes is None else ShutdownSet(minutes, "")
    store.logs[GAME_LEDGER] = [of_staff(event, NOW - timedelta(minutes=ago))]
    if counts:
        assert only(do("@shutdown/cancel", ZED, store=store))[0] == ShutdownCancelled()
    else:
        told = "No shutdown is under way. @shutdown <minutes> begins one."
        assert no("@shutdown/cancel", ZED, store=store) == told
    assert no("@shutdown/cancel", ZED).startswith("No shutdown is under way.")


def test_staff_see_who_is_connected_from_where() -> None:
    world = world_of(people=(BRAM, RHEA))
    world.online[BRAM.id].addresses = ["192.0.2.7", "2001:db8::1"]
    world.online[RHEA.id].addresses = ["local"]
    outcome = executor_of(world).prepare(world.online[RHEA.id], "@connections").run(None)
    assert outcome.reply == ("Bram: 192.0.2.7, 2001:db8::1, idle 0s", "Rhea: local, idle 0s")
    assert no("@connections", ADA) == HUH


def log(store: MemoryStore, *events: Event) -> None:
    rows = store.logs.setdefault(GAME_LEDGER, [])
    for event in events:
        draft = Draft(event, Audience.REFEREES, GAME_LEDGER)
        rows.append(fact_of(draft, RHEA, len(rows) + 1))


def test_the_audit_shows_who_did_what_when_and_why() -> None:
    store = store_of()
    log(store, Booted(BRAM.id, "Bram", "a novel"), StateChanged(()), BanLifted("192.0.2.7"))
    assert do("+audit", RHEA, store=store).reply == (
        "Acts of staff, times in UTC, the last ones:",
        "#1 2026-03-01 12:30 [Server] Rhea boots Bram: a novel",
        "#3 2026-03-01 12:30 [Server] Rhea lets 192.0.2.7 in again.",
    )
    log(store, TraitSet(BRAM.id, "Bram", "otherspace", "skill", "Pistol", None, 6, "asked"))
    (_, line) = do("+audit 1", RHEA, store=store).reply
    assert line == "#4 2026-03-01 12:30 Rhea: Bram's Pistol is now Great (6); it was unset (asked)."
    assert len(do("+audit 1", RHEA, store=store).reply) == 2
    for typed in ("0", str(MOST_ROWS + 1), "-1", "bram=x", "bram=0"):
        assert "rows:" in no(f"+audit {typed}")
    assert no("+audit zork") == 'There is no player called "zork". WHO lists names.'
    assert no("+audit", BRAM) == HUH
    assert no("+audit", GUEST) == HUH


def test_players_do_not_bury_what_staff_did_and_are_shown_by_name() -> None:
    store = store_of()
    log(store, Booted(BRAM.id, "Bram", "a novel"))
    rows = store.logs[GAME_LEDGER]
    level = TraitSet(BRAM.id, "Bram", "otherspace", "skill", "Pistol", None, 6, "")
    rows += [fact_of(Draft(level, Audience.PRIVATE, GAME_LEDGER), BRAM, n) for n in range(2, 200)]
    assert len(do("+audit", RHEA, store=store).reply) == 2
    assert len(do("+audit bram", RHEA, store=store).reply) == 21
    title, *lines = do("+audit bram=100", RHEA, store=store).reply
    assert title == "Acts of Bram, times in UTC, the last ones:"
    assert (len(lines), lines[-1][:4]) == (100, "#199")


def test_the_words_of_a_staff_act_are_fixed() -> None:
    end = NOW + timedelta(hours=1)
    lines = {
        BanSet("Bram", BRAM.id, end, "floods"): "bans Bram until 2026-03-01 13:30 UTC: floods",
        BanSet("192.0.2.7", None, None): "bans 192.0.2.7 without an end.",
        PasswordReset(BRAM.id, "Bram"): "replaces Bram's password by one that works one time.",
    }
    for event, text in lines.items():
        fact = fact_of(Draft(event, Audience.PRIVATE, GAME_LEDGER), RHEA)
        assert BOOK.view.shown(fact) == f"[Server] Rhea {text}"
    for minutes, when in ((0, "now"), (1, "in 1 minute"), (5, "in 5 minutes")):
        fact = fact_of(Draft(ShutdownSet(minutes, "new disk")), ZED)
        assert BOOK.view.shown(fact) == f"[Server] Zed ends the server {when}: new disk"


ACTS = {
    "@dig": "@dig Attic",
    "@open": "@open Ladder=dock",
    "@tel": "@tel bram=dock",
    "+scene/read": "+scene/read 7=a complaint",
    "+scene/referee": "+scene/referee ada",
    "+approve": "+approve ada",
    "+channel/create": "+channel/create Ops=ops",
    "+channel/delete": "+channel/delete Public",
    "@boot": "@boot bram",
    "@ban": "@ban bram",
    "@ban/remove": "@ban/remove bram",
    "@shutdown": "@shutdown 5",
    "@shutdown/cancel": "@shutdown/cancel",
}


def test_every_verb_of_staff_that_writes_is_among_the_acts_below() -> None:
    staff = [verb for verb in ROUTER.verbs if verb.access >= Access.STAFF]
    assert {verb.name for verb in staff if verb.lane is Lane.WRITE} == set(ACTS)


@pytest.mark.parametrize("line", ACTS.values(), ids=ACTS)
def test_every_act_of_staff_leaves_a_row_in_a_log(line: str) -> None:
    people = (ADA, BRAM, ZED) if line.startswith("+scene/referee") else (ADA, BRAM)
    scene = scene_of(*people, private=True)
    store = MemoryStore(scene)
    store.ban(Ban("Bram", 12, "", "Zed", NOW))
    store.logs[GAME_LEDGER] = [of_staff(ShutdownSet(5, ""), NOW)]
    store.set_trait(ADA.id, "otherspace", STATE[0], STATE[1], SUBMITTED)
    world = world_of(scene, people=(ADA, BRAM, ZED))
    outcome = executor_of(world).prepare(world.online[ZED.id], line).run(store)
    logged = [draft.ledger for draft in outcome.drafts if draft.ledger is not None]
    assert set(logged) == ({scene.id} if ZED.id in scene.participants else {GAME_LEDGER})


def test_a_room_that_staff_describe_is_in_the_ledger_too() -> None:
    (draft,) = do("@desc here=A hall.", RHEA).drafts
    assert isinstance(draft.event, Described)
    assert draft.ledger == GAME_LEDGER
