"""Whether the people of a scene let its transcript be shared: yes, no, or leave me out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Literal

from mushcombat.domain.events import Event
from mushcombat.domain.scene import Scene
from mushcombat.records import record

Answer = Literal["yes", "no", "out"]
YES: Answer = "yes"
NO: Answer = "no"
OUT: Answer = "out"
ANSWERS: tuple[Answer, ...] = (YES, NO, OUT)


@record(frozen=True, slots=True)
class SharingAsked(Event):
    """The actor asks all who took part whether the scene's transcript may be shared."""

    kind: ClassVar[str] = "sharing.asked"


@record(frozen=True, slots=True)
class SharingAnswered(Event):
    """The subject's answer; `out` leaves their lines and their name out.

    The actor is the subject, or leaves somebody out who did not answer.
    """

    kind: ClassVar[str] = "sharing.answered"
    subject: int
    name: str
    answer: Answer


SHARING_EVENTS: tuple[type[Event], ...] = (SharingAsked, SharingAnswered)


def answered(scene: Scene, answer: str) -> frozenset[int]:
    """Give those who took part and gave this answer."""
    return frozenset(i for i in scene.took_part if scene.consents.get(i) == answer)


def silent(scene: Scene) -> frozenset[int]:
    """Give those who took part and have not answered."""
    return scene.took_part - scene.consents.keys()


def left_out(scene: Scene) -> frozenset[int]:
    """Give who does not exist in what is published: hidden NPCs, and those who answered out."""
    return scene.hidden | answered(scene, OUT)


def those(people: Iterable[int], names: dict[int, str]) -> list[str]:
    """Name people, in alphabetical order."""
    return sorted(names[one] for one in people if one in names)
