"""From a line to a verb: names, abbreviations, switches, and who may know of what."""

from __future__ import annotations

from collections.abc import Iterable

from mushcombat.domain.command import Access, Call, Verb
from mushcombat.domain.text import clip
from mushcombat.errors import MushError
from mushcombat.records import record

HUH = 'Huh?  (Type "help" for help.)'
SHORTEST = 3
"""Letters of a command's name that have to be typed."""

KEPT, LONGEST = 4096, 64
"""Commands, as they were typed with their switches, whose verbs are kept; and letters of one."""

SIGNS = {'"': "say", ":": "pose", ";": ";", "\\": "@emit"}
"""What stands for a command with no blank behind it."""


@record(frozen=True, slots=True)
class Routed:
    """A verb that was found, and the call of it."""

    verb: Verb
    call: Call


def plain(name: str) -> str:
    """Give a command's name without its leading sign."""
    return name.lstrip("+@").casefold()


class Router:
    """Finds verbs in one table: those of the core and of one rule system.

    A row called `+scene/open` is the switch `open` of the head `+scene`.
    """

    def __init__(self, verbs: Iterable[Verb]) -> None:
        self.verbs = tuple(verbs)
        self._rows: dict[str, dict[str, Verb]] = {}
        self._main: dict[str, str] = {}  # an alias's head -> the head of the verb's own name
        self._found: dict[tuple[str, Access], tuple[Verb, frozenset[str]]] = {}
        for verb in self.verbs:
            for name in (verb.name, *verb.aliases):
                head, _, switch = name.partition("/")
                if switch in self._rows.setdefault(head, {}):
                    raise ValueError(f"two verbs are called {name}")
                self._rows[head][switch] = verb
                self._main[head] = verb.name.partition("/")[0]

    def begins(self, word: str) -> bool:
        """Tell whether a word is the beginning of a command's name, but for its sign."""
        return any(plain(head).startswith(word) for head in self._rows)

    def knows(self, line: str, access: Access) -> bool:
        """Tell whether a line begins with a command's whole name, whatever its switches."""
        head, _ = _switches(_command(line)[0])
        return bool(self._open(head, access))

    def exact(self, line: str, access: Access) -> Routed | None:
        """Find a verb called by its whole name; None if there is none of it."""
        command, text = _command(line)
        known = self._found.get((command, access)) or self._find(command, access)
        return Routed(known[0], Call(known[1], text, known[0].syntax)) if known else None

    def _find(self, command: str, access: Access) -> tuple[Verb, frozenset[str]] | None:
        """Find a verb by its name and switches as typed, and keep it."""
        found = self._pick(*_switches(command), access)
        if found and len(command) <= LONGEST:
            if len(self._found) >= KEPT:
                self._found.clear()
            self._found[command, access] = found
        return found

    def abbreviated(self, line: str, access: Access) -> Routed | None:
        """Find a verb by a beginning of its name, or without its sign.

        Raises MushError when the beginning fits several.
        """
        command, text = _command(line)
        head, switches = _switches(command)
        if head in self._rows:
            return None  # it exists, for others
        heads = self._meant(head, access)
        if len({self._main[name] for name in heads}) > 1:
            raise MushError("ambiguous", f'Huh?  "{clip(head)}" could be {", ".join(heads)}.')
        found = self._pick(heads[0], switches, access) if heads else None
        return Routed(found[0], Call(found[1], text, found[0].syntax)) if found else None

    def _meant(self, typed: str, access: Access) -> list[str]:
        """Give the heads that are `typed` but for the sign, else those that it begins.

        Without a sign it begins a word sooner than a `+command`: `pos` is pose, not +poseorder.
        """
        known = sorted(head for head in self._rows if self._open(head, access))
        signed = typed[:1] in {"+", "@"}
        same = [head for head in known if plain(head) == typed] if not signed else []
        if same or len(plain(typed)) < SHORTEST:
            return same
        begun = [head for head in known if head.startswith(typed)]
        return begun if begun or signed else [h for h in known if plain(h).startswith(typed)]

    def _open(self, head: str, access: Access) -> dict[str, Verb]:
        rows = self._rows.get(head, {})
        return {switch: verb for switch, verb in rows.items() if verb.access <= access}

    def _pick(
        self, head: str, switches: list[str], access: Access
    ) -> tuple[Verb, frozenset[str]] | None:
        """Take the row of the first switch if there is one; what is left are flags."""
        rows = self._open(head, access)
        if not rows:
            return None
        row = _beginning(switches[0], rows) if switches else None
        verb = rows[row] if row else rows.get("")
        if verb is None or (switches and not row and not verb.flags and len(rows) > 1):
            raise _no_such_switch(head, switches, rows)
        flags = frozenset(_flag(verb, flag) for flag in switches[1 if row else 0 :])
        return verb, flags


def _command(line: str) -> tuple[str, str]:
    """Split a line into its command, as typed, and text; a sign like `:` is a command."""
    sign = SIGNS.get(line[:1])
    if sign:
        return sign, line[1:].removeprefix("\\") if sign == "@emit" else line[1:]
    word, *text = line.split(None, 1)
    if "=" in word and word[0] in "+@":  # "+ok=-1 steam": the left side is empty
        word = word.partition("=")[0]
        text = [line[len(word) :]]
    return word, text[0].strip() if text else ""


def _switches(command: str) -> tuple[str, list[str]]:
    """Split a command into its head and its switches."""
    head, *switches = command.casefold().split("/")
    return head, switches


def _beginning(typed: str, names: Iterable[str]) -> str | None:
    """Find the one name that is `typed`, or that three letters or more of it begin."""
    found = [name for name in names if name and name == typed]
    if not found and len(typed) >= SHORTEST:
        found = [name for name in names if name.startswith(typed)]
    return found[0] if len(found) == 1 else None


def _flag(verb: Verb, typed: str) -> str:
    flag = _beginning(typed, verb.flags)
    if flag is None:
        problem = f'{verb.name} has no switch "/{clip(typed)}".'
        raise MushError("switch", problem, f"Usage: {verb.syntax}")
    return flag


def _no_such_switch(head: str, switches: list[str], rows: Iterable[str]) -> MushError:
    typed = f'has no switch "/{clip(switches[0])}"' if switches else "needs a switch"
    names = ", ".join(f"{head}/{row}" if row else head for row in sorted(rows))
    return MushError("switch", f"{head} {typed}.", f"There are: {names}.")
