"""Channels: +channel and its switches; `+pub hello` is `+channel/say Public=hello`.

What is said is kept first and shown then, for +channel/recall; the writer appends it without
asking the database anything.
"""

from __future__ import annotations

from collections.abc import Callable

from mushcombat.domain.channels import (
    Channel,
    ChannelDeleted,
    ChannelMade,
    ChannelSet,
    ChannelSpoken,
    State,
    check_channel,
)
from mushcombat.domain.character import Role
from mushcombat.domain.command import Access, Call, Context, Lane, Outcome, Verb, WriteContext
from mushcombat.domain.command import ReadContext as Reading
from mushcombat.domain.events import GAME_LEDGER, Audience, Draft, Fact
from mushcombat.domain.numbers import parse_whole
from mushcombat.domain.settings import NOTHING_CHOSEN, Settings
from mushcombat.domain.text import clip, listing
from mushcombat.domain.visibility import Viewer, redact
from mushcombat.errors import MushError
from mushcombat.records import record
from mushcombat.service.parsing import nothing, words
from mushcombat.service.world import World

RECALLED, MOST_RECALLED = 10, 100
"""Lines that a recall shows: when no number is given, and at most."""

_ROLES = {"guests": Role.GUEST, "players": Role.PLAYER, "staff": Role.STAFF, "admin": Role.ADMIN}
_WHOSE = {
    Role.GUEST: "for all",
    Role.PLAYER: "for players",
    Role.STAFF: "for staff",
    Role.ADMIN: "for admins",
}

Render = Callable[[Fact], str]

IsCommand = Callable[[str], bool]
"""Tells whether a word is the beginning of a command's name."""


@record(frozen=True, slots=True)
class _New:
    name: str
    alias: str
    role: Role


def _said(call: Call) -> tuple[str, str]:
    """Parse `<channel>=<text>`."""
    name, text = call.sides()
    if not name or text is None:
        raise call.wrong()
    if not text:
        raise MushError("usage", f"What shall {name} hear?", f"+channel/say {name}=<text>")
    return name, text


def _recalled(call: Call) -> tuple[str, int]:
    """Parse `[<channel>][=<lines>]`."""
    name, count = call.sides()
    lines = parse_whole(count, "lines", 1, MOST_RECALLED) if count else RECALLED
    return name, lines


def _created(call: Call) -> _New:
    """Parse `<name>=<alias>[, guests|players|staff|admin]`."""
    name, right = call.sides()
    if not name or not right:
        raise call.wrong()
    alias, _, whose = (part.strip() for part in right.partition(","))
    role = _ROLES.get(whose.casefold() or "players")
    if role is None:
        raise call.wrong(f'"{clip(whose)}" is none of {listing([*_ROLES], "or")}.')
    return _New(*check_channel(name, alias), role)


def when(context: Context, fact: Fact) -> str:
    """Write the time of a line, with its day unless it is today's."""
    day = "" if fact.at.date() == context.now.date() else f"{fact.at:%Y-%m-%d} "
    return f"({day}{fact.at:%H:%M})"


