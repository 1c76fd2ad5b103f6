"""How the server's own lines begin: no name does, and a line of a player's that does is signed.

What begins with `[Word]` or `<Word>` is told by that (`text.looks_like_ours`). The lines here have
no brackets: those that scripts may rely on, and those that are told to who did not ask.
"""

from __future__ import annotations

import re

from mushcombat.domain.text import as_seen, looks_like_ours

_OPENINGS = """
changed :
connected
either that player does not exist
exits :
from afar ,
health N
here :
huh
lethal intent is declared
long distance to
N player is
N players are
name :
new password
nobody called
nobody else called
nobody has posed
nobody is
old password
out of character
password :
penalty :
quirks :
role :
round N
scene N
something went wrong
staff end
the server
there are no
there is no
there is nobody
there is nothing
those here hear
to (
too many
usage
wait N
welcome
you are banned
you are in no
you can
you have no
you join scene
you leave scene
you missed
you mutter
you page
you paged
you say
you whisper
your health
your password
"""
OPENINGS = tuple(tuple(line.split()) for line in _OPENINGS.strip().split("\n"))
"""Words and signs that lines of the server's begin with; N is any number."""

_TAGS = """
any attack change combat contest counter damage defend edit gear heal hidden initiative maneuver
note odds order pot reaction redo result roll ruling scene seed server share sum system throw turn
undo watch wounds
"""
TAGS = frozenset(_TAGS.split())
"""Tags that the server's own lines begin with: a channel of that name could forge them."""

_FIRST_WORDS = """
a about activating acts afk again all also an another answer armour ask at athletics audits away
carries chance channel commands disconnected doing each energy first formats full goodbye guests
hand health hurt idle in is it last lines load making more no nothing now on once one only other
others pages pending personal players pose read recoil referees scene scenes settings several
sharing somebody speed split staff stepping that then they things this topics training two
versions waiting wears what where whispers who with words written you your
"""
FIRST_WORDS = frozenset(_FIRST_WORDS.split())
"""Other first words of its lines, ordinary ones: a line that begins so is anybody's, a name not."""

_DEED_WORDS = """
arrives has hands invites joins leaves mutters pages referees says whispers
"""
DEED_WORDS = frozenset(_DEED_WORDS.split())
"""What the server says people do: who is called `Bram has` poses `connected.`"""

_TOKEN = re.compile(r"\w+|[^\w\s]")
_NUMBER = "N"
_HEAD = 120
_NAME = r"[^\W\d_][\w '-]{0,40}?"
_SPEECH = r"(?:says|whispers|mutters(?: to [\w '-]+)?),? ?[\"'\u2018-\u201f\u00ab]"
_DEEDS = (
    r"pages ?:|pages you\b|has (?:dis)?connected\b|(?:joins|leaves|referees) scene \d"
    r"|referees the scene|hands the scene over|invites you to scene|\(NPC,"
)
_WALKS = r"(?!(?:the|an?|one) )" + _NAME + r" (?:arrives\.$|leaves\.$|leaves by )"
_OF_PEOPLE = re.compile(rf"{_NAME} (?:{_SPEECH}|{_DEEDS})|{_WALKS}|\([^)]+ is asked\.", re.I)
"""What the server says of somebody. `A ship arrives.` is anybody's: players have no article."""


def begins_like_ours(line: str) -> bool:
    """Tell whether a line begins as one of the server's does, with brackets or without."""
    if looks_like_ours(line):
        return True
    head = " ".join(as_seen(line, _HEAD).split())
    said = _tokens(head)
    opens = any(len(said) >= len(opening) and _fits(said, opening) for opening in OPENINGS)
    return opens or _OF_PEOPLE.match(head) is not None


def can_begin_ours(name: str) -> bool:
    """Tell whether words behind a name could make a line of the server's: `There` could."""
    said = _tokens(name)
    ours = " ".join(said) in TAGS | FIRST_WORDS or not DEED_WORDS.isdisjoint(said[1:])
    return ours or any(_fits(said, opening) for opening in OPENINGS)


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text.casefold())


def _fits(said: list[str], opening: tuple[str, ...]) -> bool:
    """Compare as many words as both have."""
    pairs = zip(said, opening, strict=False)
    return all(word == own or (own == _NUMBER and word.isdigit()) for word, own in pairs)
