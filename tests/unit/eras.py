"""Eras, answers and rows for export, as a store in memory keeps them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mushcombat.domain.eras import Era
from mushcombat.domain.events import Fact
from mushcombat.domain.scene import Scene
from mushcombat.domain.sharing import YES, Answer
from mushcombat.domain.transcripts import LoggedRow


class MemoryEras:
    """The part of a store in memory that knows of them."""

    scenes: dict[int, Scene]
    logs: dict[int, list[Fact]]
    eras: dict[int, Era]
    thrown: set[int]

    def last_closed(self, character: int) -> Scene | None:
        mine = [s for s in self.scenes.values() if not s.open and character in s.took_part]
        return max(mine, key=lambda s: (s.closed_at or s.opened_at, s.id), default=None)

    def exported(self, scene: int, last: int) -> Iterator[LoggedRow]:
        for fact in self.logs.get(scene, [])[:last]:
            yield LoggedRow(fact, {"payload": {}}, "", "0" * 64)

    def era(self, scene: int) -> Era:
        return self.eras.get(scene, Era(1))

    def dice_thrown(self, scene: int) -> bool:
        return scene in self.thrown

    def give_words(self, scene: int, words: str) -> None:
        era = self.era(scene)
        self.eras[scene] = replace(era, words=(*era.words, words))

    def reopen_scene(self, scene: int, room: int, seed: bytes) -> None:
        old = self.scenes[scene]
        consents = {i: answer for i, answer in old.consents.items() if answer != YES}
        changes = {"closed_at": None, "paused": False, "sharing": False, "consents": consents}
        self.scenes[scene] = replace(old, open=True, room=room, **changes)  # type: ignore[arg-type]
        self.eras[scene] = Era(self.era(scene).number + 1)
        self.thrown.discard(scene)

    def ask_sharing(self, scene: int) -> None:
        self.scenes[scene] = replace(self.scenes[scene], sharing=True)

    def answer_sharing(self, scene: int, character: int, answer: Answer) -> None:
        old = self.scenes[scene]
        self.scenes[scene] = replace(old, consents={**old.consents, character: answer})
