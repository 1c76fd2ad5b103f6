"""+scene/share and +scene/download."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from threading import Lock

import pytest

from mushcombat.domain.character import Actor
from mushcombat.domain.command import Outcome
from mushcombat.domain.events import Audience, Event
from mushcombat.domain.fight import Asked
from mushcombat.domain.scene import Scene
from mushcombat.domain.sharing import SharingAnswered, SharingAsked
from mushcombat.domain.transcripts import FORMATS, Heading, Source, Wanted
from mushcombat.errors import MushError
from mushcombat.service import publishing
from mushcombat.service.publishing import file_name, publishing_verbs
from mushcombat.service.transcripts import heading_of, source_of
from tests.unit.support import (
    ADA,
    BRAM,
    GUEST,
    NOW,
    RHEA,
    START,
    MemoryStore,
    call,
    refused,
    run,
    scene_of,
    write_context,
)

OPEN = scene_of(ADA, BRAM, RHEA, referees=[RHEA])
NO_SCENE = (
    "You are in no scene, and none that you were in is closed."
    " Name it by its number: +scene/list has the open ones."
)
CLOSED = replace(OPEN, open=False, closed_at=NOW)
YES = {ADA.id: "yes", BRAM.id: "yes", RHEA.id: "yes"}


class Press:
    """What writes and keeps transcripts, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[Source, Wanted]] = []
        self.kept: dict[str, list[str]] = {}

    def write(self, source: Source, wanted: Wanted) -> Iterator[str]:
        self.asked.append((source, wanted))
        yield from (f"{row.fact.seq}" for row in source.rows)

    def save(self, name: str, lines: Iterable[str]) -> tuple[str, int]:
        self.kept[name] = list(lines)
        return f"var/transcripts/{name}", len(self.kept[name])


PRESS = Press()
SHARE, DOWNLOAD = publishing_verbs(PRESS.write, PRESS.save)


def share(
    store: MemoryStore, text: str = "", actor: Actor = ADA, here: Scene | None = None
) -> Outcome:
    context = write_context(store, actor, here)
    return run(SHARE, replace(context, present=frozenset({11, 12, 13, 14})), text)


def events(outcome: Outcome) -> list[Event]:
    return [draft.event for draft in outcome.drafts]


# sharing


def test_who_runs_the_scene_asks_and_says_yes_by_it() -> None:
    store = MemoryStore(OPEN)
    outcome = share(store, here=OPEN)
    assert events(outcome) == [SharingAsked(), SharingAnswered(ADA.id, "Ada", "yes")]
    assert all((d.audience, d.ledger, d.room) == (Audience.ROOM, 7, START) for d in outcome.drafts)
    assert store.scenes[7].sharing
    assert outcome.reply == (
        'Sharing of scene 7 "Night Watch": asked for.',
        "Yes: Ada",
        "No answer yet: Bram and Rhea",
    )


def test_asking_again_and_asking_by_others_shows_the_answers() -> None:
    store = MemoryStore(replace(OPEN, sharing=True, consents={BRAM.id: "no", RHEA.id: "out"}))
    for actor in (ADA, BRAM):
        outcome = share(store, actor=actor, here=OPEN)
        assert outcome.drafts == ()
        assert outcome.reply == (
            'Sharing of scene 7 "Night Watch": asked for.',
            "No: Bram",
            "Left out: Rhea",
            "No answer yet: Ada",
        )
    fresh = MemoryStore(OPEN)
    assert "not asked for yet" in share(fresh, actor=BRAM, here=OPEN).reply[0]
    assert not fresh.scenes[7].sharing


def test_who_asks_again_in_a_new_era_keeps_an_answer_that_was_given() -> None:
    store = MemoryStore(replace(OPEN, consents={ADA.id: "out"}))
    assert events(share(store, here=OPEN)) == [SharingAsked()]
    assert store.scenes[7].consents == {ADA.id: "out"}


