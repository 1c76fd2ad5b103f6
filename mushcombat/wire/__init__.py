"""Telnet and its options as bytes and tokens; no I/O, and nothing else of ours."""
