"""Monte Carlo tree search on fast boards that can be compiled, and the boards."""