@pytest.mark.parametrize("answer", ["yes", "no", "out"])
def test_an_answer_in_an_open_scene_is_logged_for_all(answer: str) -> None:
    store = MemoryStore(OPEN)
    outcome = share(store, answer.upper(), BRAM, OPEN)
    assert events(outcome) == [SharingAnswered(BRAM.id, "Bram", answer)]  # type: ignore[arg-type]
    assert outcome.drafts[0].ledger == 7
    assert store.scenes[7].consents == {BRAM.id: answer}


@pytest.mark.parametrize("answer", ["yes", "no", "out"])
def test_an_answer_after_the_closing_is_told_to_its_people_and_logged_nowhere(answer: str) -> None:
    store = MemoryStore(CLOSED)
    outcome = share(store, f"7={answer}", BRAM)
    text = f'[Share] Scene 7 "Night Watch": Bram answers {answer}.'
    assert outcome.reply == (text,)
    assert events(outcome) == [Asked(ADA.id, "Ada", text), Asked(RHEA.id, "Rhea", text)]
    assert {(d.ledger, d.audience) for d in outcome.drafts} == {(None, Audience.PRIVATE)}
    assert store.scenes[7].consents == {BRAM.id: answer}


def test_asking_after_the_closing_reaches_everyone_who_is_connected() -> None:
    store = MemoryStore(CLOSED)
    outcome = share(store, "7")
    asked = [event for event in events(outcome) if "asks" in getattr(event, "text", "")]
    assert {getattr(event, "subject", None) for event in asked} == {BRAM.id, RHEA.id}
    assert "+scene/share 7=yes, no, or out" in getattr(asked[0], "text", "")
    assert store.scenes[7].consents == {ADA.id: "yes"}
    assert all(draft.ledger is None for draft in outcome.drafts)


def test_those_who_have_left_are_asked_where_they_are() -> None:
    scene = replace(OPEN, participants=frozenset({ADA.id, RHEA.id}))
    asked = [e for e in events(share(MemoryStore(scene), here=scene)) if isinstance(e, Asked)]
    assert [event.subject for event in asked] == [BRAM.id]


def test_an_answer_can_be_changed() -> None:
    store = MemoryStore(OPEN)
    for answer in ("yes", "no", "out"):
        share(store, answer, BRAM, OPEN)
    assert store.scenes[7].consents == {BRAM.id: "out"}


def test_who_runs_the_scene_leaves_out_by_name_who_does_not_answer() -> None:
    store = MemoryStore(OPEN)
    outcome = share(store, "out bram", ADA, OPEN)
    assert events(outcome) == [SharingAnswered(BRAM.id, "Bram", "out")]
    store = MemoryStore(CLOSED)
    outcome = share(store, "7 out Bram", ADA)
    assert outcome.reply == ('[Share] Scene 7 "Night Watch": Ada leaves Bram out.',)
    assert store.scenes[7].consents == {BRAM.id: "out"}


def test_nobody_is_left_out_against_their_answer_or_by_others() -> None:
    context = write_context(MemoryStore(replace(OPEN, consents={BRAM.id: "no"})), ADA, OPEN)
    told = refused(SHARE, context, "out bram")
    assert told == "Bram has answered no. That is theirs to change."
    assert refused(SHARE, context, "out cass").startswith('"cass" is nobody of scene 7.')
    other = write_context(MemoryStore(OPEN), BRAM, OPEN)
    assert refused(SHARE, other, "out ada").startswith("Who opened the scene leaves others out")


@pytest.mark.parametrize(
    "text", ["maybe", "yes bram", "no bram", "7=maybe", "x=yes", "yes=7", "7 8"]
)
def test_what_is_no_answer_is_refused_with_the_usage(text: str) -> None:
    with pytest.raises(MushError, match=r"is no answer\. Usage: \+scene/share"):
        SHARE.parse(call(text, usage=SHARE.syntax))


