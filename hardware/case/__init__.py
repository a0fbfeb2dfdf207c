"""The case of a board: plates and printed pieces, made from its plan, and pictures of it."""
