"""The commands: a file for each group of commands. They read arguments, call the room that does the
work, and print. No room imports them.
"""