def test_scenes_one_was_not_in_can_not_be_shared_and_private_ones_are_not_there() -> None:
    scene = scene_of(ADA, open=False)
    for verb in (SHARE, DOWNLOAD):
        told = refused(verb, write_context(MemoryStore(scene), BRAM), "7")
        assert told == "You took no part in scene 7. Its own people share it."
        private = MemoryStore(replace(scene, private=True))
        assert refused(verb, write_context(private, BRAM), "7") == "There is no scene 7."
        invited = MemoryStore(replace(scene, private=True, invited=frozenset({BRAM.id})))
        assert "no part" in refused(verb, write_context(invited, BRAM), "7")
        assert refused(verb, write_context(MemoryStore(), BRAM), "99") == "There is no scene 99."
        told = refused(verb, write_context(MemoryStore(), BRAM))
        assert told == NO_SCENE


def test_who_left_a_scene_that_is_open_names_it_to_answer() -> None:
    left = replace(OPEN, participants=OPEN.participants - {BRAM.id})
    store = MemoryStore(left)
    assert refused(SHARE, write_context(store, BRAM), "yes") == NO_SCENE
    assert events(share(store, "7=yes", BRAM)) == [SharingAnswered(BRAM.id, "Bram", "yes")]


def test_without_a_number_it_is_the_scene_here_or_else_the_last_that_closed() -> None:
    store = MemoryStore(OPEN, replace(CLOSED, id=8))
    assert 'scene 7 "' in share(store, actor=BRAM, here=OPEN).reply[0]
    assert 'scene 8 "' in share(store, actor=BRAM).reply[0]


# downloading


def download(
    store: MemoryStore, text: str = "", actor: Actor = ADA, here: Scene | None = CLOSED
) -> str:
    (line,) = run(DOWNLOAD, write_context(store, actor, here), text).reply
    return line


def agreed(**changes: object) -> MemoryStore:
    return MemoryStore(replace(CLOSED, **{"consents": YES, **changes}))  # type: ignore[arg-type]


def test_a_transcript_is_written_once_everyone_agrees() -> None:
    assert download(agreed()) == "Written: var/transcripts/7-night-watch.html (story, 0 lines)."
    source, wanted = PRESS.asked[-1]
    assert (source.scene.id, wanted) == (7, Wanted("html"))
    assert PRESS.kept["7-night-watch.html"] == []


@pytest.mark.parametrize(
    ("text", "wanted", "name"),
    [
        ("7=text", Wanted("text"), "7-night-watch.txt"),
        ("=markdown results", Wanted("markdown", "results"), "7-night-watch.md"),
        ("7=ooc RESULTS jsonl", Wanted("jsonl", "results", ooc=True), "7-night-watch.jsonl"),
        ("7=story", Wanted("html", "story"), "7-night-watch.html"),
    ],
)
def test_format_profile_and_ooc_are_named_in_any_order(
    text: str, wanted: Wanted, name: str
) -> None:
    assert name in download(agreed(), text)
    assert PRESS.asked[-1][1] == wanted


def test_what_is_neither_format_nor_profile_is_refused_with_those_there_are() -> None:
    told = refused(DOWNLOAD, write_context(agreed(), ADA), "7=pdf")
    assert told.startswith('"pdf" is neither format nor profile. Formats: text, markdown, html')


@pytest.mark.parametrize(
    ("consents", "why"),
    [
        ({}, "no answer yet from Ada, Bram and Rhea"),
        ({**YES, BRAM.id: "no"}, "Bram said no"),
        ({ADA.id: "no", BRAM.id: "out"}, "Ada said no, and no answer yet from Rhea"),
    ],
)
def test_nothing_is_written_while_somebody_refuses_or_is_silent(
    consents: dict[int, str], why: str
) -> None:
    before = dict(PRESS.kept)
    told = refused(DOWNLOAD, write_context(agreed(consents=consents), ADA), "7")
    assert told == f"Nothing is written: {why}. +scene/share 7 asks, and shows the answers."
    assert before == PRESS.kept


def test_an_open_scene_is_written_too_as_far_as_it_has_come() -> None:
    store = agreed(open=True, closed_at=None)
    assert download(store, here=OPEN).startswith("Written: ")


