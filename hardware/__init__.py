"""What a maker needs to build a board."""
