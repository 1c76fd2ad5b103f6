"""Help: sections of Markdown files, one a verb or a topic, each with an example.

A section begins with `# name`. The server does not start when a verb has none, or one without
a line "Example:".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping
from pathlib import Path

from mushcombat.domain.command import Access, Call, Context, Lane, Outcome, Verb
from mushcombat.domain.text import clip
from mushcombat.errors import MushError
from mushcombat.service.executor import access_of
from mushcombat.service.router import SHORTEST, SIGNS, plain

FULL = 80
"""Characters from where a line of a file of help goes on with the next one."""


def read_sections(folder: Path) -> dict[str, str]:
    """Read all sections of the `.md` files of a folder, by their headings."""
    sections: dict[str, str] = {}
    for file in sorted(folder.glob("*.md")):
        for part in ("\n" + file.read_text(encoding="utf-8")).split("\n# ")[1:]:
            heading, _, body = part.partition("\n")
            if heading.strip() in sections:
                raise RuntimeError(f"two help sections are called {heading.strip()}")
            sections[heading.strip()] = body.strip()
    return sections


def check_help(verbs: Iterable[Verb], sections: Mapping[str, str]) -> None:
    """Refuse to go on when a verb has no help, or help without an example."""
    lacking = [verb.name for verb in verbs if "Example:" not in sections.get(verb.help_topic, "")]
    if lacking:
        raise RuntimeError(f"verbs without help and an example: {', '.join(sorted(lacking))}")


def flowing(section: str) -> tuple[str, ...]:
    """Give the lines of a section, each paragraph as one: how long a line is, a screen says."""
    lines: list[str] = []
    for line in section.splitlines():
        if lines and len(lines[-1]) >= FULL and line and not line.startswith(" "):
            lines[-1] += f" {line}"
        else:
            lines.append(line)
    return tuple(lines)


class HelpBook:
    """The sections, and which verbs they belong to."""

    def __init__(self, verbs: Iterable[Verb], sections: Mapping[str, str]) -> None:
        self._verbs = tuple(verbs)
        self._sections = sections

    def index(self, access: Access) -> tuple[str, ...]:
        """List what there is help for, those topics alone that the reader may use."""
        mine = sorted({v.name for v in self._verbs if v.access <= access}, key=plain)
        topics = sorted(set(self._sections) - {v.help_topic for v in self._verbs})
        return (
            "Commands: " + ", ".join(mine) + ".",
            "Topics: " + ", ".join(topics) + ".",
            "help <topic> tells more, with an example. Commands may be shortened to three letters.",
        )

    def has(self, typed: str, access: Access) -> bool:
        """Tell whether there is help on just what was typed, but for its sign and case."""
        wanted = plain(typed.strip())
        return any(plain(name) == wanted for name in self._names(access))

    def topic(self, typed: str, access: Access, *, brief: bool = False) -> tuple[str, ...]:
        """Show one section, brief its usage and example; MushError for none, or more than one."""
        found = self._find(typed.strip().casefold(), access)
        verbs = [v for v in self._verbs if v.help_topic == found and v.access <= access]
        usage = [f"Usage: {verb.syntax}" for verb in verbs]
        also = sorted({alias for verb in verbs for alias in verb.aliases})
        more = [f"Also: {', '.join(also)}"] if also else []
        lines = flowing(self._sections[found])
        if brief and "Example:" in lines:
            lines = lines[lines.index("Example:") :]
        return (found, *usage, *more, *lines)

    def _find(self, typed: str, access: Access) -> str:
        names = self._names(access)
        for same in (
            [n for n in names if n == typed],
            [n for n in names if plain(n) == plain(typed)],
            [
                n
                for n in names
                if len(plain(typed)) >= SHORTEST and plain(n).startswith(plain(typed))
            ],
        ):
            topics = sorted({names[name] for name in same})
            if len(topics) == 1:
                return topics[0]
            if topics:
                raise MushError("help", f'"{clip(typed)}" could be {", ".join(topics)}.')
        raise MushError("help", f'There is no help on "{clip(typed)}".', "help lists the topics.")

    def _names(self, access: Access) -> dict[str, str]:
        """Give all that can be asked for, and the section of each."""
        mine = {v.help_topic for v in self._verbs if v.access <= access}
        hidden = {v.help_topic for v in self._verbs} - mine
        names = {topic: topic for topic in self._sections if topic not in hidden}
        for verb in self._verbs:
            if verb.access <= access:
                called = (verb.name, *verb.aliases)
                flagged = (f"{name}/{flag}" for name in called for flag in verb.flags)
                names.update(dict.fromkeys((*called, *flagged), verb.help_topic))
        names.update({sign: names[name] for sign, name in SIGNS.items() if name in names})
        return names


def help_verbs(
    verbs: Iterable[Verb],
    sections: Mapping[str, str],
    system: str,
    books: MutableMapping[str, HelpBook],
) -> tuple[Verb, ...]:
    """Give the verb of this file; `verbs` are all the others that there are in a rule system.

    Its book is put into `books`, by the name of the system, and what it does not know is looked
    for in the others.
    """

    def read(typed: str, access: Access, *, brief: bool) -> tuple[str, ...]:
        for name, other in ({} if book.has(typed, access) else books).items():
            if other.has(typed, access):
                title, *lines = other.topic(typed, access, brief=brief)
                return (f"{title} (in scenes by the rules of {name})", *lines)
        return book.topic(typed, access, brief=brief)

    def show(context: Context, typed: str) -> Outcome:
        access = access_of(context.actor, context.scene)
        if not typed:
            return Outcome.tell(*book.index(access))
        return Outcome.tell(*read(typed, access, brief=context.screen.brief))

    def parse(call: Call) -> str:
        return call.text

    verb = Verb("help", "help[ <topic>]", Access.GUEST, Lane.HERE, parse, show, aliases=("+help",))
    book = books[system] = HelpBook((*verbs, verb), sections)
    check_help((*verbs, verb), sections)
    return (verb,)
