"""The search of Circle of Life, on a board of machine words that can be compiled."""
