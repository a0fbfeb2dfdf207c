"""The interface of games to the table, the referee and computer players, and how to find games.

Owns the base classes, the values that pass through them, messages, errors and the registry. Must
not know any one game, sensors, lights or files.
"""
