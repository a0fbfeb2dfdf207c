"""The search that knows Circle of Life, on a board of machine words that can be compiled."""
