"""The rules of the games: pure functions on immutable positions, standard library only.

`base` is the common part of all games, `boards` are the boards as graphs, and every other folder
is one game: its rules, texts, words and drawings.
"""
