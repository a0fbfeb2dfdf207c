"""The search of food webs, on a board of machine words that can be compiled."""
