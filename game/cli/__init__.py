"""The commands: they read arguments, call the room that does the work, and print."""
