"""What is kept of games on disk, so that nothing is lost whatever happens to power and disk."""
