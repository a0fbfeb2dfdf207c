"""Backends, found by name, which drive boards, and Device, which runs one. They know no game."""
