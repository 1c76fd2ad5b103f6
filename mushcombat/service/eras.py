"""Eras of a scene: +seed gives its dice words of the players', +scene/reopen begins another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from mushcombat.domain.command import Access, Call, Lane, Outcome, Verb, WriteContext
from mushcombat.domain.dice import commitment
from mushcombat.domain.eras import LONGEST_WORDS, DiceWords, SceneLoaded, SceneReopened
from mushcombat.domain.events import Audience, Draft, Who
from mushcombat.domain.fight import Asked
from mushcombat.domain.scene import Scene
from mushcombat.errors import MushError
from mushcombat.service.parsing import one_line, scene_number
from mushcombat.service.rooms import move_draft
from mushcombat.service.scene_life import resume
from mushcombat.service.scenes import _temporary_room, my_scene, no_scene, runs_it, visible_scene


def _seeded(call: Call) -> str:
    if not call.text.strip():
        raise call.wrong()
    return one_line(call.text, "words", LONGEST_WORDS)


def _seed(context: WriteContext, words: str) -> Outcome:
    scene = my_scene(context)
    if context.store.dice_thrown(scene.id):
        raise MushError(
            "seed",
            "A die has been thrown: the dice of this scene depend on no more words.",
            "Words count before the first die, or once the scene was closed and reopened.",
        )
    if context.actor.id in _givers(context, scene):
        raise MushError("seed", "You have given your words.", "Others may give theirs.")
    context.store.give_words(scene.id, words)
    era = context.store.era(scene.id).number
    return Outcome.of(Draft(DiceWords(era, words), ledger=scene.id))


def _givers(context: WriteContext, scene: Scene) -> set[int]:
    """Give who gave words in the present era."""
    givers: set[int] = set()
    for fact in context.store.kinds(scene.id, (DiceWords.kind, SceneReopened.kind)):
        if isinstance(fact.event, SceneReopened):
            givers = set()
        else:
            givers.add(fact.actor.id)
    return givers


def _maybe_number(call: Call) -> int | None:
    return scene_number(call.text) if call.text else None


def _reopen(random_bytes: Callable[[int], bytes]) -> Callable[[WriteContext, int | None], Outcome]:
    def run(context: WriteContext, number: int | None) -> Outcome:
        scene = _scene_to_reopen(context, number)
        room, drafts = _place_for_it(context, scene)
        me = context.store.character(context.actor.id)
        if me and me.room != room:
            drafts.append(move_draft(context, me, me.room, room))
        seed = random_bytes(32)
        context.store.reopen_scene(scene.id, room, seed)
        context.store.join_scene(scene.id, context.actor.id, context.now)
        drafts.append(loaded(context, scene.id, room))
        drafts.append(Draft(_event(context, scene, room, seed), ledger=scene.id, room=room))
        return Outcome.of(*drafts, *_calls(context, scene))

    return run


def _scene_to_reopen(context: WriteContext, number: int | None) -> Scene:
    """Find a closed scene that the actor could close: its owner, a referee, staff who was in it."""
    scene = _named(context, number)
    if context.actor.id not in scene.took_part or not runs_it(context, scene):
        raise MushError("scene", "Who opened the scene reopens it, or a referee.", "Ask them.")
    if scene.open:
        hint = f"+scene/join {scene.id} brings you there."
        raise MushError("scene", f"Scene {scene.id} is open.", hint)
    return scene


def _named(context: WriteContext, number: int | None) -> Scene:
    if number is not None:
        return visible_scene(context, number)
    scene = context.store.last_closed(context.actor.id)
    if scene is None:
        raise MushError("scene", "No scene of yours is closed.", "+scene/open <title> opens one.")
    return scene


def _place_for_it(context: WriteContext, scene: Scene) -> tuple[int, list[Draft]]:
    """Take the room where it sat, if that is there and has no scene; else a temporary one."""
    place = context.store.place(scene.room)
    free = all(other.room != scene.room for other in context.store.open_scenes())
    if place is not None and place.kind not in {"gone", "temporary"} and free and not scene.private:
        return place.id, []
    room, drafts = _temporary_room(context, scene.title, context.room)
    # The room is called what the scene is: of a private one, nobody who stands by reads that.
    return room, [replace(draft, audience=Audience.PRIVATE) for draft in drafts]


def loaded(context: WriteContext, number: int, room: int) -> Draft:
    """Show the world the scene as it is stored now."""
    scene = context.store.scene(number)
    if scene is None:  # it was found a moment ago, in this very transaction
        raise no_scene(number)
    return Draft(SceneLoaded(scene), Audience.PRIVATE, room=room)


def _event(context: WriteContext, scene: Scene, room: int, seed: bytes) -> SceneReopened:
    place = context.store.place(room)
    return SceneReopened(
        scene.title,
        scene.system,
        room,
        place.name if place else "",
        scene.private,
        context.store.era(scene.id).number,
        commitment(seed),
    )


def _calls(context: WriteContext, scene: Scene) -> list[Draft]:
    """Tell those who were in it at the end, and are connected, that it goes on."""
    away = (scene.participants & context.present) - {context.actor.id}
    text = f'[Scene] {context.actor.name} reopens scene {scene.id} "{scene.title}".'
    how = f"{text} +scene/join {scene.id} brings you there."
    return [private_line(i, name, how) for i, name in context.store.names([*away]).items()]


def private_line(person: int, name: str, text: str) -> Draft:
    """Tell one person something that no log keeps, wherever they are."""
    return Draft(Asked(person, name, text), Audience.PRIVATE, actor=Who(person, name))


def era_verbs(random_bytes: Callable[[int], bytes]) -> tuple[Verb, ...]:
    """Give the verbs of this file."""
    reopen = _reopen(random_bytes)

    def go_on(context: WriteContext, number: int | None) -> Outcome:
        """Resume the scene here, which can only be paused; else reopen one that is closed."""
        here = number is None and context.scene is not None
        return resume(context, None) if here else reopen(context, number)

    name, player, write = "+scene/reopen", Access.PLAYER, Lane.WRITE
    again, more = f"{name}[ <number>]", "+scene/continue[ <number>]"
    return (
        Verb("+seed", "+seed <words>", Access.GUEST, write, _seeded, _seed),
        Verb(name, again, player, write, _maybe_number, reopen, aliases=("+scene/restart",)),
        Verb("+scene/continue", more, player, write, _maybe_number, go_on, topic=name),
    )
