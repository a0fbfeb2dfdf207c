"""Defaults of commands, service and board."""

DEFAULT_GAME = "circle-of-life"
DEFAULT_PORT = 8765
