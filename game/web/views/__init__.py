"""What a page is shown, as JSON, from immutable snapshots of the game."""
