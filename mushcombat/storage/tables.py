"""Every table of the database, whichever module it stands in: what migrations are compared with."""

from __future__ import annotations

from typing import Final

from sqlalchemy import MetaData

from mushcombat.storage import (
    schema,
    schema_bans,
    schema_channels,
    schema_fights,
    schema_jobs,
    schema_preferences,
    schema_processes,
)

MODULES: Final = (
    schema,
    schema_fights,
    schema_channels,
    schema_preferences,
    schema_jobs,
    schema_bans,
    schema_processes,
)
"""The modules whose classes are tables; a new one gets a place here."""

METADATA: Final[MetaData] = schema.Base.metadata
