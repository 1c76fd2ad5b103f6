"""The numbers of telnet: commands (RFC 854, 885, 1184) and the options that we know."""

from __future__ import annotations

from typing import Final

EOF: Final = 236
SUSP: Final = 237
ABORT: Final = 238
EOR_MARK: Final = 239
"""The command of RFC 885, sent after a prompt; `EOR` is the option that allows it."""
SE: Final = 240
NOP: Final = 241
DM: Final = 242
BRK: Final = 243
IP: Final = 244
AO: Final = 245
AYT: Final = 246
EC: Final = 247
EL: Final = 248
GA: Final = 249
SB: Final = 250
WILL: Final = 251
WONT: Final = 252
DO: Final = 253
DONT: Final = 254
IAC: Final = 255

BINARY: Final = 0  # RFC 856
ECHO: Final = 1  # RFC 857
SGA: Final = 3  # RFC 858
TIMING_MARK: Final = 6  # RFC 860
TTYPE: Final = 24  # RFC 1091
EOR: Final = 25  # RFC 885
NAWS: Final = 31  # RFC 1073
NEW_ENVIRON: Final = 39  # RFC 1572
CHARSET: Final = 42  # RFC 2066
MSSP: Final = 70  # Mud Server Status Protocol
GMCP: Final = 201  # Generic Mud Communication Protocol

SIMPLE_COMMANDS: Final = frozenset(
    {EOF, SUSP, ABORT, EOR_MARK, NOP, DM, BRK, IP, AO, AYT, EC, EL, GA}
)
"""Commands that are whole with their one byte after IAC."""

OPTION_COMMANDS: Final = frozenset({WILL, WONT, DO, DONT})
"""Commands that an option byte follows."""
