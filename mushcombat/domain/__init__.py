"""What the game is about: pure values and rules of the house, standard library only."""
