"""Publishing a scene: +scene/share asks its people, +scene/download writes the transcript."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from threading import Lock
from typing import cast

from mushcombat.domain.command import (
    Access,
    Call,
    Lane,
    Outcome,
    ReadContext,
    Verb,
    WriteContext,
)
from mushcombat.domain.events import Draft
from mushcombat.domain.names import match
from mushcombat.domain.numbers import counted
from mushcombat.domain.scene import Scene
from mushcombat.domain.sharing import (
    NO,
    OUT,
    YES,
    Answer,
    SharingAnswered,
    SharingAsked,
    answered,
    silent,
    those,
)
from mushcombat.domain.text import clip, listing
from mushcombat.domain.transcripts import AUDIT, EXTENSIONS, FORMATS, PROFILES, Source, Wanted
from mushcombat.errors import MushError
from mushcombat.records import record
from mushcombat.service.eras import private_line
from mushcombat.service.parsing import scene_number
from mushcombat.service.scenes import runs_it, visible_scene
from mushcombat.service.transcripts import source_of

LONGEST_SLUG = 60
"""Characters of a title in the name of a file."""

Write = Callable[[Source, Wanted], Iterator[str]]
"""Writes a transcript, line by line."""

Save = Callable[[str, Iterable[str]], tuple[str, int]]
"""Keeps lines under a file's name; gives its path, and how many lines they were."""


def scene_i_was_in(context: ReadContext, number: int | None) -> Scene:
    """Find a scene that the actor took part in: by number, the one here, or the last to close."""
    if number is None:
        here = context.store.scene(context.scene.id) if context.scene else None
        scene = here or context.store.last_closed(context.actor.id)
        if scene is None:
            told = "You are in no scene, and none that you were in is closed."
            hint = "Name it by its number: +scene/list has the open ones."
            raise MushError("scene", told, hint)
    else:
        scene = visible_scene(context, number)
    if context.actor.id not in scene.took_part:
        told = f"You took no part in scene {scene.id}."
        raise MushError("scene", told, "Its own people share it.")
    return scene


# sharing


@record(frozen=True, slots=True)
class Shared:
    """Arguments of +scene/share; `name` is who is left out, '' for the actor."""

    scene: int | None
    answer: Answer | None
    name: str


_SHARED = re.compile(r"#?(\d*)\s*=?\s*(?:(yes|no|out)(?:\s+(.+))?)?", re.IGNORECASE)


def _shared(call: Call) -> Shared:
    """Parse `[<number>][=][yes|no|out[ <name>]]`; the equals sign may be left out."""
    found = _SHARED.fullmatch(call.text.strip())
    if found is None or (found[3] and found[2].casefold() != OUT):
        raise call.wrong(f'"{clip(call.text)}" is no answer.')
    number = scene_number(found[1]) if found[1] else None
    answer = cast("Answer", found[2].casefold()) if found[2] else None
    return Shared(number, answer, (found[3] or "").strip())


def _share(context: WriteContext, wanted: Shared) -> Outcome:
    scene = scene_i_was_in(context, wanted.scene)
    if wanted.answer is None:
        return _ask(context, scene)
    if wanted.name:
        return _leave_out(context, scene, wanted.name)
    return _answer(context, scene, context.actor.id, context.actor.name, wanted.answer)


def _ask(context: WriteContext, scene: Scene) -> Outcome:
    """Ask everyone, which says yes for who asks; later calls tell the answers."""
    if scene.sharing or not runs_it(context, scene):
        return Outcome.tell(*share_lines(context, scene))
    me = context.actor
    context.store.ask_sharing(scene.id)
    drafts = [Draft(SharingAsked(), ledger=scene.id, room=scene.room)] if scene.open else []
    if me.id not in scene.consents:
        drafts += _answer(context, scene, me.id, me.name, YES).drafts
    how = f"Answer with +scene/share {scene.id}=yes, no, or out: out leaves your lines out."
    told = f'[Share] {me.name} asks to share the transcript of scene {scene.id} "{scene.title}".'
    away = scene.took_part if not scene.open else scene.took_part - scene.participants
    drafts += _news(context, away, f"{told} {how}")
    return Outcome.of(*drafts, reply=share_lines(context, scene))


def _leave_out(context: WriteContext, scene: Scene, name: str) -> Outcome:
    """Let who runs the scene leave somebody out who has not answered."""
    if not runs_it(context, scene):
        told = "Who opened the scene leaves others out, or a referee."
        raise MushError("share", told, "+scene/share out leaves you out.")
    names = context.store.names([*scene.took_part])
    found = match(name, ((known, one) for one, known in names.items()))
    if len(found) != 1:
        told = f'"{clip(name)}" is nobody of scene {scene.id}.'
        raise MushError("who", told, "+scene/share lists them.")
    if found[0] in scene.consents:
        told = f"{names[found[0]]} has answered {scene.consents[found[0]]}."
        raise MushError("share", told, "That is theirs to change.")
    return _answer(context, scene, found[0], names[found[0]], OUT)


