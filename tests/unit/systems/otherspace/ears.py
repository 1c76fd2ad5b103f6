"""What players see, hear and find when they look everywhere: a hidden NPC may be nowhere in it."""

from __future__ import annotations

from tests.unit.systems.otherspace.arena import Arena, Said

NAME = "Lurker"
LOOKS = (
    "+combat",
    "+scene",
    "+scene/log",
    "+scene/recap",
    "+scene/list",
    "+ref",
    "who",
    "+where",
    "look",
    "+sheet Lurk",
    "+health Lurk",
    "+speed Lurk",
    "+odds me/unarmed=Lurk",
    "+odds Lurk/unarmed=me",
    "+attack Lurk=unarmed",
    "+grapple Lurk",
    "+roll strength vs Lurk",
    "+heal Lurk",
    "+finger Lurk",
    "look Lurk",
    "page Lurk=hello",
    "whisper Lurk=hello",
    "+combat/leave Lurk",
    "+why 1",
    "+undo",
    "+redo",
)


class Ears:
    """Everything that anybody but Rhea saw or was told."""

    def __init__(self, arena: Arena) -> None:
        self.arena = arena
        self.heard: list[str] = []

    def say(self, *lines: str) -> Said:
        """Type "Rhea> line"s, none of which may be refused."""
        for line in lines:
            said = self.arena.do_all(line)
            self.heard += [
                each for who, seen in said.seen.items() if who != "Rhea" for each in seen
            ]
        return said

    def look(self, *names: str) -> list[str]:
        """Let people look everywhere; gives, and keeps, what they saw."""
        seen: list[str] = []
        last = self.arena.read(lambda store: store.last_seq(self.arena.scene))
        for name in names or ("Ada", "Olga"):
            for line in (*LOOKS, *(f"+why {n}" for n in range(1, last + 1))):
                said = self.arena.say(name, line)
                seen += [*said.reply, said.refusal, *said.seen[name]]
        self.heard += seen
        return seen

    def check(self) -> None:
        told = [line for line in self.heard if NAME.casefold() in line.casefold()]
        assert told == []