def test_people_who_are_left_out_are_unknown_to_what_is_written() -> None:
    npcs, hidden = {50: "Thug", 51: "Lurker"}, frozenset({51})
    store = agreed(consents={**YES, BRAM.id: "out"}, npcs=npcs, hidden=hidden)
    store.characters[51] = replace(store.characters[BRAM.id], id=51, name="Lurker")
    download(store)
    source = PRESS.asked[-1][0]
    assert source.unknown == {BRAM.id, 51}
    assert source.names == {"Bram", "Lurker"}
    assert source.heading == Heading("The Landing", ("Ada", "Thug"), ["Rhea"])


def test_an_audit_is_for_referees_and_of_people_who_all_said_yes() -> None:
    store = agreed()
    told = refused(DOWNLOAD, write_context(store, ADA), "7=audit")
    assert told == "Audits are for the scene's referees. results shows the sums."
    assert "(audit, " in download(store, "7=audit jsonl", RHEA)
    named = agreed(referees=frozenset({ADA.id}))
    assert "(audit, " in download(named, "7=audit", ADA)
    out = agreed(consents={**YES, BRAM.id: "out"})
    assert refused(DOWNLOAD, write_context(out, RHEA), "7=audit") == (
        "An audit leaves out nobody, and Bram asked for that. Take story or results."
    )


def test_guests_can_answer_and_not_download() -> None:
    assert SHARE.access < DOWNLOAD.access
    scene = scene_of(ADA, GUEST)
    assert events(share(MemoryStore(scene), "no", GUEST, scene))


def test_one_transcript_is_written_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    lock = Lock()
    monkeypatch.setattr(publishing, "Lock", lambda: lock)
    _, verb = publishing_verbs(PRESS.write, PRESS.save)
    context = write_context(agreed(), ADA)
    with lock:
        assert refused(verb, context, "7").startswith("Another transcript is being written.")
    assert run(verb, context, "7").reply


def test_a_writing_that_fails_does_not_hold_up_the_next() -> None:
    def fail(name: str, lines: Iterable[str]) -> tuple[str, int]:
        raise MushError("file", "No space.", "Tell staff.")

    _, verb = publishing_verbs(PRESS.write, fail)
    for _ in range(2):
        assert refused(verb, write_context(agreed(), ADA), "7") == "No space. Tell staff."


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Dockside Ambush", "12-dockside-ambush"),
        ("../../etc/passwd", "12-etc-passwd"),
        ("  A -- B!  ", "12-a-b"),
        ("<script>", "12-script"),
        ("Ünder Fire №5", "12-ünder-fire-no5"),
        ("漢字", "12-漢字"),
        ("***", "12-scene"),
        (".hidden_file", "12-hidden-file"),
        ("CON", "12-con"),
        ("x" * 80, "12-" + "x" * 60),
        ("a\x1b\u202eb\0", "12-a-b"),
    ],
)
def test_a_files_name_is_the_number_and_letters_and_digits_of_the_title(
    title: str, name: str
) -> None:
    for format_, ending in zip(FORMATS, ("txt", "md", "html", "jsonl"), strict=True):
        assert file_name(replace(CLOSED, id=12, title=title), format_) == f"{name}.{ending}"


def test_two_scenes_of_one_title_have_files_of_their_own() -> None:
    assert file_name(CLOSED, "html") != file_name(replace(CLOSED, id=8), "html")
    assert len(file_name(replace(CLOSED, title="漢" * 80), "html").encode()) < 255


# gathering


def test_a_heading_has_players_then_npcs_and_the_referees_apart() -> None:
    scene = replace(CLOSED, npcs={60: "Thug 2", 50: "Thug 1"})
    store = MemoryStore(scene)
    assert heading_of(store, scene, frozenset()) == Heading(
        "The Landing", ("Ada", "Bram", "Thug 1", "Thug 2"), ["Rhea"]
    )
    assert heading_of(store, replace(scene, room=99), frozenset({ADA.id, RHEA.id, 60})) == Heading(
        "nowhere", ("Bram", "Thug 1"), []
    )
    assert source_of(store, scene).names == frozenset()
