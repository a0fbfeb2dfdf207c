"""Games by fake hands, with all that hands do wrong, and what must be true of each."""
