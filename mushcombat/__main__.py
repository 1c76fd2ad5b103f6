"""`python -m mushcombat` is `mushcombat`."""

from mushcombat.cli import main

main()
