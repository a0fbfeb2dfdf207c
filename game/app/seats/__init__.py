"""Who has the seat of which player in a game that hides things: invitations, keys, messages."""
