"""`python -m mushcombat` is `mushcombat`.

Loading the program makes some hundred thousand things, all of which stay: to search them for
garbage meanwhile takes a sixth of the time that a start takes.
"""

import gc

gc.disable()

from mushcombat.cli import main  # noqa: E402 -- what this loads is what must not be searched

gc.freeze()
gc.enable()

__all__ = ["main"]

if __name__ == "__main__":
    main()
