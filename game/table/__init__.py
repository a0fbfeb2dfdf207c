"""A game as it is played on a board: a state machine without I/O, above the rules."""
