"""The board as a device: touches of cells in, colours out. It does not know any game."""
