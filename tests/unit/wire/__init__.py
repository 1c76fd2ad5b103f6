"""Tests of mushcombat.wire."""
