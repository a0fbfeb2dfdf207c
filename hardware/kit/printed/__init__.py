"""The printed top."""
