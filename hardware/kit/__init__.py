"""The kit of parts: everything that is made, ordered and wired for one board, from its profile."""
