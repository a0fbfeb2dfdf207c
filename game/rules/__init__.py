"""The rules of the games: pure functions on immutable positions, standard library only.

`base` is what all games have in common, `boards` are the boards as graphs, and every other folder
is one game with all that belongs to it: rules, texts, words and drawings.
"""
