"""The case of a board: plates and printed pieces, generated from its plan, and pictures of it."""
