"""`lifeboard board kit`: everything that is made, ordered and wired for one board."""
