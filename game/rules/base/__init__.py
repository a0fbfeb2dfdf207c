"""What every game offers to the table, the referee and a computer player, and how games are found.

Owns the base classes, the values that pass through them, messages, errors and the registry. Must
not know any one game, sensors, lights or files.
"""
