"""Boards with their parts on them: where everything lies, how it is joined, and KiCad's files."""
