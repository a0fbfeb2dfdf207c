"""Matches between engines: games in pairs, kept in a record that can go on, and their result."""