def _answer(context: WriteContext, scene: Scene, who: int, name: str, answer: Answer) -> Outcome:
    """Note an answer: in the log of an open scene; a closed log's head was shown, it takes none."""
    context.store.answer_sharing(scene.id, who, answer)
    if scene.open:
        event = SharingAnswered(who, name, answer)
        return Outcome.of(Draft(event, ledger=scene.id, room=scene.room))
    mine = who == context.actor.id
    told = f"{name} answers {answer}" if mine else f"{context.actor.name} leaves {name} out"
    text = f'[Share] Scene {scene.id} "{scene.title}": {told}.'
    return Outcome.of(*_news(context, scene.took_part, text), reply=(text,))


def _news(context: WriteContext, people: frozenset[int], text: str) -> list[Draft]:
    """Tell those of a scene's people who are connected, wherever they are."""
    there = (people & context.present) - {context.actor.id}
    names = context.store.names([*there])
    return [private_line(one, names[one], text) for one in sorted(names)]


def share_lines(context: ReadContext, scene: Scene) -> tuple[str, ...]:
    """Tell who has answered what."""
    now = context.store.scene(scene.id) or scene
    names = context.store.names([*now.took_part])
    groups = {
        "Yes": answered(now, YES),
        "No": answered(now, NO),
        "Left out": answered(now, OUT),
        "No answer yet": silent(now),
    }
    asked = "asked for" if now.sharing else "not asked for yet"
    lines = (f"{g}: {listing(those(people, names))}" for g, people in groups.items() if people)
    return (f'Sharing of scene {now.id} "{now.title}": {asked}.', *lines)


# downloading


@record(frozen=True, slots=True)
class Download:
    """Arguments of +scene/download."""

    scene: int | None
    wanted: Wanted


def _downloaded(call: Call) -> Download:
    """Parse `[<number>][=<format>[ <profile>][ ooc]]`, the words in any order."""
    left, right = call.sides()
    number = scene_number(left) if left else None
    wanted = Wanted("html")
    for word in (right or "").casefold().split():
        if word in FORMATS:
            wanted = replace(wanted, format=word)
        elif word in PROFILES:
            wanted = replace(wanted, profile=word)
        elif word == "ooc":
            wanted = replace(wanted, ooc=True)
        else:
            known = f"Formats: {', '.join(FORMATS)}. Profiles: {', '.join(PROFILES)}. And ooc."
            raise MushError("transcript", f'"{clip(word)}" is neither format nor profile.', known)
    return Download(number, wanted)


def _download(
    write: Write, save: Save, busy: Lock, context: ReadContext, wanted: Download
) -> Outcome:
    """Write a transcript, one at a time: the readers have others to serve."""
    scene = scene_i_was_in(context, wanted.scene)
    _check_consent(context, scene)
    if wanted.wanted.profile == AUDIT:
        _check_audit(context, scene)
    if not busy.acquire(blocking=False):
        raise MushError("transcript", "Another transcript is being written.", "Again in a moment?")
    try:
        lines = write(source_of(context.store, scene), wanted.wanted)
        path, count = save(file_name(scene, wanted.wanted.format), lines)
    finally:
        busy.release()
    return Outcome.tell(f"Written: {path} ({wanted.wanted.profile}, {counted(count, 'line')}).")


def _check_consent(context: ReadContext, scene: Scene) -> None:
    """Refuse while somebody said no, or has not answered."""
    names = context.store.names([*scene.took_part])
    refused, waiting = those(answered(scene, NO), names), those(silent(scene), names)
    told = [f"{listing(refused)} said no"] if refused else []
    told += [f"no answer yet from {listing(waiting)}"] if waiting else []
    if told:
        hint = f"+scene/share {scene.id} asks, and shows the answers."
        raise MushError("share", f"Nothing is written: {', and '.join(told)}.", hint)


def _check_audit(context: ReadContext, scene: Scene) -> None:
    """Refuse an audit, which leaves out nothing, to others than referees, and of those left out."""
    if context.actor.id not in scene.referees and not context.actor.is_staff:
        raise MushError("audit", "Audits are for the scene's referees.", "results shows the sums.")
    names = context.store.names([*answered(scene, OUT)])
    if names:
        told = f"An audit leaves out nobody, and {listing(sorted(names.values()))} asked for that."
        raise MushError("audit", told, "Take story or results.")


def file_name(scene: Scene, format_: str) -> str:
    """Name a scene's file: `12-dockside-ambush.html`.

    Letters and digits of the title alone, in lower case; the number tells it from any other scene.
    """
    title = unicodedata.normalize("NFKC", scene.title).casefold()
    words = re.findall(r"[^\W_]+", title)
    slug = "-".join(words)[:LONGEST_SLUG].strip("-") or "scene"
    return f"{scene.id}-{slug}.{EXTENSIONS[format_]}"


def publishing_verbs(write: Write, save: Save) -> tuple[Verb, ...]:
    """Give the verbs of this file."""
    share = "+scene/share[ <number>][=yes|no|out[ <name>]]"
    download = "+scene/download[ <number>][=<format>[ <profile>][ ooc]]"
    guest, player = Access.GUEST, Access.PLAYER
    run = partial(_download, write, save, Lock())
    return (
        Verb("+scene/share", share, guest, Lane.WRITE, _shared, _share),
        Verb("+scene/download", download, player, Lane.READ, _downloaded, run),
    )
