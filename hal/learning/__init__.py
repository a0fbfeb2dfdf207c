"""Learning a board's wiring: the parts that `hal.learning.learner` joins."""
