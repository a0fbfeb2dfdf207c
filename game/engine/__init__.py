"""The computer player: searches a position of any game for good moves. Knows rules, no table."""
