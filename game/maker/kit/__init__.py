"""`lifeboard board kit`: files for making, ordering and wiring one board."""
