"""The telnet codec against twisted.conch.telnet's: `python -m benchmarks.wire`.

Both parse the same bytes in turns, in one process. Only the ratio says something: rates are those
of this machine, now. Exit status: 1 when the two did not read the same lines.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

from twisted.conch.telnet import StatefulTelnetProtocol, TelnetTransport
from twisted.internet.testing import StringTransport

from mushcombat.wire import codes
from mushcombat.wire.negotiation import Negotiation, codec
from mushcombat.wire.telnet import Line, subnegotiation

ROUNDS = 7
LINE = b"pose ducks behind the crates, counts to three, and looks round the corner.\r\n"
GMCP = subnegotiation(codes.GMCP, b'Char.Vitals {"hp": 71, "maxhp": 100}')
NOP = bytes((codes.IAC, codes.NOP))

Packets = Sequence[bytes]
Parse = Callable[[Packets], int]


def ours(packets: Packets) -> int:
    """Parse with our codec and its negotiation; gives the number of lines."""
    telnet = codec()
    negotiation = Negotiation(telnet, lambda: ())
    telnet.receive(bytes((codes.IAC, codes.DO, codes.GMCP)))
    lines = 0
    for packet in packets:
        for token in telnet.each(packet):
            negotiation.take(token)
            lines += isinstance(token, Line)
        negotiation.note_telnet()
        telnet.output()
    return lines


class Count(StatefulTelnetProtocol):
    """Counts lines, and agrees to GMCP."""

    lines = 0

    def lineReceived(self, line: bytes) -> None:  # noqa: ARG002, N802 -- Twisted's
        """Count."""
        self.lines += 1

    def enableLocal(self, option: bytes) -> bool:  # noqa: N802 -- Twisted's
        """Agree."""
        return option == codes.GMCP.to_bytes()


def twisteds(packets: Packets) -> int:
    """Parse with Twisted's; gives the number of lines."""
    made: Any = TelnetTransport
    transport, protocol = made(Count), None
    transport.makeConnection(_nowhere())
    protocol = transport.protocol
    transport.negotiationMap[codes.GMCP.to_bytes()] = lambda _: None
    transport.dataReceived(bytes((codes.IAC, codes.DO, codes.GMCP)))
    for packet in packets:
        transport.dataReceived(packet)
    return int(protocol.lines)


def _nowhere() -> Any:
    made: Any = StringTransport
    return made()


def workloads() -> dict[str, Packets]:
    """Give what is parsed: some packets of each kind."""
    chat = LINE * 2000
    mixed = (LINE * 3 + GMCP + NOP) * 500
    return {
        "lines, 64 KiB packets": [chat[i : i + 65536] for i in range(0, len(chat), 65536)],
        "lines, one a packet": [LINE] * 2000,
        "lines with GMCP and NOP": [mixed[i : i + 1400] for i in range(0, len(mixed), 1400)],
        "lines, byte by byte": [LINE[i : i + 1] for i in range(len(LINE))] * 200,
    }


def rate(parse: Parse, packets: Packets) -> float:
    """Parse once; gives MB a second of the processor."""
    began = time.process_time()
    parse(packets)
    return sum(map(len, packets)) / (time.process_time() - began) / 1e6


def main() -> int:
    """Measure each kind in turns; gives the exit status."""
    print(f"{'MB a second':26}{'Twisted':>9}{'ours':>9}{'ratio':>9}")
    for what, packets in workloads().items():
        if ours(packets) != twisteds(packets):
            print(f"{what}: not the same lines", file=sys.stderr)
            return 1
        pairs = [(rate(twisteds, packets), rate(ours, packets)) for _ in range(ROUNDS)]
        ratio = median(mine / other for other, mine in pairs)
        other, mine = median(pair[0] for pair in pairs), median(pair[1] for pair in pairs)
        print(f"{what:26}{other:9.1f}{mine:9.1f}{ratio:9.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
