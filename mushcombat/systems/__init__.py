"""Rule systems: each a folder with its tables, formulas, verbs, events and texts."""

from collections.abc import Callable, Mapping
from pathlib import Path

from mushcombat.systems.otherspace.system import load as load_otherspace
from mushcombat.systems.spaceopera.system import load as load_spaceopera
from mushcombat.systems.system import System

Loader = Callable[[Path], System]
"""Reads a system's tables from the folder of rules."""

SYSTEMS: Mapping[str, Loader] = {
    "otherspace": load_otherspace,
    "spaceopera": load_spaceopera,
}
"""The table of systems; the first is the default outside scenes unless configuration says else."""
