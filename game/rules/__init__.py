"""The rules of the games: pure functions on immutable positions, standard library only."""
