"""The board as a device: cells in, colours out. It knows no game."""
