"""Talking: say, pose, semipose, @emit, ooc, whisper.

In a scene that one takes part in, what is said to the room goes into its log first.
"""

from __future__ import annotations

from collections.abc import Callable

from mushcombat.domain.command import Access, Call, Context, Lane, Outcome, Verb
from mushcombat.domain.events import Audience, Draft, Spoken, Style, Whispered
from mushcombat.errors import MushError
from mushcombat.service.pages import check_takes
from mushcombat.service.parsing import words
from mushcombat.service.world import World


def _speak(style: Style) -> Callable[[Context, str], Outcome]:
    def run(context: Context, text: str) -> Outcome:
        return Outcome.of(context.show(Spoken(style, text)))

    return run


def _spoken(name: str, syntax: str, style: Style, *aliases: str) -> Verb:
    run = _speak(style)
    return Verb(
        name, syntax, Access.GUEST, Lane.HERE, words, run, aliases=aliases, shown=True, talk=True
    )


def _set_scene(context: Context, text: str) -> Outcome:
    """Set the scene, as its referee: a line that transcripts set apart."""
    if context.scene is None:
        raise MushError("scene", "You are in no scene here.", "@emit writes a line anywhere.")
    return Outcome.of(context.show(Spoken("set", text)))


def _to_somebody(call: Call) -> tuple[str, str]:
    """Parse `<name>=<text>`, or `<name> <text>` as hands type it."""
    name, text = call.sides()
    if text is None:
        name, _, text = call.text.partition(" ")
    if not name.strip() or not text.strip():
        raise call.wrong()
    return name.strip().strip('"'), text.strip()


def talk_verbs(world: World) -> tuple[Verb, ...]:
    """Give the verbs of this file."""

    def whisper(context: Context, arguments: tuple[str, str]) -> Outcome:
        name, text = arguments
        to = world.find(name, world.here(context.room), context.actor, "here")
        check_takes(to, world.online[context.actor.id], "whispers")
        return Outcome.of(Draft(Whispered(to.id, to.name, text), Audience.PRIVATE))

    return (
        _spoken("say", 'say <text>, or "<text>', "say"),
        _spoken("pose", "pose <text>, or :<text>", "pose"),
        _spoken(";", ";<text>", "semipose", "semipose"),
        _spoken("@emit", "@emit <text>, or \\<text>", "emit", "+emit"),
        Verb(
            "@emit/set",
            "@emit/set <text>, or +emit/set <text>",
            Access.REFEREE,
            Lane.HERE,
            words,
            _set_scene,
            aliases=("+emit/set",),
            shown=True,
        ),
        _spoken("ooc", "ooc <text>; +ooc alone goes to the lounge", "ooc"),
        Verb("whisper", "whisper <name>=<text>", Access.GUEST, Lane.HERE, _to_somebody, whisper),
    )
