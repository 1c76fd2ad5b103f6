"""Staff keep order: @boot, @ban, @newpassword, @shutdown, who is connected from where, +audit.

What is typed here is written in the game's ledger, and only then done: the connections act on
the facts that the ledger released.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from mushcombat.domain.bans import Ban, covers, network, span
from mushcombat.domain.character import Actor, Character, Role
from mushcombat.domain.command import (
    Access,
    Call,
    Context,
    Lane,
    Outcome,
    ReadContext,
    Verb,
    WriteContext,
    session_only,
)
from mushcombat.domain.events import GAME_LEDGER, Audience, Draft, Event, Fact
from mushcombat.domain.names import LONGEST
from mushcombat.domain.numbers import parse_whole
from mushcombat.domain.ports import Writes
from mushcombat.domain.staff_events import (
    BanLifted,
    BanSet,
    Booted,
    PasswordReset,
    ShutdownCancelled,
    ShutdownSet,
)
from mushcombat.domain.text import clip
from mushcombat.domain.visibility import Viewer, redact
from mushcombat.errors import MushError
from mushcombat.service.clock import CLOCK
from mushcombat.service.parsing import nothing, one_line, words
from mushcombat.service.people import find_player, one_player, spell_time
from mushcombat.service.presence import Presence
from mushcombat.service.world import World

LONGEST_REASON = 200
LONGEST_COUNTDOWN = 1440
"""Minutes: a day."""
ROWS, MOST_ROWS = 20, 200
"""Rows of the game's ledger that `+audit` shows, and the most that it can be asked for."""

BanCall = tuple[str, timedelta | None, str]


def _reason(text: str | None) -> str:
    return one_line(text, "reason", LONGEST_REASON) if text else ""


def _ledger(event: Event, audience: Audience = Audience.REFEREES) -> Draft:
    """Draft a row of the game's ledger; REFEREES there is nobody but who reads the audit."""
    return Draft(event, audience, GAME_LEDGER)


def check_rank(actor: Actor, them: Character) -> None:
    """Refuse acts of staff against themselves, or against somebody of no lower rank."""
    if them.id == actor.id:
        raise MushError("rank", "That is you.", "Name somebody else.")
    if them.role >= actor.role and actor.role is not Role.ADMIN:
        raise MushError("rank", f"{them.name} is staff as well.", "Ask an admin.")


# boot


def _booted(call: Call) -> tuple[str, str]:
    """Parse `<player>[=<reason>]`."""
    name, reason = call.sides()
    if not name:
        raise call.wrong()
    return name, _reason(reason)


def _boot(context: WriteContext, arguments: tuple[str, str]) -> Outcome:
    them = find_player(context, arguments[0])
    check_rank(context.actor, them)
    if them.id not in context.present:
        raise MushError("boot", f"{them.name} is not connected.", "WHO lists who is.")
    return Outcome.of(_ledger(Booted(them.id, them.name, arguments[1]), Audience.PRIVATE))


# bans


def _ban_called(call: Call) -> BanCall:
    """Parse `<address, network or player>[=<time>][, <reason>]`; None lasts for ever."""
    target, right = call.sides()
    if not target:
        raise call.wrong()
    first, _, rest = (right or "").partition(",")
    length = span(first)
    reason = _reason((rest if length else right or "").strip())
    if length is None:
        _check_no_time(target, reason)
    return target, length, reason


def _check_no_time(target: str, reason: str) -> None:
    """Refuse what was meant as a time, and would be the reason of a ban without an end."""
    for end in (reason.rpartition("for ")[2], *reason.split()[-1:]):
        if span(end):
            raise MushError("ban", "The time comes before the reason.", f"@ban {target}={end}, ...")
    if reason[:1].isdigit() or reason[:1] in {"-", "+", "."}:
        text = f'"{clip(reason)}" does not begin with a time, and it looks like one.'
        hint = f"@ban {target}=3d, <reason> or =12h, <reason>; a reason alone begins with a word."
        raise MushError("ban", text, hint)


