"""Random and mutated bytes over real sockets, on every port that the program has.

`python -m tests.e2e.fuzz` (`make fuzz`) goes on for ten minutes, and for as much as it is told with
--seconds; the tests run a few rounds. Whatever comes, the server logs no exception, does not grow,
answers on the same telnet link as soon as the bytes end what they began, and answers those who
play, in telnet and in a WebSocket, and who look at its pages, as if nobody else were there.
"""
