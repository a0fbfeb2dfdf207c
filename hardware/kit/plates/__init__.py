"""What is cut: the foil, and the plates of a board."""