def _ban_address(target: str, mine: list[str]) -> tuple[str, None]:
    if any(covers(target, address) for address in mine):
        raise MushError("ban", "You are connected from there yourself.", "@connections lists all.")
    return target, None


def _ban_player(context: WriteContext, name: str) -> tuple[str, int]:
    them = find_player(context, name)
    check_rank(context.actor, them)
    if them.role is Role.GUEST:
        hint = "Ban the address: @connections tells it."
        raise MushError("ban", f"{them.name} is a guest, and never comes back by that name.", hint)
    return them.name, them.id


def _lift(context: WriteContext, typed: str) -> Outcome:
    net = network(typed)
    wanted = str(net) if net else typed
    known = [ban.target for ban in context.store.bans()]
    found = [target for target in known if target.casefold() == _key(wanted)]
    if not found:
        raise MushError("ban", f'There is no ban of "{clip(typed)}".', "@ban/list names them.")
    context.store.lift_ban(found[0])
    return Outcome.of(_ledger(BanLifted(found[0])), reply=(f"{found[0]} may come in again.",))


def _key(target: str) -> str:
    """Write a target as it is kept: a single address without the length of its network."""
    return shown_target(target).casefold()


def shown_target(target: str) -> str:
    """Write a network as people do: `192.0.2.1`, not `192.0.2.1/32`."""
    net = network(target)
    if net is None:
        return target
    return str(net.network_address) if net.num_addresses == 1 else str(net)


def _bans(context: ReadContext, _: None) -> Outcome:
    holding = [ban for ban in context.store.bans() if ban.holds(context.now)]
    lines = [_ban_line(ban) for ban in holding]
    return Outcome.tell(*(lines or ["Nobody is banned."]))


def _ban_line(ban: Ban) -> str:
    end = f"until {ban.until:%Y-%m-%d %H:%M} UTC" if ban.until else "without an end"
    why = f": {ban.reason}" if ban.reason else ""
    return f"{ban.target} {end}, by {ban.by} on {ban.since:%Y-%m-%d}{why}"


# passwords and the end


def _new_password(call: Call) -> tuple[str, str]:
    """Parse `<player>[=<password>]`; '' lets the server make one. Nothing of it is repeated."""
    name, password = call.sides()
    if not name or len(name) > LONGEST or password == "":
        raise call.wrong()
    return name, password or ""


def gives_password(
    actor: Actor, name: str, password_hash: str, answer: str
) -> Callable[[Writes], Outcome]:
    """Make the job that gives somebody a one-time password; `answer` is what the actor is told."""

    def run(store: Writes) -> Outcome:
        them = one_player(store, actor.name, name)
        check_rank(actor, them)
        if them.account is None or them.role is Role.GUEST:
            raise MushError("newpassword", f"{them.name} has no password.", "WHO lists names.")
        store.set_password(them.account, password_hash, one_time=True)
        done = _ledger(PasswordReset(them.id, them.name), Audience.PRIVATE)
        return Outcome.of(done, reply=(answer,))

    return run


def _shutdown_called(call: Call) -> tuple[int, str]:
    """Parse `[<minutes>][=<reason>]`."""
    left, reason = call.sides()
    minutes = parse_whole(left, "minutes", 0, LONGEST_COUNTDOWN) if left else 0
    return minutes, _reason(reason)


def _shutdown(_context: WriteContext, arguments: tuple[int, str]) -> Outcome:
    return Outcome.of(_ledger(ShutdownSet(*arguments)))


def _cancel(context: WriteContext, _: None) -> Outcome:
    last = context.store.tail(GAME_LEDGER, (ShutdownSet.kind, ShutdownCancelled.kind), 1)
    if not any(_counts_down(fact, context.now) for fact in last):
        raise MushError("shutdown", "No shutdown is under way.", "@shutdown <minutes> begins one.")
    return Outcome.of(_ledger(ShutdownCancelled()))


