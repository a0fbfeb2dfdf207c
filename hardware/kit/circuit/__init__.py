"""The sensing layer as a printed circuit."""
