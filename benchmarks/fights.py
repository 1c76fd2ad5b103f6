"""The load of fights: two in each scene strike at each other, as fast as they are answered.

Open scenes, and `+defend/always`: from +attack to [Result] nobody waits for a person. The
attacks have so much against them that none can hit: who falls has no turns.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from benchmarks.clients import Client, settle

_AGAINST = b"unarmed, blind, cover 90"
_LINE = re.compile(rb"^\[(?:Turn\] Round \d+: (\w+)|Result\])|not your turn", re.MULTILINE)


async def begin_fights(clients: Sequence[Client]) -> None:
    """Let every two clients open a scene and join a fight in it; the order is not rolled yet."""
    await settle(clients)
    for one, other in zip(clients[::2], clients[1::2], strict=True):
        one.send(b"+scene/open Fight of %b\r\n+scene/set mode=open\r\n" % one.name)
        found = await one.find(re.compile(rb'Scene (\d+) "Fight of %b"' % one.name))
        other.send(b"+scene/join %b\r\n" % found[1])
        await other.expect(b"You join scene")
        one.send(b"+combat/start\r\n")
        await one.expect(b"starts a fight")
        for client in (one, other):
            client.send(b"+combat/join\r\n+defend/always dexterity\r\n")
            await client.expect(b"%b defends with Dexterity from now on" % client.name)
    await settle(clients)


class Fights:
    """Whose turn it is attacks the other one of their scene; results count."""

    def __init__(self, clients: Sequence[Client]) -> None:
        self.going = True
        self.faults: list[str] = []
        self._clients = clients
        self._results = 0
        self._attacks = 0
        pairs = list(zip(clients[::2], clients[1::2], strict=True))
        self._other = {one: other for pair in pairs for one, other in (pair, pair[::-1])}
        self._counts = {one for one, _ in pairs}
        self._torn = dict.fromkeys(clients, b"")
        self._waiting: list[Client] = []  # whose turn it is, while nobody goes on
        self._rolled = False
        for client in clients:
            client.sink = self._take

    def begin(self) -> None:
        """Roll for the order, and the first turn follows; later, go on where it stopped."""
        self.going = True
        waiting, self._waiting = self._waiting, []
        for client in waiting:
            self._attack(client)
        for client in () if self._rolled else self._clients:
            client.send(b"+reaction\r\n")
        self._rolled = True

    def count(self) -> float:
        """Tell how many attacks have come to a result."""
        return self._results

    def left(self) -> int:
        """Tell how many attacks have no result yet."""
        return self._attacks - self._results

    def _take(self, client: Client, data: bytes) -> None:
        whole, end, torn = (self._torn[client] + data).rpartition(b"\n")
        self._torn[client] = torn
        for found in _LINE.finditer(whole + end):
            if found[0].startswith(b"not"):
                self.faults.append(f"{client.name!r} was told that it is not their turn")
            elif found[1] is None:
                self._results += client in self._counts
            elif found[1] == client.name and self.going:
                self._attack(client)
            elif found[1] == client.name:
                self._waiting.append(client)

    def _attack(self, client: Client) -> None:
        self._attacks += 1
        client.send(b"+attack %b=%b\r\n" % (self._other[client].name, _AGAINST))
