"""Kills a server again and again while people play, and sees that nothing shown is ever lost."""