@record(frozen=True, slots=True)
class _Desk:
    """What the verbs share.

    Those that run in another thread look up channels, and a player's choices, in the reactor's
    picture: a look-up is all that they do there.
    """

    world: World
    render: Render
    is_command: IsCommand

    def find(self, context: Context, typed: str) -> tuple[Channel, State]:
        """Find a channel, and whether the actor hears it."""
        channel = self.world.channels.find(typed, context.actor)
        return channel, self.state(context, channel)

    def state(self, context: Context, channel: Channel) -> State:
        """Tell whether the actor hears a channel."""
        return self.settings(context).state(channel, context.actor)

    def settings(self, context: Context) -> Settings:
        """Give the actor's choices."""
        presence = self.world.online.get(context.actor.id)
        return presence.settings if presence else NOTHING_CHOSEN

    def listeners(self, channel: Channel) -> list[str]:
        """Name those who hear a channel."""
        world = self.world
        return [p.name for p in world.everyone() if world.channels.hears(p, channel.id)]

    def list(self, context: Context, _: None) -> Outcome:
        """List the channels that exist for the actor."""
        lines = [
            f"{one.name} (+{one.alias}): {self.state(context, one)}, {_WHOSE[one.role]},"
            f" {len(self.listeners(one))} listening"
            for one in self.world.channels.known_to(context.actor)
        ]
        return Outcome.tell(*(lines or ["There are no channels."]))

    def who(self, context: Context, typed: str) -> Outcome:
        """List who hears a channel."""
        channel, _ = self.find(context, typed)
        names = listing(self.listeners(channel)) or "nobody"
        return Outcome.tell(f"On {channel.name}: {names}.")

    def say(self, context: WriteContext, arguments: tuple[str, str]) -> Outcome:
        """Say something on a channel."""
        channel, state = self.find(context, arguments[0])
        if state != "on":
            how = "on" if state == "off" else "join"
            told = f"You would not hear {channel.name} yourself."
            raise MushError("channel", told, f"+channel/{how} {channel.name}")
        event = ChannelSpoken(channel.id, channel.name, arguments[1])
        return Outcome.of(Draft(event, Audience.CHANNEL))

    def setting(self, wanted: State) -> Callable[[WriteContext, str], Outcome]:
        """Make the verb that lets somebody hear a channel, or no longer."""

        def run(context: WriteContext, typed: str) -> Outcome:
            channel, state = self.find(context, typed)
            if wanted == "off" and state == "left":
                raise _not_on(channel)
            context.store.set_channel(channel.id, context.actor.id, wanted)
            return Outcome.of(_set(channel, wanted))

        return run

    def recall(self, context: Reading, arguments: tuple[str, int]) -> Outcome:
        """Read the last lines of a channel that one is on."""
        typed, count = arguments
        mine = [
            one
            for one in self.world.channels.known_to(context.actor)
            if self.state(context, one) != "left"
        ]
        if not typed and not mine:
            raise MushError("channel", "You are on no channel.", "+channel lists them.")
        channel = self.find(context, typed)[0] if typed else mine[0]
        if channel not in mine:
            raise _not_on(channel)
        lines = self._lines(context, channel, count)
        head = f"{channel.name}, times in UTC:" if lines else f"{channel.name} has no lines yet."
        return Outcome.tell(head, *lines)

    def _lines(self, context: Reading, channel: Channel, count: int) -> tuple[str, ...]:
        ignored = self.settings(context).ignored
        viewer = Viewer(context.actor.id, channels=frozenset({channel.id}), ignored=ignored)
        return tuple(
            f"{when(context, fact)} {self.render(fact)}"
            for fact in context.store.channel_lines(channel.id, count)
            if redact(fact, viewer)
        )

    def create(self, context: WriteContext, new: _New) -> Outcome:
        """Make a channel, with its maker on it."""
        if new.role > context.actor.role:
            raise MushError("channel", "Only an admin makes a channel for admins.", "Try staff.")
        for word in (new.name, new.alias):
            if self.is_command(word.casefold()):
                told = f'"{word}" is a command, or the beginning of one.'
                raise MushError("channel", told, "Pick another.")
        made = context.store.make_channel(
            new.name, new.alias, new.role, context.now, everyone=False
        )
        context.store.set_channel(made.id, context.actor.id, "on")
        event = ChannelMade(made.id, made.name, made.alias, str(made.role), made.everyone)
        how = f"Channel {made.name} is there. Who wants to hear it types +channel/join {made.name}."
        act = Draft(event, Audience.REFEREES, GAME_LEDGER)
        return Outcome.of(act, _set(made, "on"), reply=(how,))

    def delete(self, context: WriteContext, typed: str) -> Outcome:
        """Take a channel away, with all that was said on it."""
        channel, _ = self.find(context, typed)
        if channel.name.casefold() != typed.strip().casefold():
            told = "To delete a channel, and all that was said on it, type its whole name."
            raise MushError("channel", told, f"+channel/delete {channel.name}")
        context.store.delete_channel(channel.id)
        event = ChannelDeleted(channel.id, channel.name)
        draft = Draft(event, Audience.REFEREES, GAME_LEDGER)
        return Outcome.of(draft, reply=(f"Channel {channel.name} is gone.",))


def _set(channel: Channel, state: State) -> Draft:
    return Draft(ChannelSet(channel.id, channel.name, state), Audience.PRIVATE)


def _not_on(channel: Channel) -> MushError:
    told = f"You are not on {channel.name}."
    return MushError("channel", told, f"+channel/join {channel.name}")


def channel_verbs(world: World, render: Render, is_command: IsCommand) -> tuple[Verb, ...]:
    """Give the verbs of this file."""
    desk = _Desk(world, render, is_command)
    return *_talk_verbs(desk), *_hearing_verbs(desk), *_keeping_verbs(desk)


def _talk_verbs(desk: _Desk) -> tuple[Verb, ...]:
    """Give the verbs of what is said, and to whom."""
    guest, here = Access.GUEST, Lane.HERE
    return (
        Verb(
            "+channel",
            "+channel",
            guest,
            here,
            nothing,
            desk.list,
            aliases=("+channel/list", "+channels"),
        ),
        Verb("+channel/who", "+channel/who <channel>", guest, here, words, desk.who),
        Verb(
            "+channel/say",
            "+channel/say <channel>=<text>, or +<alias> <text>",
            guest,
            Lane.WRITE,
            _said,
            desk.say,
            appends=True,
        ),
        Verb(
            "+channel/recall",
            "+channel/recall[ <channel>][=<lines>]",
            guest,
            Lane.READ,
            _recalled,
            desk.recall,
        ),
    )


def _hearing_verbs(desk: _Desk) -> tuple[Verb, ...]:
    """Give the verbs by which people choose what they hear."""
    guest, write = Access.GUEST, Lane.WRITE
    return (
        Verb("+channel/join", "+channel/join <channel>", guest, write, words, desk.setting("on")),
        Verb(
            "+channel/leave", "+channel/leave <channel>", guest, write, words, desk.setting("left")
        ),
        Verb(
            "+channel/on",
            "+channel/on <channel>",
            guest,
            write,
            words,
            desk.setting("on"),
            topic="+channel/off",
        ),
        Verb("+channel/off", "+channel/off <channel>", guest, write, words, desk.setting("off")),
    )


def _keeping_verbs(desk: _Desk) -> tuple[Verb, ...]:
    """Give staff's verbs."""
    staff, write = Access.STAFF, Lane.WRITE
    return (
        Verb(
            "+channel/create",
            "+channel/create <name>=<alias>[, guests|players|staff|admin]",
            staff,
            write,
            _created,
            desk.create,
        ),
        Verb("+channel/delete", "+channel/delete <whole name>", staff, write, words, desk.delete),
    )
