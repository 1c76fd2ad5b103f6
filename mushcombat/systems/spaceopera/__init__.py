"""Space Opera close combat: facing, parrying devices, split attacks (SO-1 to SO-28)."""
