"""mushcombat: a multi-user MUSH-style chat and combat server for refereed scenes."""