def _counts_down(fact: Fact, now: datetime) -> bool:
    """Tell whether a row is about a shutdown that is still to come."""
    event = fact.event
    return isinstance(event, ShutdownSet) and now < fact.at + timedelta(minutes=event.minutes)


# reading


def _audit_called(call: Call) -> tuple[str, int]:
    """Parse `[<rows>]` or `<name>[=<rows>]`: whose acts, "" for all staff's, and how many."""
    name, rows = call.sides()
    if rows is None and not name[:1].isalpha():  # as names begin
        name, rows = "", name
    return name, parse_whole(rows, "rows", 1, MOST_ROWS) if rows else ROWS


def _connections(world: World, context: Context, _: None) -> Outcome:
    lines = [
        f"{presence.name}: {', '.join(presence.addresses)}, idle"
        f" {spell_time(context.now - presence.active)}"
        for presence in world.everyone()
    ]
    return Outcome.tell(*lines)


def _act(fact: Fact, line: str) -> str:
    """Write an act with who did it in front, unless the line begins with that itself."""
    name = fact.actor.name
    named = (f"{name} ", f"[Server] {name}")
    return line if line.startswith(named) else f"{name}: {line}"


def _audit(
    render: Callable[[Fact], str], context: ReadContext, arguments: tuple[str, int]
) -> Outcome:
    """List the last acts of staff and of the command line, or those of one player."""
    name, count = arguments
    if name:
        them = find_player(context, name)
        whose, actors = them.name, [them.id]
    else:
        staff = [login.character for login in context.store.logins() if login.role >= Role.STAFF]
        whose, actors = "staff", [CLOCK.id, *staff]
    reader = Viewer(context.actor.id, everything=True)
    rows = context.store.acts(actors, count)
    facts = [fact for row in rows if (fact := redact(row, reader))]
    lines = [f"#{f.seq} {f.at:%Y-%m-%d %H:%M} {_act(f, render(f))}" for f in facts]
    return Outcome.tell(f"Acts of {whose}, times in UTC, the last ones:", *lines)


def staff_verbs(world: World, render: Callable[[Fact], str]) -> tuple[Verb, ...]:
    """Give the verbs of this file."""

    def ban(context: WriteContext, arguments: BanCall) -> Outcome:
        typed, length, reason = arguments
        net = network(typed)
        me: Presence | None = world.online.get(context.actor.id)
        if net:
            target, subject = _ban_address(shown_target(typed), me.addresses if me else [])
        else:
            target, subject = _ban_player(context, typed)
        end = context.now + length if length else None
        name = context.actor.name
        context.store.ban(Ban(target, subject, reason, name, context.now, end))
        return Outcome.of(_ledger(BanSet(target, subject, end, reason), Audience.PRIVATE))

    staff, admin, write, read = Access.STAFF, Access.ADMIN, Lane.WRITE, Lane.READ
    ban_usage = "@ban <address, network or player>[=<days or hours>, <reason>]"
    show, lift_usage = partial(_connections, world), "@ban/remove <as it is listed>"
    audit_usage = "+audit[ <rows>|<name>[=<rows>]]"
    password_usage = "@newpassword <player>[=<password>]"  # noqa: S105 -- a usage, no password
    return (
        Verb("@boot", "@boot <player>[=<reason>]", staff, write, _booted, _boot),
        Verb("@ban", ban_usage, staff, write, _ban_called, ban),
        Verb("@ban/remove", lift_usage, staff, write, words, _lift, aliases=("@unban",)),
        Verb("@ban/list", "@ban/list", staff, read, nothing, _bans),
        Verb("@newpassword", password_usage, admin, Lane.SESSION, _new_password, session_only),
        Verb(
            "@shutdown",
            "@shutdown[ <minutes>][=<reason>]",
            admin,
            write,
            _shutdown_called,
            _shutdown,
        ),
        Verb("@shutdown/cancel", "@shutdown/cancel", admin, write, nothing, _cancel),
        Verb("@connections", "@connections", staff, Lane.HERE, nothing, show),
        Verb("+audit", audit_usage, staff, read, _audit_called, partial(_audit, render)),
    )
